"""A memory.md that somebody else writes at the very moment at which the fixer replaces it."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nestwork_hooks.writing import exchange, lock
from nestwork_hooks.writing.replacement import NotRewritten, rewrite, set_date
from tests.conftest import MARKERS, entry, memory, topic

if TYPE_CHECKING:
    from collections.abc import Callable

    Act = Callable[[], object]

PATH = Path("shared/memory.md")
NEW = memory(entry("t.md"))
INDEX, EMPTY = (text.removeprefix("# Memory\n\n").rstrip() for text in (NEW, memory()))


@pytest.fixture(autouse=True)
def stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PATH.parent.mkdir()
    PATH.write_text(MARKERS)


@pytest.fixture
def before_exchange(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Does something right before each of the next exchanges, one after the other."""

    def arrange(*acts: Act) -> None:
        real = exchange.load()
        assert real
        left = iter(acts)

        def act_and_exchange(one: bytes, other: bytes) -> bool:
            next(left, lambda: None)()
            return real(one, other)

        monkeypatch.setattr(exchange, "load", lambda: act_and_exchange)

    return arrange


def _leftovers() -> list[str]:
    return [name for name in os.listdir("shared") if name != "memory.md"]


def _in_place() -> None:
    with PATH.open("a") as file:
        file.write("Mine.\n")


def _replaced() -> None:
    Path("new").write_text(PATH.read_text() + "Mine.\n")
    Path("new").replace(PATH)


@pytest.mark.parametrize("write", [_in_place, _replaced])
def test_what_is_written_in_the_last_moment_is_kept(
    before_exchange: Callable[..., None], write: Act
) -> None:
    before_exchange(write)
    assert rewrite(str(PATH), INDEX)
    assert PATH.read_text() == NEW + "Mine.\n"
    assert not _leftovers()


@pytest.mark.parametrize("write", [_in_place, _replaced])
def test_of_two_writers_in_the_last_moment_the_second_wins(
    before_exchange: Callable[..., None], write: Act
) -> None:
    before_exchange(lambda: PATH.write_text("# Theirs\n" + MARKERS), write)
    # It wrote what it had read: the index was already in it.
    assert not rewrite(str(PATH), INDEX)
    assert PATH.read_text() == NEW + "Mine.\n"
    assert not _leftovers()


FAULTS = [OSError(5, "Input/output error"), KeyboardInterrupt(), FileNotFoundError(2, "gone")]


@pytest.mark.parametrize("fault", [*FAULTS, None])
def test_what_cannot_be_given_back_by_an_exchange_is_put_back_or_left(
    monkeypatch: pytest.MonkeyPatch, fault: BaseException | None
) -> None:
    """The second exchange fails, or is cut short; the other's text is somewhere, whole."""
    real, calls = exchange.load(), iter([True])
    assert real

    def act(one: bytes, other: bytes) -> bool:
        if next(calls, False):
            _replaced()
            return real(one, other)
        if fault:
            raise fault
        return False

    monkeypatch.setattr(exchange, "load", lambda: act)
    try:
        rewrite(str(PATH), INDEX)
    except (KeyboardInterrupt, NotRewritten):
        pass
    texts = [Path("shared", name).read_text() for name in os.listdir("shared")]
    assert [text for text in texts if text.endswith("Mine.\n")]


def test_interrupted_between_exchange_and_look_it_gives_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, held, looks = exchange.load(), exchange.holds, iter([True])
    assert real

    def act(one: bytes, other: bytes) -> bool:
        if PATH.read_text() == MARKERS:
            _replaced()
        return real(one, other)

    def holds(name: bytes, data: bytes) -> bool:
        if next(looks, False):
            raise KeyboardInterrupt
        return held(name, data)

    monkeypatch.setattr(exchange, "load", lambda: act)
    monkeypatch.setattr(exchange, "holds", holds)
    with pytest.raises(KeyboardInterrupt):
        rewrite(str(PATH), INDEX)
    assert PATH.read_text() == MARKERS + "Mine.\n"
    assert not _leftovers()


