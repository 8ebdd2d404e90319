"""The two files of instructions in a nest's root, of which one mirrors the other.

Source: docs/protocol.md, "What the nest's scripts expect". Works on bytes, whatever the encoding.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# What stands at the end of a sentence, or around an import in one.
_AROUND = b".,;:!?)("


def imports(data: bytes, other: str) -> bool:
    """Whether these instructions import the file `other` beside them, by a word `@OTHER`."""
    names = (f"@{other}".encode(), f"@./{other}".encode())
    return any(word.strip(_AROUND) in names for word in data.split())


def drift(mirror: bytes, source: bytes) -> tuple[int, int] | None:
    """The first lines, from 1, in which a mirror and its source differ; None where they do not.

    The first comment of either, blank lines around the text, and line endings do not count. Where one
    text ends before the other, its line is the last one.
    """
    pairs = [(one, other) for one in _texts(mirror) for other in _texts(source)]
    differences = [_difference(one, other) for one, other in pairs]
    if None in differences:
        return None
    return max(difference for difference in differences if difference)


def _texts(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """The lines with and without the first comment, each with the number of its first line."""
    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines()
    yield _trimmed(lines, 0)
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"<!--") and b"-->" in text:
        rest = text.partition(b"-->")[2]
        yield _trimmed(rest.splitlines(), len(lines) - len(rest.splitlines()))


def _trimmed(lines: list[bytes], above: int) -> tuple[int, list[bytes]]:
    blank = 0
    while blank < len(lines) and not lines[blank].strip():
        blank += 1
    end = len(lines)
    while end > blank and not lines[end - 1].strip():
        end -= 1
    return above + blank + 1, lines[blank:end]


def _difference(
    one: tuple[int, list[bytes]], other: tuple[int, list[bytes]]
) -> tuple[int, int] | None:
    (first, lines), (others_first, others) = one, other
    if lines == others:
        return None
    same = 0
    while lines[same : same + 1] == others[same : same + 1] != []:
        same += 1
    return (
        first + max(min(same, len(lines) - 1), 0),
        others_first + max(min(same, len(others) - 1), 0),
    )
