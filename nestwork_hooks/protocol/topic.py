"""One topic file: its size and its front matter, read from the file's bytes."""

from __future__ import annotations

import codecs

from nestwork_hooks.protocol import line_reader
from nestwork_hooks.protocol.content import CHUNK, GIT_CRYPT, ByteCount, Unread, locked, unreadable
from nestwork_hooks.protocol.distillation import BlockLine, block_line
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.markers import MOST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    chunks = iter(chunks)
    first = next(chunks)
    if first.startswith(GIT_CRYPT):
        return locked()
    returns = b"\r" in first
    if len(first) == CHUNK:
        found = _read_on(first, chunks, whole=whole, blocks=blocks)
        if isinstance(found, Unread):
            return found
        head, text, size, block = found
    else:
        size = len(first) - (first.count(b"\r\n") if returns else 0)
        try:
            head = text = first.decode()
        except UnicodeDecodeError as error:
            return _not_utf_8(error, 1, size)
        block = block_line(first) if blocks else 0
        next(chunks, None)  # Who passes chunks on may have to know that there are no more.
    newline = "\n"
    if returns:
        newline = _newline(head)
        head = unix_lines(head)
    end = line_reader.closing_at(head)
    if (end < 0 or end > FRONT) and _opens(head) and (end > FRONT or len(first) == CHUNK):
        from nestwork_hooks.protocol.undescribed import end_of_front_matter

        last = end_of_front_matter(head[:FRONT])
        reason = f"the front matter does not end in {FRONT:,} characters"
        return unreadable(f"{reason}: end it with a line --- below line {last}", 1, size)
    kept = Head(_kept(head, end), newline, end)
    return Topic(name, size, kept, unix_lines(text) if whole else None, block)


def _read_on(
    first: bytes, others: Iterator[bytes], *, whole: bool, blocks: bool
) -> tuple[str, str, int, int] | Unread:
    """Of a file of several chunks: the text of the first, and of all if it is read `whole`; size, block line."""
    size, block, decoder = ByteCount(), BlockLine(), codecs.getincrementaldecoder("utf-8")()
    line = 1
    broken: Unread | None = None
    texts: list[str] = []
    chunk: bytes | None = first
    while chunk is not None:
        size.add(chunk)
        if blocks:
            block.add(chunk)
        if not broken:
            try:
                text = decoder.decode(chunk, len(chunk) < CHUNK)
            except UnicodeDecodeError as error:
                broken = _not_utf_8(error, line, 0)
            else:
                line += chunk.count(b"\n")
                if whole or not texts:
                    texts.append(text)
                if whole and size.total > MOST_BYTES:
                    return unreadable(f"over {MOST_BYTES:,} bytes, too much to be looked through")
        chunk = next(others, None)
    if broken:
        return Unread(broken.fault, size.total)
    return texts[0], "".join(texts), size.total, block.line


def _not_utf_8(error: UnicodeDecodeError, line: int, size: int) -> Unread:
    """What to say of a file of `size` bytes in which text that begins in `line` cannot be decoded."""
    from nestwork_hooks.protocol.encoding import not_utf_8

    line += error.object.count(b"\n", 0, error.start)
    return unreadable(not_utf_8(error.object, error.start), line, size)


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
