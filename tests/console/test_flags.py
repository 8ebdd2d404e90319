"""Flags that choose: which checkers and rules run, and which changes are judged."""

from __future__ import annotations

import re

import pytest

from nestwork_hooks.commands.catalog import every
from nestwork_hooks.nest.checker import Checker, limits_of, rules_of
from tests.conftest import MARKERS, Repo, Run, topic
from tests.entry_points import commands

CHECKERS = every()

NAMES = {
    *(checker.name for checker in CHECKERS),
    *(rule.name for rule in rules_of(CHECKERS)),
}
OWN_HOOKS = [checker for checker in CHECKERS if f"nestwork-{checker.name}" in commands()]


@pytest.fixture
def faulty(nest: Repo) -> Repo:
    """A nest with a fault of each of several rules, none of it committed."""
    nest.stage(
        {
            "shared/a.md": "x\n",
            "shared/b/c/d.md": topic(),
            "shared/big.md": topic(body="x" * 20_000),
            "shared/huge.md": topic(body="x" * 40_000),
            "shared/memory.md": MARKERS,
        }
    )
    nest.commit()
    nest.stage({"agents/h/i/raw.md": b"\xff", "agents/h/i/memory.md": MARKERS})
    nest.commit()
    return nest


EVERY = [
    "agents/h/i/raw.md unreadable",
    "shared/a.md missing-description",
    "shared/b/c/d.md nesting-depth",
    "shared/big.md topic-size",
    "shared/huge.md topic-size",
    "shared/memory.md stale-index",
]
SIZES = [line for line in EVERY if line.endswith("topic-size")]
UNREADABLE = EVERY[:1]


def _found(text: str) -> list[str]:
    """Each finding: its path and its rule."""
    return [
        " ".join(pair) for pair in re.findall(r"^(\S+):\d+: .* \[([a-z-]+)\]$", text, re.MULTILINE)
    ]


def _but(*rules: str) -> list[str]:
    return [line for line in EVERY if line.split()[1] not in rules]


CHOICES = [
    ([], EVERY),
    (["--select", "topic-size"], SIZES),
    (["--select", "missing-description"], [*UNREADABLE, "shared/a.md missing-description"]),
    (["--select", "bad-front-matter"], UNREADABLE),
    (["--select", "large-index"], UNREADABLE),
    (["--select", "stale-index,nesting-depth"], _but("missing-description", "topic-size")),
    (["--select", "stale-index", "--extend-select", "topic-size"],
     _but("missing-description", "nesting-depth")),
    (["--select", "stale-index", "--extend-select", "all"], EVERY),
    (["--extend-select", "all"], EVERY),
    (["--ignore", "topic-size"], _but("topic-size")),
    (["--ignore", "unreadable"], _but("unreadable")),
    (["--ignore", "stale-index,missing-description"], _but("stale-index", "missing-description", "unreadable")),
    (["--select", "topic-size,stale-index", "--ignore", "topic-size,unreadable"],
     ["shared/memory.md stale-index"]),
    (["--extend-select", "all", "--ignore", "topic-size"], _but("topic-size")),
    (["--select", "topic-size", "--ignore", "topic-size,unreadable"], []),
]  # fmt: skip


@pytest.mark.usefixtures("faulty")
def test_what_is_chosen(run: Run) -> None:
    for flags, expected in CHOICES:
        done = run("nestwork-check", "--all", *flags)
        assert (done.code, _found(done.out), done.err) == (int(bool(expected)), expected, ""), flags


def test_one_rule_of_a_checker_and_not_the_other(nest: Repo, run: Run) -> None:
    nest.commit({"shared/hosts.md": topic('"a'), "shared/ports.md": "x\n"})
    bad, missing = "shared/hosts.md bad-front-matter", "shared/ports.md missing-description"
    for flags, expected in (
        ([], [bad, missing]),
        (["--ignore", "bad-front-matter"], [missing]),
        (["--ignore", "missing-description,bad-front-matter"], []),
    ):
        done = run("nestwork-missing-description", "--all", *flags)
        assert (done.code, _found(done.out)) == (int(bool(expected)), expected), flags
    done = run("nestwork-check", "--all", "--select", "bad-front-matter")
    assert _found(done.out) == [bad]
    # Of one name: the checker with all of its rules.
    done = run("nestwork-check", "--all", "--ignore", "missing-description,stale-index")
    assert _found(done.out) == []


