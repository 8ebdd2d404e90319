"""What a checker reports about a file: faults of a text, and findings with a path."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Fix: TypeAlias = "Replace | Run"

# In a message, where a command needs the path of the file, quoted for the reader's shell.
FILE = "\0"
ERROR = "error"
WARNING = "warning"


class Replace(Frozen):
    """A certain edit: the lines `first` to `last` of the file become `text`.

    Lines count from 1, both included, in the text that was judged. `text` ends in a line end, or is
    `""`, which deletes them; `last` = `first` - 1 inserts before `first`.
    """

    first: int
    last: int
    text: str


class Run(Frozen):
    """A command that certainly mends a fault, without a shell; paths as the reader has them."""

    argv: tuple[str, ...]


class Fault:
    """What is wrong with a text: `line` counts from 1; `message` is one line, already escaped.

    `fix` is the edit that mends it, where only one can be right.
    """

    __slots__ = ("fix", "level", "line", "message", "rule")

    def __init__(
        self, line: int, level: str, rule: str, message: str, fix: Fix | None = None
    ) -> None:
        self.line = line
        self.level = level
        self.rule = rule
        self.message = message
        self.fix = fix

    def at(self, path: str, level: str = "") -> Finding:
        """The finding for the file at `path`; `level` overrides the fault's own unless it is `""`."""
        return Finding(path, self.line, level or self.level, self.rule, self.message, self.fix)


def error(line: int, rule: str, message: str, fix: Fix | None = None) -> Fault:
    """A fault that fails a commit."""
    return Fault(line, ERROR, rule, message, fix)


def warning(line: int, rule: str, message: str, fix: Fix | None = None) -> Fault:
    """A fault that is reported and does not fail a commit."""
    return Fault(line, WARNING, rule, message, fix)


class Finding(Fault):
    """A fault of one file; `path` is relative to the nest's root, with `/`, as git lists it.

    `part` is not None where the fault is one of a part of the file, and differs where the part does:
    a commit that leaves the part as it was has not caused it. `reindexes` is the scope whose index
    has to be made anew once this is mended; `""` for none.
    """

    __slots__ = ("part", "path", "reindexes")

    def __init__(
        self,
        path: str,
        line: int,
        level: str,
        rule: str,
        message: str,
        fix: Fix | None = None,
        reindexes: str = "",
    ) -> None:
        super().__init__(line, level, rule, message, fix)
        self.path = path
        self.part: int | None = None
        self.reindexes = reindexes

    def __str__(self) -> str:
        path = escaped(self.path, limit=4096)
        return f"{path}:{self.line}: {self.level}: {self.message} [{self.rule}]"

    def of_part(self, part: int) -> Finding:
        """The same finding, as one of this part of the file."""
        self.part = part
        return self

    def at(self, path: str, level: str = "") -> Finding:
        """The same finding at another path, or of another level."""
        level = level or self.level
        found = Finding(path, self.line, level, self.rule, self.message, self.fix, self.reindexes)
        found.part = self.part
        return found

    def order(self) -> tuple[str, int, str]:
        """Sort key of every report: path, then line, then rule."""
        return self.path, self.line, self.rule
