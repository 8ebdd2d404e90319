"""The subject of a commit, from the file that git gives to the hook `commit-msg`.

Git reads the file again when the hook is done, and takes comments and more off (git-commit,
`--cleanup`): what it will take off does not count here.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What git chooses a comment character from, with core.commentChar=auto.
_CHOICE = b"#;@!$%^&|:"
_SCISSORS = b" ------------------------ >8 ------------------------"
_COMMENT = ("core.commentchar", "core.commentstring")


class Cleanup(Frozen):
    """How git reads a message file.

    `comment` is what a comment starts with, `auto` where git chose it, `strips` whether comments are
    taken off. `edited` says that an editor was open, which git fills with comments and, for
    `commit -v`, with a diff below scissors. `encoding` is that of the message.
    """

    comment: str = "#"
    strips: bool = True
    edited: bool = True
    encoding: str = "utf-8"


def cleanup(values: Iterable[tuple[str, str]], *, edited: bool) -> Cleanup:
    """How git reads a message with this configuration: its keys in lower case, in git's order.

    What somebody gives to `git commit --cleanup` no hook can know.
    """
    comment, mode, encoding = "#", "default", "utf-8"
    for key, value in values:
        if key in _COMMENT:
            comment = value
        elif key == "commit.cleanup":
            mode = value
        elif key == "i18n.commitencoding":
            encoding = value
    strips = mode == "strip" or (edited and mode not in ("verbatim", "whitespace", "scissors"))
    return Cleanup(comment, strips, edited, encoding)


def is_plain(data: bytes) -> bool:
    """Whether the message starts with a letter, and is ASCII: it has the same subject however read."""
    return data[:1].isalpha() and data.isascii()


def subject(data: bytes, how: Cleanup) -> str:
    """The first line that git keeps of a message, without a byte order mark; `""` if it keeps none."""
    comment = _comment(data, how)
    for line in data.split(b"\n"):
        if how.edited and comment and line == comment + _SCISSORS:
            break
        if line.strip() and not (how.strips and comment and line.startswith(comment)):
            return _decoded(line, how.encoding).removeprefix("\ufeff").strip()
    return ""


def _comment(data: bytes, how: Cleanup) -> bytes:
    if how.comment != "auto":
        return how.comment.encode("utf-8", "surrogateescape")
    if not how.edited:
        return b""  # Git chose one that no line starts with.
    above, scissors, _ = data.partition(_SCISSORS)
    if scissors and above[-1:] and above[-1:] in _CHOICE:
        return above[-1:]
    last = data.rstrip().rpartition(b"\n")[2][:1]
    return last if last and last in _CHOICE else b"#"


def _decoded(line: bytes, encoding: str) -> str:
    try:
        return line.decode(encoding)
    except (LookupError, ValueError):
        return line.decode("utf-8", "surrogateescape")
