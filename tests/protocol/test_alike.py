from __future__ import annotations

import pytest

from nestwork_hooks.protocol import alike
from nestwork_hooks.protocol.yaml_reader import DEEPEST
from tests import laws

ALIKE = [
    "",
    "\n",
    "description: When to read",
    "description: When to read; a host's (first) quirks, 100% + $x = <y> ^ ~ _",
    'description: "Deploy: read # before [a] {release}"',
    "description:  two  spaces  ",
    "description:",
    "a-b_C9: x\nd: https://example.org/x#y\n\ne: 2026-09-27",
    "description: 机器：端口 🔌",
    "description: 'Deploy: read # before [a] {release} \\n'",
    "description: '\"a\" b'",
    "a: ''\nb: \"\"\nc: ' '",
    "# a: b\ndescription: c\n  # d\n#e\nf: g",
    "a: [b, c d, 'e: f', \"g # h\", 1.10, i#j]",
    "a: []\nb: [ c ]",
    "a:\n- b\n- 'c: d'\ne: f",
    "a:\n  - b\n  # c\n\n  -  http://d\n\ne: f",
    "a:\n  b: c\n  d: [e]\n  f: 'g'\n  description: h\n  i:\ndescription: j",
    "a:\n          b: c\nd:\n e: f\ng:",
    "a: b\na:\n  c: d\na: e",
]


@pytest.mark.parametrize("source", ALIKE)
def test_reads_alike(source: str) -> None:
    assert laws.is_read_alike(source)


DOUBTFUL = [
    "a: b: c",
    "a: b:",
    "a: b #c",
    "a: #b",
    "a:b",
    "a : b",
    " a: b",
    "a: b\n  c",
    "a: b\n  c: d",
    "a: 'b'\n  c",
    "a: [b]\n  c",
    "text",
    "a: 'b''c'",
    "a: 'b' c",
    "a: 'b",
    "a: '",
    "a: 'b' # c",
    "a: b'",
    'a: b"',
    'a: "b',
    'a: "',
    'a: "b" c',
    'a: "b\\n"',
    "a: \"'b'\"",
    "a: b\tc",
    "a: b\x85c",
    "a: b\u2028c",
    "a: \u3000b",
    "a: \xa0b",
    "a: \ufeffb",
    '"a": b',
    "- a",
    "-a: b",
    "? a",
    "é: b",
    "k" * 1024 + ": b",
    "---",
    "...",
    "   ",
    *(f"a: {char}b" for char in "-?:,[]{}#&*!|>%@`"),
    # Lists in a line.
    "description: [a]",
    "updated: [2026]",
    *(f"a: [{item}]" for item in ("b,", ",", " ", "b, , c", "b: c", "'b': c", "b:c", "b?c", "[b]")),
    *(f"a: [{item}]" for item in ("{b}", "b #c", "#b", "*b", "&b", "- b", "'b", "'b, c'", '"b\\"')),
    "a: [b] c",
    "a: [b",
    "a: [b] # c",
    "a: [",
    # Blocks.
    "description:\n- a",
    "updated:\n  a: b",
    "a: b\n- c",
    "a:\n- b\n  - c",
    "a:\n- b\n  c",
    "a:\n- b\n  c: d",
    "a:\n  - b\n- c",
    "a:\n  b: c\n   d: e",
    "a:\n   b: c\n  d: e",
    "a:\n  b:\n    c: d",
    "a:\n  b:\n  - c",
    "a:\n  b",
    "a:\n  b: c: d",
    "a:\n  b: |",
    "a:\n  - b: c",
    "a:\n  - - b",
    "a:\n  - [b]",
    "a:\n  -",
    "a:\n  - ",
    "a:\n  -b",
    "a:\n  'b': c",
    "a:\n  " + "k" * 1024 + ": b",
    "a:\n  ---",
    "a:\n---",
    "a: >\n  b: c",
    "a:\n\tb: c",
]


@pytest.mark.parametrize("source", DOUBTFUL)
def test_asks_yaml(source: str) -> None:
    assert not alike.reads_alike(source)


def test_what_is_read_alike_is_never_too_deep_for_yaml() -> None:
    assert laws.is_read_alike("a: [b]\n" * DEEPEST)
