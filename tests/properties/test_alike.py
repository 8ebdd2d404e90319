"""Front matter of the pieces on which the proof of `protocol.alike` turns, by the tens of thousands.

From a seed, and not by hypothesis, which takes ten times as long to make so many.
"""

from __future__ import annotations

import random

from nestwork_hooks.protocol.blocks import on_one_line
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.value import find_values
from nestwork_hooks.protocol.words import one_line
from nestwork_hooks.protocol.yaml_reader import YamlFault, read_yaml
from tests import laws
from tests.properties.conftest import times

_WORDS = [
    "a",
    "b c",
    "1.10",
    "null",
    "~",
    "2026-09-27",
    "http://x.y/z#a",
    "é",
    "机器",
    "🔌",
    "it's",
]
_SIGNS = [*"-?:,[]{}#&*!|>'\"%@`=<.~\\ ", ": ", " #", "- ", "''", "---", "...", "\t", "\xa0"]
_KEYS = ["description", "updated", "tags", "k-1", "_", "name", "metadata", "a"]
_ODD_KEYS = ["-k", "é", '"k"', "k ", "?", "<<", "- k", "'description'", "x" * 1030, "#k"]


def _often(rng: random.Random, usual: list[str], odd: list[str]) -> str:
    return rng.choice(odd if rng.random() < 0.04 else usual)


def _text(rng: random.Random) -> str:
    parts = (_often(rng, _WORDS, _SIGNS) for _ in range(rng.choice([1, 1, 2, 3])))
    text = rng.choice(["", " "]).join(parts)
    return rng.choice(["{}", "{}", "'{}'", '"{}"']).format(text)


def _value(rng: random.Random) -> str:
    if rng.random() < 0.25:
        return (
            f"[{rng.choice([', ', ',', ' , ']).join(_text(rng) for _ in range(rng.randint(0, 3)))}]"
        )
    return "" if rng.random() < 0.04 else _text(rng)


def _pair(rng: random.Random) -> str:
    key = _often(rng, _KEYS, _ODD_KEYS)
    value = _text(rng) if key in ("description", "updated") else _value(rng)
    return f"{key}:{_often(rng, [' ', '  '], ['', ' : '])}{value}"


def _block(rng: random.Random) -> list[str]:
    indent, make = rng.choice(
        [("", "item"), ("  ", "item"), (" ", "pair"), ("  ", "pair"), ("    ", "pair")]
    )
    lines = [f"{_often(rng, ['tags', 'a', 'metadata'], ['description', 'updated'])}:"]
    for _ in range(rng.randint(1, 3)):
        line = _pair(rng) if make == "pair" else f"-{rng.choice([' ', '  '])}{_text(rng)}"
        lines.append(f"{_often(rng, [indent], ['', ' ', '   '])}{line}")
        if rng.random() < 0.1:
            lines.append(rng.choice(["", "# c", "  # c: d", "      #"]))
    return lines


def _source(rng: random.Random) -> str:
    lines: list[str] = []
    for _ in range(rng.randint(1, 4)):
        kind = rng.random()
        if kind < 0.35:
            lines += _block(rng)
        elif kind < 0.9:
            lines.append(_pair(rng))
        else:
            lines.append(_often(rng, ["", "# a: b", "#", " # c"], ["  a", "text", "---", "  "]))
    return "\n".join(lines)


def test_what_is_taken_without_yaml_is_what_yaml_reads() -> None:
    count, taken = times(30_000), 0
    rng = random.Random(f"alike {count}")
    for number in range(count):
        taken += laws.is_read_alike(_source(rng), by_both=number % 50 == 0)
    assert count * 0.4 < taken < count * 0.9


def _folded(rng: random.Random) -> str:
    head = _often(rng, [">", ">-", "|", "|-", ">+", "|+"], [">2", "> # c", "|1-", ""])
    indent = rng.choice([" ", "  ", "    "])
    lines = [f"{_often(rng, ['description: '], ['description:', 'description : '])}{head}"]
    for _ in range(rng.randint(0, 4)):
        line = (
            f"{_often(rng, [indent], ['', ' ', '   '])}{_text(rng)}{_often(rng, [''], [' ', '  '])}"
        )
        lines.append(_often(rng, [line, line, line, ""], ["  # c", " ", "k: v"]))
    return "\n".join(lines)


def test_the_text_of_a_block_is_what_yaml_reads() -> None:
    count, taken = times(15_000), 0
    rng = random.Random(f"blocks {count}")
    for _ in range(count):
        values = find_values(Head(f"---\n{_folded(rng)}\n---\n")).get("description", ())
        for value in values[:1]:
            text = on_one_line(value.key, value.lines)
            if text:
                taken += 1
                (read,) = _read("\n".join(value.lines)).values()
                assert one_line(read) == text, value.lines
    assert count * 0.4 < taken


def _read(source: str) -> dict[str, str]:
    try:
        read = read_yaml(source)
    except YamlFault:
        raise AssertionError(source) from None
    assert isinstance(read, dict)
    return read
