"""Split a single memory.md into topics, text word for word.

Cuts it at the headings of one level, gives each piece front matter with a placeholder for its
description, and leaves in memory.md the title and an index. Before it writes anything it proves
that all pieces in order are the original, byte for byte. It stages nothing, and says what comes
next. With --verify it judges a split that was made before: is every line still there, once?

Exits 0 if all is well, 1 if --verify found a difference, 2 if it could not do its work.

example: nestwork-split shared --dry-run
"""

from __future__ import annotations

import sys

from nestwork_hooks import git
from nestwork_hooks.commands.splitter import Splitter, memory_on_disk, plain
from nestwork_hooks.console.codes import FOUND, OK
from nestwork_hooks.console.parser import ROOT, Flag, Parser, given
from nestwork_hooks.console.rim import guarded
from nestwork_hooks.console.root import Root
from nestwork_hooks.console.streams import print_lines
from nestwork_hooks.light import Frozen
from nestwork_hooks.nest import contents
from nestwork_hooks.nest.request import Unusable
from nestwork_hooks.nest.staged import Staged
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.content import Unread, whole
from nestwork_hooks.protocol.markers import MOST_BYTES
from nestwork_hooks.protocol.survival import Fate, below_front_matter, lost_or_doubled
from nestwork_hooks.protocol.text import escaped, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME = "nestwork-split"


def _level(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"invalid int value: {text!r}") from None


_FLAGS = (
    Flag("scope", "shared or agents/<host>/<agent-id>", str, "SCOPE", required=True),
    Flag(
        "--level",
        "split at headings of this level (default: the highest that occurs more than once)",
        _level,
        choices=range(1, 7),
    ),
    Flag(
        "--names",
        "name files after their headings, or number them (default: headings)",
        str,
        choices=("headings", "numbered"),
    ),
    Flag("--hand-written", "of a memory.md with an index, split the text outside it"),
    Flag("--dry-run", "write nothing: print the plan"),
    Flag(
        "--verify",
        "compare memory.md as it was in this commit with memory.md and the topics now",
        given,
        "REV",
    ),
    ROOT,
)


class _Words(Frozen):
    """What the command line asks for."""

    scope: str
    level: int = 0
    names: str = "headings"
    hand_written: bool = False
    dry_run: bool = False
    verify: str = ""
    root: str = ""


def main(argv: Sequence[str] | None = None) -> int:
    """The command: 0 split, or nothing lost; 1 lines lost or doubled; 2 could not do it."""
    return guarded(NAME, _run, argv)


def _run(args: list[str]) -> int:
    words = _Words(**Parser(NAME, __doc__, _FLAGS).parse(args))
    with Root(words.root) as root:
        scope = next(root.within([words.scope]), "")
        if not layout.is_scope(scope):
            what = escaped(words.scope)
            raise Unusable(f"{what} is no scope: name shared or agents/<host>/<agent-id>")
        if words.verify:
            fates = list(_fates(scope, words.verify))
            print_lines(_verdict(fates, words.verify, f"{root.prefix}{scope}"), sys.stdout)
            return FOUND if fates else OK
        splitter = Splitter(scope, root.prefix, hand_written=words.hand_written)
        splitter.plan(words.level, numbered=words.names == "numbered")
        if not words.dry_run:
            splitter.write()
        print_lines(splitter.report(written=not words.dry_run), sys.stdout)
    return OK


def _fates(scope: str, revision: str) -> list[Fate]:
    """What became of the lines that the scope's memory.md had in a commit."""
    path = layout.memory_of(scope)
    entries = git.committed(git.commit_id(revision), [path])
    source = Staged(entries, revision)
    try:
        old = next((content for _, content in source.read(list(entries))), None)
        data = None if old is None or isinstance(old, Unread) else whole(old, MOST_BYTES)
    finally:
        source.close()
    if data is None:
        raise Unusable(f"{path} cannot be read in {revision}")
    now = {path: memory_on_disk(path)}
    listed = [*git.listed([scope]), *git.unknown([scope])]
    for topic in sorted({name for name in listed if layout.topic_name(name)}):
        now[topic] = below_front_matter(_topic(topic))
    return lost_or_doubled(plain(data), {name: plain(text) for name, text in now.items()})


def _topic(path: str) -> bytes:
    try:
        return contents.read_whole(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error


def _verdict(fates: list[Fate], revision: str, scope: str) -> Iterator[str]:
    memory = escaped(layout.memory_of(scope))
    if not fates:
        yield f"{memory} of {escaped(revision)}: every line and every heading is still there, once"
    for fate in fates:
        what = "heading" if fate.is_heading else "line"
        times = "" if fate.wanted == 1 else f" (it was there {_times(fate.wanted)})"
        where = _where(fate)
        yield f"{memory}:{fate.line}: {what} {where}{times}: {escaped(fate.text)}"


def _where(fate: Fate) -> str:
    if not fate.places:
        return "gone"
    files = named(list(dict.fromkeys(fate.places)))
    only = "only " if len(fate.places) < fate.wanted else ""
    return f"{only}{_times(len(fate.places))} now, in {files}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


if __name__ == "__main__":
    raise SystemExit(main())
