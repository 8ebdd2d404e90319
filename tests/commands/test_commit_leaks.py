"""What `nestwork-commit` neither stages nor commits: private files, and what should be encrypted."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.conftest import MARKERS, RULES, Done, Files, Repo, entry, memory, topic

NAME = "nestwork-commit"
BOX = "agents/box/a"
MEMORY, HOSTS, NEW = f"{BOX}/memory.md", f"{BOX}/hosts.md", f"{BOX}/new.md"
LOCAL = f"{BOX}/local/history.jsonl"
NOTE = f"{NAME}: committed; please note:\n"
NOTHING = f"{NAME}: nothing to commit; please note:\n"
PRIVATE = "private to this machine (tracked-private-file)"
CRYPT: Files = {".gitattributes": f"{BOX}/** filter=git-crypt diff=git-crypt\n"}
PLAIN = (
    "not encrypted (not-encrypted), though its attributes say filter=git-crypt: run git-crypt"
    " unlock if git config filter.git-crypt.clean prints nothing"
)


@pytest.fixture
def box(repo: Repo) -> Repo:
    """A nest with one agent, whose index is true."""
    repo.commit({**RULES, MEMORY: memory(entry("hosts.md")), HOSTS: topic()})
    return repo


def _commit(box: Repo) -> Done:
    return box.call(NAME, BOX, "-m", "memory")


def _left_out(path: str, why: str) -> str:
    return f"{NAME}: left out: {path}: {why}\n"


def _state(box: Repo) -> tuple[list[str], str]:
    """What the last commit changed, and what is staged."""
    changed = box.git("diff", "--name-only", "--no-renames", "HEAD^", "HEAD").split()
    return changed, box.git("diff", "--cached", "--raw")


def test_a_new_private_file(box: Repo) -> None:
    box.write({LOCAL: "x", NEW: topic()})
    assert _commit(box) == (1, "", NOTE + _left_out(LOCAL, f"{PRIVATE}, and not ignored"))
    assert _state(box) == ([MEMORY, NEW], "")


def test_a_private_file_that_is_ignored(box: Repo) -> None:
    box.commit({".gitignore": "local/\n"})
    box.write({LOCAL: "x", NEW: topic()})
    assert _commit(box) == (0, "", "")


def test_a_private_file_that_git_has(box: Repo) -> None:
    """As it is it is no fault of this commit; what changes of it stays out; that it goes does not."""
    box.commit({LOCAL: "x"})
    box.write({NEW: topic()})
    assert _commit(box) == (0, "", "")
    box.write({LOCAL: "y", NEW: topic(body="more\n")})
    assert _commit(box) == (1, "", NOTE + _left_out(LOCAL, PRIVATE))
    assert _state(box) == ([NEW], "")
    box.write({LOCAL: None})
    assert _commit(box) == (0, "", "")
    assert _state(box) == ([LOCAL], "")


def test_a_private_file_that_somebody_has_staged(box: Repo) -> None:
    box.stage({LOCAL: "x", NEW: topic()})
    staged = box.git("ls-files", "-s", LOCAL)
    assert _commit(box) == (1, "", NOTE + _left_out(LOCAL, PRIVATE))
    assert _state(box)[0] == [MEMORY, NEW]
    assert box.git("ls-files", "-s", LOCAL) == staged


def test_nothing_but_a_private_file(box: Repo) -> None:
    box.write({LOCAL: "x"})
    head = box.git("rev-parse", "HEAD")
    assert _commit(box) == (1, "", NOTHING + _left_out(LOCAL, f"{PRIVATE}, and not ignored"))
    assert box.git("rev-parse", "HEAD") == head


def test_a_topic_that_nobody_encrypts(box: Repo) -> None:
    """Without a filter: neither is a new topic staged, nor a changed one, nor the index of them."""
    box.commit(CRYPT)
    before = box.git("ls-files", "-s")
    box.write({NEW: topic(), HOSTS: topic(body="secret\n")})
    said = "".join(_left_out(path, PLAIN) for path in (HOSTS, NEW))
    assert _commit(box) == (1, "", NOTHING + said)
    assert box.git("ls-files", "-s") == before
    assert box.read(HOSTS) == topic(body="secret\n")


def test_what_is_encrypted_beside_what_is_not(box: Repo) -> None:
    box.commit({".gitattributes": f"{NEW} filter=git-crypt diff=git-crypt\n"})
    box.write({NEW: topic(), HOSTS: topic(body="x" * 1_100)})
    assert _commit(box) == (1, "", NOTE + _left_out(NEW, PLAIN))
    assert _state(box) == ([HOSTS, MEMORY], "")
    assert box.git("show", f"HEAD:{MEMORY}") == memory(entry("hosts.md", size="1.1"))


def test_an_index_that_nobody_encrypts(box: Repo) -> None:
    """The memory.md that the run itself mends is not committed in plain text either."""
    box.commit({".gitattributes": f"{MEMORY} filter=git-crypt diff=git-crypt\n"})
    before = box.git("ls-files", "-s", MEMORY)
    box.write({NEW: topic()})
    done = _commit(box)
    assert done.code == 1
    assert _left_out(MEMORY, PLAIN) in done.err
    assert _state(box) == ([NEW], "")
    assert box.git("ls-files", "-s", MEMORY) == before


@pytest.mark.quick(3)
@pytest.mark.parametrize("given", [f"{BOX}/** filter=git-crypt\n", "*.md filter=git-crypt-team\n"])
@pytest.mark.parametrize(
    ("files", "changed"),
    [
        ({HOSTS: None}, [HOSTS]),
        ({}, []),
        ({HOSTS: topic(body="x" * 1_100)}, []),
    ],
    ids=["a topic goes away", "nothing but the index", "a topic that is kept back"],
)
def test_an_index_is_not_published_beside_what_changes(
    box: Repo, given: str, files: Files, changed: list[str]
) -> None:
    """It was encrypted once, by a clone that still could; here only reading works."""
    crypt = given.partition("filter=")[2].strip()
    filter_ = f"filter.{crypt}"
    box.git("config", f"{filter_}.clean", r"printf '\0GITCRYPT\0'; cat")
    box.git("config", f"{filter_}.smudge", "tail -c +11")
    box.write({".gitattributes": given, MEMORY: memory(entry("other.md"))})
    box.git("rm", "-rq", "--cached", ".")
    box.commit()
    for path in (MEMORY, HOSTS):
        os.utime(box.path / path, (1, 1))  # So git knows them as they are, without the filter.
    box.git("update-index", "-q", "--refresh")
    before = box.git("ls-files", "-s", MEMORY)
    box.git("config", "--unset", f"{filter_}.clean")
    box.write(files)
    done = _commit(box)
    why = PLAIN.replace("filter=git-crypt", f"filter={crypt}").replace("filter.git-crypt", filter_)
    assert (done.code, _left_out(MEMORY, why.split(":")[0]).rstrip() in done.err) == (1, True)
    assert box.git("ls-files", "-s", MEMORY) == before
    assert box.git("rev-parse", f"HEAD:{MEMORY}").strip() in before
    if changed:
        assert _state(box)[0] == changed


def test_a_topic_that_somebody_has_staged_in_plain_text(box: Repo) -> None:
    box.commit(CRYPT)
    box.stage({NEW: topic()})
    staged = box.git("ls-files", "-s", NEW)
    assert _commit(box) == (1, "", NOTHING + _left_out(NEW, PLAIN))
    assert box.git("ls-files", "-s", NEW) == staged
    assert box.read(MEMORY) == memory(entry("hosts.md"))


def test_a_topic_that_was_announced(box: Repo) -> None:
    box.commit(CRYPT)
    box.write({NEW: topic()})
    box.git("add", "-N", NEW)
    assert _commit(box) == (1, "", NOTHING + _left_out(NEW, PLAIN))
    assert box.git("ls-files", "-s", NEW) == ""


def test_a_nest_in_a_folder(repo: Repo) -> None:
    inner = "nest/"
    files: Files = {**RULES, MEMORY: MARKERS, HOSTS: topic()}
    given: Files = {".gitattributes": f"{inner}{HOSTS} filter=git-crypt\n"}
    repo.commit({**given, **{f"{inner}{path}": content for path, content in files.items()}})
    before = repo.git("ls-files", "-s", f"{inner}{HOSTS}")
    repo.write({f"{inner}{HOSTS}": topic(body="secret\n"), f"{inner}{LOCAL}": "x"})
    done = repo.call(NAME, "--root", "nest", BOX, "-m", "memory")
    assert done.code == 1
    assert _left_out(f"{inner}{HOSTS}", PLAIN) in done.err
    assert _left_out(f"{inner}{LOCAL}", f"{PRIVATE}, and not ignored") in done.err
    assert repo.git("ls-files", "-s", f"{inner}{HOSTS}") == before


def test_errors_come_first(box: Repo) -> None:
    box.write({LOCAL: "x", f"{BOX}/a.md": "no front matter\n", NEW: topic("x" * 400)})
    box.git("switch", "-q", "--detach")
    lines = _commit(box).err.splitlines()
    kinds = ["committed", "left out", "[missing-description]", "HEAD is detached", "[long-descrip"]
    assert [kind for line, kind in zip(lines, kinds, strict=True) if kind not in line] == []


@pytest.mark.skipif(not shutil.which("git-crypt"), reason="git-crypt is not installed")
def test_git_crypt(box: Repo) -> None:
    """With the key all is committed, encrypted; without it git refuses, and nothing is."""
    box.git("crypt", "init")
    box.commit(CRYPT)
    box.git("add", "--renormalize", ".")
    box.commit({NEW: topic()})
    assert _commit(box) == (0, "", "")
    blobs = [box.run("git", "cat-file", "blob", f"HEAD:{path}").out for path in (MEMORY, NEW)]
    assert [blob[:10] for blob in blobs] == ["\0GITCRYPT\0"] * 2
    before = box.git("ls-files", "-s")
    (box.path / ".git/git-crypt").rename(box.path / ".git/elsewhere")
    box.write({NEW: topic(body="secret\n")})
    done = _commit(box)
    assert done.code != 0
    assert "Unable to open key file" in done.err
    assert box.git("ls-files", "-s") == before
