"""Text as one word of a command line that can be pasted into any POSIX shell."""

from __future__ import annotations

from nestwork_hooks.protocol.text import escaped


def quoted(text: str) -> str:
    """`text` as one word for any POSIX shell, in characters that are safe to print."""
    from shlex import quote

    return quote(text) if escaped(text, len(text)) == text else _printed(text)


def line(*words: str) -> str:
    """These words as a command line."""
    return " ".join(map(quoted, words))


def quoted_in_ascii(text: str) -> str:
    """The same for a console that may not be able to print anything but ASCII."""
    return quoted(text) if text.isascii() else _printed(text)


def _printed(text: str) -> str:
    """`text` as what a shell's printf makes of ASCII."""
    if text.endswith("\n"):
        text += "/."  # a shell takes line ends off what a command prints
    return f"\"$(printf '{''.join(map(_escaped, text.encode('utf-8', 'surrogateescape')))}')\""


def _escaped(byte: int) -> str:
    char = chr(byte)
    return char if char.isascii() and (char.isalnum() or char in "/._-+@=:, ") else f"\\{byte:03o}"
