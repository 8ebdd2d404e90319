"""Blocks whose text is known without a parser, as nearly all are in which programs fold a description."""

from __future__ import annotations

_HEADS = frozenset((">", ">-", ">+", "|", "|-", "|+"))


def on_one_line(key: str, lines: tuple[str, ...]) -> str:
    """The text of a block with one space for each of its line breaks; `""` where a parser has to say.

    `lines` are that of the key, and those of the block.

    Why YAML reads this text: the head says neither how far lines are indented nor has it a comment,
    so the first line that is not empty gives the indent. All others have the same, so YAML keeps a
    line break as it is or folds it to a space, and empty lines make line breaks. No line ends
    with a space, starts with a `#` or holds anything that is not printable, a tab among it. So what
    is left of a line without its indent is text, and but for line breaks and spaces in their place
    there is nothing between two of them.
    """
    if lines[0].removeprefix(f"{key}: ") not in _HEADS:
        return ""
    texts = list(filter(None, lines[1:]))
    indent = len(texts[0]) - len(texts[0].lstrip(" ")) if texts else 0
    spaces = " " * indent
    for text in texts:
        start = text[indent : indent + 1]
        if not (start.strip("# ") and text.startswith(spaces) and text[-1] != " "):
            return ""
    joined = " ".join(text[indent:] for text in texts)
    return joined if indent and joined.isprintable() else ""
