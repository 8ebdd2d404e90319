"""`nestwork-commit-msg`: what a commit may change, by its subject, as git reads it."""

from __future__ import annotations

import json
import sys

import pytest

from tests.conftest import BIN, MARKERS, SOUND, Done, Files, Repo, topic
from tests.test_economy import HEAVY

HOOK = "nestwork-commit-msg"
BOX, CODEX = "agents/box/claude-a7k2", "agents/box/codex"
UPDATE, DISTILL = "memory: update box/claude-a7k2", "memory: distill shared"
NEW = topic(body="new\n")


def _undistilled(path: str, done: str = "changed") -> str:
    return (
        f"{path}:1: error: {done} by a commit that is no distillation: shared/ changes only in one that"
        f' a person has reviewed, whose subject is "{DISTILL}"; is it none, keep what is new in your own'
        f" scope, and take it out with git reset -q -- {path} [undistilled-shared]\n"
    )


def _foreign(path: str, said: str = UPDATE) -> str:
    return (
        f'{path}:1: error: outside of {BOX}/, the only folder that a commit "{said}" changes: take it out'
        f" with git reset -q -- {path} [foreign-scope]\n"
    )


def _queen(path: str) -> str:
    return (
        f'{path}:1: error: queen/ is a person\'s, and no commit whose subject starts with "memory:"'
        f" changes it: take it out with git reset -q -- {path}; if you are that person, write another"
        " subject [foreign-scope]\n"
    )


@pytest.fixture
def shared(nest: Repo) -> Repo:
    """A nest with two agents; no editor was open for the message."""
    nest.env = nest.env | {"GIT_EDITOR": ":", "GIT_INDEX_FILE": ".git/index"}
    nest.commit({f"{scope}/memory.md": MARKERS for scope in (BOX, CODEX)})
    return nest


def judged(nest: Repo, message: str | bytes, *args: str) -> Done:
    """What the hook says of what is staged."""
    data = message if isinstance(message, bytes) else message.encode()
    (nest.path / ".git/COMMIT_EDITMSG").write_bytes(data)
    return nest.call(HOOK, ".git/COMMIT_EDITMSG", *args)


HOSTS, ADDED = "shared/hosts.md", "shared/new.md"
# what is staged, the message, what is said
COMMITS: list[tuple[Files, str, str]] = [
    ({HOSTS: NEW}, "Note the ports", _undistilled(HOSTS)),
    ({ADDED: NEW}, "memory: notes", _undistilled(ADDED, "added")),
    ({HOSTS: None}, "x", _undistilled(HOSTS, "deleted")),
    (
        {HOSTS: None, ADDED: SOUND[HOSTS]},
        "x",
        _undistilled(HOSTS, "deleted") + _undistilled(ADDED, "added"),
    ),
    ({"shared/memory.md": "x\n", "shared/x.txt": "x"}, "x", _undistilled("shared/memory.md")
     + _undistilled("shared/x.txt", "added")),
    ({HOSTS: NEW}, DISTILL, ""),
    ({HOSTS: NEW}, f"{DISTILL}\n\nReviewed.\n", ""),
    ({HOSTS: NEW}, 'Revert "x"', ""),
    ({HOSTS: NEW}, "fixup! x", ""),
    ({HOSTS: NEW, "queen/strategy.md": "x\n"}, "chore: sync nestwork protocol from upstream", ""),
    ({f"{BOX}/a.md": NEW, f"{BOX}/memory.md": "x\n"}, UPDATE, ""),
    ({f"{BOX}/a.md": NEW, f"{CODEX}/a.md": NEW}, UPDATE, _foreign(f"{CODEX}/a.md")),
    ({"agents/box/claude-a7k2x/a.md": NEW}, UPDATE, _foreign("agents/box/claude-a7k2x/a.md")),
    ({"README.md": "x\n", "projects/x.md": "x\n"}, UPDATE,
     _foreign("README.md") + _foreign("projects/x.md")),
    ({HOSTS: NEW}, UPDATE, _foreign(HOSTS) + _undistilled(HOSTS)),
    ({"queen/strategy.md": "x\n"}, UPDATE, _foreign("queen/strategy.md")),
    ({"queen/strategy.md": "x\n"}, DISTILL, _queen("queen/strategy.md")),
    ({"queen/strategy.md": "x\n"}, "memory: notes", _queen("queen/strategy.md")),
    ({"queen/strategy.md": "x\n"}, "Rule on ports", ""),
    ({f"{CODEX}/a.md": NEW, "projects/x.md": "x\n"}, "memory: notes", ""),
    ({f"{BOX}/a.md": NEW, HOSTS: NEW}, DISTILL, ""),
    ({HOSTS: NEW}, "", ""),
    ({HOSTS: NEW}, "\n\n", ""),
    ({}, "x", ""),
]  # fmt: skip


