"""Temporary files of runs that were killed: removed, given back, or kept and named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nestwork_hooks.writing import exchange, leftovers, lock
from nestwork_hooks.writing.replacement import NotRewritten, rewrite
from tests.conftest import MARKERS, Done, Repo, entry, memory, topic
from tests.writing.test_replacement import INDEX

MEMORY = Path("shared/memory.md")
BEFORE = MARKERS + "\nMine.\n"
AFTER = memory(entry("t.md")) + "\nMine.\n"
LATER = memory(entry("t.md"), entry("u.md")) + "\nMine.\n"
THEIRS = MARKERS + "\nMine.\nWritten in the last moment.\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    MEMORY.parent.mkdir()
    MEMORY.write_text(AFTER)


def _leave(text: str, name: str = "", folder: str = "shared", age: float = 60) -> Path:
    """A file as a run that wrote `AFTER` left it; `name` is its own, if any."""
    path = Path(folder, name or leftovers.name_to_exchange(AFTER.encode()))
    path.write_text(text)
    _age(path, age)
    return path


def _age(path: Path, seconds: float = 60) -> None:
    then = path.lstat().st_mtime - seconds
    os.utime(path, (then, then), follow_symlinks=False)


@pytest.mark.parametrize("now", [AFTER, LATER, BEFORE, THEIRS, None])
@pytest.mark.parametrize("left", [BEFORE, AFTER, LATER])
def test_what_a_fixer_read_or_wrote_is_removed(left: str, now: str | None) -> None:
    path = _leave(left)
    _put(now)
    assert leftovers.clear("shared") == (False, [])
    assert not path.exists()
    assert _now() == now


@pytest.mark.parametrize("left", ["", AFTER[:50], THEIRS])
def test_what_a_fixer_had_begun_to_write_is_removed(left: str) -> None:
    path = _leave(left, leftovers.name_to_write())
    assert leftovers.clear("shared") == (False, [])
    assert not path.exists()


@pytest.mark.parametrize("now", [AFTER, LATER, BEFORE])
@pytest.mark.parametrize("left", [THEIRS, "", "Another text.\n", AFTER[:50]])
@pytest.mark.parametrize("can_exchange", [True, False])
def test_what_somebody_else_wrote_is_given_back(
    monkeypatch: pytest.MonkeyPatch, left: str, now: str, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(exchange, "load", lambda: None)
    path = _leave(left)
    _put(now)
    assert leftovers.clear("shared") == (True, [])
    assert _now() == left
    assert not path.exists()


@pytest.mark.parametrize("now", [THEIRS.upper(), None])
def test_what_cannot_be_given_back_is_kept(now: str | None) -> None:
    path = _leave(THEIRS)
    _put(now)
    assert leftovers.clear("shared") == (False, [str(path)])
    assert path.read_text() == THEIRS
    assert _now() == now


@pytest.mark.parametrize("name", ["notes.md", "1-1", "swap-", "swap-1-2", "swap-1-2-3.4"])
def test_what_has_no_name_of_a_fixer_is_kept(name: str) -> None:
    path = _leave(AFTER, f".nestwork-fix-{name}")
    assert leftovers.clear("shared") == (False, [str(path)])
    assert path.exists()


def _put(text: str | None) -> None:
    if text is None:
        MEMORY.unlink()
    else:
        MEMORY.write_text(text)


def _now() -> str | None:
    return MEMORY.read_text() if MEMORY.exists() else None


def test_a_link_that_was_put_in_its_place_in_the_last_moment_is_given_back() -> None:
    path = Path("shared", leftovers.name_to_exchange(AFTER.encode()))
    path.symlink_to("nowhere")
    _age(path)
    assert leftovers.clear("shared") == (True, [])
    assert os.readlink(MEMORY) == "nowhere"
    assert os.listdir("shared") == ["memory.md"]


def test_what_is_written_while_a_text_is_given_back_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = exchange.load(), iter([True])
    assert real

    def act(one: bytes, other: bytes) -> bool:
        if next(calls, False):
            MEMORY.write_text("Newer.\n")
        return real(one, other)

    monkeypatch.setattr(exchange, "load", lambda: act)
    path = _leave(THEIRS)
    leftovers.clear("shared")
    assert _now() == "Newer.\n"
    assert path.read_text() == THEIRS


def test_a_text_that_the_system_does_not_give_back_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bool:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(exchange, "load", lambda: refuse)
    path = _leave(THEIRS)
    assert leftovers.clear("shared") == (False, [str(path)])
    assert path.read_text() == THEIRS


@pytest.mark.parametrize("text", [BEFORE, THEIRS])
def test_what_a_running_fixer_holds_is_no_leftover(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    path = _leave(text)
    monkeypatch.setattr("time.sleep", pytest.fail)
    with lock.Locked(b"shared", lock.Backoff()):
        assert leftovers.clear("shared") == (False, [])
    assert path.read_text() == text


@pytest.mark.parametrize("text", [BEFORE, THEIRS])
def test_a_young_file_may_be_a_running_fixers(text: str) -> None:
    path = _leave(text, age=0)
    assert leftovers.clear("shared") == (False, [])
    assert path.read_text() == text


@pytest.mark.parametrize("scope", ["linked", "linked/box/a"])
def test_nothing_is_touched_behind_a_link(scope: str) -> None:
    Path("shared/box/a").mkdir(parents=True)
    Path("linked").symlink_to("shared")
    paths = [_leave(AFTER), _leave(AFTER, folder="shared/box/a")]
    assert leftovers.clear(scope) == (False, [])
    assert all(path.exists() for path in paths)


def test_a_rewriting_that_is_undone_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    MEMORY.write_text(BEFORE)
    monkeypatch.setattr(exchange, "load", lambda: None)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(5, "I/O")))
    with pytest.raises(NotRewritten, match="I/O"):
        rewrite(str(MEMORY), INDEX)
    assert os.listdir("shared") == ["memory.md"]


# What the commands say and do

FIX = ("nestwork-fix-index", "--all")


@pytest.fixture
def killed(nest: Repo) -> Repo:
    """A nest whose fixer was killed before it had given back what an agent wrote."""
    nest.commit({"shared/memory.md": _fresh()})
    _leave(_fresh() + "Theirs.\n", leftovers.name_to_exchange(_fresh().encode()))
    return nest


def _fresh(*more: str) -> str:
    return memory(*more, entry("hosts.md"), entry("ports.md")) + "\nMine.\n"


def _files(nest: Repo) -> list[str]:
    return sorted(path.name for path in (nest.path / "shared").iterdir())


SOUND = ["hosts.md", "memory.md", "ports.md"]


def test_the_fixer_gives_back_and_makes_the_index_true(killed: Repo) -> None:
    killed.stage({"shared/also.md": topic()})
    done = killed.run(*FIX)
    assert done.code == 1
    assert killed.read("shared/memory.md") == _fresh(entry("also.md")) + "Theirs.\n"
    assert _files(killed) == ["also.md", *SOUND]


@pytest.mark.parametrize("staged", [[], ["--staged"]])
def test_a_stale_index_in_a_text_given_back_is_mended(killed: Repo, staged: list[str]) -> None:
    (left,) = (killed.path / "shared").glob(".nestwork-fix-*")
    left.write_text(MARKERS + "Theirs.\n")
    _age(left)
    done = killed.run(*FIX, *staged)
    said = (
        "shared/memory.md: rewrote the topic index, which was stale: in the text that a run that was"
        " killed had not put back\nto fix: git add -- shared/memory.md\n"
    )
    assert done == (1, said, "")
    assert (
        killed.read("shared/memory.md")
        == memory(entry("hosts.md"), entry("ports.md")) + "Theirs.\n"
    )
    assert _files(killed) == SOUND


@pytest.mark.parametrize("staged", [[], ["--staged"]])
def test_a_true_index_in_a_text_given_back_is_no_finding(killed: Repo, staged: list[str]) -> None:
    assert killed.run(*FIX, *staged, "--verbose") == (0, "1 scope: nothing wrong\n", "")
    assert killed.read("shared/memory.md") == _fresh() + "Theirs.\n"
    assert _files(killed) == SOUND


KEPT = (
    "shared/{}: kept, since no fixer wrote what it holds: take over into memory.md what is"
    " missing there, then delete it\n"
)


def test_the_fixer_names_what_it_keeps(killed: Repo) -> None:
    killed.write({"shared/memory.md": _fresh() + "Newer.\n"})
    (left,) = (name for name in _files(killed) if name.startswith("."))
    assert killed.run(*FIX) == (2, "", f"nestwork-fix-index: {KEPT.format(left)}")
    assert killed.read("shared/memory.md") == _fresh() + "Newer.\n"
    assert killed.read(f"shared/{left}") == _fresh() + "Theirs.\n"


def test_the_committer_commits_what_it_gives_back(killed: Repo) -> None:
    assert _commit(killed) == (0, "", "")
    assert killed.git("show", "HEAD:shared/memory.md") == _fresh() + "Theirs.\n"
    assert _files(killed) == SOUND


def test_the_committer_commits_and_names_what_it_keeps(killed: Repo) -> None:
    killed.write({"shared/memory.md": _fresh() + "Newer.\n"})
    (left,) = (name for name in _files(killed) if name.startswith("."))
    note = "nestwork-commit: committed; please note:\n"
    assert _commit(killed) == (1, "", f"{note}nestwork-commit: {KEPT.format(left)}")
    assert killed.git("show", "HEAD:shared/memory.md") == _fresh() + "Newer.\n"
    assert killed.read(f"shared/{left}") == _fresh() + "Theirs.\n"


def _commit(nest: Repo) -> Done:
    return nest.run("nestwork-commit", "shared", "-m", "memory")


DATED = topic().replace("2026-09-27", "2026-12-01")


@pytest.mark.parametrize("left", [topic(), DATED, topic().replace("2026-09-27", "never")])
def test_what_was_read_or_written_to_set_a_date_is_removed(left: str) -> None:
    path = _leave(left, leftovers.name_to_exchange(DATED.encode(), leftovers.DATE))
    assert leftovers.clear("shared") == (False, [])
    assert not path.exists()


@pytest.mark.parametrize("left", [topic(body="Last moment.\n"), DATED[:50], "", AFTER])
def test_what_somebody_wrote_into_a_topic_is_kept(left: str) -> None:
    """Which topic that was nobody knows; memory.md it is not."""
    path = _leave(left, leftovers.name_to_exchange(DATED.encode(), leftovers.DATE))
    assert leftovers.clear("shared") == (False, [str(path)])
    assert (path.read_text(), _now()) == (left, AFTER)
    assert leftovers.describe(str(path)) == (
        f"{path}: kept, since no fixer wrote what it holds: take over into the topic what is missing"
        " there, then delete it"
    )
