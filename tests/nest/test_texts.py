"""How many lines a file has, whatever ends them."""

from __future__ import annotations

import pytest

from nestwork_hooks.nest.texts import count_lines
from nestwork_hooks.protocol.content import Unread
from tests.conftest import memory

COUNTS = [
    (b"", 0),
    (b"\n", 1),
    (b"x", 1),
    (b"x\n", 1),
    (b"x\r", 1),
    (b"x\r\n", 1),
    (b"x\ny", 2),
    (b"x\ry", 2),
    (b"x\r\ny\r\n", 2),
    (b"x\n\ny", 3),
    (b"x\n\r", 2),
    (b"x\r\r\ny", 3),
    (b"\xef\xbb\xbfx\n", 1),
    (b"caf\xe9\n\xff", 2),
    ("x\r\ny\r\n".encode("utf-16"), 2),
    ("x\r\ny".encode("utf-16-be"), 2),
]


@pytest.mark.parametrize(("data", "lines"), COUNTS)
def test_count(data: bytes, lines: int) -> None:
    for at in range(len(data) + 1):
        count = count_lines("x.md", iter([data[:at], data[at:]]))
        assert not isinstance(count, Unread)
        assert count.lines == lines
    of_memory = count_lines("shared/memory.md", iter([data]))
    assert not isinstance(of_memory, Unread)
    assert (of_memory.lines, of_memory.has_index) == (lines, False)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_an_index_is_not_counted(newline: str) -> None:
    data = memory(*"abc", newline=newline).encode()
    count = count_lines("shared/memory.md", iter([data]))
    other = count_lines("shared/memory.md", iter([memory(newline=newline).encode()]))
    assert not isinstance(count, Unread)
    assert not isinstance(other, Unread)
    assert (count.lines, count.has_index, count.mark) == (2, True, other.mark)


def test_what_is_too_large_for_an_index() -> None:
    count = count_lines("shared/memory.md", iter([b"x\n" * (3 << 20)]))
    assert isinstance(count, Unread)
    assert count.fault.rule == "unreadable"
