"""`nestwork-check --explain`: docs/rules.md in the terminal, from wherever the package lies."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from nestwork_hooks.commands import commit_msg
from nestwork_hooks.commands.catalog import every
from nestwork_hooks.console import explain
from nestwork_hooks.console.report import WAITING
from nestwork_hooks.nest.checker import READING
from tests.conftest import PROJECT, Run

CHECKERS = every()

NAME = "nestwork-check"
RULES = [rule.name for checker in CHECKERS for rule in checker.rules]
EVERY = [*RULES, *(rule.name for rule in (*READING, *commit_msg.RULES)), *WAITING]
LABELS = ["What it protects. ", "Level. ", "Bad. ", "Good. ", "How to mend. ", "Switch off. "]
LARGE_INDEX = """\
large-index
-----------

What it protects. An agent reads the whole index before it can choose a topic. The larger the index,
the more every task costs, and the harder the choice.

Level. Warning, from `nestwork-stale-index`, over 8,192 bytes with the markers.

Bad. An index of 90 topics:

    shared/memory.md:3: warning: 9,440 bytes of index, over the 8,192-byte advice; consider merging topics [large-index]

Good. Any index of at most 8,192 bytes.

How to mend. Merge topics that are read together, and shorten long descriptions.

Switch off. `--ignore large-index`. `--max-index-bytes N` moves the limit.

"""


@pytest.fixture(autouse=True)
def _outside_of_any_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_rule(run: Run) -> None:
    assert run(NAME, "--explain", "large-index") == (0, LARGE_INDEX, "")


def test_the_last_word_of_a_finding(run: Run) -> None:
    assert run(NAME, "--explain", "[large-index]") == (0, LARGE_INDEX, "")


@pytest.mark.parametrize("rule", EVERY)
def test_every_rule(run: Run, rule: str) -> None:
    done = run(NAME, "--explain", rule)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{rule}\n{'-' * len(rule)}\n\nWhat it protects. ")
    labels = [label for line in done.out.splitlines() for label in LABELS if line.startswith(label)]
    assert labels == LABELS
    prose = [line for line in done.out.splitlines() if not line.startswith("    ")]
    assert not [
        line for line in prose if "```" in line or "](" in line or "**" in line.replace("/**/", "")
    ]


def test_several_at_once(run: Run) -> None:
    out = run(NAME, "--explain", "large-index,locked", "--explain", "large-index").out
    assert out.startswith(LARGE_INDEX)
    assert out.count("What it protects.") == 2
    assert out.index("\nlocked\n------\n") > 0


def test_a_checker_of_the_same_name_is_said_to_have_more(run: Run) -> None:
    out = run(NAME, "--explain", "stale-index").out
    assert out.count("What it protects.") == 1
    assert out.endswith("\n\nMore rules of the checker stale-index: broken-markers, large-index\n")
    assert "More rules" not in run(NAME, "--explain", "topic-size").out


def test_a_checker_that_is_no_rule_is_all_of_its_rules() -> None:
    other = CHECKERS[0].replace(name="other")
    lines = list(explain.explained(["other"], [other]))
    headings = [line for line, below in pairwise(lines) if set(below) == {"-"}]
    assert headings == [rule.name for rule in other.rules]


UNKNOWN = [
    ("stale-idnex", "; do you mean stale-index or large-index?"),
    ("Topic-Name", "; do you mean topic-name or topic-size?"),
    ("\x1b", f"; there are {', '.join(sorted({*EVERY, *(c.name for c in CHECKERS)}))}"),
]


@pytest.mark.parametrize(("name", "says"), UNKNOWN)
def test_an_unknown_name(run: Run, name: str, says: str) -> None:
    done = run(NAME, "--explain", f"large-index,{name}")
    asked = name.replace("\x1b", "\\x1b")
    said = f"{NAME}: --explain: there is no rule or checker '{asked}'{says} (see {NAME} --help)\n"
    assert done == (2, "", said)


@pytest.mark.parametrize("args", [["--explain"], ["--explain", ""], ["--explain=,"]])
def test_no_name(run: Run, args: list[str]) -> None:
    done = run(NAME, *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"{NAME}: argument --explain: expected ")


def test_the_names_of_other_flags_are_not_looked_at(run: Run) -> None:
    done = run(NAME, "--explain", "large-index", "--select", "nobody", "--all", "shared")
    assert done == (0, LARGE_INDEX, "")


PLAIN = [
    ("**Bad.** See [`x`](#x).", ["Bad. See `x`."]),
    ("[two\nlines](a.md)", ["two", "lines"]),
    ("keep `[a](b)` and `**c**`", ["keep `[a](b)` and `**c**`"]),
    ("a\n\n```sh\n# b\n\n  c\n```\n\nd", ["a", "", "    # b", "", "      c", "", "d"]),
    ("````\n```\n**x**\n````\ny", ["    ```", "    **x**", "y"]),
]


@pytest.mark.parametrize(("text", "lines"), PLAIN)
def test_markdown_as_plain_lines(
    monkeypatch: pytest.MonkeyPatch, text: str, lines: list[str]
) -> None:
    monkeypatch.setattr(explain, "page", lambda: f"# Rules\n\n## r\n\n{text}\n\n## s\n\nother\n")
    assert list(explain.explained(["r"], [])) == ["r", "-", "", *lines, ""]


def test_a_heading_in_a_code_block_is_none() -> None:
    page = "## a\n```\n## no\n```\nx\n## b\ny\n"
    assert explain.sections(page) == {"a": "```\n## no\n```\nx\n", "b": "y\n"}


def test_an_installation_without_the_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "_PLACES", ("/nowhere/rules.md",))
    said = f"{NAME}: --explain: /nowhere/rules.md is missing: install nestwork-hooks anew\n"
    assert run(NAME, "--explain", "locked") == (2, "", said)


def _python(*args: str, **env: str) -> str:
    environment = {**os.environ, **env}
    done = subprocess.run(
        [sys.executable, *args], capture_output=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.runners
def test_the_page_is_in_a_wheel_built_from_a_clone_and_from_an_sdist(tmp_path: Path) -> None:
    before = sorted(path.name for path in (PROJECT / "nestwork_hooks").iterdir())
    _python("-m", "pip", "install", "-q", "--target", "flit", "flit_core")
    build = "import os, sys; os.chdir(sys.argv[1]); import build_backend as b; b.build_sdist(sys.argv[2])"
    paths = os.pathsep.join([str(tmp_path / "flit"), str(PROJECT)])
    _python("-c", build, str(PROJECT), str(tmp_path), PYTHONPATH=paths)
    (sdist,) = tmp_path.glob("*.tar.gz")
    page = (PROJECT / "docs/rules.md").read_bytes()
    wheels = []
    for number, source in enumerate((PROJECT, sdist)):
        folder = tmp_path / str(number)
        _python("-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(source))
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            assert packed.read("nestwork_hooks/rules.md") == page
            wheels.append(sorted(packed.namelist()))
            packed.extractall(folder / "site")
        call = "from nestwork_hooks.commands.check import main; main(['--explain', 'large-index'])"
        out = _python("-c", call, PYTHONPATH=str(folder / "site"), PYTHONUTF8="1")
        assert out == LARGE_INDEX
    assert wheels[0] == wheels[1]
    assert sorted(path.name for path in (PROJECT / "nestwork_hooks").iterdir()) == before
