"""What a run may cost, by structure and not by time: modules, git processes, files opened."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from nestwork_hooks.commands.catalog import every, usual
from tests.conftest import BIN, Files, Repo, Run, entry, memory, topic
from tests.entry_points import commands, judging, main_of, module_of

# What no plain run needs: each would cost more than the checks themselves.
HEAVY = {
    "argparse", "asyncio", "ctypes", "dataclasses", "difflib", "email", "frontmatter", "gettext",
    "inspect", "importlib.metadata", "json", "logging", "markdown_it", "pathlib", "shlex", "shutil", "tempfile",
    "tiktoken", "typing", "unittest", "urllib", "yaml",
    "collections", "contextlib", "enum", "functools", "re", "signal", "subprocess", "threading",
    "types",
}  # fmt: skip
USUAL, EVERY = ({c.name.replace("-", "_") for c in found()} for found in (usual, every))
# command, the checkers that it loads
OWN = {
    "nestwork-check": USUAL,
    "nestwork-fix-index": {"stale_index"},
    **{
        command: {checker}
        for checker in sorted(USUAL)
        if (command := f"nestwork-{checker.replace('_', '-')}") in commands()
    },
}


def _stage(nest: Repo) -> None:
    """A commit of one changed topic and its index, where all is well."""
    body = "x" * 1_100
    lines = entry("hosts.md", size="1.1"), entry("ports.md")
    nest.stage({"shared/hosts.md": topic(body=body), "shared/memory.md": memory(*lines)})


def _loaded(nest: Repo, command: str, args: list[str], **env: str) -> set[str]:
    """The modules that a run loads, all being well."""
    script = (
        f"import sys; before = set(sys.modules)\nfrom {module_of(command)} import main\n"
        f"code = main({args})\nprint()\nprint(*sorted(set(sys.modules) - before))\n"
        "raise SystemExit(code)"
    )
    done = nest.run(sys.executable, "-c", script, **env)
    assert done.code == 0, done.text
    return set(done.out.splitlines()[-1].split())


@pytest.mark.parametrize("command", OWN)
@pytest.mark.parametrize("in_hook", [False, True])
def test_modules(nest: Repo, command: str, in_hook: bool) -> None:
    _stage(nest)
    names = ["shared/hosts.md"] if command == "nestwork-topic-size" else []
    env = {"GIT_INDEX_FILE": ".git/index"} if in_hook else {}
    loaded = _loaded(nest, command, names, **env)
    checkers = [name for name in loaded if name.startswith("nestwork_hooks.checkers.")]
    assert not HEAVY & loaded
    floors = {name.split(".")[1] for name in loaded if name.startswith("nestwork_hooks.")}
    assert "measuring" not in floors
    assert ("writing" in floors) == (command == "nestwork-fix-index")
    assert {name for name in EVERY if any(n.endswith(f".{name}") for n in checkers)} == OWN[command]


@pytest.mark.parametrize("command", OWN)
def test_a_flag_costs_two_modules(nest: Repo, command: str) -> None:
    _stage(nest)
    plain = _loaded(nest, command, [])
    given = _loaded(
        nest, command, ["--strict", "--allow-locked", "--format=text", "--format", "text"]
    )
    assert given - plain == {"nestwork_hooks.console.flags", "nestwork_hooks.console.parser"}


SHARED = "shared"
FLAGS = [
    ("nestwork-check", ["--all", "--select", "topic-size,stale-index", "--exclude", "^drafts/"]),
    ("nestwork-check", [SHARED, "--uncommitted", "--ignore=old-date", "--verbose"]),
    ("nestwork-fix-index", ["--ok", "--root", ".", "--warn-only", "x"]),
    ("nestwork-topic-size", ["--base", "HEAD", "--max-bytes=20000", "--", "shared/hosts.md"]),
    ("nestwork-commit", [SHARED, "-m", "-x", "--retries", "1", "--exclude=x"]),
    ("nestwork-commit-msg", ["--strict", "message", "--distill-subject", "x"]),
    ("nestwork-manifest", ["--agent", "box/a"]),
    ("nestwork-measure", ["--json", "--task", "shared/hosts.md", "--max-start-tokens", "100000"]),
    ("nestwork-split", ["--level", "1", SHARED, "--verify", "HEAD"]),
]


@pytest.mark.parametrize(("command", "args"), FLAGS)
def test_flags_that_are_in_order_load_no_other_parser(
    nest: Repo, command: str, args: list[str]
) -> None:
    nest.write({"message": "memory\n"})
    needs_re = command in ("nestwork-measure", "nestwork-split")
    unwanted = {"argparse", "gettext", *([] if needs_re else ["re"])}
    assert not unwanted & _loaded(nest, command, args)


COMMIT = ["rev-parse", "diff", "ls-files"]
PROCESSES = [
    ("nestwork-check", [], {"PRE_COMMIT": "1"}, COMMIT),
    ("nestwork-check", [], {}, COMMIT),
    ("nestwork-check", [], {"GIT_INDEX_FILE": ".git/index"}, [*COMMIT, "check-attr", "cat-file"]),
    ("nestwork-check", ["--all"], {}, ["ls-files"]),
    ("nestwork-check", ["shared"], {}, ["ls-files"]),
    ("nestwork-topic-size", ["shared/hosts.md"], {"PRE_COMMIT": "1"}, ["rev-parse", "ls-files"]),
    ("nestwork-fix-index", [], {"PRE_COMMIT": "1"}, COMMIT),
]


@pytest.mark.parametrize(("command", "args", "env", "expected"), PROCESSES)
def test_git_processes(
    nest: Repo,
    processes: list[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    args: list[str],
    env: dict[str, str],
    expected: list[str],
) -> None:
    _stage(nest)
    processes.clear()
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert main_of(command)(args) == 0
    assert processes == expected


def test_a_commit_that_touches_no_scope_reads_nothing(nest: Repo, processes: list[str]) -> None:
    nest.stage({"other/x.md": "x\n", "other/link": Path("x")})
    processes.clear()
    assert main_of("nestwork-check")([]) == 0
    assert processes == COMMIT
    assert main_of("nestwork-check")(["--select", "stale-index,topic-size"]) == 0
    assert processes[3:] == ["rev-parse", "diff"]


@pytest.mark.parametrize(
    ("files", "code", "more"),
    [
        ({"AGENTS.md": "x\n", "CLAUDE.md": "x\n"}, 0, []),
        ({"local/x.md": "x\n"}, 1, []),
        ({"AGENTS.md": "x\n", "CLAUDE.md": "y\n"}, 0, ["ls-tree"]),
        ({"agents/x.md": "x\n"}, 0, ["ls-tree"]),
        ({"shared/link": Path("x")}, 0, ["ls-tree"]),
    ],
)
def test_what_lies_elsewhere_is_listed_once(
    nest: Repo, processes: list[str], files: Files, code: int, more: list[str]
) -> None:
    """And the version before is looked at only where there is a warning that it may have had."""
    nest.stage(files)
    processes.clear()
    assert main_of("nestwork-check")([]) == code
    assert processes == [*COMMIT, *more]


LONG = "x" * 290


def _many(count: int, body: str = "# T\n") -> Files:
    """So many topics with long descriptions, and their index."""
    names = [f"t{number:02}.md" for number in range(count)]
    topics = {f"shared/{name}": topic(LONG, body) for name in names}
    return {**topics, "shared/memory.md": memory(*(entry(name, LONG, "0.3") for name in names))}


FEW: Files = dict.fromkeys(["shared/hosts.md", "shared/ports.md"])


@pytest.mark.parametrize(
    ("before", "now", "said", "more"),
    [
        (30, 30, False, ["cat-file"]),
        (30, 31, False, ["cat-file"]),
        (5, 30, True, ["cat-file", "ls-tree", "check-attr", "cat-file"]),
        (0, 30, True, ["cat-file", "ls-tree", "check-attr", "cat-file"]),
        (5, 5, False, []),
    ],
)
def test_a_large_index_is_old_news_by_its_own_size(
    nest: Repo,
    run: Run,
    processes: list[str],
    before: int,
    now: int,
    said: bool,
    more: list[str],
) -> None:
    """No topic of the version before is read for it, of which there are many."""
    nest.commit(FEW | _many(before))
    nest.stage(_many(now, "# U\n"))
    processes.clear()
    done = run("nestwork-stale-index")
    assert ("over the 8,192-byte advice" in done.out, done.code) == (said, 0)
    assert processes == [*COMMIT, *more]


def test_an_index_that_was_just_as_large_as_may_be_was_not_large(nest: Repo, run: Run) -> None:
    before = _many(30)
    nest.commit(FEW | before)
    nest.stage(_many(31, "# U\n"))
    index = str(before["shared/memory.md"]).partition("\n\n")[2]
    size = len(index.rstrip("\n").encode())
    most = "--max-index-bytes"
    assert "[large-index]" in run("nestwork-stale-index", most, f"{size}").out
    assert run("nestwork-stale-index", most, f"{size - 1}") == (0, "", "")


def test_a_large_index_that_a_merge_brings_is_news(nest: Repo, run: Run) -> None:
    nest.commit(FEW | _many(1))
    nest.git("switch", "-q", "-c", "side")
    nest.commit(_many(30))
    nest.git("switch", "-q", "main")
    nest.commit({"shared/t00.md": topic(LONG, "# U\n")})
    nest.git("merge", "-q", "--no-commit", "side")
    assert "over the 8,192-byte advice" in run("nestwork-check").out


MERGE = ["rev-parse", "diff", "diff", "ls-files"]
PARENT = ["ls-tree", "check-attr", "cat-file"]


@pytest.mark.parametrize(
    ("theirs", "code", "expected"),
    [
        ({"shared/hosts.md": topic(body="y\n")}, 0, MERGE),
        ({"shared/new.md": topic()}, 1, [*MERGE, *PARENT, *PARENT]),
    ],
)
def test_parents_are_read_only_where_a_merge_is_at_fault(
    nest: Repo, processes: list[str], theirs: Files, code: int, expected: list[str]
) -> None:
    """Two sides that both change `shared/`; in the second merge one has no index to be true."""
    index = nest.read("shared/memory.md")
    nest.commit({"shared/memory.md": "# Memory\n"})
    nest.git("switch", "-q", "-c", "side")
    nest.commit(theirs)
    nest.git("switch", "-q", "main")
    nest.commit({"shared/memory.md": index})
    nest.git("merge", "-q", "--no-commit", "side")
    processes.clear()
    assert main_of("nestwork-check")([]) == code
    assert processes == expected


def test_topics_that_are_gone_from_disk_cost_no_process(nest: Repo, processes: list[str]) -> None:
    gone = [f"shared/a/b/{name}.md" for name in "cde"]
    nest.stage(dict.fromkeys(gone, topic()))
    nest.write(dict.fromkeys(gone))
    processes.clear()
    assert main_of("nestwork-nesting-depth")([]) == 0
    assert processes == COMMIT


def test_a_nest_that_is_not_on_disk_is_asked_for(nest: Repo, processes: list[str]) -> None:
    nest.stage({"other/x.md": "x\n"})
    nest.git("sparse-checkout", "set", "--no-cone", "/other/")
    processes.clear()
    assert main_of("nestwork-check")([]) == 0
    assert processes == [*COMMIT, "ls-files"]


@pytest.mark.parametrize("args", [[], ["--all"], ["shared"]])
def test_no_file_is_read_twice(
    nest: Repo, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    nest.commit({"agents/h/i/memory.md": memory(entry("x.md")), "agents/h/i/x.md": topic()})
    _stage(nest)
    opened: list[str] = []
    real = os.open

    def count(path: bytes, flags: int) -> int:
        opened.append(os.fsdecode(path))
        return real(path, flags)

    monkeypatch.setattr(os, "open", count)
    assert main_of("nestwork-check")(args) == 0
    opened.remove(os.devnull)
    assert len(opened) == len(set(opened))
    others = {"agents/h/i/memory.md", "agents/h/i/x.md", "queen/agent-rules.md"}
    shared = {"shared/memory.md", "shared/hosts.md", "shared/ports.md"}
    assert set(opened) == shared | (others if args == ["--all"] else set())


def test_yaml_is_asked_only_where_the_answer_could_differ(nest: Repo) -> None:
    nest.stage({"shared/hosts.md": topic("[a, b]")})
    script = "from nestwork_hooks.checkers.missing_description import main; main([]); import sys; "
    script += "print('yaml' in sys.modules)"
    assert nest.run(sys.executable, "-c", script).out.endswith("True\n")


def test_links_are_parsed_only_where_there_is_one_and_it_is_asked_for(nest: Repo) -> None:
    select = "['--select', 'dead-pointer']"
    link = topic(body="[a](ports.md)\n")
    for args, text, loaded in (
        (select, topic(body="no link\n"), False),
        ("[]", link, False),
        (select, link, True),
    ):
        nest.stage({"shared/hosts.md": text})
        script = f"from nestwork_hooks.commands.check import main; main({args}); import sys; "
        script += "print('markdown_it' in sys.modules)"
        assert nest.run(sys.executable, "-c", script).out.endswith(f"{loaded}\n")


def test_what_a_link_costs(nest: Repo, processes: list[str]) -> None:
    """One listing more; and the files that an anchor leads to, or that may point to what goes away."""
    check = main_of("nestwork-check")
    nest.stage({"shared/hosts.md": topic(body="no link\n")})
    processes.clear()
    assert check(["--select", "dead-pointer"]) == 0
    assert processes == COMMIT
    nest.stage({"shared/hosts.md": topic(body="[a](ports.md#t)\n")})
    processes.clear()
    assert check(["--select", "dead-pointer"]) == 0
    assert processes == [*COMMIT, "ls-files"]


def test_every_command_that_judges_is_measured() -> None:
    assert judging() == set(OWN)
    assert all((BIN / name).exists() for name in OWN)


def test_a_command_ends_without_freeing_what_it_holds_unless_somebody_waits_for_its_end(
    nest: Repo, tmp_path: Path
) -> None:
    if nest.run(sys.executable, "-c", "import atexit; exit(atexit._ncallbacks())").code:
        pytest.skip("every Python here waits for something at its end")
    nest.stage({"shared/hosts.md": topic("[a, b]")})
    command, waits = "from nestwork_hooks.commands.check import main; ", "print('later')"
    scripts = {
        "nestwork-check": f"{command}main(); {waits}",
        "nestwork-registered": f"import atexit; atexit.register(print, 'end'); {command}main(); {waits}",
        "nestwork-called": f"{command}f = lambda: main(); f(); {waits}",
        "another": f"{command}main(); {waits}",
    }
    said = {}
    for name, script in scripts.items():
        (tmp_path / name).write_text(script)
        said[name] = nest.run(sys.executable, str(tmp_path / name)).out
    first = said.pop("nestwork-check")
    assert "[yaml-mismatch]" in first
    assert "later" not in first
    assert list(said.values()) == [f"{first}later\nend\n", *[f"{first}later\n"] * 2]
    profiled = nest.run(sys.executable, "-m", "cProfile", str(BIN / "nestwork-check"))
    assert "function calls" in profiled.out
