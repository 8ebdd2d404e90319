"""What `nestwork-check SCOPE --uncommitted` says at the start of an agent's session."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nestwork_hooks.console.streams import shortened
from nestwork_hooks.git.clone import WAYS_OUT
from tests.conftest import RULES, Files, Repo, Run, entry, memory, to_fix, topic

HOOK = "nestwork-check"
BOX = "agents/box/claude-a7k2"
SAID = (
    f"{BOX}/memory.md:1: warning: {{}} of this scope not committed: {{}};"
    " commit with nestwork-commit [uncommitted]\n"
)


@pytest.fixture
def box(repo: Repo) -> Repo:
    """A nest with one agent's scope of one topic."""
    repo.commit(
        {
            **RULES,
            f"{BOX}/memory.md": memory(entry("hosts.md")),
            f"{BOX}/hosts.md": topic(),
            "shared/memory.md": memory(),
        }
    )
    return repo


def test_all_is_committed(box: Repo, run: Run) -> None:
    box.write(
        {"shared/x.md": topic(), "agents/box/ab/x.md": topic(), f"{BOX}/.nestwork-fix-1": "x"}
    )
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")


WAITING: list[tuple[Files, Files, str, str]] = [
    ({}, {f"{BOX}/hosts.md": topic(body="# U\n")}, "1 file", "changed hosts.md"),
    ({}, {f"{BOX}/x.txt": "x"}, "1 file", "untracked x.txt"),
    ({f"{BOX}/hosts.md": topic(body="# U\n")}, {}, "1 file", "staged hosts.md"),
    ({f"{BOX}/x.txt": "x"}, {f"{BOX}/x.txt": "y"}, "1 file", "changed x.txt"),
    ({}, {f"{BOX}/memory.md": memory(entry("hosts.md")) + "x"}, "1 file", "changed memory.md"),
    (
        {f"{BOX}/a.txt": "", f"{BOX}/s/b.txt": ""},
        {f"{BOX}/{name}": "" for name in ("c", "d", "e", "f")},
        "6 files",
        "untracked c, d, e and 1 more; staged a.txt, s/b.txt",
    ),
]


@pytest.mark.parametrize(("staged", "written", "count", "names"), WAITING)
def test_memory_that_waits(
    box: Repo, run: Run, staged: Files, written: Files, count: str, names: str
) -> None:
    box.stage(staged)
    box.write(written)
    assert run(HOOK, BOX, "--uncommitted") == (0, SAID.format(count, names), "")
    assert run(HOOK, BOX) == (0, "", "")


# What no commit takes as it is


def kept(path: str, message: str) -> str:
    return f"{BOX}/{path}:1: warning: {message} [kept-out]\n"


def hide(box: Repo, mark: str) -> None:
    box.git("update-index", f"--{mark}", f"{BOX}/hosts.md")


@pytest.mark.parametrize("source", [".gitignore", ".git/info/exclude", "a user's"])
def test_what_git_ignores(box: Repo, run: Run, tmp_path: Path, source: str) -> None:
    if source == "a user's":
        source = str(tmp_path / "ignore")
        box.git("config", "core.excludesFile", source)
    (box.path / source).parent.mkdir(exist_ok=True)
    (box.path / source).write_text("# mine\n*draft*\n")
    box.commit({})
    names = ["draft.md", "a/draft.md", "draft.txt", "local/draft.md", "_draft.md", "draft/b.md"]
    box.write({f"{BOX}/{name}": "x\n" for name in names})
    said = (
        f"git ignores it ({source}, line 2), so no commit will hold it: git add -f, or change that"
        " rule (as for draft.md, draft/b.md)"
    )
    assert run(HOOK, BOX, "--uncommitted") == (0, kept("a/draft.md", said), "")


@pytest.mark.parametrize("name", ["memory.md", "resident.md"])
def test_an_ignored_memory(box: Repo, run: Run, name: str) -> None:
    other = "agents/box/b"
    box.commit({".gitignore": f"{name}\n", f"{other}/x.md": topic()})
    box.write({f"{other}/{name}": "x\n"})
    assert f"{other}/{name}:1: warning: git ignores it" in run(HOOK, other, "--uncommitted").out