WRONG = ["", ",", "topic-size,", ",topic-size", "nonsense", "topic-size,nonsense", "Topic-Size"]


@pytest.mark.usefixtures("nest")
@pytest.mark.parametrize("flag", ["--select", "--extend-select", "--ignore"])
def test_names_that_are_none(run: Run, flag: str) -> None:
    for text in [*WRONG, *(["all"] if flag != "--extend-select" else [])]:
        done = run("nestwork-check", flag, text)
        assert (done.code, done.out) == (2, ""), text
        (line,) = done.err.splitlines()
        named = re.fullmatch(
            rf"nestwork-check: {flag}: there is no checker or rule '([\w-]+)'; there are (.*)"
            r" \(see nestwork-check --help\)",
            line,
        )
        if not text or "" in text.split(","):
            assert f"argument {flag}: expected names with commas between them, got {text!r}" in line
        else:
            assert named, line
            assert named[1] == text.split(",")[-1]
            assert named[2].split(", ") == sorted(NAMES)


@pytest.mark.usefixtures("nest")
def test_every_checker_and_rule_can_be_named(run: Run) -> None:
    for flag in ("--select", "--extend-select", "--ignore"):
        assert run("nestwork-check", "--all", flag, ",".join(sorted(NAMES))) == (0, "", "")


# Those with a command of their own.
OWN = [checker for checker in CHECKERS if f"nestwork-{checker.name}" in commands()]


@pytest.mark.usefixtures("nest")
@pytest.mark.parametrize("checker", OWN_HOOKS, ids=lambda checker: checker.name)
def test_a_hook_of_its_own_knows_its_own_rules(run: Run, checker: Checker) -> None:
    command = f"nestwork-{checker.name}"
    own = {rule.name for rule in rules_of([checker])}
    assert run(command, "--all", "--ignore", ",".join(own)) == (0, "", "")
    others = NAMES - own - {checker.name}
    assert run(command, "--ignore", min(others)).code == 2
    assert "unrecognized arguments: --select" in run(command, "--select", checker.name).err
    said = run(command, "--help").out
    for limit in limits_of(CHECKERS):
        assert (f"--{limit.flag} N" in said) == (limit in checker.limits), limit.flag


@pytest.mark.usefixtures("nest")
def test_the_fixer_judges_nothing_that_could_be_chosen(run: Run) -> None:
    for flag in ("--select", "--ignore", "--extend-select"):
        assert run("nestwork-fix-index", flag, "stale-index").code == 2


def _branch(nest: Repo) -> None:
    """On `main` an old fault and one since; on `side`, where we are, one in another scope."""
    nest.commit({"shared/old.md": "x\n"})
    nest.git("branch", "base")
    nest.git("switch", "-q", "-c", "side")
    nest.commit({"agents/h/i/memory.md": MARKERS, "agents/h/i/new.md": "x\n"})
    nest.git("switch", "-q", "main")
    nest.commit({"shared/since.md": "x\n"})
    nest.git("switch", "-q", "side")


NEW = ["agents/h/i/memory.md stale-index", "agents/h/i/new.md missing-description"]


def test_base_judges_what_changed_since_the_branches_parted(nest: Repo, run: Run) -> None:
    _branch(nest)
    assert len(_found(run("nestwork-check", "--all").out)) == 3
    for revision in ("main", "base", "side~1", nest.git("rev-parse", "main").strip()):
        done = run("nestwork-check", "--base", revision)
        assert (done.code, _found(done.out)) == (1, NEW), revision
    done = run("nestwork-missing-description", "--base", "main", "shared/old.md")
    assert (done.code, _found(done.out)) == (1, NEW[1:])
    assert run("nestwork-check", "--base", "side") == (0, "", "")


