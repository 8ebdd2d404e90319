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
from nestwork_hooks.console.rim import guarded
from nestwork_hooks.console.root import Root
from nestwork_hooks.console.streams import print_lines
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
    import argparse
    from collections.abc import Iterator, Sequence

NAME = "nestwork-split"


def main(argv: Sequence[str] | None = None) -> int:
    """The command: 0 split, or nothing lost; 1 lines lost or doubled; 2 could not do it."""
    return guarded(NAME, _run, argv)


def _run(args: list[str]) -> int:
    flags = _parse(args)
    with Root(flags.root or "") as root:
        scope = next(root.within([flags.scope]), "")
        if not layout.is_scope(scope):
            what = escaped(flags.scope)
            raise Unusable(f"{what} is no scope: name shared or agents/<host>/<agent-id>")
        if flags.verify:
            fates = list(_fates(scope, flags.verify))
            print_lines(_verdict(fates, flags.verify, f"{root.prefix}{scope}"), sys.stdout)
            return FOUND if fates else OK
        splitter = Splitter(scope, root.prefix, hand_written=flags.hand_written)
        splitter.plan(flags.level, numbered=flags.names == "numbered")
        if not flags.dry_run:
            splitter.write()
        print_lines(splitter.report(written=not flags.dry_run), sys.stdout)
    return OK


def _parse(args: list[str]) -> argparse.Namespace:
    from nestwork_hooks.console.flags import Parser, Version, add_root, given

    parser = Parser(NAME, __doc__)
    add = parser.add_argument
    add("scope", metavar="SCOPE", help="shared or agents/<host>/<agent-id>")
    add(
        "--level",
        type=int,
        choices=range(1, 7),
        default=0,
        help="split at headings of this level (default: the highest that occurs more than once)",
    )
    add(
        "--names",
        choices=("headings", "numbered"),
        default="headings",
        help="name files after their headings, or number them (default: headings)",
    )
    add(
        "--hand-written",
        action="store_true",
        help="of a memory.md with an index, split the text outside it",
    )
    add("--dry-run", action="store_true", help="write nothing: print the plan")
    meaning = "compare memory.md as it was in this commit with memory.md and the topics now"
    add("--verify", type=given, metavar="REV", help=meaning)
    add_root(parser)
    add("--version", action=Version, nargs=0, help="print the version")
    return parser.parse_args(args)


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
