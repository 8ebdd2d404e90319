"""All that is wrong with a topic's front matter, found by mending one fault after the other."""

from __future__ import annotations

from nestwork_hooks.protocol import alike
from nestwork_hooks.protocol.finding import Fault, Replace
from nestwork_hooks.protocol.front_matter import first_fault, judge
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.yaml_reader import Reading, front_matter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from nestwork_hooks.protocol.finding import Fix

# More faults than one front matter has.
_MOST = 12
# A comment for both readers, in place of a line that an edit took away: the numbers of others stay.
_PAD = "#-#"
_NOWHERE = 1 << 30


def mendings(head: Head) -> list[Fault]:
    """The faults of a front matter that is not plainly sound, at most one of each rule, with their edits.

    Faults of one rule become one that names them all. With all edits there are no faults left, or
    the last fault has none.
    """
    found: dict[str, Fault] = {}
    rows, edited, inserted = _rows(head.text), set[int](), _NOWHERE
    numbered = apart = True
    certain = could_be_read = False
    text, last = head.text, ""
    for _ in range(_MOST):
        before, text = text, _shown(rows) if last else text
        fault = judge(Head(text)) if last else first_fault(head)
        if fault is None:
            certain = True
            break
        if last:
            readable = _can_be_read(text)
            if not readable and (could_be_read or _can_be_read(before)):
                if last in found:
                    found[last].fix = None
                break
            could_be_read = readable
        fix = fault.fix
        assert fix is None or isinstance(fix, Replace)
        lines = set(range(fix.first, fix.last + 1)) if fix else set()
        numbered = numbered and fault.line < inserted and edited.isdisjoint(lines)
        if numbered or not found:
            others = [other for rule, other in found.items() if rule != fault.rule]
            apart = apart and not _meets(fix, found.values())
            found[fault.rule] = _joined(found.get(fault.rule), fault, head.text)
            apart = apart and not _meets(found[fault.rule].fix, others)
        if fix is None:
            break
        _edit(rows, fix)
        edited |= lines
        last = fault.rule
        inserted = min(inserted, fix.first) if not lines else inserted
    if not (apart and numbered):
        _one_edit(found, _difference(head.text, rows) if certain else None)
    return [_in_file(fault, head) for fault in found.values()]


def _rows(text: str) -> list[list[str]]:
    """A row for each line: what stands there, and what an edit puts below it."""
    return [[line] for line in text.split("\n")]


def _edit(rows: list[list[str]], fix: Replace) -> None:
    """Apply an edit so that each line that was there keeps its number.

    A row without a line is one that the edit takes away. Lines that it adds (a comment, or text below
    the front matter) go to the last row, where nobody looks.
    """
    new, old = fix.text.split("\n")[:-1], fix.last - fix.first + 1
    changed = [[line] for line in new]
    if old:
        changed = [*changed[: old - 1], new[old - 1 :], *[[]] * (old - 1 - len(new))][:old]
    rows[fix.first - 1 : fix.last] = changed


def _shown(rows: list[list[str]]) -> str:
    """The text to judge: a line for each row."""
    return "\n".join(row[0] if row else _PAD for row in rows)


def _can_be_read(text: str) -> bool:
    source = front_matter(text)
    return source is not None and (alike.reads_alike(source) or not Reading(text).fault)


def _meets(fix: Fix | None, faults: Iterable[Fault]) -> bool:
    """Whether an edit touches lines of those of other faults."""
    fixes = (fault.fix for fault in faults)
    return isinstance(fix, Replace) and any(
        isinstance(other, Replace)
        and (fix.first == other.first or (fix.first <= other.last and other.first <= fix.last))
        for other in fixes
    )


def _joined(old: Fault | None, new: Fault, text: str) -> Fault:
    """Two faults of one rule as one: its edit, where both have one, spans the lines between them."""
    if old is None:
        return new
    message = f"{old.message}; and on line {new.line}: {new.message}"
    fix = None
    if isinstance(old.fix, Replace) and isinstance(new.fix, Replace):
        one, other = sorted((old.fix, new.fix), key=lambda fix: fix.first)
        between = text.split("\n")[one.last : other.first - 1]
        kept = "".join(f"{line}\n" for line in between)
        fix = Replace(one.first, other.last, f"{one.text}{kept}{other.text}")
    return Fault(old.line, old.level, old.rule, message, fix)


def _one_edit(found: dict[str, Fault], fix: Replace | None) -> None:
    """Give the first fault the edit that mends them all, if there is one, and the others none."""
    for number, (rule, fault) in enumerate(found.items()):
        edit = None if number else fix
        found[rule] = Fault(fault.line, fault.level, fault.rule, fault.message, edit)


def _difference(before: str, rows: list[list[str]]) -> Replace:
    """The edit of whole lines that makes of `before` what is in the rows."""
    old, new = before.split("\n"), [line for row in rows for line in row]
    same = min(len(old), len(new)) - 1
    top = next((at for at in range(same) if old[at] != new[at]), same)
    rest = min(len(old), len(new)) - top - 1
    low = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    text = "".join(f"{line}\n" for line in new[top : len(new) - low])
    return Replace(top + 1, len(old) - low, text)


def _in_file(fault: Fault, head: Head) -> Fault:
    """The fault with its edit in the line ending of the file; without one where that is mixed."""
    fix = fault.fix
    if isinstance(fix, Replace):
        fix = Replace(fix.first, fix.last, fix.text.replace("\n", head.newline))
    return Fault(fault.line, fault.level, fault.rule, fault.message, fix if head.newline else None)