@pytest.mark.quick(10)
@pytest.mark.parametrize(("files", "message", "said"), COMMITS)
def test_commits(shared: Repo, files: Files, message: str, said: str) -> None:
    shared.stage(files)
    assert judged(shared, message) == (bool(said), said, "")


STRUCTURE: list[tuple[Files, str, str]] = [
    ({HOSTS: NEW, "shared/memory.md": "x\n", "shared/outbox/x.md": "x\n"}, "x", ""),
    ({HOSTS: NEW}, UPDATE, ""),
    ({ADDED: NEW}, "x", _undistilled(ADDED, "added")),
    ({HOSTS: None, ADDED: SOUND[HOSTS]}, "x", _undistilled(HOSTS, "deleted")
     + _undistilled(ADDED, "added")),
    ({ADDED: NEW}, DISTILL, ""),
    ({f"{CODEX}/memory.md": "x\n"}, UPDATE, _foreign(f"{CODEX}/memory.md")),
]  # fmt: skip


@pytest.mark.quick(3)
@pytest.mark.parametrize(("files", "message", "said"), STRUCTURE)
def test_structure_only(shared: Repo, files: Files, message: str, said: str) -> None:
    shared.stage(files)
    assert judged(shared, message, "--structure-only") == (bool(said), said, "")


def test_flags(shared: Repo) -> None:
    shared.stage({HOSTS: NEW, ADDED: NEW})
    assert (
        judged(shared, "memory: weekly", "--distill-subject", "^memory: (weekly|monthly)$").code
        == 0
    )
    assert (
        judged(shared, "memory: daily", "--distill-subject", "^memory: (weekly|monthly)$").code == 1
    )
    assert judged(shared, DISTILL, "--distill-subject", "^memory: weekly$").code == 0
    assert judged(shared, UPDATE, "--ignore", "undistilled-shared,foreign-scope") == (0, "", "")
    assert judged(shared, UPDATE, "--ignore", "foreign-scope").out == _undistilled(
        HOSTS
    ) + _undistilled(ADDED, "added")
    warned = _undistilled(HOSTS).replace("error", "warning", 1)
    assert judged(shared, "x", "--exclude", "new", "--warn-only", "^shared/") == (0, warned, "")
    assert judged(shared, "x", "--warn-only", "^shared/", "--strict").code == 1
    found = json.loads(judged(shared, UPDATE, "--format", "json").out)
    assert [(f["path"], f["rule"], f["line"]) for f in found["findings"]] == [
        (path, rule, 1)
        for path in (HOSTS, ADDED)
        for rule in ("foreign-scope", "undistilled-shared")
    ]
    assert (found["remedy"], found["written"]) == ("", [])
    github = judged(shared, "x", "--format", "github").out
    assert github.startswith(f"::error file={HOSTS},line=1,title=undistilled-shared::changed by")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "the following arguments are required: FILE"),
        (["a", "b"], "unrecognized arguments: b"),
        (["a", "--ignore", "stale-index"], "--ignore: there is no rule 'stale-index'; there are"),
        (["a", "--distill-subject", "("], "is no regular expression"),
        (["no-such"], "cannot read the message's file no-such: No such file or directory"),
        (["."], "cannot read the message's file .: Is a directory"),
        (["a\0b"], "cannot read the message's file a\\x00b: embedded null byte"),
    ],
)
def test_usage(shared: Repo, args: list[str], said: str) -> None:
    done = shared.call(HOOK, *args)
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"{HOOK}: ")
    assert said in line


# the message file of an edited message, git's configuration, whether shared/ may change
FILES = [
    (f"# note\n{DISTILL}\n# Please enter\n", {}, True),
    (f"; note\n{DISTILL}\n; Please enter\n", {"core.commentChar": ";"}, True),
    (f"// note\n{DISTILL}\n// Please enter\n", {"core.commentString": "//"}, True),
    (f"% note\n{DISTILL}\n\n% Please enter\n", {"core.commentChar": "auto"}, True),
    (f"# note\n{DISTILL}\n", {"commit.cleanup": "whitespace"}, False),
    (f"x\n# ------------------------ >8 ------------------------\n{DISTILL}\n", {}, False),
    (f"\ufeff{DISTILL}\r\n", {}, True),
    (f"{DISTILL} k\u00fc".encode("latin-1"), {"i18n.commitEncoding": "latin-1"}, True),
    ("# x\n# ------------------------ >8 ------------------------\ndiff\n", {}, True),
]


@pytest.mark.quick(4)
@pytest.mark.parametrize(("message", "config", "passes"), FILES)
def test_the_message_is_read_as_git_will(
    shared: Repo, message: str | bytes, config: dict[str, str], passes: bool
) -> None:
    del shared.env["GIT_EDITOR"]
    for key, value in config.items():
        shared.git("config", key, value)
    shared.stage({HOSTS: NEW})
    assert judged(shared, message).code == (not passes)


