"""Lines between the markers that nobody generated: which they are, and where they go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.protocol import index
from nestwork_hooks.protocol.handwritten import link, splice
from nestwork_hooks.protocol.markers import Block, find_block
from tests import laws
from tests.conftest import BEGIN, END, NOTE, entry
from tests.properties.conftest import examples

A = entry("a.md")
FRESH = index.render([])

# a line of an index, the file that it lists
LINKS = [
    (A, "a.md"),
    ("* [`a.md`](a.md) — d (0.1 KB)", "a.md"),
    ("  + [a.md](a.md)", "a.md"),
    ("-   [a.md](a.md): d", "a.md"),
    ("- [`a b.md`](<a b.md>) — d", "a b.md"),
    ("- [`a b.md`](a%20b.md) — d", "a b.md"),
    ("- [a\\_b.md](a_b.md) — d", "a_b.md"),
    ("- [`a](b.md`](a](b.md) — d", "a](b.md"),
    ("- [`a`](b) — c.md`](a`](b) — c.md) — d", "a`](b) — c.md"),
    ("- [`x/机.md`](x/机.md) — d", "x/机.md"),
    ("", ""),
    ("- x", ""),
    ("-[a.md](a.md)", ""),
    ("a.md", ""),
    ("[a.md](a.md)", ""),
    ("- [`a.md`](b.md) — d", ""),
    ("- [`a.txt`](a.txt) — d", ""),
    ("- [the hosts](hosts.md)", ""),
    ("- see [a.md](a.md)", ""),
    ("- [" + "x" * 9_000, ""),
]


@pytest.mark.parametrize(("line", "name"), LINKS)
def test_link(line: str, name: str) -> None:
    found = link(line)
    assert (found[0] if found else "") == name


# what stands between the markers, what of it goes below them
INSIDE = [
    ("", ""),
    (f"{NOTE}\n\n{A}\n\n", ""),
    ("_No topic files yet._\n*No topic files yet.*\n", ""),
    ("By hand.\n", "By hand.\n"),
    (f"One.\n\n{A}\n\n- two\n", "One.\n\n\n- two\n"),
    (f"\n{A}\n\nOne.\n  two\n\n", "One.\n  two\n"),
    ("* [a.md](a.md) — Build\n  and release (0.1 KB)\n", ""),
    ("* [a.md](a.md) — Build\n  and release\n", "  and release\n"),
    ("* [a.md](a.md) — Build\nand release (0.1 KB)\n", "and release (0.1 KB)\n"),
    ("* [a.md](a.md) — x\n  mine\n  * [b.md](b.md) — y (0.1 KB)\n", "  mine\n"),
    ("* [a.md](a.md) — x\n\n  y (0.1 KB)\n", "  y (0.1 KB)\n"),
    (f"{A}\n  mine\n", "  mine\n"),
    ("<!-- one -->\n", ""),
    ("<!-- one --> two <!-- three -->\n", "<!-- one --> two <!-- three -->\n"),
    ("<!--\ntwo\n-->\n", "<!--\ntwo\n-->\n"),
    (f"<<<<<<< a\n{A}\n||||||| o\n=======\nlost with its conflict\n>>>>>>> b\n", ""),
    (f"<<<<<<< a\n{A}\n=======\nhalf\n", "<<<<<<< a\n=======\nhalf\n"),
    (f"```\n\n{A}\n{END}\n<!-- x -->\n```\n", f"```\n\n{A}\n{END}\n<!-- x -->\n```\n"),
    ("\udcff\n", "\udcff\n"),
]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=ascii)
@pytest.mark.parametrize("after", ["\n\nTail.\n", " \t\nTail.", ""])
@pytest.mark.parametrize(("inside", "moved"), INSIDE)
def test_splice(inside: str, moved: str, after: str, end: str) -> None:
    def encoded(text: str) -> bytes:
        return text.replace("\n", end).encode("utf-8", "surrogateescape")

    data = b"\xef\xbb\xbf" + encoded(f"# M\n\n{BEGIN}\n{inside}{END}{after}")
    block = find_block(data)
    assert isinstance(block, Block)
    new, numbers = splice(data, block, FRESH)
    if moved and not after:
        moved = f"\n{moved[:-1]}"
    elif moved:
        blank, after = after.split("\n", 1)
        moved = f"{blank}\n{moved}"
    assert new == b"\xef\xbb\xbf" + encoded(f"# M\n\n{FRESH}{moved}{after}")
    lines = data.splitlines()
    assert all(lines[number - 1].strip() or "```" in inside for number in numbers)
    again = find_block(new)
    assert isinstance(again, Block)
    assert splice(new, again, FRESH) == (new, [])


PARTS = st.sampled_from(
    [
        *("", "By hand.", "- two", "  indented", "\tx", "# T", "x (0.1 KB)", "  y (0.1 KB)"),
        *(A, "* [b.md](b.md) — b", "- [c.md](c.md)", NOTE, "<!-- c -->", "<!--", "-->"),
        *("```", "~~~", "- ```", "  ```", "    ```", "_No topic files yet._", "é\u2028x", "\x0b"),
        *("<<<<<<< a", "||||||| o", "=======", ">>>>>>> b", BEGIN, END, f"- {END}", "=======x"),
    ]
)
TEXTS = st.lists(PARTS, max_size=10).map("\n".join)


MEMORIES = st.builds(
    lambda head, inside, tail, end: f"{head}\n{BEGIN}\n{inside}\n{END}\n{tail}".replace(
        "\n", end
    ).encode(),
    *(TEXTS, TEXTS, TEXTS, st.sampled_from(["\n", "\r\n", "\r"])),
)


@given(MEMORIES)
@examples(600)
def test_no_line_is_lost(data: bytes) -> None:
    laws.no_line_is_lost(data, FRESH)


@pytest.mark.slow
@given(MEMORIES)
@examples(9_000)
def test_no_line_is_lost_of_many(data: bytes) -> None:
    laws.no_line_is_lost(data, FRESH)
