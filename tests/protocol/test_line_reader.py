from __future__ import annotations

import pytest

from nestwork_hooks.protocol.line_reader import Head

# text, what the line reader reads in it
FIELDS = [
    ("", {}),
    ("x\n", {}),
    ("---\n", {}),
    ("---\na: b\n", {}),
    ("---\n---\n", {}),
    ("---\n---\na: b\n---\n", {"a": "b"}),
    ("---\na: b\n---", {"a": "b"}),
    ("---\na: b\n----\n", {"a": "b"}),
    ("---\na: b\n--- text\nc: d\n---\n", {"a": "b"}),
    ("\ufeff---\na: b\n---\n", {}),
    ("--- \na: b\n---\n", {}),
    ("----\na: b\n----\n", {}),
    ("\n---\na: b\n---\n", {}),
    ("---\na: b\n...\n", {}),
    ("---\na:b\n---\n", {"a": "b"}),
    ("---\n a: b\n\tc: d\n---\n", {}),
    ("---\n: b\n  : c\nno colon\n---\n", {}),
    ("---\na: b: c\n---\n", {"a": "b: c"}),
    ("---\n\xa0a\xa0:\u3000b\u2003\n---\n", {"a": "b"}),
    ("---\na: 1\na: 2\n---\n", {"a": "2"}),
    ("---\na: \"'b'\"\n---\n", {"a": "b"}),
    ("---\na: '\"b\"'\n---\n", {"a": '"b"'}),
    ('---\na: """b"\n---\n', {"a": "b"}),
    ('---\na: He said "no"\n---\n', {"a": 'He said "no'}),
    ("---\na: it''s\n---\n", {"a": "it''s"}),
    ('---\na: " b "\n---\n', {"a": " b "}),
    ('---\n"a": b\n---\n', {'"a"': "b"}),
    ("---\na: b\x0bc: d\x85e: f\u2028g: h\n---\n", {"a": "b", "c": "d", "e": "f", "g": "h"}),
    ("---\na: >\n  b\n---\n", {"a": ">"}),
]


@pytest.mark.parametrize(("text", "expected"), FIELDS)
def test_fields(text: str, expected: dict[str, str]) -> None:
    assert Head(text).fields == expected