@pytest.mark.parametrize("mark", ["skip-worktree", "assume-unchanged"])
def test_what_git_does_not_look_at(box: Repo, run: Run, mark: str) -> None:
    hide(box, mark)
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")
    box.write({f"{BOX}/hosts.md": topic(body="# U\n")})
    said = (
        f"{mark} hides from git that it has changed: git update-index --no-{mark} {BOX}/hosts.md,"
        " then nestwork-commit"
    )
    assert run(HOOK, BOX, "--uncommitted") == (0, kept("hosts.md", said), "")
    box.git("update-index", f"--no-{mark}", f"{BOX}/hosts.md")
    assert box.run("nestwork-commit", BOX, "-m", "x") == (0, "", "")
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")


def test_what_a_sparse_checkout_leaves_out(box: Repo, run: Run) -> None:
    box.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{BOX}/hosts.md")
    assert not (box.path / BOX / "hosts.md").exists()
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")


@pytest.mark.parametrize("ignored", [False, True])
def test_a_repository_in_the_scope(box: Repo, run: Run, ignored: bool) -> None:
    box.commit({".gitignore": "own/\n" if ignored else ""})
    box.git("init", "-q", str(box.path / BOX / "own"))
    box.write({f"{BOX}/own/x.md": topic()})
    message = "in a repository of its own own/: no commit of the nest holds its files"
    said = f"{BOX}/memory.md:1: warning: {message} [uncommitted]\n"
    assert run(HOOK, BOX, "--uncommitted") == (0, said, "")


# What does not leave the clone


def held(*messages: str) -> str:
    return f"{BOX}/memory.md:1: warning: {'; '.join(messages)} [held-back]\n"


@pytest.fixture
def remote(box: Repo) -> Repo:
    """Another clone of what this one has pushed."""
    box.git("clone", "-q", "--bare", ".", "../remote.git")
    box.git("remote", "add", "origin", "../remote.git")
    box.git("fetch", "-q")
    box.git("branch", "-q", "-u", "origin/main")
    box.git("clone", "-q", "../remote.git", "../other")
    return Repo(box.path.parent / "other", box.env)


@pytest.mark.usefixtures("remote")
def test_commits_that_are_not_pushed(box: Repo, run: Run) -> None:
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")
    box.commit({"other.md": "x\n"})
    one = held("1 commit of this nest on main not in origin/main: git push")
    assert run(HOOK, BOX, "--uncommitted") == (0, one, "")
    box.commit({"other.md": "y\n"})
    two = held("2 commits of this nest on main not in origin/main: git push")
    assert run(HOOK, BOX, "shared", "--uncommitted") == (0, two, "")
    box.git("push", "-q")
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")


def test_a_branch_that_has_diverged(box: Repo, remote: Repo, run: Run) -> None:
    remote.commit({"theirs.md": "x\n"})
    remote.commit({"theirs.md": "y\n"})
    remote.git("push", "-q")
    box.git("fetch", "-q")
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")
    box.commit({"ours.md": "x\n"})
    said = (
        "main and origin/main have diverged, 1 commit of this nest only here and 2 only there:"
        " nestwork-commit --push puts yours on top"
    )
    assert run(HOOK, BOX, "--uncommitted") == (0, held(said), "")


@pytest.mark.usefixtures("remote")
def test_a_branch_without_an_upstream(box: Repo, run: Run) -> None:
    box.git("switch", "-q", "-c", "side", "--no-track")
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")
    box.commit({"ours.md": "x\n"})
    said = "1 commit of this nest on side in no remote: git push -u origin side"
    assert run(HOOK, BOX, "--uncommitted") == (0, held(said), "")
    box.git("remote", "remove", "origin")
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")


@pytest.mark.usefixtures("remote")
def test_an_upstream_that_is_gone(box: Repo, run: Run) -> None:
    box.git("update-ref", "-d", "refs/remotes/origin/main")
    said = "main follows origin/main, which this clone does not know: git fetch"
    assert run(HOOK, BOX, "--uncommitted") == (0, held(said), "")


