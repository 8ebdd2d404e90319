from __future__ import annotations

import pytest

from nestwork_hooks.protocol.text import could_forge, has_surrogate, named, shown

SHOWN = [
    ("plain", "plain"),
    ("机器 ü 🔌", "机器 ü 🔌"),
    ("a\x1b[31mb", "a\\x1b[31mb"),
    ("a\tb\nc\r\0", "a\\x09b\\x0ac\\x0d\\x00"),
    ("\x7f\x85\x9b", "\\x7f\\x85\\x9b"),
    ("right\u202eleft", "right\\u202eleft"),
    ("\ufeffbom \u2028 \u2066", "\\ufeffbom \\u2028 \\u2066"),
    ("not \udcff\udc80 utf-8", "not \\xff\\x80 utf-8"),
    ("lone \ud800", "lone \\ud800"),
    ("ideographic\u3000space", "ideographic\u3000space"),
    ("##[error]x ##[", "#\\x23[error]x #\\x23["),
    ("x" * 200, "x" * 200),
    ("x" * 201, "x" * 197 + "..."),
]


@pytest.mark.parametrize(("text", "expected"), SHOWN)
def test_shown(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize("text", ["<!--", "-->", "a\tb", "\x00", "\x85", "\x7f", "a\nb"])
def test_could_forge(text: str) -> None:
    assert could_forge(text)


@pytest.mark.parametrize("text", ["", "plain", "<!-", "->", "\u3000", "\u202e", "\u2028"])
def test_could_not_forge(text: str) -> None:
    assert not could_forge(text)


def test_has_surrogate() -> None:
    assert has_surrogate("a\udcff")
    assert not has_surrogate("aü")
    assert not has_surrogate("a")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a"], "a"),
        (["a", "b", "c"], "a, b, c"),
        (["a", "b", "c", "d"], "a, b, c and 1 more"),
        (["a\x1b", *"bcdefg"], "a\\x1b, b, c and 4 more"),
    ],
)
def test_named(names: list[str], expected: str) -> None:
    assert named(names) == expected
