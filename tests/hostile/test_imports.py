"""Nothing in a nest is imported, and no socket is opened."""

from __future__ import annotations

import sys

import pytest

from tests.conftest import BIN, MARKERS, RULES, Repo, topic
from tests.entry_points import module_of

_TRAP = "open('ran', 'a').write(__name__)\nraise SystemExit(77)\n"
LAZY = ["yaml", "frontmatter", "tempfile", "shlex", "json", "argparse", "difflib", "time"]
EAGER = ["nestwork_hooks", "re", "subprocess", "runpy", "sitecustomize", "encodings", "gettext"]
RUNS = [
    ("nestwork-check", "--all"),
    ("nestwork-check", "--all", "--format", "json"),
    ("nestwork-missing-description", "--all", "--exclude", "x"),
    ("nestwork-fix-index", "--staged", "shared"),
    ("nestwork-check", "--version"),
]


def _trapped(repo: Repo, modules: list[str]) -> Repo:
    traps = {
        path: _TRAP
        for name in modules
        for path in (f"{name}.py", f"{name}/__init__.py", f"shared/{name}.py")
    }
    sources = {"shared/memory.md": MARKERS, "shared/a.md": topic("a: b"), "shared/b.md": "---\n"}
    repo.commit({**RULES, **sources, **traps})
    return repo


@pytest.mark.quick(2)
@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_a_command_imports_nothing_from_the_nest(repo: Repo, run: tuple[str, ...]) -> None:
    _trapped(repo, LAZY + EAGER)
    assert repo.run(*run).code in (0, 1)
    assert not (repo.path / "ran").exists()


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "run", [RUNS[0], *(pytest.param(run, marks=pytest.mark.slow) for run in RUNS[1:])], ids=" ".join
)
@pytest.mark.parametrize("path", [".", "", ":/nonexistent", None], ids=str)
def test_nor_does_python_m_or_an_open_python_path(
    repo: Repo, run: tuple[str, ...], path: str | None
) -> None:
    """What is imported only when it is needed; before that, Python itself looks in the nest."""
    _trapped(repo, LAZY)
    command, *args = run
    env = {} if path is None else {"PYTHONPATH": path}
    done = repo.run(sys.executable, "-m", module_of(command), *args, **env)
    assert done.code in (0, 1), done.text
    assert not (repo.path / "ran").exists()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="python -P came with 3.11")
def test_python_with_a_safe_path_imports_nothing_at_all(repo: Repo) -> None:
    _trapped(repo, LAZY + EAGER)
    done = repo.run(sys.executable, "-P", "-m", "nestwork_hooks.commands.check", "--all")
    assert done.code == 1
    assert not (repo.path / "ran").exists()


_NO_SOCKET = """
import sys
def refuse(event, args):
    if event.startswith("socket."):
        raise SystemExit(f"{event} {args}")
sys.addaudithook(refuse)
sys.argv[:] = sys.argv[1:]
exec(open(sys.argv[0]).read())
"""


@pytest.mark.quick(2)
@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_no_socket(repo: Repo, run: tuple[str, ...]) -> None:
    _trapped(repo, [])
    command, *args = run
    done = repo.run(sys.executable, "-c", _NO_SOCKET, str(BIN / command), *args)
    assert done.code in (0, 1), done.text
    assert "socket" not in done.text
