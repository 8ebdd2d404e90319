from __future__ import annotations

import json
from collections.abc import Sequence
from unicodedata import category

import pytest
import regex

from nestwork_hooks.protocol import text
from nestwork_hooks.protocol.text import could_forge, escaped, has_surrogate, named
from tests.conftest import with_slow

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


@pytest.mark.parametrize(("untrusted", "expected"), SHOWN)
def test_escaped(untrusted: str, expected: str) -> None:
    assert escaped(untrusted) == expected


@pytest.mark.parametrize("value", ["<!--", "-->", "a\tb", "\x00", "\x85", "\x7f", "a\nb"])
def test_could_forge(value: str) -> None:
    assert could_forge(value)


@pytest.mark.parametrize("value", ["", "plain", "<!-", "->", "\u3000", "\u202e", "\u2028"])
def test_could_not_forge(value: str) -> None:
    assert not could_forge(value)


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


IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
# The planes with characters in them, and one more on either side.
CODES = [*range(0x50000), *range(0xD0000, 0xF0000)]


def test_what_unicode_calls_ignorable_is_in_17_ranges() -> None:
    assert len(text.IGNORABLE) == 17
    ranges = [set(range(first, last + 1)) for first, last in text.IGNORABLE]
    assert set().union(*ranges) == {code for code in CODES if IGNORABLE.match(chr(code))}


BLANK = "\u2028\u2029\u2800\u3164\uffa0\ufff9\ufffa\ufffb"


PLANES = [range(0x80, 0x10000), range(0xE0000, 0xE1000), CODES[0x80:]]


@pytest.mark.parametrize("codes", with_slow(PLANES, *PLANES[:2]), ids=["plane 0", "tags", "all"])
def test_no_single_character_is_shown_that_hides_or_acts(codes: Sequence[int]) -> None:
    beyond_ascii = "".join(map(chr, codes))
    unseen = {char for char in beyond_ascii if category(char) in ("Cc", "Cs")}
    unseen.update(IGNORABLE.findall(beyond_ascii), set(BLANK).intersection(beyond_ascii))
    seen = set(escaped("a".join(beyond_ascii), 2 * len(CODES)))
    assert unseen.isdisjoint(seen)
    assert unseen | seen >= set(beyond_ascii)


NEEDED = {
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a pirate flag": "\U0001f3f4\u200d\u2620\ufe0f",
    "a rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "an astronaut with a skin tone": "\U0001f469\U0001f3fd\u200d\U0001f680",
    "a heart on fire": "\u2764\ufe0f\u200d\U0001f525",
    "a shaking head": "\U0001f642\u200d\u2194\ufe0f",
    "keycaps": "1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3",
    "text and emoji style": "\u26a0\ufe0e \u26a0\ufe0f \u2139\ufe0f \u203c\ufe0f \xa9\ufe0f \u3299\ufe0f",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "a Persian abbreviation": "\u06f1\u06f4 \u0647\u200d.\u0634",
    "Devanagari": "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937 \u0915\u094d\u200d \u0915\u094d\u200c",
    "Bengali": "\u09b0\u200d\u09cd\u09af",
    "Sinhala": "\u0d9a\u0dca\u200d\u0dc2",
    "Malayalam": "\u0d28\u0d4d\u200d",
    "Mongolian": "\u1820\u180b \u182d\u180e\u1820",
    "a Japanese name": "\u845b\U000e0100\u98fe",
    "Chinese punctuation": "\u3002\ufe00 \uff0c\ufe01",
}


@pytest.mark.parametrize("kind", NEEDED)
def test_invisible_characters_that_are_needed_are_kept(kind: str) -> None:
    assert escaped(NEEDED[kind]) == NEEDED[kind]
    assert escaped(f"a {NEEDED[kind]}\tb") == f"a {NEEDED[kind]}\\x09b"


@pytest.mark.parametrize(
    ("hiding", "expected"),
    [
        ("a\u200db\u200cc", "a\\u200db\\u200cc"),
        ("\u200d\u0645", "\\u200d\u0645"),
        ("\u0645\u200d\u200d\u200d", "\u0645\u200d\\u200d\\u200d"),
        ("\u0645\u200c b", "\u0645\\u200c b"),
        ("\U0001f468\u200d", "\U0001f468\\u200d"),
        ("a\u200d\U0001f468", "a\\u200d\U0001f468"),
        ("x\ufe0f 1\ufe0f \ufe0f", "x\\ufe0f 1\\ufe0f \\ufe0f"),
        ("\u26a0\ufe0f\ufe0f", "\u26a0\ufe0f\\ufe0f"),
        ("a\U000e0100", "a\\U000e0100"),
        ("\u845b\U000e0100\U000e0101", "\u845b\U000e0100\\U000e0101"),
        ("\U0001f3f4\U000e0067\U000e007f", "\U0001f3f4\\U000e0067\\U000e007f"),
        ("\U0001f3f4\U000e0067\U000e0062", "\U0001f3f4\\U000e0067\\U000e0062"),
        ("a\U000e0067\U000e0062\U000e0065\U000e007f", "a\\U000e0067\\U000e0062\\U000e0065\\U000e007f"),
        ("\u4e2d\u200b\u6587 \u3164\u2800", "\u4e2d\\u200b\u6587 \\u3164\\u2800"),
        ("##\u200dvso[", "##\\u200dvso["),
    ],
    ids=ascii,
)  # fmt: skip
def test_invisible_characters_that_only_hide_are_escaped(hiding: str, expected: str) -> None:
    assert escaped(hiding) == expected


COMMANDS = [
    ("##vso[task.setvariable]x", "#\\x23vso[task.setvariable]x"),
    ("a ##VSO[b ##[c ##teamcity[d", "a #\\x23VSO[b #\\x23[c #\\x23teamcity[d"),
    ("####[ ###vso[", "###\\x23[ ##\\x23vso["),
    ("##[##[[", "#\\x23[#\\x23[["),
    ("# [a] ## b [c] ##", "# [a] ## b [c] ##"),
    ("## [a] #[b #vso[c", "## [a] #[b #vso[c"),
]


@pytest.mark.parametrize(("line", "expected"), COMMANDS)
def test_commands_of_ci_services_are_taken_apart(line: str, expected: str) -> None:
    assert escaped(line) == expected
    assert text.escaped_line(line) == expected
    told = text.json_text({"a": [line]})
    assert json.loads(told) == {"a": [line]}
    assert text.escaped_line(told) == told


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("::error::x", "\\x3a:error::x"),
        (" \t\u3000::set-env name=a::b", " \t\u3000\\x3a:set-env name=a::b"),
        (":::", "\\x3a::"),
        ("std::vector ::x", "std::vector ::x"),
        (": :x", ": :x"),
        ("", ""),
    ],
)
def test_a_command_that_has_to_start_its_line(line: str, expected: str) -> None:
    assert text.escaped_line(line) == expected
