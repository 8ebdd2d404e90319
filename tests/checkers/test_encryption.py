"""What `nestwork-check --select encryption` says, word for word, with the real git-crypt too."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.conftest import MARKERS, RULES, Files, Repo, Run, entry, memory, topic

if TYPE_CHECKING:
    from pathlib import Path

needs_git_crypt = pytest.mark.skipif(
    not shutil.which("git-crypt"), reason="git-crypt is not installed (Debian: git-crypt)"
)
HOSTS = "shared/hosts.md"
SEALED = b"\0GITCRYPT\0..."
BOX = "agents/box/a"


def leak(path: str, quoted: str = "", value: str = "git-crypt", new: str = "") -> str:
    """The finding of a file in plain text."""
    return (
        f"{path}:1: error: staged in plain text, though its attributes say filter={value}: run"
        f" git-crypt unlock{new} if git config filter.{value}.clean prints nothing, then git add"
        f" --renormalize -- {quoted or path}; what was pushed like this has leaked: the history"
        " keeps it, and a new key does not help [not-encrypted]\n"
    )


def partly(scope: str, names: str, line: str, value: str = "git-crypt", root: str = "") -> str:
    """The finding of a scope of which more should be encrypted than its memory.md."""
    are = "are" if "," in names or " more" in names else "is"
    return (
        f"{root}{scope}/memory.md:1: warning: encrypted (filter={value}), but {names} of this scope"
        f" {are} not: add the line {line} filter={value} diff={value} to {root}.gitattributes, then"
        f" git add --renormalize -- {root}.gitattributes {root}{scope}; what was pushed in plain"
        " text stays in the history [partly-encrypted]\n"
    )


def _check(run: Run, *args: str) -> tuple[int, str]:
    done = run("nestwork-check", "--select", "encryption", *args)
    assert done.err == ""
    return done.code, done.out


GIVEN: list[tuple[str, Files, str]] = [
    ("*.md filter=git-crypt", {HOSTS: "x"}, leak(HOSTS)),
    ("*.md filter=git-crypt", {HOSTS: SEALED}, ""),
    ("*.md filter=git-crypt", {HOSTS: ""}, ""),
    ("*.md filter=git-crypt", {HOSTS: SEALED[:9]}, leak(HOSTS)),
    (
        "*.md filter=git-crypt-team",
        {HOSTS: "x"},
        leak(
            HOSTS,
            value="git-crypt-team",
            new=" (git-crypt init -k team if no clone has that key)",
        ),
    ),
    ("*.md filter=git-cryptic", {HOSTS: "x"}, ""),
    ("*.md filter=lfs", {HOSTS: "x"}, ""),
    ("*.md filter=git-crypt\n*.md !filter", {HOSTS: "x"}, ""),
    ("*.md filter=git-crypt\nhosts.md -filter", {HOSTS: "x"}, ""),
    ("*.md -text filter=git-crypt", {HOSTS: "x"}, leak(HOSTS)),
    ("[attr]crypt filter=git-crypt diff=git-crypt\n*.md crypt", {HOSTS: "x"}, leak(HOSTS)),
    ('"shared/a b.*" filter=git-crypt', {"shared/a b.md": "x"}, leak("shared/a b.md", "'shared/a b.md'")),
    ("*.png filter=git-crypt", {"img/a.png": b"\x89PNG"}, leak("img/a.png")),
    ("* filter=git-crypt\n.gitattributes !filter", {"x": "1", "y": SEALED}, leak("x")),
]  # fmt: skip


@pytest.mark.quick(10)
@pytest.mark.parametrize(("attributes", "files", "said"), GIVEN)
@pytest.mark.parametrize("runner", [False, True])
def test_a_commit(
    repo: Repo,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    attributes: str,
    files: Files,
    said: str,
    runner: bool,
) -> None:
    """What lies on disk is plain text wherever a clone is unlocked: it says nothing."""
    repo.commit({**RULES, ".gitattributes": f"{attributes}\n"})
    repo.stage(files)
    repo.write(dict.fromkeys(files, "plain text"))
    if runner:
        monkeypatch.setenv("PRE_COMMIT", "1")
    assert _check(run) == (bool(said), said)


def test_what_a_commit_does_not_touch_is_an_old_fault(repo: Repo, run: Run) -> None:
    old: Files = {
        ".gitattributes": "*.md filter=git-crypt\n",
        **RULES,
        HOSTS: "x",
        "shared/b.md": "x",
    }
    repo.commit(old)
    repo.stage({"shared/b.md": "y", "c.txt": "z"})
    assert _check(run) == (1, leak("shared/b.md"))
    assert _check(run, "--all")[1].count("\n") == 3
    assert _check(run, "shared")[1].count("\n") == 2


def test_a_commit_that_brings_the_line_back_is_judged_on_all_that_it_covers(
    repo: Repo, run: Run
) -> None:
    repo.commit({**RULES, HOSTS: "x", f"{BOX}/memory.md": "x", "img/a.png": b"x"})
    repo.stage({".gitattributes": "shared/** filter=git-crypt\n*.png filter=git-crypt\n"})
    assert _check(run) == (1, leak("img/a.png") + leak(HOSTS))
    repo.commit({})
    repo.stage({"agents/.gitattributes": "* filter=git-crypt\n.gitattributes !filter\n"})
    assert _check(run) == (1, leak(f"{BOX}/memory.md"))


def test_links_submodules_and_announced_files_are_none(
    repo: Repo, run: Run, tmp_path: Path
) -> None:
    repo.commit({**RULES, ".gitattributes": "shared/** filter=git-crypt\n"})
    repo.write({"shared/link.md": tmp_path, HOSTS: "x"})
    repo.git("add", "shared/link.md")
    repo.git("add", "-N", HOSTS)
    head = repo.git("rev-parse", "HEAD").strip()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},shared/sub")
    assert _check(run) == (0, "")


def test_a_blob_of_which_more_is_left_than_is_worth_reading(repo: Repo, run: Run) -> None:
    """Whatever follows a large blob is still read."""
    large = b"\0" * (20 << 20)
    names = ("a.bin", "b.bin", "c.bin", "d.bin")
    contents = (large, b"x", SEALED + large, b"y")
    repo.commit({**RULES, ".gitattributes": "*.bin filter=git-crypt\n"})
    repo.stage(dict(zip(names, contents, strict=True)))
    assert _check(run) == (1, leak("a.bin") + leak("b.bin") + leak("d.bin"))


def test_a_blob_that_is_not_in_this_clone(repo: Repo, run: Run) -> None:
    repo.commit({**RULES, ".gitattributes": "*.bin filter=git-crypt\n", "a.bin": "x", "b.bin": "y"})
    blob = repo.git("rev-parse", "HEAD:a.bin").strip()
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    said = "a.bin:1: error: its blob is not in this clone [unreadable]\n"
    assert _check(run, "--all") == (1, said + leak("b.bin"))


@pytest.mark.usefixtures("nest")
def test_nothing_is_said_of_a_nest_without_attributes(run: Run) -> None:
    assert _check(run, "--all") == (0, "")


GUIDE = "shared/memory.md filter=git-crypt\nagents/**/memory.md filter=git-crypt\n"
PARTLY: list[tuple[str, Files, str]] = [
    (GUIDE, {"shared/resident.md": "x"}, partly("shared", "resident.md", "shared/**/*.md")),
    (GUIDE, {f"{BOX}/resident.md": "x"}, partly(BOX, "resident.md", "agents/**/*.md")),
    (f"{BOX}/memory.md filter=git-crypt", {f"{BOX}/resident.md": "x"}, partly(BOX, "resident.md", f"{BOX}/**/*.md")),
    (f"{BOX}/* filter=git-crypt", {f"{BOX}/resident.md": SEALED}, ""),
    (f"{GUIDE}resident.md -filter", {f"{BOX}/resident.md": "x"}, ""),
    ("queen/x filter=git-crypt", {f"{BOX}/resident.md": "x"}, ""),
    (GUIDE, {f"{BOX}/notes.txt": "x", f"{BOX}/other.md": "x"}, ""),
    (
        "agents/**/memory.md filter=git-crypt-me",
        {f"{BOX}/resident.md": "x"},
        partly(BOX, "resident.md", "agents/**/*.md", "git-crypt-me"),
    ),
]  # fmt: skip


@pytest.mark.quick(4)
@pytest.mark.parametrize(("attributes", "files", "said"), PARTLY)
def test_a_scope_that_is_partly_encrypted(
    repo: Repo, run: Run, attributes: str, files: Files, said: str
) -> None:
    """Where memory.md can't be read nobody knows of topics: the rest of the scope counts."""
    memories: Files = {"shared/memory.md": SEALED, f"{BOX}/memory.md": SEALED}
    repo.commit({**RULES, ".gitattributes": f"{attributes}\n", **memories})
    repo.stage(files)
    assert _check(run) == (0, said)
    repo.commit()
    assert _check(run, "--all") == (0, said)
    repo.stage({path: "y" if content == "x" else content for path, content in files.items()})
    assert _check(run) == (0, "")


