"""The command lines that nests are judged by: a fixed set, wrong ones, and drawn ones."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from random import Random

from tests.compare.sides import Line
from tests.compare.site import Site, scopes_of, topics_of

CHECK, FIX, COMMIT, MEASURE = (f"nestwork-{n}" for n in ("check", "fix-index", "commit", "measure"))
SPLIT, MANIFEST, COMMIT_MSG = (f"nestwork-{n}" for n in ("split", "manifest", "commit-msg"))
ALWAYS = (CHECK, "nestwork-stale-index", "nestwork-resident-budget")
WITH_NAMES = ("nestwork-missing-description", "nestwork-topic-size", "nestwork-nesting-depth")
LIMITS = {
    "max-age-days": (1, 100_000),
    "max-bytes": (1, 100, 16_384, 32_767),
    "warn-bytes": (1, 100, 16_383),
    "max-description": (1, 10, 299, 301),
    "max-index-bytes": (1, 200, 8_191),
    "rules-bytes": (1, 4_095),
    "shared-bytes": (1, 4_095),
    "agent-bytes": (1, 2_047),
    "start-bytes": (1, 10_239),
}
REGEXES = ("^shared/", r"memory\.md$", r"\.md$", "hosts", "(?i)A", "^agents/", "", "[éü]", r"\n")
IN_COMMIT = ("GIT_INDEX_FILE", ".git/index")
BY_RUNNER = ("PRE_COMMIT", "1")
MESSAGE = ("-m", "memory: update")
EVERY_CHECKER = ("--extend-select", "all")
SOME_NAMES = ("topic-size", "stale-index,yaml-mismatch", "updated-date", "dead-pointer,line-limit")


def every_line(site: Site) -> Iterator[Line]:
    """The whole set for a nest."""
    paths = site.listed()
    scopes = scopes_of(paths) or ["shared"]
    yield from _checks(scopes)
    for folder in ("nest/shared", "nest/agents"):
        if (site.folder / folder).is_dir():
            yield Line((CHECK,), (), folder)
            yield Line((CHECK, "--all"), (), folder)
    yield from _hooks(topics_of(paths))
    yield from _measures(scopes, topics_of(paths))
    yield from _writers(scopes)


def _checks(scopes: Sequence[str]) -> Iterator[Line]:
    for words in (
        (),
        ("--all",),
        ("--all", "--format", "json"),
        ("--all", "--strict", "--format", "github"),
        ("--all", "--allow-locked", "--exclude", REGEXES[0]),
        ("--all", "--warn-only", r"memory\.md$|^agents/"),
        ("--staged", "--strict"),
        ("--staged", "--all", "--format", "json"),
        scopes[:3],
        ("--uncommitted", *scopes[:3]),
        ("--uncommitted", "--staged", "--format", "json", scopes[-1]),
        ("--all", *EVERY_CHECKER),
        ("--staged", *EVERY_CHECKER, "--format", "json"),
        ("--base", "HEAD~", "--verbose"),
        ("--base", "HEAD", *EVERY_CHECKER, "--format", "json"),
        ("--all", "--select", SOME_NAMES[1], "--verbose"),
        ("--all", *EVERY_CHECKER, "--ignore", SOME_NAMES[3], "--format", "json"),
    ):
        yield Line((CHECK, *words))
    for env in ((IN_COMMIT,), (BY_RUNNER,), (IN_COMMIT, BY_RUNNER)):
        yield Line((CHECK,), env)
        yield Line((CHECK, "--format", "json", "--strict"), env)
    yield Line((CHECK,), (IN_COMMIT, ("NESTWORK_COMMIT", "1")))
    for word in ("HEAD", "HEAD~"):
        env = (("PRE_COMMIT_FROM_REF", word), ("PRE_COMMIT_TO_REF", "HEAD"))
        yield Line((CHECK,), (*env, BY_RUNNER))


def _hooks(topics: Sequence[str]) -> Iterator[Line]:
    for name in ALWAYS[1:]:
        yield Line((name,))
        yield Line((name, "--all"))
        yield Line((name, "--staged", "--format", "json"))
    for name in WITH_NAMES:
        yield Line((name,))
        yield Line((name, "--all"))
        yield Line((name, "--base", "HEAD~"))
        if topics:
            yield Line((name, *topics[:50]))
            yield Line((name, "--staged", "--format", "json", *topics[:50]))
            yield Line((name, *topics[-50:]), (IN_COMMIT, BY_RUNNER))
    for path in (".git/COMMIT_EDITMSG", "{case}/message"):
        yield Line((COMMIT_MSG, path))
    yield Line((COMMIT_MSG, "--structure-only", "--format", "json", "{case}/message"), (IN_COMMIT,))


def _measures(scopes: Sequence[str], topics: Sequence[str]) -> Iterator[Line]:
    yield Line((MEASURE,))
    yield Line((MEASURE, "--json"))
    yield Line((MEASURE, "--staged"))
    yield Line((MEASURE, "--rev", "HEAD", "--json"))
    yield Line((MEASURE, "--against", "HEAD"))
    yield Line((MEASURE, "--max-start-tokens", "20", "--agent", scopes[0]))
    for path in topics[:1]:
        yield Line((MEASURE, "--task", path, "--against", "HEAD~"))
    yield Line((MEASURE, "--svg", "out.svg"), writes=True)
    for words in ((MANIFEST, "--agent", scopes[0]), (SPLIT, "--dry-run", scopes[-1])):
        yield Line(words)
    yield Line((MANIFEST, "--findings", "--agent", scopes[0]))
    yield Line((SPLIT, scopes[-1], "--verify", "HEAD"))


def _writers(scopes: Sequence[str]) -> Iterator[Line]:
    yield Line((FIX,), writes=True)
    yield Line((FIX, "--all"), writes=True)
    yield Line((FIX, "--all", "--staged", "--format", "json"), writes=True)
    yield Line((FIX, scopes[0]), (BY_RUNNER, IN_COMMIT), writes=True)
    yield Line((FIX,), (IN_COMMIT,), writes=True)
    yield Line((CHECK, "--fix", *EVERY_CHECKER), writes=True)
    yield Line((CHECK, "--fix", "--all", "--format", "json"), (BY_RUNNER,), writes=True)
    yield Line((CHECK, "--fix"), (IN_COMMIT,), writes=True)
    for scope in scopes[:2]:
        yield Line((COMMIT, scope, *MESSAGE), writes=True)
        yield event_line({"file_path": f"{scope}/memory.md"})
        yield Line((SPLIT, scope, "--hand-written"), writes=True)
    yield Line((COMMIT, scopes[0], "--today", *MESSAGE), writes=True)
    yield Line((COMMIT, scopes[-1], "--exclude", "hosts", "--retries", "0", *MESSAGE), writes=True)


def event_line(tool_input: object, *flags: str, name: object = "PostToolUse") -> Line:
    """What the hook of an agent's tool does about an event."""
    event = json.dumps({"hook_event_name": name, "tool_input": tool_input})
    words = f"printf %s {shlex.quote(event)} | {shlex.join([COMMIT, '--tool-hook', *flags])}"
    return Line(("sh", "-c", words), writes=True, cold=True)


