"""The script for tool hooks in docs/agents.md, run as it stands there."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import recipes
from tests.commands.test_commit import UNDESCRIBED
from tests.conftest import BIN, MARKERS, RULES, Done, Repo, entry, memory, topic

Act = Callable[["Clone"], None]

BOX = "agents/box/claude-a7k2"
OTHER = "agents/box/codex-b"
HOSTS = f"{BOX}/hosts.md"
SHELLS = [
    "sh",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("bash", "dash", "busybox sh")),
]
NOT_PUSHED = "nestwork-commit: committed, not pushed: "
BY_GIT = "nestwork-commit is missing or broken: committed with plain git, the index may be stale\n"


(RULES_FILE,) = RULES


class Clone(Repo):
    """A clone of a nest, with that script beside it."""

    shell = "sh"

    def keep(self, scope: str = BOX, script: str = recipes.KEEP_MEMORY, **env: str) -> Done:
        """Run the script as the hook of an agent's write does."""
        hook = self.path.parent / "keep-memory"
        hook.write_text(script)
        return self.run(*self.shell.split(), str(hook), scope, "memory", **env)

    def arrived(self, path: str = HOSTS, where: str = "origin/main") -> bool:
        """Whether the file, as it is on disk, is in a commit there."""
        self.git("fetch", "-q") if where.startswith("origin/") else None
        done = self.run("git", "show", f"{where}:{path}")
        return done.out == self.read(path)


@pytest.fixture(params=SHELLS)
def clone(repo: Repo, request: pytest.FixtureRequest) -> Clone:
    if not shutil.which(request.param.split()[0]):
        pytest.skip(f"{request.param} is not installed")
    repo.commit(
        {
            **RULES,
            f"{BOX}/memory.md": memory(entry("hosts.md")),
            HOSTS: topic(),
            f"{OTHER}/memory.md": MARKERS,
        }
    )
    repo.git("clone", "-q", "--bare", ".", "../remote.git")
    clone = _clone(repo, "clone")
    clone.shell = request.param
    clone.write({HOSTS: topic(body="Learned.\n")})
    return clone


def _clone(repo: Repo, name: str) -> Clone:
    repo.git("clone", "-q", "../remote.git", f"../{name}")
    clone = Clone(repo.path.parent / name, repo.env)
    clone.git("config", "gc.auto", "0")
    return clone


def test_memory_is_committed_and_pushed(clone: Clone) -> None:
    assert clone.keep() == (0, "", "")
    assert clone.arrived()
    assert clone.run("nestwork-check", BOX) == (0, "", "")
    assert clone.keep() == (0, "", "")


def test_what_there_is_to_say_is_shown_to_the_agent(clone: Clone) -> None:
    clone.write({f"{BOX}/bare.md": "# No description\n"})
    done = clone.keep()
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(UNDESCRIBED)
    assert clone.arrived(f"{BOX}/bare.md")


@pytest.mark.slow
def test_what_cannot_be_committed_is_shown_to_the_agent(clone: Clone) -> None:
    clone.plain_hook("nestwork-check --no-such-flag")
    done = clone.keep()
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("nestwork-commit: not committed")


def _remote_gone(clone: Clone) -> None:
    clone.git("remote", "set-url", "origin", "../nowhere.git")


def _no_remote(clone: Clone) -> None:
    clone.git("remote", "remove", "origin")


def _remote_ahead(clone: Clone) -> None:
    other = _clone(clone, "other")
    other.commit({f"{OTHER}/ports.md": topic()})
    other.git("push", "-q")


def _conflict(clone: Clone) -> None:
    other = _clone(clone, "other")
    other.commit({HOSTS: topic(body="Learned elsewhere.\n")})
    other.git("push", "-q")


