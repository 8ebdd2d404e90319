from __future__ import annotations

import time

import pytest

from nestwork_hooks.protocol.markers import MOST_BYTES, Block, Broken, find_block, hidden_by
from tests.conftest import BEGIN, END

PAIR = f"{BEGIN}\n{END}\n"

# memory.md, its text between the markers
BLOCKS = [
    (PAIR, "\n"),
    (f"{BEGIN}\nold\n{END}", "\nold\n"),
    (f"# M\n\n  {BEGIN} \t\nold\n\t{END}  \nafter\n", " \t\nold\n\t"),
    (f"\ufeff{BEGIN}\r\nold\r\n{END}\r\n", "\r\nold\r\n"),
    (f"{BEGIN}\rold\r{END}\r", "\rold\r"),
    (f"```\n{PAIR}```\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"Put `{BEGIN}` here.\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"{BEGIN}\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n{END}\n", None),
    (f"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"{BEGIN}\nold\n{END}\n<<<<<<< a\n|||||||\n=======\n>>>>>>> b\n", "\nold\n"),
    (f"<<<<<<< a\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"title\n=======\n{BEGIN}\nold\n{END}\n>>>>>>> quote\n", "\nold\n"),
    (f"```\n<<<<<<< a\n```\n{BEGIN}\nold\n{END}\n=======\n>>>>>>> b\n", "\nold\n"),
    (f"{BEGIN}\nold\n{END}\n```\nnever closed\n", "\nold\n"),
    (f"{BEGIN}\nold\n{END}\n```\n{PAIR}", "\nold\n"),
    (f"```a`b\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"``\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"> ```\n> x\n> ```\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"- ```\n  {BEGIN}\n  ```\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"1. ```\n   never closed\n\nthe list is over\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"-   text\n\n    ```\n    {END}\n    ```\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"    ```\nthe list is over\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f" ```\n\t```\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"~~~\n```\n~~~~~\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"````\n```\n{PAIR}````\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"```\n    ```\n{PAIR}```\n{BEGIN}\nold\n{END}\n", "\nold\n"),
    (f"```\n``` x\n{PAIR}```\n{BEGIN}\nold\n{END}\n", "\nold\n"),
]


# Far away lines, across every kind of line end and of white space, count as near ones do.
BLOCKS += [
    (f"{far}{BEGIN}\nold\n{END}\n{far}", "\nold\n")
    for far in ("\n" * 300, "x\n" * 300, " \n" * 300 + "y\n", "- ```\n" + "  x\n\n" * 300 + "y\n")
]


@pytest.mark.parametrize(("text", "inside"), BLOCKS)
def test_one_block(text: str, inside: str | None) -> None:
    data = text.encode()
    block = find_block(data)
    assert isinstance(block, Block)
    found = data[block.start : block.stop].decode()
    assert found.startswith(BEGIN)
    assert found.endswith(END)
    assert block.line == data.count(b"\n", 0, block.start) + 1
    if inside is not None:
        assert found == f"{BEGIN}{inside}{END}"


NOT_OPTED_IN = [
    "",
    "# Memory\n",
    f"Put `{BEGIN}` and `{END}` here.\n",
    f"{BEGIN} x\n{END} x\n",
    f"```markdown\n{PAIR}```\n",
    f"~~~\n{PAIR}~~~",
    f"\ufeff```\n{PAIR}```\n",
    f"> {BEGIN}\n> {END}\n",
    f"- ```\n  {BEGIN}\n  {END}\n  ```\n",
    BEGIN.replace("topic", "Topic"),
]


@pytest.mark.parametrize("text", NOT_OPTED_IN)
def test_not_opted_in(text: str) -> None:
    assert find_block(text.encode()) is None


def test_another_encoding_is_nobodys_business() -> None:
    assert find_block("记忆".encode("gbk")) is None


@pytest.mark.parametrize(
    "text", [f"{BEGIN}\n", f"```\n{PAIR}", f"<<<<<<<\n{PAIR}=======\n>>>>>>>\n"]
)
def test_broken(text: str) -> None:
    assert isinstance(find_block(text.encode()), Broken)


FENCED = f"```\n{PAIR}```\n"
# the bytes of a memory.md, the encoding that hides its markers
ENCODED = [
    (PAIR.encode("utf-16"), "UTF-16"),
    (f"# Memory\r\n\r\n{PAIR}".encode("utf-16-le"), "UTF-16"),
    (f"# 机器\n{PAIR}".encode("utf-16-be"), "UTF-16"),
    (PAIR.encode("utf-32"), "UTF-32"),
    (f"x\n{PAIR}".encode("utf-32-be"), "UTF-32"),
    (f"x\n{BEGIN}\n".encode("utf-16-le"), "UTF-16"),
    (f"x\n{END}\n".encode("utf-16"), "UTF-16"),
    (b"odd" + f"\n{PAIR}".encode("utf-16-le"), "UTF-16"),
    (PAIR.encode("utf-16") + b"\0", "UTF-16"),
    (FENCED.encode("utf-16"), ""),
    (f"See {BEGIN}.\n".encode("utf-16"), ""),
    ("# Memory\n".encode("utf-16"), ""),
    (b"# \0\n", ""),
    (PAIR.encode(), ""),
    (b"\0" + PAIR.encode(), ""),
    (b"", ""),
]


@pytest.mark.parametrize(("data", "encoding"), ENCODED)
def test_markers_in_another_encoding(data: bytes, encoding: str) -> None:
    assert hidden_by(data) == encoding


ENDS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("end", ENDS, ids=ascii)
@pytest.mark.parametrize("between", ["", "x", " ", "\t", "\x0b"], ids=ascii)
@pytest.mark.parametrize("number", [0, 1, 2, 63, 64, 65, 200])
def test_lines_are_counted_whatever_ends_them(end: str, between: str, number: int) -> None:
    for above in ("", f"```{end}```{end}", f"- ```{end}over{end}"):
        text = f"{above}{(between + end) * number}{BEGIN}{end}{END}{end}"
        block = find_block(text.encode())
        assert isinstance(block, Block)
        assert block.line == text[: block.start].count(end) + 1
        assert block.newline.decode() == end


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "filler", ["\n", "\r", "\r\n", " ", "a\n", "\t\n", "x" * 79 + "\n"], ids=ascii
)
def test_a_large_memory_is_looked_through_at_once(filler: str) -> None:
    """Lines without a sign are not cut out: 4 MB of them took seconds."""
    filling = (filler * MOST_BYTES)[: MOST_BYTES // 2].encode()
    pair = f"\n{BEGIN}\n{END}\n".encode()
    for above in (b"", b"- ```\n" if filler.isspace() else b""):
        start = time.process_time()
        find_block(above + filling + pair + filling)
        assert time.process_time() - start < 0.5
