"""The figures of a report: the four rows of each agent, and the resident files with budgets."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.measuring.snapshot import File, Snapshot, by_size
from nestwork_hooks.protocol import layout, tiers
from nestwork_hooks.protocol.resident import START_BYTES, Budgets, start_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FULL, RESIDENT, TASK, WHOLE = ROWS = ("full_start", "resident_start", "task", "whole_nest")
TITLES = {
    FULL: "full start (2.x)",
    RESIDENT: "resident start (3.x)",
    TASK: "task",
    WHOLE: "whole nest",
}
BUDGETS = Budgets()


class Row:
    """The sums of some files. `exact` is about the tokens; `unread` files add nothing to them."""

    __slots__ = ("bytes", "exact", "files", "tokens", "unread")

    def __init__(self, files: Iterable[File]) -> None:
        self.files = list(files)
        self.bytes = sum(file.bytes for file in self.files)
        self.tokens = sum(file.tokens for file in self.files)
        self.exact = all(file.exact for file in self.files)
        self.unread = [file for file in self.files if file.reason]

    def committed(self) -> Row:
        """The same without untracked files."""
        return Row(file for file in self.files if file.committed)

    def since(self, before: Row) -> tuple[int, int, int]:
        """The change in files, bytes and tokens, of tracked files only."""
        now = self.committed()
        files = len(now.files) - len(before.files)
        return files, now.bytes - before.bytes, now.tokens - before.tokens


class Start(Frozen):
    """The four rows of the agent that has this scope; None in a nest without agents."""

    agent: str | None
    rows: dict[str, Row]

    @property
    def resident(self) -> Row:
        """What it reads at every start."""
        return self.rows[RESIDENT]

    def ratio(self, row: str) -> float | None:
        """The tokens of a row, as a share of those of a full start; None where that has none."""
        full = self.rows[FULL].tokens
        return self.rows[row].tokens / full if full else None

    def budgeted_bytes(self) -> int:
        """What counts against the budget of one start: the recent digest has its own."""
        paths = start_of(f"{self.agent}/{layout.RESIDENT}")
        return sum(file.bytes for file in self.resident.files if file.path in paths)


class Bar(Frozen):
    """A resident file, or one start, against its budget in bytes."""

    name: str
    bytes: int
    budget: int
    file: File | None = None

    @property
    def share(self) -> float:
        """1.0 is a budget used up."""
        return self.bytes / self.budget

    @property
    def over(self) -> int:
        """The bytes over the budget, or 0."""
        return max(self.bytes - self.budget, 0)


class Figures:
    """The figures of a snapshot, for these agents, with a task that opens these files.

    Where `opened` is None, a task opens the median topic of `shared/`, if there is one.
    """

    def __init__(
        self, snapshot: Snapshot, agents: Sequence[str | None], opened: Sequence[str] | None
    ) -> None:
        self.snapshot = snapshot
        self.by_default = opened is None
        wanted = [_median_topic(snapshot)] if opened is None else opened
        self.opened = [path for path in wanted if path in snapshot.files]
        whole = self._row(snapshot.tiers.whole_nest())
        self.starts = [Start(agent, self._rows(agent, whole)) for agent in agents]

    def _rows(self, agent: str | None, whole: Row) -> dict[str, Row]:
        by_agent = self.snapshot.tiers
        return {
            FULL: self._row(by_agent.full_start(agent)),
            RESIDENT: self._row(by_agent.resident_start(agent)),
            TASK: self._row(by_agent.task(agent, self.opened)),
            WHOLE: whole,
        }

    def _row(self, paths: Iterable[str]) -> Row:
        return Row(self.snapshot.files[path] for path in paths)

    @property
    def largest(self) -> Start:
        """The start that costs most."""
        return max(self.starts, key=lambda start: (start.resident.tokens, start.resident.bytes))

    def start_of(self, agent: str | None) -> Start:
        """The start of one of these agents."""
        return next(start for start in self.starts if start.agent == agent)

    def files(self) -> list[File]:
        """Every file that is in some row, by path."""
        rows = [row for start in self.starts for row in start.rows.values()]
        found = {file.path: file for row in rows for file in row.files}
        return [found[path] for path in sorted(found)]

    def bars(self) -> list[Bar]:
        """The resident files of these starts, and the start that is largest in bytes."""
        files = {file.path: file for start in self.starts for file in start.resident.files}
        bars = [Bar(f.path, f.bytes, _budget(f.path), f) for f in files.values()]
        ours = [start.budgeted_bytes() for start in self.starts]
        name = "one start" if len(ours) == 1 else f"the largest of {len(ours)} starts"
        return [*sorted(bars, key=_order), Bar(name, max(ours), START_BYTES)]

    def _scopes(self) -> list[str]:
        return [layout.SHARED, *(start.agent for start in self.starts if start.agent)]

    def topics(self) -> list[File]:
        """The topics that these agents share or have, the largest first."""
        return self.snapshot.topics(self._scopes())

    def largest_files(self) -> list[File]:
        """These topics and the hand-written part of each memory.md, the largest first."""
        return by_size([*self.topics(), *self.memories()])

    def memories(self) -> list[File]:
        """The hand-written part of each memory.md of these scopes, the largest first."""
        return by_size(self._memories().values())

    def without_topics(self) -> list[File]:
        """The memory.md of each of these scopes that has neither an index nor broken markers."""
        known = self.snapshot.tiers.opted_in, self.snapshot.broken
        found = self._memories().items()
        return [f for scope, f in found if scope not in known[0] and f.path not in known[1]]

    def _memories(self) -> dict[str, File]:
        by_hand = self.snapshot.by_hand
        return {scope: by_hand[scope] for scope in self._scopes() if scope in by_hand}


def resident_changes(now: Figures, before: Figures) -> list[tuple[str, File | None, File | None]]:
    """Each committed resident file as it was and as it is, None where it is not there."""
    was, now_is = (
        {file.path: file for s in figures.starts for file in s.resident.committed().files}
        for figures in (before, now)
    )
    return [(name, was.get(name), now_is.get(name)) for name in sorted({*was, *now_is})]


def _median_topic(snapshot: Snapshot) -> str:
    sizes = {file.path: file.bytes for file in snapshot.topics([layout.SHARED])}
    return tiers.median(sizes) or ""


def _budget(path: str) -> int:
    return tiers.RECENT_BYTES if path == tiers.RECENT else BUDGETS.of(path)


def _order(bar: Bar) -> tuple[bool, bool, bool, str]:
    path = bar.name
    return path != layout.RULES, path != layout.SHARED_RESIDENT, path == tiers.RECENT, path