@pytest.mark.parametrize(
    ("what", "found"),
    [
        (_remote_gone, False),
        pytest.param(_conflict, True, marks=pytest.mark.slow),
        pytest.param(_remote_gone, True, marks=pytest.mark.slow),
        pytest.param(_no_remote, False, marks=pytest.mark.slow),
    ],
)
def test_what_is_not_pushed_is_committed(clone: Clone, what: Act, found: bool) -> None:
    what(clone)
    if found:
        clone.write({f"{BOX}/bare.md": "# No description\n"})
    done = clone.keep()
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(NOT_PUSHED)
    assert (f"{BOX}/bare.md:1: error: " in done.err) is found
    assert clone.arrived(where="HEAD")
    assert clone.git("status", "--porcelain") == ""
    assert clone.git("symbolic-ref", "HEAD") == "refs/heads/main\n"


def _without_ours(clone: Clone) -> str:
    """A PATH on which nothing of this package is found."""
    folder = clone.path.parent / "bin"
    folder.mkdir()
    for name in ("git", "timeout", "sh", "bash", "dash", "busybox", "sleep"):
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    return str(folder)


KINDS = [
    "missing",
    *(
        pytest.param(kind, marks=pytest.mark.slow)
        for kind in ("no Python", "not executable", "killed")
    ),
]


@pytest.mark.parametrize("kind", KINDS)
def test_without_the_command_git_alone_commits(clone: Clone, kind: str) -> None:
    path = _without_ours(clone)
    command = Path(path, "nestwork-commit")
    if kind != "missing":
        command.write_text("#!/bin/sh\nkill -9 $$\n" if kind == "killed" else "#!/no/python\n")
        command.chmod(0o644 if kind == "not executable" else 0o755)
    done = _keep_with_path(clone, path)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(BY_GIT)
    assert clone.arrived()
    assert clone.git("status", "--porcelain") == ""
    # Nothing to commit is nothing to say either.
    assert _keep_with_path(clone, path).code == 0


@pytest.mark.slow
def test_what_git_alone_does_not_commit_is_shown_to_the_agent(clone: Clone) -> None:
    path = _without_ours(clone)
    hook = clone.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no\nexit 1\n")
    hook.chmod(0o755)
    done = _keep_with_path(clone, path)
    assert (done.code, done.out) == (2, "")
    assert "\nno\n" in f"\n{done.err}"
    assert BY_GIT not in done.err
    assert _keep_with_path(clone, path, "agents/box/none").code == 2


def _keep_with_path(clone: Clone, path: str, scope: str = BOX) -> Done:
    env = clone.env | {"PATH": path}
    return Clone.keep(_in(clone, env), scope)


def _in(clone: Clone, env: dict[str, str]) -> Clone:
    other = Clone(clone.path, env)
    other.shell = clone.shell
    return other


def test_variables_of_another_repositorys_hook_do_no_harm(clone: Clone, tmp_path: Path) -> None:
    other = Repo(tmp_path / "project", clone.env)
    other.path.mkdir()
    other.git("init", "-q")
    names = {"GIT_DIR": ".git", "GIT_WORK_TREE": ".", "GIT_INDEX_FILE": ".git/index"}
    env = clone.env | {name: str(other.path / value) for name, value in names.items()}
    env["PATH"] = _without_ours(clone)
    done = _in(clone, env).keep()
    assert (done.code, done.err.endswith(BY_GIT)) == (2, True)
    assert clone.arrived()
    assert other.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_as_the_last_thing_of_a_hook(clone: Clone) -> None:
    home = _home(clone)
    hook = clone.path.parent / "hook"
    hook.write_text(f"set -eu\nDIR={BOX} MSG=memory\nif true; then\n{recipes.CALL}fi\n")
    # A short PATH, as tools give it: the command is found where pipx puts it.
    (home / ".local/bin/nestwork-commit").symlink_to(BIN / "nestwork-commit")
    clone.env = clone.env | {"PATH": _without_ours(clone), "HOME": str(home)}
    assert clone.run(*clone.shell.split(), str(hook)) == (0, "", "")
    clone.write({f"{BOX}/bare.md": "# No description\n"})
    assert clone.run(*clone.shell.split(), str(hook)).code == 2


