"""The report as text, for a terminal or a log."""

from __future__ import annotations

from nestwork_hooks.measuring.figures import (
    FULL,
    RESIDENT,
    ROWS,
    TASK,
    TITLES,
    Bar,
    Figures,
    Row,
    Start,
    resident_changes,
)
from nestwork_hooks.measuring.snapshot import File
from nestwork_hooks.protocol.layout import is_memory
from nestwork_hooks.protocol.text import escaped, named
from nestwork_hooks.protocol.topic import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ASCII, BLOCKS = ("#", "."), ("\u2588", "\u2591")
_CELLS = 20
_LARGEST = 5
_MOST_NAMED = 20


def lines(now: Figures, before: Figures | None, exact: bool, bar: tuple[str, str]) -> Iterator[str]:
    """The report's lines; `bar` is the full and the empty cell of a bar."""
    yield from _head(now, exact)
    if before:
        yield f"since:  {before.snapshot.place}"
    yield from ("", *_rows(now.largest), "", *_task(now))
    if len(now.starts) > 1:
        yield from ("", *_agents(now))
    yield from ("", *_bars(now, bar))
    if now.largest_files():
        yield from ("", *_largest(now))
    if before:
        yield from ("", *_changes(now, before))
    yield from _notes(now)


def _head(now: Figures, exact: bool) -> Iterator[str]:
    agent = path(now.largest.agent) if now.largest.agent else "none in this nest"
    if len(now.starts) > 1:
        agent = f"{agent}, the largest of {len(now.starts):,} starts"
    yield f"nest:   {now.snapshot.place}"
    yield f"agent:  {agent}"
    kind = "exact" if exact else "estimated (~); exact with nestwork-hooks[tokens]"
    yield f"tokens: o200k_base, {kind}"


def _rows(start: Start) -> Iterator[str]:
    yield f"{'':20} {'files':>7} {'bytes':>12} {'tokens':>12} {'of a full start':>16}"
    for key in ROWS:
        row = start.rows[key]
        share = percent(start.ratio(key))
        line = f"{TITLES[key]:20} {len(row.files):7,} {row.bytes:12,} {tokens(row):>12} {share:>16}"
        yield line + (f"  ({len(row.unread):,} not read)" if row.unread else "")


def _task(now: Figures) -> Iterator[str]:
    why = " (the median topic of shared/ by size)" if now.by_default else ""
    opened = f"{', '.join(map(path, now.opened))}{why}" if now.opened else ""
    yield f"task: opens {opened or 'no topic, since shared/ has none'}"


def _agents(now: Figures) -> Iterator[str]:
    yield f"{'full start':>12} {'resident start':>25} {'task':>21}"
    yield f"{'tokens':>12} {'bytes':>8} {'tokens':>8} {'of full':>7} {'tokens':>12} {'of full':>8}"
    for start in now.starts:
        full, resident, task = (start.rows[key] for key in (FULL, RESIDENT, TASK))
        yield (
            f"{tokens(full):>12} {resident.bytes:8,} {tokens(resident):>8}"
            f" {percent(start.ratio(RESIDENT)):>7} {tokens(task):>12}"
            f" {percent(start.ratio(TASK)):>8}  {path(start.agent or '')}"
        )


def _bars(now: Figures, cells: tuple[str, str]) -> Iterator[str]:
    yield f"{'resident files':{_CELLS + 2}} {'bytes':>7} {'budget':>7} {'tokens':>7}"
    for bar in now.bars():
        count = tokens(bar.file) if bar.file else ""
        share = f"{bar.share:.0%}".replace("%", " %")
        line = f"{drawn(bar, cells)} {bar.bytes:7,} {bar.budget:7,} {count:>7} {share:>6}  "
        yield line + path(bar.name) + _remark(bar)


def drawn(bar: Bar, cells: tuple[str, str]) -> str:
    """A bar of fixed width; anything at all shows, and only a budget used up fills it."""
    filled = min(int(bar.share * _CELLS), _CELLS) or (bar.bytes > 0)
    return f"[{cells[0] * filled}{cells[1] * (_CELLS - filled)}]"


def _remark(bar: Bar) -> str:
    if bar.file and bar.file.reason:
        return ": not read"
    remarks = ["not committed"] if bar.file and not bar.file.committed else []
    remarks += [f"{bar.over:,} bytes over"] if bar.over else []
    return f" ({', '.join(remarks)})" if remarks else ""


def _largest(now: Figures) -> Iterator[str]:
    without = now.without_topics()
    yield f"{'largest files':22} {'bytes':>7} {'':7} {'tokens':>7}"
    for file in now.largest_files()[:_LARGEST]:
        remarks = [f"{file.bytes - MAX_BYTES:,} bytes over"] if file.bytes > MAX_BYTES else []
        if is_memory(file.path) and file not in without and file.path not in now.snapshot.broken:
            remarks.insert(0, "without its index")
        remark = f" ({', '.join(remarks)})" if remarks else ""
        yield f"{'':22} {file.bytes:7,} {'':7} {tokens(file):>7} {'':6}  {path(file.path)}{remark}"
    if without:
        names = [f"{file.path} ({file.bytes:,} bytes)" for file in without]
        yield f"no topics, so it is read whole or not at all (nestwork-split SCOPE mends that): {named(names)}"


def _changes(now: Figures, before: Figures) -> Iterator[str]:
    yield f"{'change':20} {'files':>7} {'bytes':>12} {'tokens':>12}"
    old = before.start_of(now.largest.agent)
    for key in ROWS:
        files, size, count = map(signed, now.largest.rows[key].since(old.rows[key]))
        yield f"{TITLES[key]:20} {files:>7} {size:>12} {count:>12}"
    for name, was, now_is in resident_changes(now, before):
        old_file, new_file = was or File(name), now_is or File(name)
        change, more = new_file.bytes - old_file.bytes, new_file.tokens - old_file.tokens
        state = " (new)" if not was else " (gone)" if not now_is else ""
        if change or more or state:
            sums = f"{signed(change):>12} {signed(more):>12}"
            yield f"{'':20} {'':7} {sums}  {path(name)}{state}"


def _notes(now: Figures) -> Iterator[str]:
    unread = [f"{path(file.path)}: {file.reason}" for file in now.files() if file.reason]
    yield from _note(f"not read, and not in the bytes and tokens above: {len(unread):,}", unread)
    odd = [path(file.path) for file in now.files() if not file.utf8]
    yield from _note(f"not UTF-8, so that the tokens are a guess: {len(odd):,}", odd)
    title = "broken markers, so that no topics are counted as loaded (see nestwork-check):"
    yield from _note(title, list(map(path, now.snapshot.broken)))


def _note(title: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield from ("", title, *(f"  {name}" for name in names[:_MOST_NAMED]))
    if len(names) > _MOST_NAMED:
        yield f"  and {len(names) - _MOST_NAMED:,} more"


def path(name: str) -> str:
    """A path, escaped for a terminal."""
    return escaped(name, 4096)


def tokens(counted: Row | File) -> str:
    """A number of tokens, marked `~` where it is estimated."""
    return f"{counted.tokens:,}" if counted.exact else f"~{counted.tokens:,}"


def percent(share: float | None) -> str:
    """A share with one decimal, `-` for none."""
    return "-" if share is None else f"{share * 100:,.1f} %"


def signed(number: int) -> str:
    """A change, with its sign."""
    return f"{number:+,}" if number else "0"
