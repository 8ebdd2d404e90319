"""What a checker reports about a file: faults of a text, and findings with a path."""

from __future__ import annotations

from nestwork_hooks.protocol.text import escaped

ERROR = "error"
WARNING = "warning"


class Fault:
    """What is wrong with a text: `line` counts from 1; `message` is one line, already escaped."""

    __slots__ = ("level", "line", "message", "rule")

    def __init__(self, line: int, level: str, rule: str, message: str) -> None:
        self.line = line
        self.level = level
        self.rule = rule
        self.message = message

    def at(self, path: str, level: str = "") -> Finding:
        """The finding for the file at `path`; `level` overrides the fault's own unless it is `""`."""
        return Finding(path, self.line, level or self.level, self.rule, self.message)


def error(line: int, rule: str, message: str) -> Fault:
    """A fault that fails a commit."""
    return Fault(line, ERROR, rule, message)


def warning(line: int, rule: str, message: str) -> Fault:
    """A fault that is reported and does not fail a commit."""
    return Fault(line, WARNING, rule, message)


class Finding(Fault):
    """A fault of one file; `path` is relative to the nest's root, with `/`, as git lists it."""

    __slots__ = ("path",)

    def __init__(self, path: str, line: int, level: str, rule: str, message: str) -> None:
        super().__init__(line, level, rule, message)
        self.path = path

    def __str__(self) -> str:
        path = escaped(self.path, limit=4096)
        return f"{path}:{self.line}: {self.level}: {self.message} [{self.rule}]"

    def order(self) -> tuple[str, int, str]:
        """Sort key of every report: path, then line, then rule."""
        return self.path, self.line, self.rule