@pytest.mark.slow
def test_two_agents_in_one_clone(clone: Clone) -> None:
    """Each writes and keeps; another machine has pushed meanwhile. All of it arrives."""
    _remote_ahead(clone)
    failed = []

    def work(scope: str) -> None:
        for number in range(4):
            clone.write({f"{scope}/notes.md": topic(body="Learned.\n" * (number + 1))})
            done = clone.keep(scope)
            if done != (0, "", ""):
                failed.append(done)

    agents = [threading.Thread(target=work, args=(scope,)) for scope in (BOX, OTHER)]
    for agent in agents:
        agent.start()
    for agent in agents:
        agent.join()
    assert failed == []
    for scope in (BOX, OTHER):
        assert clone.read(f"{scope}/notes.md") == topic(body="Learned.\n" * 4)
        assert clone.arrived(f"{scope}/notes.md")
    assert clone.arrived(f"{OTHER}/ports.md")
    assert clone.git("symbolic-ref", "HEAD") == "refs/heads/main\n"
    assert clone.run("nestwork-check", "--all") == (0, "", "")


def _home(clone: Clone) -> Path:
    """A home with the script where the page saves it."""
    home = clone.path.parent / "home"
    keeper = home / ".local/bin/keep-memory"
    keeper.parent.mkdir(parents=True)
    keeper.write_text(recipes.KEEP_MEMORY)
    keeper.chmod(0o755)
    return home


# A hook of the template's structure: called at each write and at the end of a turn.
TEMPLATE_HOOK = """\
set -u
event=$1 DIR=$2 MSG=memory
{function}
case $event in
    PostToolUse) commit_and_push "$DIR" "$MSG" || exit 2 ;;
    Stop) commit_and_push "$DIR" "$MSG" || true ;;
esac
exit 0
"""


@pytest.mark.quick(1)
@pytest.mark.parametrize(("event", "code"), [("PostToolUse", 2), ("Stop", 0)])
def test_as_the_function_of_the_templates_hook(clone: Clone, event: str, code: int) -> None:
    _remote_ahead(clone)
    home = _home(clone)
    clone.write({RULES_FILE: "# Rules\n\n- Edited.\n"})
    script = TEMPLATE_HOOK.format(function=recipes.FUNCTION)

    def hook() -> Done:
        return clone.run(*clone.shell.split(), "-c", script, "hook", event, BOX, HOME=str(home))

    assert hook() == (0, "", "")
    assert clone.arrived()
    assert clone.arrived(f"{OTHER}/ports.md")
    clone.write({f"{BOX}/bare.md": "# No description\n"})
    done = hook()
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(UNDESCRIBED)
    assert clone.arrived(f"{BOX}/bare.md")
    assert clone.git("status", "--porcelain") == f" M {RULES_FILE}\n"


@pytest.mark.slow
def test_an_export_without_front_matter(clone: Clone) -> None:
    name = f"{BOX}/claude-mem-digest.md"
    clone.write({name: "# Digest\n"})
    (line,) = (
        line
        for line in recipes.KEEP_MEMORY.splitlines(keepends=True)
        if line.startswith("nestwork-commit ")
    )
    assert clone.keep(script=recipes.KEEP_MEMORY.replace(line, recipes.EXPORTS)) == (0, "", "")
    assert clone.arrived(name)


@pytest.mark.slow
def test_without_is_what_it_replaces(clone: Clone) -> None:
    assert 'git commit -q -m "$MSG" -- "$DIR"' in recipes.WITHOUT
    script = f"DIR={BOX} MSG=memory; {recipes.WITHOUT}"
    subprocess.run(["sh", "-c", script], cwd=clone.path, env=clone.env, check=True)
    assert clone.arrived()
