"""The door to git, where git does not do what was asked."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from nestwork_hooks import git
from nestwork_hooks.git import acting, asking, blobs, remote, staging
from nestwork_hooks.protocol.content import CHUNK
from tests.conftest import Repo, Run

if TYPE_CHECKING:
    from pathlib import Path


def test_a_git_that_is_not_there(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    assert repo
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(git.GitError, match="cannot run git: No such file or directory"):
        git.run("version")
    with pytest.raises(git.GitError, match="cannot run git: No such file or directory"):
        acting.act("add", "x")


def test_a_git_that_dies_while_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "git"
    program.write_text('#!/bin/sh\nread id; exec <&-; echo "$id missing"; sleep 9\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with closing(blobs.Blobs()) as asked:
        assert [list(chunks) for chunks in asked.read(["0" * 40])] == [[]]
        with pytest.raises(git.GitError, match="git cat-file ended before it had sent every blob"):
            next(asked.read(["0" * 40]))


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("exit 1", "git cat-file ended before it had sent every blob"),
        ("kill -9 $$", "git cat-file ended before it had sent every blob"),
        ("printf 'id blob 10\\nabc'", "git cat-file ended in the middle of a blob"),
    ],
)
def test_a_git_that_dies_while_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, said: str
) -> None:
    _fake_git(tmp_path, monkeypatch, does)
    with pytest.raises(git.GitError, match=said):
        list(map(list, blobs.Blobs().read(["a", "b"])))


def test_a_git_that_gives_up_on_a_blob_is_asked_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    does = """case $id in b*) exit 128 ;; *) printf '%s blob 2\\n%s\\n' "$id" "$id" ;; esac"""
    _fake_git(tmp_path, monkeypatch, f"while {does}; do read -r id; done")
    reader = blobs.Blobs()
    found = reader.read(["a1", "b1", "b2", "a2", "b3"])
    assert [list(chunks) for chunks in found] == [[b"a1"], [], [], [b"a2"], []]
    reader.close()


def _fake_git(folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    (folder / "git").write_text(f"#!/bin/sh\nread -r id\n{does}\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")


def test_attribute_files_are_listed_wherever_they_are_and_others_where_asked_for(
    repo: Repo,
) -> None:
    files = (
        ".gitattributes",
        "a/b/.gitattributes",
        "a/b/x.gitattributes",
        "shared/x.gitattributes",
    )
    repo.stage(dict.fromkeys([*files, "x.gitattributes", "shared/a.md"], "\n"))
    for paths, others in (
        (["shared"], {"shared/x.gitattributes", "shared/a.md"}),
        (["x.gitattributes"], {"x.gitattributes"}),
        (["."], {"x.gitattributes", "shared/a.md", *files}),
        ([], {"x.gitattributes", "shared/a.md", *files}),
    ):
        attribute_files: dict[str, git.Entry] = {}
        found = git.listed(paths, attribute_files=attribute_files)
        assert attribute_files.keys() == {".gitattributes", "a/b/.gitattributes"}
        assert found.keys() == others | attribute_files.keys()


def test_a_large_file_behind_a_filter_comes_in_chunks(repo: Repo) -> None:
    repo.git("config", "filter.own.smudge", "tr a b")
    repo.git("config", "filter.own.clean", "tr b a")
    repo.stage({".gitattributes": "*.md filter=own\n", "shared/x.md": "b" * (2 * CHUNK)})
    assert blobs.Attributes(["shared/x.md", "shared/x.txt"]).filtered == {"shared/x.md"}
    assert [len(chunk) for chunk in blobs.filtered("shared/x.md")] == [CHUNK, CHUNK, 0]
    assert next(blobs.filtered("shared/x.md"))[:3] == b"bbb"


def test_a_filter_that_fails(repo: Repo) -> None:
    repo.stage({"shared/x.md": "x\n"})
    repo.git("config", "filter.own.smudge", "false")
    repo.git("config", "filter.own.required", "true")
    repo.write({".gitattributes": "*.md filter=own\n"})
    with pytest.raises(git.GitError, match="a filter of this clone fails on shared"):
        next(blobs.filtered("shared/x.md"))


def test_what_is_left_of_a_blob_is_skipped(repo: Repo) -> None:
    repo.stage({"large.md": "x" * (2 * CHUNK), "small.md": "y"})
    ids = [entry.blob for entry in git.listed(["large.md", "small.md"]).values()]
    asked = blobs.Blobs()
    try:
        large, small = (next(chunks) for chunks in asked.read(ids))
    finally:
        asked.close()
    assert (len(large), small) == (CHUNK, b"y")


def test_what_nobody_has_read_is_no_answer_to_the_next_question(repo: Repo) -> None:
    repo.stage({f"{name}.md": f"{name}\n" for name in "abc"})
    ids = [entry.blob for entry in git.listed(["a.md", "b.md", "c.md"]).values()]
    with closing(blobs.Blobs()) as asked:
        assert next(next(asked.read(ids))) == b"a\n"
        assert [list(chunks) for chunks in asked.read(ids[1:])] == [[b"b\n"], [b"c\n"]]
        unfinished = asked.read(ids)
        assert next(next(unfinished)) == b"a\n"
        assert asked.tree("HEAD:./x") is None
        assert next(next(asked.read(ids[2:]))) == b"c\n"


def test_a_folder_that_is_gone_is_staged_as_gone(nest: Repo) -> None:
    nest.write({"shared/hosts.md": None, "shared/ports.md": None, "shared/memory.md": None})
    (nest.path / "shared").rmdir()
    assert staging.stage(staging.look("shared").unstaged) == {}
    assert nest.git("ls-files") == "queen/agent-rules.md\n"


def test_a_working_tree_that_git_takes_for_none(nest: Repo, run: Run) -> None:
    nest.git("config", "core.bare", "true")
    said = (
        "core.bare is true in .git/config, so git sees no working tree here: git config core.bare"
        " false"
    )
    for command in ("nestwork-check", "nestwork-fix-index"):
        assert run(command) == (2, "", f"{command}: {said}\n")


def test_what_is_asked_ahead_twice_has_the_answer_of_the_second_time(nest: Repo) -> None:
    for name in ("a", "b"):
        nest.stage({f"shared/{name}.md": "x\n"})
        asking.ahead("ls-files", "--", "shared/a.md", "shared/b.md")
    assert asking.run("ls-files", "--", "shared/a.md", "shared/b.md").count(b"\n") == 2


def test_what_was_asked_ahead_in_vain_is_ended(nest: Repo) -> None:
    asking.ahead("ls-files")
    asking.forget_questions()
    nest.stage({"shared/a.md": "x\n"})
    assert b"shared/a.md\n" in asking.run("ls-files")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (" ! [rejected]        main -> main (fetch first)", True),
        # The remote's commit is known here already: another process of the clone has fetched it.
        (" ! [rejected]        main -> main (non-fast-forward)", True),
        (" ! [remote rejected] main -> main (pre-receive hook declined)", False),
    ],
)
def test_whether_another_push_was_quicker(said: str, expected: bool) -> None:
    refusal = acting.Refused(1, f"To ../remote.git\n{said}\nerror: failed to push some refs\n")
    assert remote.is_overtaken(refusal) is expected