def test_base_judges_what_is_staged_too(nest: Repo, run: Run) -> None:
    nest.commit({"shared/old.md": "x\n"})
    nest.stage({"agents/h/i/memory.md": MARKERS, "agents/h/i/new.md": "x\n"})
    assert _found(run("nestwork-check", "--base", "HEAD").out) == NEW


def test_base_says_no_old_warning(nest: Repo, run: Run) -> None:
    big = topic(body="x" * 20_000)
    nest.commit({"shared/big.md": big})
    nest.git("branch", "base")
    nest.commit({"shared/big.md": f"{big}y"})
    done = run("nestwork-topic-size", "--base", "base", "--strict")
    assert (done.code, _found(done.out)) == (0, [])


@pytest.mark.usefixtures("nest")
@pytest.mark.parametrize("command", ["nestwork-check", "nestwork-topic-size", "nestwork-fix-index"])
def test_a_base_that_is_none(run: Run, command: str) -> None:
    done = run(command, "--base", "nowhere")
    assert (done.code, done.out) == (2, "")
    said = "this clone has no such commit: name another, or fetch more of its history"
    assert done.err == f"{command}: --base nowhere: {said} (actions/checkout: fetch-depth: 0)\n"
    assert run(command, "--base", "--all").code == 2
    assert run(command, "--base=--output=x").err.startswith(f"{command}: --base --output=x: {said}")
    said = f"{command}: --all goes without --base (see {command} --help)\n"
    assert run(command, "--all", "--base", "HEAD") == (2, "", said)


@pytest.mark.usefixtures("nest")
def test_base_goes_without_scopes(run: Run) -> None:
    said = "nestwork-check: --base goes without names (see nestwork-check --help)\n"
    assert run("nestwork-check", "--base", "HEAD", "shared") == (2, "", said)


def test_a_history_that_is_too_short_is_no_pass(nest: Repo) -> None:
    _branch(nest)
    clone = Repo(nest.path.parent / "clone", nest.env)
    source = f"file://{nest.path}"
    nest.git("clone", "-q", "--depth=1", "--no-single-branch", source, str(clone.path))
    done = clone.run("nestwork-check", "--base", "origin/main")
    assert done == (
        2,
        "",
        "nestwork-check: --base origin/main: this clone has no commit that HEAD comes from too:"
        " fetch more of its history (actions/checkout: fetch-depth: 0)\n",
    )
    clone.git("fetch", "-q", "--unshallow")
    assert _found(clone.run("nestwork-check", "--base", "origin/main").out) == NEW


OLD_BIG = topic(body="x" * 20_000)


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (OLD_BIG, f"{OLD_BIG}y", []),
        (OLD_BIG, topic("a: b", body="x" * 20_000), ["yaml-mismatch"]),
        (topic(), OLD_BIG, ["topic-size"]),
        (None, OLD_BIG, ["topic-size"]),
        (OLD_BIG, topic(body="x" * 40_000), ["topic-size"]),
        (topic(body="x" * 40_000), topic(body="y" * 40_000), ["topic-size"]),
        (topic("x" * 400), topic("y" * 400), []),
        (topic("a: b"), topic("a: b", body="x" * 20_000), ["topic-size"]),
    ],
)  # fmt: skip
def test_an_old_warning_is_no_news_in_a_commit(
    nest: Repo, run: Run, old: str | None, new: str, said: list[str]
) -> None:
    nest.commit({"shared/a.md": old})
    nest.stage({"shared/a.md": new})
    sized = ("nestwork-check", "--ignore", "stale-index")
    assert _found(run(*sized).out) == [f"shared/a.md {rule}" for rule in said]
    whole = _found(run(*sized, "--all").out)
    assert whole
    nest.commit()
    assert _found(run(*sized).out) == whole


def test_a_warning_is_old_in_its_own_file_alone(nest: Repo, run: Run) -> None:
    nest.commit({"shared/a.md": OLD_BIG})
    nest.git("mv", "shared/a.md", "shared/b.md")
    assert _found(run("nestwork-topic-size").out) == ["shared/b.md topic-size"]
