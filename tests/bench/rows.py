"""What is measured, in which nest, and how much it may take."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.bench.places import (
    BIN,
    PREK_HOME,
    TOPIC,
    Places,
    crowded,
    edits,
    lengthened,
    staged_edits,
    under_prek,
)
from tests.bench.timing import Command, Reading, Side, compare, peaks

HOOK = (("PRE_COMMIT", "1"),)
FLAGS = ("--strict", "--max-bytes", "30000", "--exclude", "^drafts/")
BARE = Command([sys.executable, "-c", "pass"])
COMMIT = Command(["git", "commit", "-q", "-m", "x", "--", "shared"])
CROWD = 300_000

# Makes a row's readings: in these places, with a nest of this shape, of so many runs.
Take = Callable[[Places, str, int], list[Reading]]


class Row(NamedTuple):
    """One row of the table. `goal` is the most that its `judged` measures may be."""

    name: str
    nest: str
    goal: float | None
    take: Take
    judged: tuple[str, ...] = ("wall", "cpu", "peak")
    huge: bool = False


def ours(name: str, *args: str, exits: int = 0, hook: bool = False) -> Command:
    """A command of this package."""
    return Command([str(BIN / f"nestwork-{name}"), *args], exits, HOOK if hook else ())


def script(name: str) -> list[str]:
    """The command line of a script beside this file."""
    return [sys.executable, str(Path(__file__).with_name(name))]


def over(*commands: Command) -> Take:
    """The first command less those between, as a multiple of the last, in one nest."""

    def take(places: Places, nest: str, runs: int) -> list[Reading]:
        return compare([Side(places.at(nest), [command]) for command in commands], runs)

    return take


def bare(name: str, *args: str, hook: bool = False) -> Take:
    """A command of this package, as a multiple of a bare start of Python."""
    return over(ours(name, *args, hook=hook), BARE)


def committer(use: str, step: int, found: int) -> Take:
    """nestwork-commit over the commands that it stands for, which leave a stale index stale."""
    commands = [Command(["git", "add", "shared"]), ours("check", exits=found), COMMIT]

    def take(places: Places, nest: str, runs: int) -> list[Reading]:
        root = places.at(nest, use)
        edit = edits(root, step)
        sides = [[ours("commit", "shared", "-m", "x")], commands]
        return compare([Side(root, side, edit) for side in sides], runs)

    return take


def prek(places: Places, nest: str, runs: int) -> list[Reading]:
    """A commit with the check and its fixer under prek over one with the plain scripts."""
    home = places.folder / "prek"
    hooks = {
        "checked": [[str(BIN / "nestwork-check"), "--fix"]],
        "plain": [script("plain.py"), script("plain_budget.py")],
    }
    commit = Command(["git", "commit", "-q", "-m", "x"], env=[(PREK_HOME, str(home))])
    roots = [places.at(nest, use, under_prek(lines, home)) for use, lines in hooks.items()]
    return compare([Side(root, [commit], staged_edits(root, 300)) for root in roots], runs)


def long_memory(places: Places, nest: str, runs: int) -> list[Reading]:
    """A check beside 4 MB of text that was written by hand over one beside little."""
    sizes = {"long": 4_000_000, "short": 400}
    roots = [places.at(nest, use, lengthened(size)) for use, size in sizes.items()]
    return compare([Side(root, [ours("check")]) for root in roots], runs)


def crowd(places: Places, nest: str, runs: int) -> list[Reading]:
    """The fixer in a repository of many other files over the same without them."""
    roots = [places.at(nest, "crowded", crowded(CROWD)), places.at(nest)]
    return compare([Side(root, [ours("fix-index")]) for root in roots], runs)


def memory(places: Places, nest: str, runs: int) -> list[Reading]:
    """The most memory that a command held, in MiB."""
    return [peaks(places.at(nest), ours("check", "--all"), runs)]


def beside(count: int, *, huge: bool = False) -> Row:
    """A commit's cost must not depend on the scopes that it leaves alone, but for git's part."""
    listing = Command(["git", "ls-files", "-s", "-z", "--", "shared"])
    changes = Command(["git", "diff", "--cached", "--raw", "-z"])
    take = over(ours("check"), listing, changes, BARE)
    return Row("check, less what git alone takes", f"{count}", None, take, huge=huge)


ROWS = [
    Row("check, one staged topic", "small", 2.0, bare("check")),
    Row("check, one staged topic", "author", 2.0, bare("check")),
    Row("check, one staged topic", "large", 2.4, bare("check")),
    *(
        Row("flags, on top of that", nest, 0.1, over(ours("check", *FLAGS), ours("check"), BARE))
        for nest in ["small", "author", "large"]
    ),
    Row("check --fix, one staged topic, hook", "author", None, bare("check", "--fix", hook=True)),
    Row("check --all", "author", 2.3, bare("check", "--all")),
    Row("check --all", "large", 14, bare("check", "--all")),
    Row("topic-size, one name", "author", 1.8, bare("topic-size", TOPIC, hook=True)),
    Row(
        "missing-description, one name",
        "author",
        1.8,
        bare("missing-description", TOPIC, hook=True),
    ),
    Row("fix-index, nothing to do, hook", "author", 2.2, bare("fix-index", hook=True)),
    Row("fix-index, nothing to do, by hand", "author", 2.2, bare("fix-index")),
    Row("commit, index stays true / add, check, commit", "author", 1.1, committer("true", 0, 0)),
    Row("commit, index is mended / add, check, commit", "author", 1.1, committer("stale", 300, 1)),
    Row(
        "check --all, real text / a plain script",
        "text",
        0.9,
        over(ours("check", "--all", exits=1), Command(script("plain.py"))),
        judged=("cpu",),
    ),
    Row("git commit, prek, check --fix / plain scripts", "author", 0.7, prek),
    Row(
        "measure, exact / tiktoken alone",
        "author",
        0.8,
        over(ours("measure"), Command(script("tokens_alone.py"))),
    ),
    Row("check, memory.md of 4 MB / of 1 KB", "author", 1.5, long_memory),
    Row("fix-index beside 300,000 files / without", "author", 8, crowd, huge=True),
    Row("peak memory in MiB, check --all", "large", 25, memory),
    *map(beside, [100, 1_000, 10_000]),
    beside(100_000, huge=True),
]
