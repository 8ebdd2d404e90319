"""How many lines a Markdown file may have: the protocol's table, and a nest's own.

Source of every rule here: docs/protocol.md, "Line limits".
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.fences import Fences
from nestwork_hooks.protocol.finding import Fault, error
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

RULE = "bad-limits"
# So many wildcards in one part of a pattern, and so many times `**`: matching stays quick.
_MOST_WILD, _MOST_DEEP = 4, 2
_EXPECTED = "a whole number, or soft N / hard M"
_EXAMPLE = "| `shared/memory.md` | 500 | `shared/<topic>.md` |"


class LineLimit(Frozen):
    """The most lines of the files whose path a pattern matches; `""` matches all others.

    More than `soft` warn, more than `hard` fail; 0 is no such limit. `target` says where to split
    to, and may hold the pattern's placeholders. `line` is that of the row in a nest's own table, 0 for
    one of the protocol.
    """

    pattern: str
    soft: int
    hard: int
    target: str = ""
    line: int = 0


PROTOCOL = (
    LineLimit("queen/agent-rules.md", 0, 80, "queen/rules/<topic>.md"),
    LineLimit("queen/strategy.md", 0, 80, "queen/strategy/<topic>.md"),
    LineLimit("agents/<host>/<agent-id>/memory.md", 0, 200, "agents/<host>/<agent-id>/<topic>.md"),
    LineLimit("shared/memory.md", 0, 500, "shared/<topic>.md"),
    LineLimit("projects/<name>.md", 0, 150, "projects/<name>/<topic>.md"),
    LineLimit("workflow/<topic>.md", 0, 200, "workflow/<topic>/<subtopic>.md"),
    LineLimit("", 500, 1_000),
)


class Limits:
    """The limits of a nest: those of its own table, then those of the protocol.

    `fault` is what keeps the table from being read, None if nothing does. Rows that can be read
    count all the same; for the pattern of one that cannot, no limit is known.
    """

    def __init__(self, text: str | None) -> None:
        self.fault: Fault | None = None
        own = list(self._rows(text)) if text is not None else []
        rows = [*own, *PROTOCOL]
        # The nest's own rows come first, and the row of one file before a pattern.
        self._in_order = sorted(
            rows, key=lambda row: (not row.pattern, not row.line, _is_wild(row.pattern))
        )

    def of(self, path: str) -> tuple[LineLimit, dict[str, str]]:
        """The limit of the file at `path`, and what its placeholders stand for."""
        for row in self._in_order:
            found = matched(row.pattern, path) if row.pattern else {}
            if found is not None:
                return row, found
        raise AssertionError("the protocol's last row matches every path")

    def _rows(self, text: str) -> Iterator[LineLimit]:
        known: dict[str, int] = {}
        for number, cells in self._table(text):
            patterns = _patterns(cells[0])
            numbers = _numbers(cells[1]) if len(cells) > 1 else None
            fault = "" if numbers else _not_numbers(cells)
            if patterns is None:
                patterns, fault = (
                    [],
                    "its first cell is no path pattern in backticks, nor (default)",
                )
            for pattern in patterns:
                fault = fault or _not_matched(pattern) or _again(pattern, known)
                known.setdefault(pattern, number)
                target = cells[2] if len(cells) > 2 else ""
                soft, hard = numbers or (0, 0)
                yield LineLimit(pattern, soft, hard, target.replace("`", ""), number)
            if fault:
                self._add(number, f"the row | {' | '.join(cells)} | cannot be read: {fault}")

    def _table(self, text: str) -> list[tuple[int, list[str]]]:
        """The rows of the first table that holds a pattern, below its head."""
        headless = 0
        for rows in _tables(text):
            is_table = len(rows) > 1 and _is_delimiter(rows[1][1])
            body = rows[2:] if is_table else rows
            if any(_patterns(cells[0]) for _, cells in body):
                if is_table:
                    return body
                headless = headless or rows[0][0]
        if headless:
            self._add(headless, "no table without a line |---|---|---| below its first")
        else:
            self._add(1, f"no table of line limits here: write rows as {_EXAMPLE}")
        return []

    def _add(self, line: int, message: str) -> None:
        self.fault = self.fault or error(line, RULE, escaped(message, 400))


def _tables(text: str) -> Iterator[list[tuple[int, list[str]]]]:
    """Yield each run of lines with cells, outside code and comments, by their numbers."""
    rows: list[tuple[int, list[str]]] = []
    for number, line in _shown(text):
        if "|" in line:
            rows.append((number, _cells(line)))
        elif rows:
            yield rows
            rows = []
    if rows:
        yield rows


def _shown(text: str) -> Iterator[tuple[int, str]]:
    fences, in_comment = Fences(), False
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        in_comment = in_comment or line.lstrip().startswith("<!--")
        hidden = in_comment or fences.cover(number, line.encode(errors="replace"))
        if in_comment and "-->" in line:
            in_comment = False
        yield number, "" if hidden else line


def _cells(line: str) -> list[str]:
    row = line.strip().replace("\\|", "\0").removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\0", "|") for cell in row.split("|")]


def _is_delimiter(cells: Iterable[str]) -> bool:
    return all(cell.strip(":") and not cell.strip(":").strip("-") for cell in cells)


def _patterns(cell: str) -> list[str] | None:
    """The patterns in the first cell of a row, `""` for the default; None where there is none."""
    if cell.lower().lstrip("( *_").startswith(("default", "any other")):
        return [""]
    found = cell.split("`")[1::2] if cell.count("`") % 2 == 0 else []
    return [pattern.strip().removeprefix("./") for pattern in found] or None


def _numbers(cell: str) -> tuple[int, int] | None:
    """The soft and the hard limit in a cell, 0 for none; None where it cannot be read."""
    words = _without_separators(cell.lower()).split()
    words = [word for word in words if word not in ("line", "lines")]
    found = {"soft": 0, "hard": 0}
    if len(words) == 1:
        words = ["hard", *words]
    if len(words) not in (2, 4):
        return None
    for pair in (words[:2], words[2:]):
        name, number = pair if pair and pair[0] in found else (pair[::-1] or ("", ""))
        if not pair:
            continue
        if found.get(name) != 0 or not (number.isascii() and number.isdigit() and len(number) < 10):
            return None
        found[name] = int(number)
        if not found[name]:
            return None
    soft, hard = found.values()
    return None if hard and soft > hard else (soft, hard)


def _without_separators(text: str) -> str:
    """`text` without the commas in numbers, and with blanks for what else stands between them."""
    parts = text.replace("/", " ").replace(";", " ").replace("*", " ").split(",")
    found = parts[0]
    for part in parts[1:]:
        joins = found[-1:].isdigit() and part[:3].isdigit() and not part[3:4].isdigit()
        found += part if joins and len(part[:3]) == 3 else f" {part}"
    return found


def _not_numbers(cells: Sequence[str]) -> str:
    if len(cells) < 2:
        return f"it has no second cell with the most lines, {_EXPECTED}"
    return f"its second cell is not the most lines, {_EXPECTED}"


def _not_matched(pattern: str) -> str:
    """What makes a pattern one that matches no file."""
    parts = pattern.split("/")
    if not pattern:
        return ""
    if pattern.startswith("/") or "" in parts[:-1] or not {".", ".."}.isdisjoint(parts):
        return "its pattern is no path below the nest's root"
    wild = max(
        part.count("*") + part.count("<") + part.count("?") for part in parts if part != "**"
    )
    if wild > _MOST_WILD or parts.count("**") > _MOST_DEEP:
        return "its pattern has too many wildcards"
    return ""


def _again(pattern: str, known: dict[str, int]) -> str:
    line = known.get(pattern)
    return f"line {line} has its pattern already" if line else ""


def _is_wild(pattern: str) -> bool:
    return any(sign in pattern for sign in "*?<") or pattern.endswith("/")


def matched(pattern: str, path: str) -> dict[str, str] | None:
    """What the placeholders of a pattern stand for in `path`; None where it does not match.

    `<name>` is some text of one part of the path, `*` any, `?` one character, `**` any parts, and
    a `/` at the end all that lies below.
    """
    if not _is_wild(pattern):
        return {} if pattern == path else None
    if _not_matched(pattern):
        return None
    parts = pattern.split("/")
    return _parts([*parts[:-1], parts[-1] or "**"], path.split("/"))


def _parts(pattern: list[str], parts: list[str]) -> dict[str, str] | None:
    if not pattern or not parts:
        return {} if not (pattern or parts) else None
    if pattern[0] == "**":
        for start in range(len(parts)):
            found = _parts(pattern[1:], parts[start:]) if pattern[1:] else {}
            if found is not None:
                return found
        return None
    first = _part(pattern[0], parts[0])
    rest = _parts(pattern[1:], parts[1:]) if first is not None else None
    return None if first is None or rest is None else {**first, **rest}


def _part(pattern: str, text: str) -> dict[str, str] | None:
    if not pattern:
        return None if text else {}
    name, closed, rest = pattern.partition(">")
    if pattern[0] == "*":
        name, rest, least = "", pattern[1:], 0
    elif pattern[0] == "<" and closed:
        name, least = f"{name}>", 1
    elif text and pattern[0] in ("?", text[0]):
        return _part(pattern[1:], text[1:])
    else:
        return None
    for end in range(len(text), least - 1, -1):
        found = _part(rest, text[end:])
        if found is not None:
            return {name: text[:end], **found} if name else found
    return None


def filled(target: str, names: dict[str, str]) -> str:
    """Where to split to, with what the placeholders of the pattern stand for."""
    for name, text in names.items():
        target = target.replace(name, text)
    return target