def test_a_name_that_goes_while_a_text_is_given_back_is_made_again(
    before_exchange: Callable[..., None],
) -> None:
    before_exchange(_replaced, PATH.unlink)
    assert rewrite(str(PATH), INDEX)
    assert PATH.read_text() == NEW + "Mine.\n"
    assert not _leftovers()


def _a_link() -> None:
    PATH.unlink()
    PATH.symlink_to("nowhere")


def _a_folder() -> None:
    PATH.unlink()
    PATH.mkdir()


def _a_fifo() -> None:
    PATH.unlink()
    os.mkfifo(PATH)


def _another_text() -> None:
    PATH.write_text("# Mine\n")


@pytest.mark.parametrize("put", [_a_link, _a_folder, _a_fifo, _another_text])
def test_what_is_put_in_its_place_in_the_last_moment_stays(
    before_exchange: Callable[..., None], put: Act
) -> None:
    stands: list[os.stat_result] = []

    def act() -> None:
        put()
        stands.append(PATH.lstat())

    before_exchange(act)
    with pytest.raises(NotRewritten):
        rewrite(str(PATH), INDEX)
    now = PATH.lstat()
    assert (now.st_ino, now.st_mode) == (stands[0].st_ino, stands[0].st_mode)
    assert not _leftovers()


def test_a_file_deleted_in_the_last_moment_is_not_made_again(
    before_exchange: Callable[..., None],
) -> None:
    before_exchange(PATH.unlink)
    with pytest.raises(NotRewritten, match="No such file or directory"):
        rewrite(str(PATH), INDEX)
    assert not os.listdir("shared")


@pytest.mark.parametrize("error", [OSError, TypeError, AttributeError, ImportError])
def test_where_files_cannot_be_exchanged_one_replaces_the_other(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("ctypes.CDLL", refuse)
    assert rewrite(str(PATH), INDEX)
    assert PATH.read_text() == NEW
    assert not _leftovers()


def test_a_file_system_that_cannot_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    # No file system exchanges a file with the folder it lies in.
    real = exchange.load()
    assert real
    monkeypatch.setattr(exchange, "load", lambda: lambda one, _: real(one, b"."))
    assert rewrite(str(PATH), INDEX)
    assert PATH.read_text() == NEW
    assert not _leftovers()


def test_a_writer_that_never_goes_on_is_waited_for_and_then_passed_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    with lock.Locked(b"shared", lock.Backoff()):
        assert rewrite(str(PATH), INDEX)
    assert len(waits) == lock.RETRIES
    assert 2 < sum(waits) < 6
    assert PATH.read_text() == NEW


def test_a_writer_that_is_done_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", pytest.fail)
    for expected in (INDEX, EMPTY):
        assert rewrite(str(PATH), expected)


def test_no_locks_here_is_no_reason_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("time.sleep", pytest.fail)
    monkeypatch.setattr("fcntl.flock", refuse)
    assert rewrite(str(PATH), INDEX)


def test_nothing_is_written_behind_a_link() -> None:
    Path("linked").symlink_to("shared")
    with pytest.raises(NotRewritten, match="Too many levels of symbolic links"):
        rewrite("linked/memory.md", INDEX)


def test_a_date_is_set_in_what_was_written_meanwhile(before_exchange: Callable[..., None]) -> None:
    file = Path("shared/t.md")
    file.write_text(topic())
    before_exchange(lambda: file.write_text(topic(body="late\n")))
    assert set_date("shared/t.md", "2026-09-27", "2026-12-01")
    assert file.read_text() == topic(body="late\n").replace("2026-09-27", "2026-12-01")
    assert sorted(os.listdir("shared")) == ["memory.md", "t.md"]
    assert not set_date("shared/t.md", "2026-09-27", "2026-12-01")


@pytest.mark.parametrize("text", [topic().encode() + b"\xff", topic().encode() * 80_000])
def test_a_date_that_cannot_be_set(text: bytes) -> None:
    Path("shared/t.md").write_bytes(text)
    with pytest.raises(NotRewritten):
        set_date("shared/t.md", "2026-09-27", "2026-12-01")
    assert Path("shared/t.md").read_bytes() == text