@pytest.fixture
def unlocked(repo: Repo) -> Repo:
    """A nest with git-crypt, unlocked here, of which every Markdown file is encrypted."""
    repo.git("crypt", "init")
    repo.commit({".gitattributes": "*.md filter=git-crypt diff=git-crypt\n", **RULES})
    repo.commit({"shared/memory.md": memory(entry("hosts.md")), HOSTS: topic()})
    return repo


@needs_git_crypt
def test_git_crypt_in_order(unlocked: Repo, run: Run, tmp_path: Path) -> None:
    assert _check(run, "--all") == (0, "")
    unlocked.stage({HOSTS: topic(body="more\n")})
    assert _check(run) == (0, "")
    unlocked.git("clone", "-q", str(unlocked.path), str(tmp_path / "locked"))
    locked = Repo(tmp_path / "locked", unlocked.env)
    done = locked.call("nestwork-check", "--select", "encryption", "--all")
    assert done == (0, "", "")


@needs_git_crypt
def test_staged_while_the_filter_is_not_set_up(unlocked: Repo, run: Run) -> None:
    """The remedy works, although the file has not changed on disk."""
    unlocked.git("config", "--remove-section", "filter.git-crypt")
    unlocked.write({HOSTS: topic(body="secret\n")})
    unlocked.git("add", HOSTS)
    assert _check(run) == (1, leak(HOSTS))
    unlocked.git("config", "filter.git-crypt.clean", '"git-crypt" clean')
    unlocked.git("config", "filter.git-crypt.smudge", '"git-crypt" smudge')
    unlocked.git("add", "--renormalize", "--", HOSTS)
    assert _check(run) == (0, "")