def test_commits_that_touch_no_nest(repo: Repo) -> None:
    repo.commit({f"nest/{BOX}/memory.md": memory()})
    repo.git("clone", "-q", "--bare", ".", "../remote.git")
    repo.git("remote", "add", "origin", "../remote.git")
    repo.git("fetch", "-q")
    repo.git("branch", "-q", "-u", "origin/main")
    repo.commit({"other.md": "x\n"})
    assert repo.call(HOOK, BOX, "--uncommitted", "--root", "nest") == (0, "", "")
    repo.commit({"nest/other.md": "x\n"})
    done = repo.call(HOOK, BOX, "--uncommitted", "--root", "nest")
    assert done.out == f"nest/{held('1 commit of this nest on main not in origin/main: git push')}"


def a_merge(box: Repo) -> None:
    box.run("git", "merge", "side")


def a_cherry_pick(box: Repo) -> None:
    box.run("git", "cherry-pick", "side")


def a_rebase(box: Repo) -> None:
    box.run("git", "rebase", "-x", "false", "HEAD~1")


def a_git_am(box: Repo) -> None:
    box.run("sh", "-c", "git format-patch --stdout -1 side | git am")


def a_revert(box: Repo) -> None:
    box.run("git", "revert", "--no-edit", "HEAD~1")


def a_bisect(box: Repo) -> None:
    box.git("bisect", "start", "HEAD", "HEAD~2")


UNDER_WAY = [a_merge, a_cherry_pick, a_rebase, a_git_am, a_revert, a_bisect]


@pytest.mark.quick(3)
@pytest.mark.parametrize("begin", UNDER_WAY)
def test_what_a_clone_is_in_the_middle_of(
    box: Repo, run: Run, begin: Callable[[Repo], None]
) -> None:
    box.git("switch", "-q", "-c", "side")
    box.commit({"other.md": "theirs\n"})
    box.git("switch", "-q", "main")
    box.commit({"other.md": "ours\n"})
    box.commit({"other.md": "ours too\n"})
    begin(box)
    state = begin.__name__[2:].replace("cherry_", "cherry-").replace("_", " ")
    said = held(f"a {state} is under way, for a person to end: {WAYS_OUT[state]}")
    assert run(HOOK, BOX, "--uncommitted") == (0, said, "")


def test_a_detached_head(box: Repo, run: Run) -> None:
    box.git("switch", "-q", "--detach")
    said = "HEAD is detached, so no branch gets the next commits: git switch -c NAME"
    assert run(HOOK, BOX, "--uncommitted") == (0, held(said), "")


def test_without_any_commit(repo: Repo, run: Run) -> None:
    repo.stage({f"{BOX}/memory.md": memory()})
    repo.git("remote", "add", "origin", "../remote.git")
    assert run(HOOK, BOX, "--uncommitted").out == SAID.format("1 file", "staged memory.md")


@pytest.mark.quick(3)
@pytest.mark.parametrize("setting", ["status.branch=false", "status.showUntrackedFiles=no",
                                     "status.aheadBehind=false", "status.showStash=true",
                                     "status.relativePaths=false", "color.status=always"])  # fmt: skip
@pytest.mark.usefixtures("remote")
def test_a_users_configuration_changes_nothing(box: Repo, run: Run, setting: str) -> None:
    box.git("config", *setting.split("="))
    box.commit({"other.md": "x\n"})
    box.write({f"{BOX}/a/ü x.md": topic(), "shared/x.md": topic()})
    said = held("1 commit of this nest on main not in origin/main: git push")
    waiting = SAID.format("1 file", "untracked a/ü x.md")
    assert run(HOOK, BOX, "--uncommitted") == (0, said + waiting, "")