def git_lines(*words: str) -> Iterator[Line]:
    """A git command that makes a commit, with each of the hooks that people install."""
    for command in (CHECK, FIX, f"{CHECK} --fix"):
        yield Line(("git", *words), (("HOOK", command),), writes=True)


def drawn_lines(random: Random, site: Site, count: int) -> Iterator[Line]:
    """So many lines by chance: some of the whole set, some with flags of all kinds."""
    paths = site.listed()
    whole = list(every_line(site))
    yield from (line for line in whole if line.words == (CHECK, "--all", "--format", "json"))
    yield from random.sample(whole, min(len(whole), count // 2))
    for _ in range(count - count // 2 - 1):
        yield _drawn(random, scopes_of(paths) or ["shared"], topics_of(paths))


def _drawn(random: Random, scopes: Sequence[str], topics: Sequence[str]) -> Line:
    command = random.choice((CHECK, CHECK, FIX, FIX, *ALWAYS[1:], *WITH_NAMES, COMMIT))
    if command == COMMIT:
        words = [random.choice(scopes), *MESSAGE, *_pick(random, 0.3, "--exclude", REGEXES)]
        return Line((command, *words), writes=True)
    words = [*_flags(random, command), *_names(random, command, scopes, topics)]
    env = [pair for pair in (IN_COMMIT, BY_RUNNER) if random.random() < 0.2]
    return Line((command, *words), tuple(env), writes=command == FIX or "--fix" in words)


def _flags(random: Random, command: str) -> Iterator[str]:
    for flag in ("--all", "--staged", "--strict", "--allow-locked"):
        if random.random() < 0.3:
            yield flag
    yield from _pick(random, 0.1, "--base", ("HEAD", "HEAD~"))
    yield from _pick(random, 0.4, "--format", ("text", "json", "github"))
    yield from _pick(random, 0.2, "--exclude", REGEXES)
    yield from _pick(random, 0.2, "--warn-only", REGEXES)
    if command == CHECK:
        yield from _pick(random, 0.5, "--extend-select", ("all", *SOME_NAMES))
        yield from _pick(random, 0.1, "--select", SOME_NAMES)
        yield from _pick(random, 0.2, "--ignore", SOME_NAMES)
        yield from ["--fix"] * (random.random() < 0.1)
    for name, values in LIMITS.items() if command == CHECK else ():
        yield from _pick(random, 0.05, f"--{name}", [str(value) for value in values])


def _pick(random: Random, share: float, flag: str, values: Sequence[str]) -> Sequence[str]:
    return (flag, random.choice(values)) if random.random() < share else ()


def _names(
    random: Random, command: str, scopes: Sequence[str], topics: Sequence[str]
) -> Sequence[str]:
    names = topics if command in WITH_NAMES else scopes
    if random.random() < 0.6 or not names:
        return ()
    chosen = random.sample(list(names), random.randint(1, min(len(names), 4)))
    return ["--uncommitted", *chosen] if command == CHECK and random.random() < 0.3 else chosen
