"""Write to the two streams, whatever they can take and whoever listens."""

from __future__ import annotations

import os
import sys

from nestwork_hooks.protocol.text import escaped, escaped_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

# A short output is put into the context of an agent: bytes in all, and characters of one line.
BRIEF, _BRIEF_LINE = 2_048, 320


def prints_unicode() -> bool:
    """Whether every character can be printed, as it is, on standard output."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    return encoding.lower().replace("-", "") == "utf8"


def print_lines(lines: Iterable[str], stream: TextIO | None, commands: bool = False) -> None:
    """Write these lines, whatever characters the stream can take.

    A CI service takes none of them for a command, unless they are meant to be `commands`.
    """
    if stream is None:
        return
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    for line in lines:
        print(line if commands else escaped_line(line), file=stream)
    stream.flush()


def complain(name: str, reason: str) -> None:
    """One line on standard error, whatever `reason` holds and whoever listens."""
    if sys.stderr is None:
        return
    try:
        print(f"{name}: {escaped(reason, 1_000)}", file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def say_if_heard(lines: Iterable[str]) -> None:
    """These lines on standard error; what was done stays done where nobody can listen."""
    try:
        print_lines(lines, sys.stderr)
    except (OSError, ValueError, KeyboardInterrupt):
        drop(sys.stderr)


def drop(stream: TextIO | None) -> None:
    """Nobody reads on: keep the interpreter from writing at its end what is still buffered."""
    try:
        if stream:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError:
        pass


def shortened(lines: Iterable[str], last: str = "", most: int = BRIEF) -> list[str]:
    """As many of the lines as fit into `most` bytes, most important first, and `last`.

    Long lines are cut, and those that are left out are counted. `last` is a command to paste:
    it is there whole or not at all.
    """
    lines = [escaped(line, _BRIEF_LINE) for line in lines]
    ends = [last] if 0 < size_of(last) <= most // 4 else []
    if size_of(*lines, *ends) <= most:
        return [*lines, *ends]
    room = most - size_of(*ends, _rest(len(lines)))
    kept = 0
    while size_of(lines[kept]) <= room:
        room -= size_of(lines[kept])
        kept += 1
    return [*lines[:kept], *ends, _rest(len(lines) - kept)]


def _rest(count: int) -> str:
    return f"... and {count} more"


def size_of(*lines: str) -> int:
    """The bytes of these lines where they are printed, with their ends; empty ones are none."""
    encoding = "utf-8" if prints_unicode() else "ascii"
    return sum(len(line.encode(encoding, "backslashreplace")) + 1 for line in lines if line)