def test_a_scope_of_any_encoding(shared: Repo) -> None:
    shared.git("config", "i18n.commitEncoding", "gbk")
    shared.stage({"agents/\u673a/codex/a.md": NEW})
    assert judged(shared, "memory: update \u673a/codex".encode("gbk")) == (0, "", "")
    assert judged(shared, "memory: update \u673b/codex".encode("gbk")).code == 1


def _install(nest: Repo, *flags: str) -> None:
    """Install the hook as people do without a runner."""
    nest.env = {key: value for key, value in nest.env.items() if key != "GIT_INDEX_FILE"}
    nest.plain_hook("true", folder=BIN)
    hook = nest.path / ".git/hooks/commit-msg"
    (nest.path / ".git/hooks/pre-commit").unlink()
    hook.write_text(f'#!/bin/sh\nexec {BIN}/{HOOK} {" ".join(flags)} "$1"\n')
    hook.chmod(0o755)


def test_git_hands_it_what_is_committed(shared: Repo) -> None:
    """Staged, `-a`, by path, a merge, an amended message: each with git's own index and file."""
    _install(shared)
    shared.stage({HOSTS: NEW})
    done = shared.run("git", "commit", "-qm", UPDATE)
    assert (done.code, done.err) == (1, "" + _foreign(HOSTS) + _undistilled(HOSTS))
    shared.write({f"{BOX}/memory.md": "x\n"})
    assert shared.run("git", "commit", "-qm", UPDATE, "--", BOX).code == 0
    shared.git("reset", "-q")
    also = "git reset -q -- shared/hosts.md, and don't commit with -a [foreign-scope]"
    assert also in shared.run("git", "commit", "-qam", UPDATE).text
    by_path = "don't name shared/hosts.md to git commit [foreign-scope]"
    assert by_path in shared.run("git", "commit", "-qm", UPDATE, "--", "shared").text
    assert shared.run("git", "commit", "-qam", DISTILL).code == 0
    assert shared.run("git", "commit", "-q", "--amend", "-m", UPDATE).code == 0
    shared.git("switch", "-q", "-c", "side", "HEAD~2")
    shared.commit({ADDED: NEW})
    shared.git("switch", "-q", "main")
    assert shared.run("git", "merge", "-q", "--no-edit", "side").code == 0


def test_a_nest_further_down(repo: Repo) -> None:
    repo.commit({f"docs/nest/{path}": text for path, text in SOUND.items()})
    _install(repo, "--root", "docs/nest")
    repo.stage({f"docs/nest/{HOSTS}": NEW, "src/x.py": "x\n"})
    assert repo.run("git", "commit", "-qm", "x").err == _undistilled(f"docs/nest/{HOSTS}")
    repo.git("reset", "-q")
    repo.stage({"src/x.py": "y\n", f"docs/nest/{HOSTS}": SOUND[HOSTS]})
    assert repo.run("git", "commit", "-qm", UPDATE).code == 0
    done = judged(repo, "x")
    assert (done.code, done.out) == (2, "")
    assert "there is one in docs/nest/: --root docs/nest" in done.err


def test_a_first_commit_starts_the_nest(repo: Repo) -> None:
    repo.stage(SOUND)
    assert judged(repo, "Start a nest") == (0, "", "")
    assert judged(repo, "memory: x").out == _queen("queen/agent-rules.md")


def test_the_committer_commits_its_scope(shared: Repo) -> None:
    """Its commit of an agent's scope passes, and one of `shared/` is held to its subject."""
    _install(shared)
    shared.write({f"{CODEX}/a.md": NEW, HOSTS: NEW})
    assert shared.call("nestwork-commit", CODEX, "-m", UPDATE).code == 0
    done = shared.call("nestwork-commit", "shared", "-m", "memory: notes")
    assert (done.code, "[undistilled-shared]" in done.err) == (2, True)
    assert shared.call("nestwork-commit", "shared", "-m", DISTILL).code == 0


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("message", "processes"), [(UPDATE, 2), ("fixup! x", 0), ("k\u00fc", 3), ("", 0)]
)
def test_what_it_costs(shared: Repo, message: str, processes: int) -> None:
    """No module that no plain run needs, and few git processes."""
    shared.stage({f"{BOX}/a.md": NEW})
    (shared.path / ".git/COMMIT_EDITMSG").write_text(message)
    script = (
        "import sys\nbefore = set(sys.modules)\n"
        "from nestwork_hooks.commands.commit_msg import main\n"
        "from nestwork_hooks.git import process\nstarted = []\nreal = process.start\n"
        "def start(*args, **kwargs):\n    started.append(args)\n    return real(*args, **kwargs)\n"
        "process.start = start\n"
        "code = main(['.git/COMMIT_EDITMSG'])\n"
        "print(code, len(started), *sorted(set(sys.modules) - before))"
    )
    code, count, *loaded = shared.run(sys.executable, "-c", script).out.split()
    assert (code, int(count)) == ("0", processes)
    assert not HEAVY.intersection(loaded)
    assert not [name for name in loaded if name.startswith("nestwork_hooks.checkers.")]
