"""The line limits of the protocol, and of a nest's own table."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol.limits import Limits, matched

HEAD = "# Limits\n\n| File | Max lines | Split target |\n|---|---|---|\n"
# The table of docs/limits-override-example.md in the public nestwork, protocol 3.2.
EXAMPLE = (
    HEAD
    + """\
| `queen/agent-rules.md` | 80 | `queen/rules/<topic>.md` |
| `queen/strategy.md` | 80 | `queen/strategy/<topic>.md` |
| `agents/<host>/<agent-id>/memory.md` | 200 | `agents/<host>/<agent-id>/<topic>.md` |
| `shared/memory.md` | 500 | `shared/<topic>.md` |
| `projects/<name>.md` | 150 | `projects/<name>/<topic>.md` |
| `workflow/<topic>.md` | 200 | `workflow/<topic>/<subtopic>.md` |
| (default \u2014 any other markdown) | soft 500 / hard 1000 | filename \u2192 folder + index |
"""
)
OWN = "shared/memory.md"


@pytest.mark.parametrize("text", [None, EXAMPLE, EXAMPLE.replace("\n", "\r\n"), f"\ufeff{EXAMPLE}"])
@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("queen/agent-rules.md", (0, 80)),
        ("queen/strategy.md", (0, 80)),
        ("agents/box/claude-a7k2/memory.md", (0, 200)),
        ("shared/memory.md", (0, 500)),
        ("projects/x.md", (0, 150)),
        ("workflow/x.md", (0, 200)),
        ("workflow/deep/x.md", (500, 1000)),
        ("agents/box/memory.md", (500, 1000)),
        ("shared/hosts.md", (500, 1000)),
        ("queen/limits.md", (500, 1000)),
    ],
)
def test_the_protocol(text: str | None, path: str, most: tuple[int, int]) -> None:
    limits = Limits(text)
    assert limits.fault is None
    row, _ = limits.of(path)
    assert (row.soft, row.hard) == most


# the row of a nest's own table, and what it makes of shared/memory.md
NUMBERS = [
    ("| `shared/memory.md` | 300 |", (0, 300)),
    ("| `shared/memory.md` | 1,200 | x |", (0, 1200)),
    ("| `shared/memory.md` | 300 lines | x | a note |", (0, 300)),
    ("| `shared/memory.md` | **300** | x |", (0, 300)),
    ("| `shared/memory.md` | soft 200 / hard 300 | x |", (200, 300)),
    ("| `shared/memory.md` | 200 soft, 1,300 hard | x |", (200, 1300)),
    ("| `shared/memory.md` | soft 200 | x |", (200, 0)),
    ("| `shared/memory.md` | Hard 300 | x |", (0, 300)),
    ("`shared/memory.md` | 300 | x", (0, 300)),
    ("| `queen/x.md`, `shared/memory.md` | 300 | x |", (0, 300)),
    ("| `./shared/memory.md` | 300 | x |", (0, 300)),
    ("| `shared/<topic>.md` | 90 | x |\n| `shared/memory.md` | 300 | x |", (0, 300)),
    ("| `shared/*.md` | 300 | x |", (0, 300)),
    ("| `shared/` | 300 | x |", (0, 300)),
    ("| `**/memory.md` | 300 | x |", (0, 300)),
    ("| `shared/mem???.md` | 300 | x |", (0, 300)),
    ("| `shared/other.md` | 300 | x |", (0, 500)),
    ("| `shared/Memory.md` | 300 | x |", (0, 500)),
    ("| (default) | soft 1 / hard 2 | x |", (0, 500)),
]  # fmt: skip


@pytest.mark.parametrize(("row", "most"), NUMBERS)
def test_rows(row: str, most: tuple[int, int]) -> None:
    limits = Limits(HEAD + row + "\n\nText.\n")
    assert limits.fault is None
    found, _ = limits.of(OWN)
    assert (found.soft, found.hard) == most


def test_the_nests_own_default() -> None:
    limits = Limits(HEAD + "| (default) | 700 | x |\n")
    assert limits.of("shared/hosts.md")[0].hard == 700
    assert limits.of("projects/x.md")[0].hard == 150


def test_the_table_is_found_among_others() -> None:
    other = "| Date | Reason |\n|---|---|\n| 2026-10-01 | first |\n\n"
    fenced = "```\n| `shared/memory.md` | many | x |\n```\n"
    comment = "<!--\n| `shared/memory.md` | many | x |\n-->\n"
    limits = Limits(
        fenced + comment + other + HEAD + "| `shared/memory.md` | 300 | x |\n\n" + other
    )
    assert limits.fault is None
    assert (limits.of(OWN)[0].hard, limits.of(OWN)[0].line) == (300, 15)


NOT_NUMBERS = "its second cell is not the most lines, a whole number, or soft N / hard M"
# the rows of a table, the line of the fault, what is wrong
FAULTS = [
    ("| `shared/memory.md` | many | x |", 5, f"cannot be read: {NOT_NUMBERS}"),
    ("| `a.md` | 1 | |\n| `b.md` | 0 | |", 6, f"| `b.md` | 0 |  | cannot be read: {NOT_NUMBERS}"),
    ("| `a.md` | -5 | |", 5, NOT_NUMBERS),
    ("| `a.md` | 1.5 | |", 5, NOT_NUMBERS),
    ("| `a.md` | 5 / 6 | |", 5, NOT_NUMBERS),
    ("| `a.md` | | |", 5, NOT_NUMBERS),
    ("| `a.md` | soft 9 / hard 8 | |", 5, NOT_NUMBERS),
    ("| `a.md` | \u0665 | |", 5, NOT_NUMBERS),
    ("| `a.md` |", 5, "it has no second cell with the most lines"),
    ("| a.md | 5 | |\n| `b.md` | 5 | |", 5, "its first cell is no path pattern in backticks, nor (default)"),
    ("| `a.md` | 5 | |\n| `a.md` | 6 | |", 6, "line 5 has its pattern already"),
    ("| (default) | 5 | |\n| (default) | 6 | |", 6, "line 5 has its pattern already"),
    ("| `/a.md` | 5 | |", 5, "its pattern is no path below the nest's root"),
    ("| `../a.md` | 5 | |", 5, "its pattern is no path below the nest's root"),
    ("| `*a*b*c*d*e*.md` | 5 | |", 5, "its pattern has too many wildcards"),
    ("| `**/a/**/b/**/c.md` | 5 | |", 5, "its pattern has too many wildcards"),
    ("| \x1b | 5 | |\n| `a.md` | 5 | |", 5, "the row | \\x1b | 5 |  | cannot be read"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "line", "said"), FAULTS)
def test_rows_that_cannot_be_read(rows: str, line: int, said: str) -> None:
    fault = Limits(f"{HEAD}{rows}\n").fault
    assert fault
    assert (fault.line, fault.level, fault.rule) == (line, "error", "bad-limits")
    assert said in fault.message


# a whole file without a table that can be read, the line of the fault, what is wrong
TABLES = [
    ("", 1, "no table of line limits here"),
    ("# Limits\n\nNone.\n", 1, "write rows as | `shared/memory.md` | 500 | `shared/<topic>.md` |"),
    ("x\n\n| File | Max |\n| `a.md` | 5 |\n", 3, "no table without a line |---|---|---| below its first"),
    ("```\n" + EXAMPLE + "```\n", 1, "no table of line limits here"),
    (EXAMPLE.encode("utf-16").decode("utf-8", "replace"), 1, "no table of line limits here"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "said"), TABLES)
def test_what_is_no_table(text: str, line: int, said: str) -> None:
    fault = Limits(text).fault
    assert fault
    assert (fault.line, said in fault.message) == (line, True)
    assert Limits(text).of(OWN)[0].hard == 500


def test_a_row_that_cannot_be_read_leaves_its_files_alone() -> None:
    limits = Limits(HEAD + "| `shared/memory.md` | lots | x |\n| `projects/<name>.md` | 10 | x |\n")
    assert (limits.of(OWN)[0].soft, limits.of(OWN)[0].hard) == (0, 0)
    assert limits.of("projects/x.md")[0].hard == 10


MATCHES = [
    ("a/<host>/<id>/m.md", "a/box/c/m.md", {"<host>": "box", "<id>": "c"}),
    ("a/<host>/m.md", "a/box/c/m.md", None),
    ("p/<name>.md", "p/x.md", {"<name>": "x"}),
    ("p/<name>.md", "p/.md", None),
    ("p/<name>.md", "p/x.md.md", {"<name>": "x.md"}),
    ("p/*.md", "p/.md", {}),
    ("p/**", "p/a/b.md", {}),
    ("p/", "p/a/b.md", {}),
    ("p/", "p", None),
    ("**/x.md", "x.md", {}),
    ("**/x.md", "a/b/x.md", {}),
    ("**/x.md", "a/b/y.md", None),
    ("a?.md", "ab.md", {}),
    ("a?.md", "a.md", None),
    ("a<b.md", "a<b.md", {}),
    ("*a*", "bab", {}),
    ("*.md", "a/b.md", None),
]


@pytest.mark.parametrize(("pattern", "path", "names"), MATCHES)
def test_patterns(pattern: str, path: str, names: dict[str, str] | None) -> None:
    assert matched(pattern, path) == names
