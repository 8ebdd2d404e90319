"""`--root DIR`: the nest is a folder of the repository, and every path is said as it is from here."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import FIRST, MARKERS, RULES, Files, Repo, Run, Template, entry, memory, topic

FOLDER = "docs/nest"
SOUND: Files = {
    **RULES,
    "shared/memory.md": memory(entry("hosts.md"), entry("ports.md")),
    "shared/hosts.md": topic(),
    "shared/ports.md": topic(),
}
STALE = "docs/nest/shared/memory.md:3: error: topic index is stale: missing a line for new.md [stale-index]\n"
TO_FIX = (
    "to fix: nestwork-fix-index --ok --root docs/nest shared && git add --"
    " docs/nest/shared/memory.md\n"
)


def below(files: Files) -> Files:
    return {f"{FOLDER}/{path}": content for path, content in files.items()}


@pytest.fixture
def project(repo: Repo, template: Template) -> Repo:
    """A project with a sound nest in a folder of it."""
    files: Files = {"src/x.py": "x\n", "shared.txt": "x\n", **below(SOUND)}
    return repo.copied(template("nest in a project", lambda made: made.commit(files)))


def test_findings_and_remedy_have_paths_from_here(project: Repo, run: Run) -> None:
    assert run("nestwork-check", "--root", FOLDER, "--all", "--strict") == (0, "", "")
    project.stage(below({"shared/new.md": topic()}))
    for folder in (FOLDER, f"./{FOLDER}/", str(project.path / FOLDER)):
        assert run("nestwork-check", "--root", folder).out == STALE + TO_FIX, folder
    said = json.loads(run("nestwork-check", "--root", FOLDER, "--format", "json").out)
    assert [finding["path"] for finding in said["findings"]] == ["docs/nest/shared/memory.md"]
    assert os.getcwd() == str(project.path)


@pytest.mark.quick(1)
@pytest.mark.parametrize("args", [(), ("shared",), ("--all",)])
def test_the_line_that_mends_does(project: Repo, args: tuple[str, ...]) -> None:
    project.stage(below({"shared/new.md": topic()}))
    line = project.call("nestwork-check", "--root", FOLDER, *args).out.splitlines()[-1]
    assert project.run("sh", "-c", line.removeprefix("to fix: ")).code == 0
    assert project.call("nestwork-check", "--root", FOLDER, *args) == (0, "", "")
    assert project.git("status", "--porcelain") == (
        "M  docs/nest/shared/memory.md\nA  docs/nest/shared/new.md\n"
    )


def test_patterns_and_scopes_are_below_the_nest(project: Repo, run: Run) -> None:
    project.commit(below({"shared/new.md": "x\n", "agents/h/i/memory.md": MARKERS}))
    check = ("nestwork-check", "--root", FOLDER)
    assert run(*check, "--all", "--exclude", "^shared/", "--warn-only", "^agents/h/").code == 0
    assert run(*check, "--all", "--exclude", "^docs/").code == 1
    for name in ("agents/h/i", f"{FOLDER}/agents/h/i"):
        done = run(*check, name)
        assert done.out.startswith("docs/nest/agents/h/i/memory.md:3: error: topic index is stale")
        assert "shared" not in done.out
    assert run(*check, "docs") == (
        2,
        "",
        "nestwork-check: docs is no scope: name shared or agents/<host>/<agent-id>\n",
    )


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([f"{FOLDER}/shared/a.md"], [f"{FOLDER}/shared/a.md"]),
        ([f"{FOLDER}/shared/a.md", "src/y.md"], [f"{FOLDER}/shared/a.md"]),
        ([f"{FOLDER}/shared/hosts.md"], []),
        (["src/y.md"], []),
        (["src/y.md", "docs/other.md"], []),
        ([], [f"{FOLDER}/shared/a.md"]),
    ],
)
def test_a_hook_with_names(project: Repo, run: Run, names: list[str], found: list[str]) -> None:
    """As a runner passes them: files of the repository, of which the nest's are judged."""
    bad: Files = {"src/y.md": "x\n", "docs/other.md": "x\n", **below({"shared/a.md": "x\n"})}
    project.stage(bad)
    done = run("nestwork-missing-description", "--root", FOLDER, *names)
    assert [line.partition(":")[0] for line in done.out.partition(FIRST)[0].splitlines()] == found
    assert (done.code, done.err) == (int(bool(found)), "")


def test_a_change_elsewhere_is_judged_on_nothing(project: Repo, run: Run) -> None:
    project.commit(below({"shared/old.md": "x\n"}))
    project.stage({"src/x.py": "y\n"})
    for command in ("nestwork-check", "nestwork-fix-index"):
        assert run(command, "--root", FOLDER) == (0, "", "")


def _commit(project: Repo, cwd: str = ".") -> tuple[int, str]:
    done = project.run("git", "commit", "-q", "-m", "change", cwd=cwd)
    return done.code, done.text


def _in_worktree(project: Repo) -> Repo:
    path = project.path.parent / "linked"
    project.git("worktree", "add", "-q", "-b", "other", str(path))
    return Repo(path, project.env)


