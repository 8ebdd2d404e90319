"""The hooks as a user has them: an environment built by the runner, a real `git commit`."""

from __future__ import annotations

import shutil
import subprocess

import pytest
import yaml

from tests.conftest import (
    PROJECT,
    RULES,
    Done,
    Files,
    Repo,
    entry,
    memory,
    topic,
)

pytestmark = pytest.mark.runners

RUNNERS = ["pre-commit", "prek"]
IDS = [hook["id"] for hook in yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())]


@pytest.fixture(scope="session")
def hook_repo(tmp_path_factory: pytest.TempPathFactory, hermetic_env: dict[str, str]) -> Repo:
    """This project as a user's runner clones it: its files, in one commit."""
    path = tmp_path_factory.mktemp("hooks") / "nestwork-hooks"
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    for name in filter(None, names.split("\0")):
        if name.startswith("tests/") or not (PROJECT / name).is_file():
            continue
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, path / name)
    repo = Repo(path, hermetic_env)
    repo.git("init", "-q", "-b", "main")
    repo.commit()
    return repo


@pytest.fixture(scope="session")
def runner_home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the runners keep the environments that they build, once for all tests here."""
    home = tmp_path_factory.mktemp("runners")
    return {"PRE_COMMIT_HOME": str(home / "pre-commit"), "PREK_HOME": str(home / "prek")}


@pytest.fixture(params=RUNNERS)
def installed(
    request: pytest.FixtureRequest,
    nest: Repo,
    hook_repo: Repo,
    runner_home: dict[str, str],
) -> Repo:
    """A nest whose commits a runner checks."""
    nest.env = nest.env | runner_home
    install(nest, hook_repo, request.param, ["nestwork-check"])
    return nest


def install(nest: Repo, hook_repo: Repo, runner: str, ids: list[str], args: str = "[]") -> None:
    """Write a `repo:` block as in the README and let the runner put its hook into `.git/hooks`."""
    rev = hook_repo.git("rev-parse", "HEAD").strip()
    hooks = "".join(f"  - id: {hook}\n    args: {args}\n" for hook in ids)
    config = f"repos:\n- repo: {hook_repo.path}\n  rev: {rev}\n  hooks:\n{hooks}"
    nest.commit({".pre-commit-config.yaml": config})
    done = nest.run(runner, "install", "--overwrite")
    assert done.code == 0, done.text


def commit(nest: Repo, cwd: str = ".") -> Done:
    """A `git commit` as a user types it."""
    return nest.run("git", "commit", "-m", "change", cwd=cwd)


REFUSED: list[tuple[str, Files, str]] = [
    ("a new topic", {"shared/new.md": topic()}, "missing a line for new.md"),
    ("only a deletion", {"shared/hosts.md": None}, "a line for hosts.md, which is gone"),
    ("no description", {"shared/hosts.md": "# H\n"}, "[missing-description]"),
    ("too large", {"shared/hosts.md": topic(body="x" * 33_000)}, "[topic-size]"),
    ("too deep", {"shared/a/b/c.md": topic()}, "[nesting-depth]"),
    ("over budget", {"queen/agent-rules.md": "x" * 4_097}, "[resident-budget]"),
    ("no rules", {"queen/agent-rules.md": None}, "[missing-rules]"),
]


@pytest.mark.parametrize("case", REFUSED, ids=[case[0] for case in REFUSED])
def test_a_fault_is_refused_and_its_remedy_accepted(
    installed: Repo, case: tuple[str, Files, str]
) -> None:
    _, files, said = case
    installed.stage(files)
    done = commit(installed)
    assert done.code == 1
    assert said in done.text
    assert "Traceback" not in done.text
    installed.stage({"shared/hosts.md": topic("Mended"), "shared/a/b/c.md": None, **RULES})
    installed.run("nestwork-fix-index", "--all")
    installed.git("add", "-A")
    done = commit(installed)
    assert done.code == 0, done.text
    assert installed.run("nestwork-check", "--all") == (0, "", "")


@pytest.mark.parametrize("cwd", [".", "shared"])
def test_the_line_to_paste_mends_the_commit(installed: Repo, cwd: str) -> None:
    installed.stage({"shared/new.md": topic()})
    done = commit(installed, cwd)
    assert done.code == 1
    (line,) = (line for line in done.text.splitlines() if "to fix: " in line)
    pasted = installed.run("sh", "-c", line.partition("to fix: ")[2], cwd=cwd)
    assert pasted.code == 0, pasted.text
    assert commit(installed, cwd).code == 0
    assert installed.git("status", "--porcelain") == ""


@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize(
    ("ids", "args"),
    [(["nestwork-check"], "[--fix]"), (["nestwork-fix-index", "nestwork-check"], "[]")],
    ids=["as in the README", "two hooks"],
)
def test_with_the_fixer_add_and_commit_again(
    nest: Repo, hook_repo: Repo, runner_home: dict[str, str], runner: str, ids: list[str], args: str
) -> None:
    nest.env = nest.env | runner_home
    install(nest, hook_repo, runner, ids, args)
    nest.stage({"shared/new.md": topic()})
    done = commit(nest)
    assert done.code == 1
    assert "rewrote the topic index" in done.text
    assert nest.read("shared/memory.md") == memory(
        entry("hosts.md"), entry("new.md"), entry("ports.md")
    )
    nest.git("add", "shared/memory.md")
    assert commit(nest).code == 0


@pytest.mark.parametrize("runner", RUNNERS)
def test_every_hook_passes_on_a_sound_nest_and_is_silent(
    nest: Repo, hook_repo: Repo, runner_home: dict[str, str], runner: str
) -> None:
    nest.env = nest.env | runner_home
    install(nest, hook_repo, runner, [hook for hook in IDS if hook != "nestwork-measure"])
    nest.stage({"agents/h/i/memory.md": memory(entry("x.md")), "agents/h/i/x.md": topic()})
    done = nest.run(runner, "run", "--verbose")
    assert done.code == 0, done.text
    assert "error" not in done.text
    assert "rror:" not in nest.run(runner, "run", "--all-files").text


@pytest.mark.parametrize("runner", RUNNERS)
def test_commit_messages(
    nest: Repo, hook_repo: Repo, runner_home: dict[str, str], runner: str
) -> None:
    """The stage of its own: an editor's message, an agent's commit by path, and a distillation."""
    nest.env = nest.env | runner_home
    install(nest, hook_repo, runner, ["nestwork-commit-msg"])
    assert nest.run(runner, "install", "--overwrite", "-t", "commit-msg").code == 0
    (nest.path / ".git/hooks/pre-commit").unlink()
    nest.stage({"shared/hosts.md": topic(body="new\n")})
    done = commit(nest)
    assert (done.code, "[undistilled-shared]" in done.text) == (1, True)
    editor = "printf '# note\\nmemory: distill shared\\n' >"
    nest.write({"agents/h/i/x.md": topic()})
    nest.git("add", "-N", "agents")
    by_path = nest.run("git", "commit", "-qm", "memory: update h/i", "--", "agents/h/i")
    assert by_path.code == 0, by_path.text
    foreign = nest.run("git", "commit", "-qm", "memory: update h/i", "--", "shared")
    assert "[foreign-scope]" in foreign.text
    done = nest.run("git", "commit", "-v", GIT_EDITOR=editor)
    assert done.code == 0, done.text
    assert nest.git("log", "-1", "--format=%s") == "memory: distill shared\n"


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_commit_message_that_a_runner_keeps_back_is_no_pass(
    nest: Repo, hook_repo: Repo, runner_home: dict[str, str], runner: str
) -> None:
    nest.env = nest.env | runner_home
    install(nest, hook_repo, runner, ["nestwork-commit-msg"])
    config = nest.read(".pre-commit-config.yaml")
    nest.commit({".pre-commit-config.yaml": f"files: ^shared/\n{config}"})
    assert nest.run(runner, "install", "--overwrite", "-t", "commit-msg").code == 0
    (nest.path / ".git/hooks/pre-commit").unlink()
    nest.stage({"shared/hosts.md": topic(body="new\n")})
    assert commit(nest).code == 1


@pytest.mark.parametrize("hook", [hook for hook in IDS if hook != "nestwork-commit-msg"])
def test_try_repo(nest: Repo, hook_repo: Repo, runner_home: dict[str, str], hook: str) -> None:
    nest.env = nest.env | runner_home
    done = nest.run(
        "pre-commit", "try-repo", str(hook_repo.path), hook, "--all-files", "--hook-stage", "manual"
    )
    assert done.code == 0, done.text


def test_a_plain_hook(nest: Repo) -> None:
    nest.plain_hook("nestwork-check")
    nest.stage({"shared/new.md": topic()})
    done = commit(nest, "shared")
    assert done.code == 1
    pasted = done.text.splitlines()[-1].removeprefix("to fix: ")
    assert nest.run("sh", "-c", pasted, cwd="shared").code == 0
    assert commit(nest, "shared").code == 0