@needs_git_crypt
def test_staged_past_the_filter(unlocked: Repo, run: Run) -> None:
    (unlocked.path / ".git/plain").write_text("secret\n")
    blob = unlocked.git("hash-object", "-w", "--no-filters", ".git/plain").strip()
    unlocked.git("update-index", "--cacheinfo", f"100644,{blob},{HOSTS}")
    assert _check(run) == (1, leak(HOSTS))
    unlocked.git("add", "--renormalize", "--", HOSTS)
    assert _check(run) == (0, "")


@needs_git_crypt
def test_staged_while_the_line_was_lost_on_disk(unlocked: Repo, run: Run) -> None:
    unlocked.write({".gitattributes": "\n", HOSTS: topic(body="secret\n")})
    unlocked.git("add", HOSTS)
    assert _check(run) == (1, leak(HOSTS))


@needs_git_crypt
def test_a_named_key_that_this_clone_does_not_have(unlocked: Repo, run: Run) -> None:
    unlocked.commit({".gitattributes": "shared/** filter=git-crypt-team diff=git-crypt-team\n"})
    unlocked.stage({"shared/new.md": topic()})
    new = " (git-crypt init -k team if no clone has that key)"
    assert _check(run) == (1, leak("shared/new.md", value="git-crypt-team", new=new))
    unlocked.git("crypt", "init", "-k", "team")
    unlocked.git("add", "--renormalize", "--", "shared/new.md")
    assert _check(run) == (0, "")


@needs_git_crypt
def test_a_scope_that_moved_to_topics(unlocked: Repo, run: Run) -> None:
    """The line of the message, at the end of the file, and its commands mend it."""
    guide = "shared/memory.md filter=git-crypt diff=git-crypt\n"
    names = [f"{name}.md" for name in "abcde"]
    topics = {f"shared/{name}": topic() for name in names}
    unlocked.commit({".gitattributes": guide, **topics, HOSTS: None, "shared/sub/f.md": topic()})
    said = partly("shared", "a.md, b.md, c.md and 3 more", "shared/**/*.md")
    assert _check(run, "--all") == (0, said)
    unlocked.stage({"shared/a.md": topic(body="x\n")})
    assert _check(run) == (0, "")
    unlocked.write({".gitattributes": f"{guide}shared/**/*.md filter=git-crypt diff=git-crypt\n"})
    unlocked.git("add", "--renormalize", "--", ".gitattributes", "shared")
    assert _check(run) == (0, "")
    unlocked.commit()
    assert _check(run, "--all") == (0, "")


@needs_git_crypt
def test_a_partial_clone(unlocked: Repo, tmp_path: Path) -> None:
    """What is checked out is judged, and nothing is fetched for the rest."""
    unlocked.commit({"img/a.md": "x", "img/b.bin": b"x"})
    unlocked.git("config", "uploadpack.allowFilter", "true")
    words = ("--filter=blob:none", "--sparse", f"file://{unlocked.path}", str(tmp_path / "part"))
    unlocked.git("clone", "-q", *words)
    part = Repo(tmp_path / "part", unlocked.env)
    part.git("sparse-checkout", "set", "shared", "queen")
    (unlocked.path / ".git").rename(unlocked.path / "gone")
    done = part.call("nestwork-check", "--select", "encryption", "--all")
    assert done == (1, "img/a.md:1: error: its blob is not in this clone [unreadable]\n", "")
    part.write({"shared/new.md": "plain"})
    part.git("add", "shared/new.md")
    done = part.call("nestwork-check", "--select", "encryption")
    assert done == (1, leak("shared/new.md"), "")


def test_a_nest_in_a_folder(repo: Repo) -> None:
    inner = Repo(repo.path / "nest", repo.env)
    inner.write({**RULES, "shared/memory.md": MARKERS, HOSTS: topic()})
    repo.commit({".gitattributes": "*.md filter=git-crypt\nnest/shared/hosts.md !filter\n"})
    done = repo.call("nestwork-check", "--root", "nest", "--all", "--select", "encryption")
    said = [*map(leak, ("nest/queen/agent-rules.md", "nest/shared/memory.md"))]
    warned = partly("shared", "hosts.md", "shared/**/*.md", root="nest/")
    assert sorted(done.out.splitlines(keepends=True)) == sorted([*said, warned])
    assert done.code == 1
