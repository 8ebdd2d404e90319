"""What a date is, what another form of one means, and the one line that is set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.protocol import dates
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.topic import Topic, read_topic
from tests.properties.conftest import examples

TODAY = "2026-12-01"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2026-12-01", 0),
        ("2026-11-30", 1),
        ("2026-12-02", -1),
        ("2024-02-29", 1_006),
        ("0001-01-01", 739_950),
        ("9999-12-31", -2_912_108),
        ("2026-02-29", None),
        ("2026-13-01", None),
        ("2026-00-10", None),
        ("2026-04-31", None),
        ("0000-01-01", None),
        ("2026-W01-1", None),
        ("20261201", None),
        ("2026-9-07", None),
        ("2026/12/01", None),
        ("01-12-2026", None),
        ("2026-12-01T10:00:00Z", None),
        ("2026-12-01 ", None),
        ("٢٠٢٦-١٢-٠١", None),
        ("today", None),
        ("", None),
    ],
)
def test_age(text: str, days: int | None) -> None:
    assert dates.age(text, TODAY) == days


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-9-7", "2026-09-07"),
        ("2026/09/27", "2026-09-27"),
        ("2026.9.27", "2026-09-27"),
        ("2026-09-27T10:00:00+02:00", "2026-09-27"),
        ("2026-09-27 10:00:00.5", "2026-09-27"),
        ("2026-12-02T00:00", "2026-12-02"),
        ("2026-12-03T00:00", ""),
        ("2026-02-30T00:00", ""),
        ("2026-09-27 by hand", ""),
        ("2026-09-27", ""),
        ("27.9.2026", ""),
        ("9/7/2026", ""),
        ("26-09-27", ""),
        ("2026-09", ""),
        ("2026", ""),
        ("yesterday", ""),
    ],
)
def test_meant(text: str, date: str) -> None:
    """Day and month in an order that nobody can know mean nothing."""
    assert dates.meant(text, TODAY) == date


# the front matter's lines, the line that is set, and what it becomes
LINES = [
    ("description: x\nupdated: 2026-09-27", 3, "updated: 2026-12-01"),
    ('updated: "2026-09-27"', 2, 'updated: "2026-12-01"'),
    ("updated:   '2026-09-27'  ", 2, "updated:   '2026-12-01'"),
    ("updated:2026-09-27", 2, "updated: 2026-12-01"),
    ("updated : 2026-09-27", 2, "updated : 2026-12-01"),
    ("updated: 'x", 2, "updated: 2026-12-01"),
    ("updated: 10:30", 2, "updated: 2026-12-01"),
    ("updated: 2026-09-27 # checked", 0, ""),
    ("updated: 2026-09-27\nupdated: 2026-09-28", 0, ""),
    ("updated: 2026-09-27\n  and more", 0, ""),
    ("updated: >\n  2026-09-27", 0, ""),
    ("updated: 2026-09-27\u2028more", 0, ""),
    ("updated:", 0, ""),
    ("description: x", 0, ""),
    ("meta:\n  updated: 2026-09-27", 0, ""),
]


@pytest.mark.parametrize(("lines", "line", "becomes"), LINES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_line(lines: str, line: int, becomes: str, end: str) -> None:
    text = f"---\n{lines}\n---\n\nupdated: 2026-09-27\n\x0b\x85no last line"
    assert dates.line_to_set(Head(text)) == line
    data = text.replace("\n", end).encode()
    was = Head(text).fields.get("updated", "")
    if line:
        expected = text.split("\n")
        assert dates.dated(expected[line - 1], TODAY) == becomes
        expected[line - 1] = becomes
        assert dates.with_date(data, was, TODAY) == end.join(expected).encode()
        del expected[line - 1]
        assert dates.without_date(data) == end.join(expected).encode()
    else:
        with pytest.raises(ValueError, match="no line to set"):
            dates.with_date(data, was, TODAY)
        assert dates.without_date(data) == data
    assert dates.with_date(data, "2026-01-01", TODAY) is None


def test_what_is_no_text_is_not_touched() -> None:
    data = b"---\nupdated: x\n---\n\xff"
    with pytest.raises(ValueError, match="utf-8"):
        dates.with_date(data, "x", TODAY)
    assert dates.without_date(data) == data


def _topic(text: str) -> Topic:
    topic = read_topic("t.md", [text.encode()], whole=True)
    assert isinstance(topic, Topic)
    return topic


HEAD = "---\ndescription: x\nupdated: 2026-09-27\n---\n"


@pytest.mark.parametrize(
    ("now", "is_rewritten"),
    [
        (f"{HEAD}\n# T\n\nmore\n", False),
        (HEAD.replace("x", "y") + "\n# T\n\nmore\n", False),
        (f"{HEAD}\n# T\n\nmore\n".replace("\n", "\r\n"), False),
        (f"{HEAD}\n# T  \n\nmore", False),
        (f"{HEAD}# T\n \nmore\n\n\n", False),
        (f"{HEAD}\n# T\n\nless\n", True),
        (f"{HEAD}\n# T\nmore\n", True),
        (f"{HEAD}\n# T\n\n  more\n", True),
        (HEAD, True),
        ("# T\n\nmore\n", False),
    ],
)
def test_is_rewritten(now: str, is_rewritten: bool) -> None:
    assert dates.is_rewritten(_topic(now), _topic(f"{HEAD}\n# T\n\nmore\n")) == is_rewritten


text = st.text(st.sampled_from("updated: -2026'\"#\n\r\x0b\u2028"), max_size=30)


@given(text, text)
@examples(600)
def test_one_line_is_set_and_nothing_else(front: str, body: str) -> None:
    data = f"---\n{front}\nupdated: old\n---\n{body}".encode()
    try:
        done = dates.with_date(data, "old", TODAY)
    except ValueError:
        return
    if done is None:  # The front matter ends above the line.
        return
    before, after = data.splitlines(), done.splitlines()
    (line,) = (n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    assert (before[line], after[line]) == (b"updated: old", b"updated: 2026-12-01")
    assert dates.without_date(data) == dates.without_date(done)
    assert dates.with_date(done, "old", TODAY) is None