@pytest.mark.quick(2)
@pytest.mark.parametrize("where", [lambda project: project, _in_worktree], ids=["own", "linked"])
@pytest.mark.parametrize("command", ["nestwork-check", "nestwork-fix-index"])
def test_a_commit(project: Repo, where: Callable[[Repo], Repo], command: str) -> None:
    """Git starts a hook at the top; in a linked working tree it names its folder to the hook."""
    project.plain_hook(f"{command} --root {FOLDER}")
    tree = where(project)
    tree.stage(below({"shared/new.md": topic()}))
    code, said = _commit(tree, cwd="docs")
    assert code == 1
    assert "docs/nest/shared/memory.md" in said
    fix = said.splitlines()[-1].removeprefix("to fix: ")
    assert fix.startswith(f"cd {tree.path}; ")
    assert tree.run("sh", "-c", fix, cwd="docs", PATH="/usr/bin:/bin").code == 0
    assert _commit(tree, cwd="docs") == (0, "")
    assert tree.git("show", "HEAD:docs/nest/shared/memory.md") == memory(
        entry("hosts.md"), entry("new.md"), entry("ports.md")
    )


def test_the_staged_version_is_judged(project: Repo) -> None:
    project.plain_hook(f"nestwork-check --root {FOLDER}")
    project.stage(below({"shared/hosts.md": "x\n"}))
    project.write(below({"shared/hosts.md": topic()}))
    code, said = _commit(project)
    assert code == 1
    assert "docs/nest/shared/hosts.md:1: error: no YAML front matter" in said
    project.stage(below({"shared/hosts.md": topic(body="y\n")}))
    project.write(below({"shared/hosts.md": "x\n"}))
    assert _commit(project) == (0, "")


def test_the_fixer_writes_below_the_nest_alone(project: Repo, run: Run) -> None:
    project.stage({"shared/memory.md": MARKERS, "shared/x.md": topic()})
    project.commit()
    project.stage(below({"shared/new.md": topic()}))
    done = run("nestwork-fix-index", "--root", FOLDER)
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith(
        "docs/nest/shared/memory.md: rewrote the topic index, which was stale: missing a line for new.md"
    )
    assert entry("new.md") in project.read(f"{FOLDER}/shared/memory.md")
    assert project.read("shared/memory.md") == MARKERS


@pytest.mark.parametrize("name", ["shared", f"{FOLDER}/shared"])
def test_the_committer(project: Repo, name: str) -> None:
    project.write({"src/x.py": "y\n", **below({"shared/new.md": topic(), "shared/bad.md": "x\n"})})
    done = project.call("nestwork-commit", "--root", FOLDER, name, "-m", "memory")
    assert (done.code, done.out) == (1, "")
    first, second = done.err.splitlines()
    assert first == "nestwork-commit: committed; please note:"
    assert second.startswith("docs/nest/shared/bad.md:1: error: no YAML front matter")
    assert project.git("show", "--name-only", "--format=").split() == [
        f"{FOLDER}/shared/{file}.md" for file in ("bad", "memory", "new")
    ]
    assert project.git("status", "--porcelain") == " M src/x.py\n"


def test_the_report(project: Repo, run: Run) -> None:
    inside = Repo(project.path / FOLDER, project.env).call("nestwork-measure")
    assert inside.code == 0
    assert run("nestwork-measure", "--root", FOLDER) == inside


def _own_repository(project: Repo) -> str:
    other = Repo(project.path / "own", project.env)
    other.path.mkdir()
    other.git("init", "-q")
    return "own"


def _link_out(project: Repo) -> str:
    (project.path / "link").symlink_to(project.path.parent)
    return "link"


def _folder_that_nobody_enters(project: Repo) -> str:
    (project.path / "closed").mkdir(mode=0)
    return "closed"


WRONG: list[tuple[str | Callable[[Repo], str], str]] = [
    ("missing", "--root missing: no such folder"),
    ("src/x.py", "--root src/x.py: no such folder"),
    ("..", "--root ..: name a folder of this repository"),
    ("docs/../..", "--root docs/../..: name a folder of this repository"),
    ("/", "--root /: name a folder of this repository"),
    (_own_repository, "--root own: it is a repository of its own"),
    (_link_out, "--root link: name a folder of this repository"),
    ("src", "no nest here: git lists no file below "),
    (_folder_that_nobody_enters, ""),
]


@pytest.mark.quick(6)
@pytest.mark.parametrize("command", ["nestwork-check", "nestwork-fix-index", "nestwork-measure"])
@pytest.mark.parametrize(("where", "said"), WRONG)
def test_a_root_that_is_none(
    project: Repo, run: Run, command: str, where: str | Callable[[Repo], str], said: str
) -> None:
    folder = where if isinstance(where, str) else where(project)
    before = dict(os.environ)
    done = run(command, "--root", folder)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    if command != "nestwork-measure":
        assert done.err.startswith(f"{command}: {said}")
    assert (os.getcwd(), dict(os.environ)) == (str(project.path), before)


def test_a_nest_further_down_is_named_with_the_flag(project: Repo, run: Run) -> None:
    done = run("nestwork-check", "--all")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("nestwork-check: no nest here: ")
    assert "--root docs/nest" in done.err
    assert project


def test_the_environment_is_as_it_was(
    project: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    before = dict(os.environ)
    project.stage(below({"shared/new.md": topic()}))
    assert run("nestwork-check", "--root", FOLDER).out.startswith(STALE)
    assert dict(os.environ) == before
    assert Path.cwd() == project.path
