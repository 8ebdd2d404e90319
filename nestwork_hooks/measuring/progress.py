"""Say on a terminal how far a long count has come; say nothing anywhere else."""

from __future__ import annotations

import sys
from time import monotonic

# Seconds before the first word, and between two.
_PATIENCE = 0.4
_EVERY = 0.1


class Progress:
    """One line on standard error that replaces itself, and goes away at the end."""

    def __init__(self) -> None:
        self._next = monotonic() + _PATIENCE
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def say(self, text: str) -> None:
        """Show `text` in place of what was there, unless it is too soon."""
        if self._shown and monotonic() >= self._next:
            self._write(text)
            self._next = monotonic() + _EVERY

    def end(self) -> None:
        """Take the line away."""
        if self._width:
            self._write("")

    def _write(self, text: str) -> None:
        print(f"\r{text:{self._width}}", end="" if text else "\r", file=sys.stderr, flush=True)
        self._width = len(text)
