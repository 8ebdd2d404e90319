"""What makes an index another one than it should be, routing first.

Imported only where one is. Routing is affected by topics whose lines are missing, gone, changed or
doubled. Where it is not, that is said with the reason: sizes, the order, or the layout.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.handwritten import Item, between, items
from nestwork_hooks.protocol.index import SIZE_END
from nestwork_hooks.protocol.text import named, numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_GONE = "gone"
_MATCH = "routing is not affected, but every clone has to write the same index"


class Difference(Frozen):
    """How an index that stands in a memory.md differs from the one that it should be.

    `missing`, `gone`, `changed` and `doubled` are names of topics, `sizes` those of which the size
    alone differs. `foreign` and `conflicts` are lines, from 1 for the begin marker's. `generated`
    says whether it ever was.
    """

    missing: Sequence[str]
    gone: Sequence[str]
    changed: Sequence[str]
    doubled: Sequence[str]
    sizes: Sequence[str]
    foreign: Sequence[range]
    conflicts: Sequence[tuple[int, int]]
    generated: bool
    reordered: bool

    def said(self, line: int, reasons: Mapping[str, str]) -> str:
        """The difference in words, for an index that begins at `line`.

        `reasons` say of a topic that is `gone` why it is not listed, if it is not just gone.
        """
        told = [
            f"a merge conflict in it ({numbered(range(line + a - 1, line + b))}), which making it anew"
            " ends"
            for a, b in self.conflicts[:1]
        ]
        if self.generated:
            told += self._routing(reasons)
        else:
            told.append(f"never generated{_lists(self.missing)}")
        if self.foreign:
            lines = [line + number - 1 for run in self.foreign for number in run]
            what = "a line" if len(lines) == 1 else f"{len(lines)} lines"
            told.append(
                f"{what} in it that nobody generated ({numbered(lines)}), which the fixer moves"
                " right below the end marker"
            )
        return "; ".join(told) or self._unaffected()

    def _routing(self, reasons: Mapping[str, str]) -> list[str]:
        told = [f"missing {_for(self.missing)}"] if self.missing else []
        why: dict[str, list[str]] = {}
        for name in self.gone:
            why.setdefault(reasons.get(name, _GONE), []).append(name)
        for reason, names in why.items():
            told.append(f"{_for(names)}, which {'is' if len(names) == 1 else 'are'} {reason}")
        if self.changed:
            its = "its" if len(self.changed) == 1 else "their"
            told.append(f"{_for(self.changed)} unlike {its} front matter")
        if self.doubled:
            told.append(f"more than one line for {named(list(self.doubled))}")
        return told

    def _unaffected(self) -> str:
        if self.sizes:
            return f"only sizes ({named(list(self.sizes))}); {_MATCH}"
        if self.reordered:
            return f"only the order of its lines; {_MATCH}"
        return f"only its layout, as after a formatter or an edit by hand; {_MATCH}"


def _for(names: Sequence[str]) -> str:
    return f"{'a line' if len(names) == 1 else 'lines'} for {named(list(names))}"


def _lists(names: Sequence[str]) -> str:
    return f", so it lists none of its topics ({named(list(names))})" if names else ""


def difference(actual: str, expected: str) -> Difference | None:
    """What makes `actual` another index than `expected`; None if they are the same text."""
    if actual == expected:
        return None
    found = between(_lines(actual))
    new = items(list(enumerate(_lines(expected), 1)))
    was, wanted = _by_name(found.items), _by_name(new)
    both = [name for name in wanted if name in was]
    changed = [name for name in both if _unsized(was[name]) != _unsized(wanted[name])]
    return Difference(
        missing=[name for name in wanted if name not in was],
        gone=[name for name in was if name not in wanted],
        changed=changed,
        doubled=_doubled(found.items),
        sizes=[n for n in both if n not in changed and was[n].rest != wanted[n].rest],
        foreign=_runs(found.foreign),
        conflicts=[(hunk.first, hunk.last) for hunk in found.hunks],
        generated=found.is_generated,
        reordered=list(was) != list(wanted),
    )


def _runs(numbers: Sequence[int]) -> list[range]:
    """Numbers in order as runs, which a large text has few of."""
    runs: list[range] = []
    for number in numbers:
        if runs and number == runs[-1].stop:
            runs[-1] = range(runs[-1].start, number + 1)
        else:
            runs.append(range(number, number + 1))
    return runs


def _lines(text: str) -> list[bytes]:
    return text.encode("utf-8", "surrogateescape").splitlines(keepends=True)


def _by_name(found: list[Item]) -> dict[str, Item]:
    return {item.name: item for item in found}


def _doubled(found: list[Item]) -> list[str]:
    counts: dict[str, int] = {}
    for item in found:
        counts[item.name] = counts.get(item.name, 0) + 1
    return [name for name, count in counts.items() if count > 1]


def _unsized(item: Item) -> str:
    rest = item.rest
    return rest.removesuffix(SIZE_END).rstrip("0123456789.") if rest.endswith(SIZE_END) else rest
