"""`nestwork-commit --push`: memory reaches the remote past everybody's work, or it is said why not."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.two_clones import (
    BOX,
    MILL,
    NAME,
    NOT_PUSHED,
    Two,
    assert_level,
    left_behind,
    push,
    subjects,
    write_and_push,
)
from tests.conftest import Files, entry, memory, topic

Act = Callable[[Two], object]


def test_a_commit_is_pushed(two: Two) -> None:
    write_and_push(two.box, {f"{BOX}/new.md": topic()})
    assert subjects(two.remote) == ["memory"]
    assert_level(two.box, two.remote)


def test_what_is_not_pushed_yet_is_pushed_with_nothing_to_commit(two: Two) -> None:
    two.box.write({f"{BOX}/hosts.md": topic(body="x")})
    assert two.box.call(NAME, BOX, "-m", "memory").code == 0
    assert push(two.box, MILL) == (0, "", "")
    assert subjects(two.remote) == ["memory"]


def test_with_nothing_to_push_nobody_is_asked(two: Two) -> None:
    shutil.rmtree(two.remote.path)
    assert push(two.box, BOX) == (0, "", "")


def test_findings_are_said_of_what_was_pushed(two: Two) -> None:
    two.box.write({f"{BOX}/bare.md": "# No front matter\n"})
    done = push(two.box, BOX)
    assert done.code == 1
    assert done.err.startswith(f"{NAME}: committed; please note:\n{BOX}/bare.md:1: error: ")
    assert subjects(two.remote) == ["memory"]


# What the other clone pushed before, what is written here, and what both come to.
MERGES: dict[str, tuple[Files, Files, Files]] = {
    "other scopes": (
        {f"{MILL}/hosts.md": topic(body="mill\n")},
        {f"{BOX}/hosts.md": topic(body="box\n")},
        {f"{MILL}/hosts.md": topic(body="mill\n"), f"{BOX}/hosts.md": topic(body="box\n")},
    ),
    "two topics of one scope, whose index conflicts": (
        {"shared/hosts.md": topic(body="x" * 330)},
        {"shared/ports.md": topic(body="y" * 560)},
        {"shared/memory.md": memory(entry("hosts.md", size="0.4"), entry("ports.md", size="0.6"))},
    ),
    "two new topics": (
        {"shared/a.md": topic()},
        {"shared/z.md": topic()},
        {
            "shared/memory.md": memory(
                entry("a.md"), entry("hosts.md"), entry("ports.md"), entry("z.md")
            )
        },
    ),
    "a topic is deleted, another written": (
        {"shared/hosts.md": None},
        {"shared/ports.md": topic("Read before opening a port")},
        {
            "shared/memory.md": memory(entry("ports.md", "Read before opening a port")),
            "shared/hosts.md": None,
        },
    ),
    "text around the index, and a topic": (
        {"shared/memory.md": memory(entry("hosts.md"), entry("ports.md")) + "\nBy hand.\n"},
        {"shared/hosts.md": topic(body="x" * 330)},
        {
            "shared/memory.md": memory(entry("hosts.md", size="0.4"), entry("ports.md"))
            + "\nBy hand.\n"
        },
    ),
}


@pytest.mark.quick(2)
@pytest.mark.parametrize("case", MERGES)
def test_own_commits_go_on_top_of_what_another_clone_pushed(two: Two, case: str) -> None:
    theirs, ours, both = MERGES[case]
    write_and_push(two.mill, theirs, "theirs")
    write_and_push(two.box, ours, "ours")
    assert subjects(two.remote) == ["theirs", "ours"]
    assert_level(two.box, two.remote)
    for name, content in both.items():
        if content is None:
            assert not (two.box.path / name).exists()
        else:
            assert two.box.read(name) == content


def test_several_commits_keep_author_date_message_and_encoding(two: Two) -> None:
    write_and_push(two.mill, {"shared/hosts.md": topic(body="x" * 330)}, "theirs")
    latin = {"GIT_AUTHOR_NAME": "Zoë", "GIT_AUTHOR_DATE": "2001-02-03T04:05:06+0700"}
    two.box.write({"shared/ports.md": topic(body="1\n" * 100)})
    two.box.git("config", "i18n.commitEncoding", "ISO-8859-1")
    two.box.call("nestwork-fix-index", "shared")
    raw = two.box.path.parent / "message"
    raw.write_bytes("Überschrift\n\nText,  mit\n\n\nAbstand".encode("latin-1"))
    two.box.git("commit", "-qa", "--cleanup=verbatim", "-F", str(raw), **latin)
    two.box.git("config", "--unset", "i18n.commitEncoding")
    before = two.box.run("git", "cat-file", "commit", "HEAD").out.splitlines()
    write_and_push(two.box, {"shared/ports.md": topic(body="2\n" * 100)}, "second")
    after = two.remote.run("git", "cat-file", "commit", "main^").out.splitlines()
    kept = [line for line in before if not line.startswith(("tree ", "parent ", "committer "))]
    assert [x for x in after if not x.startswith(("tree ", "parent ", "committer "))] == kept
    assert kept[1] == "encoding ISO-8859-1"
    assert_level(two.box, two.remote)


def test_own_merges_become_one_merge(two: Two) -> None:
    write_and_push(two.mill, {"shared/hosts.md": topic(body="x" * 330)}, "theirs")
    two.box.git("switch", "-qc", "side")
    two.box.commit({"queen/strategy.md": "side\n"}, "side")
    two.box.git("switch", "-q", "main")
    two.box.commit({"queen/agent-rules.md": "# Rules\n"}, "rules")
    two.box.git("merge", "-q", "--no-edit", "side")
    write_and_push(two.box, {"shared/ports.md": topic(body="y" * 560)}, "ours")
    assert_level(two.box, two.remote)
    assert subjects(two.remote)[-1] == "Merge what another clone of the nest has pushed"
    assert {"theirs", "side", "rules", "ours"} < set(subjects(two.remote))


def test_a_commit_that_adds_nothing_any_more_is_left_out(two: Two) -> None:
    write_and_push(two.mill, {"shared/new.md": topic()}, "theirs")
    write_and_push(two.box, {"shared/new.md": topic()}, "ours")
    assert subjects(two.remote) == ["theirs"]
    assert_level(two.box, two.remote)


CONFLICTS: dict[str, tuple[Files, Files, str]] = {
    "the same lines of a topic": (
        {"shared/hosts.md": topic(body="mill\n")},
        {"shared/hosts.md": topic(body="box\n")},
        "shared/hosts.md: changed here and on the remote, in the same lines",
    ),
    "the same lines around an index": (
        {"shared/memory.md": "Mill\n\n" + memory(entry("hosts.md"), entry("ports.md"))},
        {"shared/memory.md": "Box\n\n" + memory(entry("hosts.md"), entry("ports.md"))},
        "shared/memory.md: changed here and on the remote, in the same lines",
    ),
    "deleted and changed": (
        {"shared/hosts.md": None},
        {"shared/hosts.md": topic(body="box\n")},
        "shared/hosts.md: deleted here or on the remote, and changed on the other side",
    ),
    "two new topics of one name": (
        {"shared/a.md": topic(body="mill\n")},
        {"shared/a.md": topic(body="box\n")},
        "shared/a.md: added here and on the remote, with different contents",
    ),
    "bytes": (
        {"shared/hosts.md": topic().encode() + b"\0mill"},
        {"shared/hosts.md": topic().encode() + b"\0box"},
        "shared/hosts.md: changed here and on the remote, in the same lines",
    ),
    "a link": (
        {"shared/hosts.md": Path("ports.md")},
        {"shared/hosts.md": topic(body="box\n")},
        "shared/hosts.md: no regular file here or on the remote",
    ),
}
SOLVE = (
    "; this clone pushes nothing until somebody solves that: git pull --no-rebase while no agent"
    " works here, then git push\n"
)


@pytest.mark.quick(3)
@pytest.mark.parametrize("case", CONFLICTS)
def test_what_truly_conflicts_is_left_to_a_person(two: Two, case: str) -> None:
    theirs, ours, reason = CONFLICTS[case]
    two.mill.write(theirs)
    push(two.mill, "shared", "theirs")
    two.box.write(ours)
    done = push(two.box, "shared", "ours")
    assert done.code == 1
    assert done.err.splitlines(keepends=True)[0] == f"{NOT_PUSHED}{reason}{SOLVE}"
    assert subjects(two.remote) == ["theirs"]
    assert subjects(two.box) == ["ours"]
    assert two.box.git("status", "--porcelain", "-uall") == ""
    assert left_behind(two.box) == []


def _detach(two: Two) -> None:
    two.box.git("checkout", "-q", "--detach")


def _begin_bisect(two: Two) -> None:
    two.box.git("bisect", "start")


def _without_upstream(two: Two) -> None:
    two.box.git("branch", "--unset-upstream")


def _with_own_upstream(two: Two) -> None:
    two.box.git("branch", "other")
    two.box.git("branch", "-u", "other")


def _under_another_name(two: Two) -> None:
    two.box.git("switch", "-qc", "mine", "--track", "origin/main")


def _without_remote(two: Two) -> None:
    shutil.rmtree(two.remote.path)


def _with_a_gate(two: Two) -> None:
    hook = two.remote.path / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'no memory today' >&2\nexit 1\n")
    hook.chmod(0o755)


def _with_a_pre_push(two: Two) -> None:
    hook = two.box.path / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'not from here' >&2\nexit 1\n")
    hook.chmod(0o755)


def _with_rewritten_history(two: Two) -> None:
    two.mill.commit({"shared/secret.md": topic()}, "secret")
    two.mill.git("push", "-q")
    two.box.git("pull", "-q")
    two.mill.git("reset", "-q", "--hard", "HEAD^")
    two.mill.commit({"shared/other.md": topic()}, "no secret")
    two.mill.git("push", "-qf")


def _with_rewritten_history_fetched(two: Two) -> None:
    _with_rewritten_history(two)
    two.box.git("fetch", "-q")


def _to_a_checked_out_branch(two: Two) -> None:
    two.box.git("remote", "set-url", "origin", str(two.mill.path))


REWRITTEN = (
    "history was rewritten on the remote: follow it (git pull --rebase), or put it back (git push"
    " --force), while no agent works here\n"
)
REASONS: dict[str, tuple[Act, str]] = {
    "detached": (_detach, "HEAD is detached\n"),
    "bisect": (_begin_bisect, "this is the middle of a bisect\n"),
    "no upstream": (
        _without_upstream,
        "branch main has no upstream: git push -u origin main sets one\n",
    ),
    "an upstream here": (
        _with_own_upstream,
        "the upstream of branch main is a branch of this clone\n",
    ),
    "another name": (
        _under_another_name,
        "branch mine has another name than its upstream: push.default says where it goes"
        " (upstream, or current)\n",
    ),
    "no remote": (_without_remote, "git says:\n> fatal: "),
    "a gate": (_with_a_gate, "git says:\n> remote: no memory today"),
    "a hook": (_with_a_pre_push, "git says:\n> not from here\n> error: failed to push"),
    "history rewritten": (_with_rewritten_history, REWRITTEN),
    "history rewritten, and fetched": (
        _with_rewritten_history_fetched,
        REWRITTEN,
    ),
    "a checked-out branch": (_to_a_checked_out_branch, "git says:\n> remote: error: refusing"),
}


@pytest.mark.quick(4)
@pytest.mark.parametrize("case", REASONS)
def test_why_it_is_not_pushed(two: Two, case: str) -> None:
    arrange, reason = REASONS[case]
    arrange(two)
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    done = push(two.box, BOX)
    assert done.code == 1
    assert done.err.startswith(f"{NOT_PUSHED}{reason}")
    assert two.box.git("log", "-1", "--format=%s") == "memory\n"
    assert left_behind(two.box) == []


def test_a_commit_without_a_push_loads_nothing_of_it(two: Two) -> None:
    script = (
        "import sys\nfrom nestwork_hooks.commands.commit import main\n"
        f"assert main([{BOX!r}, '-m', 'memory']) == 0\n"
        "print(*sorted(name for name in sys.modules if 'nestwork' in name))"
    )
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    loaded = two.box.run(sys.executable, "-c", script).out.split()
    names = ("pusher", "remote", "private_index", "moving", "replay")
    assert [name for name in loaded if name.rpartition(".")[2] in names] == []
    assert "nestwork_hooks.commands.committer" in loaded


def test_findings_follow_why_it_is_not_pushed(two: Two) -> None:
    two.box.git("branch", "--unset-upstream")
    two.box.write({f"{BOX}/bare.md": "# No front matter\n"})
    said = push(two.box, BOX).err.splitlines()
    assert said[0].startswith(NOT_PUSHED)
    assert said[1] == f"{NAME}: committed; please note:"
    assert said[2].startswith(f"{BOX}/bare.md:1: error: ")


def test_what_is_not_committed_is_not_pushed(two: Two) -> None:
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    two.box.plain_hook("nestwork-check --no-such-flag")
    done = push(two.box, BOX)
    assert done.code == 2
    assert done.err.startswith(f"{NAME}: not committed")
    assert subjects(two.remote) == []
