"""Where bytes come from, where they cannot be had."""

from __future__ import annotations

import pytest

from nestwork_hooks.nest import contents
from nestwork_hooks.protocol.markers import MOST_BYTES
from tests.conftest import MARKERS, Repo, Run, entry, to_fix, topic


def test_no_regular_file_is_read_whole(nest: Repo) -> None:
    assert nest
    with pytest.raises(OSError, match="no regular file"):
        contents.read_whole("shared")


def test_a_huge_memory_is_not_read_whole(nest: Repo) -> None:
    nest.write({"shared/memory.md": b"x" * (MOST_BYTES + 1)})
    with pytest.raises(OSError, match="File too large"):
        contents.read_whole("shared/memory.md")


def test_what_a_failing_filter_keeps_is_unreadable(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": topic("Other")})
    nest.git("config", "filter.own.smudge", "false")
    nest.git("config", "filter.own.required", "true")
    nest.write({".gitattributes": "hosts.md filter=own\n"})
    assert run("nestwork-missing-description", "--staged") == (
        1,
        "shared/hosts.md:1: error: the filter that its attributes name fails on what is staged"
        " [unreadable]\n" + to_fix("shared", by_hand=True).replace("--ok", "--ok --staged"),
        "",
    )


def test_what_git_crypt_cannot_decrypt_is_locked(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": b"\0GITCRYPT\0\1\2"})
    nest.git("config", "filter.git-crypt.smudge", "false")
    nest.git("config", "filter.git-crypt.required", "true")
    nest.write({".gitattributes": "hosts.md filter=git-crypt\n"})
    done = run("nestwork-missing-description", "--staged")
    assert (done.code, done.out.partition(" encrypted")[0]) == (0, "shared/hosts.md:1: warning:")


def test_what_git_replace_puts_in_a_place_is_not_what_a_commit_holds(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": "x\n"})
    sound = nest.git("rev-parse", "HEAD:shared/hosts.md").strip()
    nest.git("replace", nest.git("rev-parse", ":shared/hosts.md").strip(), sound)
    assert nest.git("show", ":shared/hosts.md") == topic()
    done = run("nestwork-check", "--staged")
    assert "shared/hosts.md:1: error: no YAML front matter" in done.out


def test_a_replaced_commit_is_not_what_a_change_is_compared_with(nest: Repo, run: Run) -> None:
    nest.commit({"shared/hosts.md": "x\n"})
    nest.stage({"a.txt": "a"})
    nest.git("replace", "HEAD", nest.git("commit-tree", "-m", "x", "HEAD:queen").strip())
    assert run("nestwork-check") == (0, "", "")


@pytest.mark.parametrize("args", [["--all"], ["--uncommitted", "shared"], []])
def test_an_order_of_files_that_is_nowhere(nest: Repo, run: Run, args: list[str]) -> None:
    nest.git("config", "diff.orderFile", "/nowhere/order")
    nest.stage(
        {"shared/new.md": "", "shared/memory.md": f"Words.\n{nest.read('shared/memory.md')}"}
    )
    assert nest.run("git", "diff", "--cached").code == 128
    done = run("nestwork-check", *args)
    assert (done.code, done.err) == (1, "")
    assert "shared/new.md:1: error:" in done.out or args[:1] == ["--uncommitted"]


# How git is told not to look at a file on disk.
UNLOOKED = ["--assume-unchanged", "--skip-worktree"]


@pytest.mark.parametrize("how", [[how] for how in UNLOOKED] + [UNLOOKED])
def test_a_runner_leaves_alone_what_git_does_not_look_at(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, how: list[str]
) -> None:
    """By hand the disk counts, as everywhere; in a commit what it will hold."""
    nest.stage({"shared/hosts.md": "staged\n", "shared/ports.md": topic(body="staged\n")})
    for word in how:
        nest.git("update-index", word, "shared/hosts.md", "shared/ports.md")
    nest.write({"shared/hosts.md": topic(), "shared/ports.md": "on disk\n"})
    assert "shared/ports.md:1: error: no YAML" in run("nestwork-missing-description").out
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert "shared/hosts.md:1: error: no YAML" in run("nestwork-missing-description").out
    nest.write({"shared/hosts.md": None})
    assert "shared/hosts.md:1: error: no YAML" in run("nestwork-missing-description").out
    said = run("nestwork-stale-index").out
    assert "a line for hosts.md, which is kept out of every index by a fault of its own" in said


@pytest.mark.parametrize("how", UNLOOKED)
def test_an_index_that_git_does_not_look_at_on_disk(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("PRE_COMMIT", "1")
    nest.stage({"shared/new.md": topic()})
    nest.git("update-index", how, "shared/memory.md")
    assert run("nestwork-fix-index").out.startswith("shared/memory.md: rewrote the topic index")
    done = run("nestwork-fix-index")
    assert "it is right on disk, but not staged: git add it" in done.out
    assert done.code == 1


def test_a_file_that_git_does_not_look_at_and_that_is_gone(nest: Repo, run: Run) -> None:
    """By hand only what a sparse checkout leaves out is not gone."""
    nest.git("update-index", "--skip-worktree", "shared/hosts.md")
    nest.git("update-index", "--assume-unchanged", "shared/ports.md")
    nest.write({"shared/hosts.md": None, "shared/ports.md": None})
    assert (
        "topic index is stale: a line for ports.md, which is gone ["
        in run("nestwork-stale-index", "--all").out
    )


IDS = [
    "$Id$",
    "$Id$ and $Id$\n$Id$",
    "$Id: no end\n$",
    "$Id: a$b $Id: c\n",
    "$Idx: y$ $Id $",
    "$Id$\r\nx\r\n",
    "$Id: 机器$",
    f"$Id$\n{'x' * 79}\n" * 40_000,
]


@pytest.mark.quick(4)
@pytest.mark.parametrize("body", IDS)
@pytest.mark.parametrize("attributes", ["*.md ident\n", "*.md ident filter=own\n"])
def test_ids_that_a_checkout_expands_are_read_as_git_stores_them(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, body: str, attributes: str
) -> None:
    nest.git("config", "filter.own.smudge", "tr q z")
    text = topic("Of $Id$, as stored", body)
    nest.stage({".gitattributes": attributes, "shared/hosts.md": text})
    assert run("nestwork-fix-index", "--staged", "shared").code == 1
    nest.commit()
    index = nest.read("shared/memory.md")
    nest.git("rm", "-q", "-r", "--cached", ".")
    nest.git("reset", "-q", "--hard")
    assert nest.read("shared/hosts.md") != text
    assert nest.git("status", "--short") == ""
    for args in (["shared"], ["--staged", "shared"]):
        assert run("nestwork-stale-index", *args) == (0, "", "")
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert run("nestwork-stale-index", "--all") == (0, "", "")
    nest.write({"shared/memory.md": MARKERS})
    assert run("nestwork-fix-index", "shared").code == 1
    assert nest.read("shared/memory.md") == index


def test_ids_that_no_attribute_names_are_text(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": topic(body=f"$Id: {'x' * 2_000} $\n")})
    assert "only sizes (hosts.md)" in run("nestwork-stale-index").out
    assert run("nestwork-fix-index").code == 1
    assert entry("hosts.md", size="2.0") in nest.read("shared/memory.md")


def test_of_many_files_with_a_warning_only_new_ones_are_said(nest: Repo, run: Run) -> None:
    old = {f"shared/old-{number:03}-{'x' * 150}.md": topic("x" * 301) for number in range(300)}
    nest.commit({**old})
    nest.stage({**{name: topic("x" * 302) for name in old}, "shared/new.md": topic("x" * 301)})
    done = run("nestwork-missing-description", "--format", "text")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("shared/new.md:2: warning: description of 301 characters")
    assert done.out.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "env"), [(["--staged"], {}), ([], {"GIT_INDEX_FILE": ".git/index"})]
)
@pytest.mark.parametrize("given", [".gitattributes", "a/.gitattributes", "shared/.gitattributes"])
def test_no_attribute_file_is_taken_for_memory(
    nest: Repo,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    env: dict[str, str],
    given: str,
) -> None:
    """Attribute files are read only until one of them names an attribute that matters."""
    files = dict.fromkeys(
        [".gitattributes", "a/.gitattributes", "shared/.gitattributes"], "*.x -text\n"
    )
    nest.commit({**files, given: "*.bin filter=git-crypt\n"})
    nest.stage({"shared/hosts.md": topic("Changed")})
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    done = run("nestwork-check", *args)
    assert (done.code, "topic index is stale" in done.out) == (1, True)


@pytest.mark.parametrize("given", [".gitattributes", "a/.gitattributes"])
def test_nor_in_a_commit_of_memory(nest: Repo, given: str) -> None:
    files = dict.fromkeys([".gitattributes", "a/.gitattributes"], "*.x -text\n")
    nest.commit({**files, given: "*.bin filter=git-crypt\n"})
    nest.write({"shared/hosts.md": topic("Changed")})
    assert nest.call("nestwork-commit", "shared", "-m", "memory").code == 0
    assert entry("hosts.md", "Changed") in nest.git("show", "HEAD:shared/memory.md")