@pytest.mark.usefixtures("remote")
def test_the_processes_that_it_starts(box: Repo, run: Run, processes: list[str]) -> None:
    box.commit({".gitignore": "*draft*\n"})
    box.git("push", "-q")
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")
    assert processes == ["ls-files", "rev-parse", "status"]
    box.write({f"{BOX}/draft.md": "x\n"})
    hide(box, "skip-worktree")
    processes.clear()
    assert "[kept-out]" in run(HOOK, BOX, "--uncommitted").out
    assert processes == ["ls-files", "rev-parse", "status", "check-ignore", "hash-object"]


def test_a_new_agents_first_files(box: Repo, run: Run) -> None:
    box.write({"agents/box/b/x.md": topic()})
    done = run(HOOK, "agents/box/b", "--uncommitted")
    assert (done.code, done.err) == (0, "")
    assert "1 file of this scope not committed: untracked x.md" in done.out


@pytest.mark.usefixtures("box")
def test_no_such_scope(run: Run) -> None:
    done = run(HOOK, "agents/box/nobody", "--uncommitted")
    assert done.code == 2
    assert "git lists no file in agents/box/nobody" in done.err


@pytest.mark.usefixtures("box")
@pytest.mark.parametrize("args", [[], ["--all"]])
def test_it_needs_a_scope(run: Run, args: list[str]) -> None:
    said = f"{HOOK}: --uncommitted needs the name of a scope (see {HOOK} --help)\n"
    assert run(HOOK, "--uncommitted", *args) == (2, "", said)


def test_a_change_that_is_staged_in_a_nest_below_the_top(repo: Repo) -> None:
    repo.commit({f"nest/{BOX}/hosts.md": topic()})
    repo.stage({f"nest/{BOX}/hosts.md": "x"})
    done = repo.run(HOOK, BOX, "--uncommitted", cwd="nest")
    assert "staged hosts.md" in done.out


def test_other_commands_do_not_have_it(box: Repo) -> None:
    assert "unrecognized" in box.run("nestwork-stale-index", BOX, "--uncommitted").err


def test_most_important_first_and_short(box: Repo, run: Run) -> None:
    box.stage({f"{BOX}/bare-{number:02}.md": "x\n" for number in range(40)})
    long: Files = {f"{BOX}/long.md": topic("x" * 301)}
    box.commit(long)
    box.write({f"{BOX}/hosts.md": topic(body="# U\n")})
    done = run(HOOK, BOX, "--uncommitted")
    assert done.code == 1
    lines = done.out.splitlines()
    assert len(done.out.encode()) <= 2_048
    assert lines[0].endswith("[uncommitted]")
    assert all("error" in line for line in lines[1:-3])
    assert f"{lines[-3]}\n{lines[-2]}\n" == to_fix(BOX, by_hand=True)
    assert lines[-1] == f"... and {43 - len(lines) + 3} more"


def test_as_json(box: Repo, run: Run) -> None:
    box.write({f"{BOX}/x.txt": "x"})
    (finding,) = json.loads(run(HOOK, BOX, "--uncommitted", "--format=json").out)["findings"]
    assert (finding["path"], finding["rule"]) == (f"{BOX}/memory.md", "uncommitted")


SHORT: list[tuple[list[str], str, list[str]]] = [
    ([], "", []),
    (["a", "b"], "fix", ["a", "b", "fix"]),
    (["x" * 999], "", ["x" * 317 + "..."]),
    (["a\x1b"] * 2, "", ["a\\x1b"] * 2),
    (["x" * 99] * 30, "fix", [*["x" * 99] * 20, "fix", "... and 10 more"]),
    (["a"], "x" * 999, ["a"]),
]


@pytest.mark.parametrize(("lines", "last", "kept"), SHORT)
def test_shortened(lines: list[str], last: str, kept: list[str]) -> None:
    assert shortened(lines, last) == kept


@pytest.mark.quick(1)
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_short_on_any_console(box: Repo, encoding: str) -> None:
    box.stage({f"{BOX}/机器-{number:02}.md": "x\n" for number in range(40)})
    done = box.run(HOOK, BOX, "--uncommitted", PYTHONIOENCODING=encoding)
    assert 1_700 < len(done.out.encode()) <= 2_048
