"""One topic file: its size and its front matter, read from the file's bytes."""

from __future__ import annotations

import codecs

from nestwork_hooks.protocol import line_reader
from nestwork_hooks.protocol.content import CHUNK, GIT_CRYPT, ByteCount, Unread, locked, unreadable
from nestwork_hooks.protocol.distillation import BlockLine
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.markers import MOST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Largest allowed values, in bytes after CRLF became LF (docs/protocol.md, "Limits").
MAX_BYTES = 32_768
WARN_BYTES = 16_384
# How a new topic begins, in the words of a message.
BEGINS = 'the lines ---, description: "<what it holds; when to read it>", ---'
# Longest description without a warning, in characters (code points).
MAX_DESCRIPTION = 300
# Longest front matter, in characters: as many as a whole topic may have bytes.
FRONT = MAX_BYTES
# Characters kept from below the front matter: enough to detect a second one.
BELOW = 300


class Topic:
    """One topic, read once for its index and for the checkers.

    `name` is its path below the scope, `size` its bytes after CRLF became LF, `head` its first
    lines, up to a little below the front matter; `description` and `updated` are what the line
    reader reads in them (`""` for none). `text` is all of it, None where it was not kept;
    `block_line` is the line that a distillation takes for its own, 0 for none or not looked for.
    """

    __slots__ = ("block_line", "description", "head", "name", "size", "text", "updated")

    def __init__(
        self, name: str, size: int, head: Head, text: str | None = None, block_line: int = 0
    ) -> None:
        self.text = text
        self.block_line = block_line
        self.name = name
        self.size = size
        self.head = head
        self.description = head.fields.get("description", "")
        self.updated = head.fields.get("updated", "")


def read_text(chunks: Iterable[bytes]) -> str | Unread:
    """Decode a file, with LF line endings; Unread if it has more than `MOST_BYTES`."""
    topic = read_topic("", chunks, whole=True)
    return topic if isinstance(topic, Unread) else topic.text or ""


def read_topic(
    name: str, chunks: Iterable[bytes], *, whole: bool = False, blocks: bool = False
) -> Topic | Unread:
    """The topic called `name` whose file has these bytes; its text too if it is to be read `whole`.

    `blocks` says that its `block_line` is asked for.
    All chunks but the last are of `CHUNK` bytes, the last is shorter, perhaps empty. The front
    matter has to end in its first `FRONT` characters, and little more is kept of a topic.
    """
    size, decoder, head, line, broken = ByteCount(), _utf8_decoder(), "", 1, 0
    block = BlockLine()
    number, reason = 0, ""
    texts: list[str] = []
    for number, chunk in enumerate(block.watching(chunks) if blocks else chunks):
        if number == 0 and chunk.startswith(GIT_CRYPT):
            return locked()
        size.add(chunk)
        if broken:
            continue
        try:
            text = decoder.decode(chunk, final=len(chunk) < CHUNK)
        except UnicodeDecodeError as error:
            broken = line + error.object.count(b"\n", 0, error.start)
            from nestwork_hooks.protocol.encoding import not_utf_8

            reason = not_utf_8(error.object, error.start)
            continue
        if len(chunk) == CHUNK:
            line += chunk.count(b"\n")
        head = head or text
        if whole:
            texts.append(text)
            if size.total > MOST_BYTES:
                return unreadable(f"over {MOST_BYTES:,} bytes, too much to be looked through")
    if broken:
        return unreadable(reason, broken, size.total)
    newline = _newline(head) if "\r" in head else "\n"
    head = unix_lines(head)
    end = line_reader.closing_at(head)
    if _opens(head) and (end > FRONT or (end < 0 and number)):
        from nestwork_hooks.protocol.undescribed import end_of_front_matter

        last = end_of_front_matter(head[:FRONT])
        reason = f"the front matter does not end in {FRONT:,} characters"
        return unreadable(f"{reason}: end it with a line --- below line {last}", 1, size.total)
    kept = unix_lines("".join(texts)) if whole else None
    return Topic(name, size.total, Head(_kept(head, end), newline), kept, block.line)


def _utf8_decoder() -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder("utf-8")()


def unix_lines(text: str) -> str:
    """The text with LF for CRLF and lone CR."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _newline(head: str) -> str:
    """The line ending of the first line; `""` where a CR stands alone."""
    if "\r" in head.replace("\r\n", "\n"):
        return ""
    return "\r\n" if "\r\n" in head.partition("\n")[0] + "\n" else "\n"


def _opens(head: str) -> bool:
    return head.startswith(("---", "\ufeff---"))


def _kept(head: str, end: int) -> str:
    """As much of `head` as any reader looks at: the front matter of both, and `BELOW` characters."""
    if not _opens(head):
        return head[:BELOW]
    plain_close = line_reader.CLOSING + "\n"
    return head[: (end if head.startswith(plain_close, end) else FRONT) + BELOW]
