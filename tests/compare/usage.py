"""Wrong command lines, odd environments, and places where no nest is."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product

from tests.compare.comparing import Case
from tests.compare.lines import (
    CHECK,
    COMMIT,
    COMMIT_MSG,
    FIX,
    LIMITS,
    MANIFEST,
    MEASURE,
    MESSAGE,
    SPLIT,
    event_line,
    every_line,
)
from tests.compare.sides import Line
from tests.compare.site import Site
from tests.compare.situations import fill
from tests.conftest import Files

_WORDS: tuple[tuple[str, ...], ...] = (
    *(("--help",), ("-h",), ("--version",), ("--nonsense",), ("-x",), ("--al",), ("--",), ("",)),
    *(("--format", "xml"), ("--format",), ("--exclude", "("), ("--exclude",), ("--warn-only", "[")),
    *(("--exclude", "(a"), ("--exclude", "a{9999999999}"), ("--exclude", "(" * 500 + ")" * 500)),
    *(
        ("shared",),
        ("shared/",),
        ("./shared",),
        ("agents/box/a1/",),
        ("{case}/nest/shared",),
        (".",),
    ),
    *(("shared", "shared"), ("shared/hosts.md",), ("shared/nope.md",), ("nope",), ("agents",)),
    *(("agents/box",), ("agents/nope/nope",), ("shared", "shared/hosts.md"), ("../nest/shared",)),
    *(
        ("..",),
        ("/",),
        ("queen",),
        ("queen/agent-rules.md",),
        ("README.md",),
        ("shared/memory.md",),
    ),
    *(("Shared",), ("agents/box/a1/notes.md",), ("--all", "shared"), ("--all", "shared/hosts.md")),
    *(("--", "--all"), ("shared", "--strict"), ("--uncommitted",), ("--uncommitted", "agents/x/y")),
    *(
        ("--uncommitted", "--all", "shared"),
        ("shared\n",),
        ("\udcff",),
        ("ü/\x1b",),
        ("x" * 5_000,),
    ),
    *(
        ("--exclude", ".", "--all"),
        ("--warn-only", "", "--all"),
        ("--all", "--all"),
        ("--staged=1",),
    ),
    *(("--format=json", "--all"), ("--format=", "--all"), ("-hx",), ("--all", "-5"), ("-5",)),
    *(("-1.5",), ("-a b",), ("--a b",), ("-", "--all"), ("--all", "--", "-x"), ("--=x",)),
    *(("--help", "--nonsense"), ("--nonsense", "--help"), ("--version", "x"), ("--version=1",)),
    *(("--root", "."), ("--root", ""), ("--root",), ("--root", "shared"), ("--root", "nope")),
    *(("--root=..", "--all"), ("--root", ".", "shared"), ("--verbose",), ("--all", "--verbose")),
    *(("--strict", "x", "--all"), ("x", "--nonsense", "y"), ("shared", "--format", "json", "nope")),
    *(("--exclude", "-x"), ("--exclude", "-1"), ("--exclude=-x", "--all"), ("--exclude", "--")),
    *(("--exclude", "^shared", "--exclude", "hosts", "--all"), ("--allow-locked", "--ok")),
    *(("--base",), ("--base", ""), ("--base", "nope"), ("--base", "HEAD", "--all")),
    *(("--base", "HEAD~", "shared"), ("--base", "HEAD~", "--staged"), ("--base=HEAD",)),
)
_CHECKS: tuple[tuple[str, ...], ...] = (
    *(("--select", "nope"), ("--select", ""), ("--select", "a,,b"), ("--select", "all")),
    *(("--select", "topic-size", "--select", "yaml-mismatch"), ("--ignore", "all")),
    *(("--extend-select", "all", "--ignore", "dead-pointer"), ("--extend-select", "nope")),
    *(("--select=placement", "--all"), ("--explain", "nope"), ("--explain",)),
    *(("--explain", "topic-size,dead-link"), ("--explain", "stale-index", "--nonsense")),
    *(("--fix",), ("--fix", "--all"), ("--fix", "shared"), ("--fix", "--uncommitted", "shared")),
    *(("--max-age-days", "1", "--extend-select", "all"), ("--max-age-days", "1", "--all")),
)
_SPLITS: tuple[tuple[str, ...], ...] = (
    *(("shared", "--level", "2"), ("shared", "--level", "7"), ("shared", "--level", "x")),
    *(("shared", "--level=-1"), ("shared", "--level", "-1"), ("shared", "--level", " 2 ")),
    *(("shared", "--level", "2_0"), ("shared", "--names", "numbered"), ("shared", "--names", "x")),
    *(("shared", "--hand-written"), ("shared", "--hand-written", "--dry-run", "--level", "1")),
    *(("shared", "--verify", "HEAD"), ("shared", "--verify", "HEAD~"), ("shared", "--verify", "")),
    *(("shared", "--verify", "nope"), ("shared", "extra"), ("--dry-run",), ("--level", "2")),
)
_MANIFESTS: tuple[tuple[str, ...], ...] = (
    *(("--agent", "box/a1"), ("--agent", "box/a1", "--findings"), ("--agent", "agents/box/a1/")),
    *(("--agent", "nope"), ("--agent", ""), ("--agent",), ("--agent", "x/y"), ("--findings",)),
    *(("--agent", "box/a1", "extra"), ("--agent=box/a1", "--root", "."), ("--agent", "-x")),
)
_MESSAGES: tuple[tuple[str, ...], ...] = (
    *((".git/COMMIT_EDITMSG",), ("{case}/message",), ("{case}/message", "--strict"), ("shared",)),
    *(("--structure-only", "{case}/message"), ("{case}/message", "--ignore", "foreign-scope")),
    *(("{case}/message", "--ignore", "nope"), ("{case}/message", "--distill-subject", "^memory:")),
    *(("{case}/message", "--distill-subject", "("), ("{case}/message", "--warn-only", ".")),
    *(("{case}/message", "extra"), ("--format", "github", "{case}/message"), ("--strict",)),
    *(("{case}/message", "--exclude", "new"), ("{case}/message", "--root", "."), ("nope\x1b",)),
)
_EVENTS: tuple[object, ...] = (
    *({"file_path": "shared/hosts.md"}, {"file_path": "agents/box/a1/notes.md"}, {}, None, []),
    *({"path": "README.md"}, {"notebook_path": "agents/box/a1/new.md"}, {"file_path": 5}),
    *({"file_path": "../x/agents/a/b/c.md"}, {"file_path": "\udcff"}, {"file_path": ""}),
    *({"file_path": "{case}/nest/agents/box/a1/memory.md"}, {"file_path": "~/agents/a/b/c.md"}),
)
_COMMITS: tuple[tuple[str, ...], ...] = (
    *((), ("shared",), MESSAGE, ("shared", "-m"), ("shared", "-m", ""), ("shared", "-m", " \n")),
    *(
        ("shared", "-m", "--"),
        ("shared", "-m", "--all"),
        ("shared", "--message=x"),
        ("-mx", "shared"),
    ),
    *(
        ("shared", "-m", "a\n\nb"),
        ("shared", "--retries", "x", *MESSAGE),
        ("shared", "extra", *MESSAGE),
    ),
    *(
        ("shared/", *MESSAGE),
        ("nope", *MESSAGE),
        ("agents/x/y", *MESSAGE),
        ("shared/hosts.md", *MESSAGE),
    ),
    *(
        ("{case}/nest/shared", *MESSAGE),
        ("agents/box/a1", "-m", "🦊"),
        ("shared", "--retries", "0", *MESSAGE),
    ),
    *(
        ("shared", "--exclude", "(", *MESSAGE),
        ("shared", "-m", "\udcff"),
        ("shared", "-m", "# only"),
    ),
    *(("shared", "-m", "x", "-m", "y"), ("shared", "-m=x"), ("shared", "--message", "-x")),
    *(("shared", "-mx", "--today"), ("--", "shared", *MESSAGE), ("shared", "--", *MESSAGE)),
    *((*MESSAGE, "--", "shared"), ("shared", "-m", "--help"), ("shared", "-m", "x", "--help")),
    *(("shared", "--push", *MESSAGE), ("shared", *MESSAGE, "--push"), ("shared", "-h", "-m")),
    *(("--tool-hook",), ("--tool-hook", "--push"), ("--tool-hook", "shared"), ("--tool-hook=1",)),
    *(("--tool-hook", *MESSAGE), ("--tool-hook", "--root", "."), ("--tool-hook", "--nonsense")),
    *(("--tool-hook", "--version"), ("--tool-hook", "--help"), ("shared", "-m", "--tool-hook")),
    *(("shared", *MESSAGE, "--root", "."), ("shared", *MESSAGE, "--root", "")),
    *(("shared", *MESSAGE, "--retries=2"), ("shared", *MESSAGE, "--retries", "-1")),
)
_MEASURES: tuple[tuple[str, ...], ...] = (
    *(("--agent", "nope"), ("--agent", "box/a1"), ("--agent", "agents/box/a1/"), ("--agent", "")),
    *(
        ("--task", "nope"),
        ("--task", "shared/hosts.md"),
        ("--task", "shared/hosts.md", "--task", "README.md"),
    ),
    *(
        ("--task", "shared/memory.md"),
        ("--rev", "nope"),
        ("--rev", ""),
        ("--rev", "-x"),
        ("--rev=HEAD",),
    ),
    *(
        ("--rev", "HEAD", "--staged"),
        ("--against", "nope"),
        ("--against", "HEAD:"),
        ("--rev", "HEAD^{tree}"),
    ),
    *(("--max-start-tokens", "0"), ("--max-start-tokens", "1"), ("--max-start-tokens", "x")),
    *(
        ("--svg", "/nope/x.svg"),
        ("--svg", "shared"),
        ("--svg", ""),
        ("extra",),
        ("--json", "--svg", "a.svg"),
    ),
)
_OWN = {
    CHECK: _CHECKS,
    COMMIT: _COMMITS,
    COMMIT_MSG: _MESSAGES,
    MANIFEST: _MANIFESTS,
    MEASURE: _MEASURES,
    SPLIT: _SPLITS,
}
# How each command is called where something else is odd.
_USUAL = {
    COMMIT: ("shared", *MESSAGE),
    COMMIT_MSG: ("{case}/message",),
    MANIFEST: ("--agent", "box/a1", "--findings"),
    MEASURE: (),
    SPLIT: ("shared", "--hand-written"),
}
# Environments by what they change.
_ENVIRONMENTS: tuple[tuple[tuple[str, str], ...], ...] = (
    *((("PATH", "/nonexistent"),), (("GIT_DIR", "/nonexistent"),), (("GIT_DIR", ".git"),)),
    *((("GIT_INDEX_FILE", "/nonexistent/i"),), (("GIT_INDEX_FILE", ".git/index.lock"),)),
    *((("GIT_WORK_TREE", ".."), ("GIT_DIR", ".git")), (("LC_ALL", "C"), ("PYTHONUTF8", "0"))),
    *(
        (("PYTHONIOENCODING", "ascii"),),
        (("PYTHONIOENCODING", "cp1252"),),
        (("PYTHONIOENCODING", "utf-16"),),
    ),
    *(
        (("COLUMNS", "40"),),
        (("COLUMNS", "200"),),
        (("HOME", "/nonexistent"),),
        (("TERM", "dumb"),),
    ),
    *((("PYTHONPATH", ""),), (("PYTHONPATH", "."),), (("PYTHONPATH", "{side}/tokens"),)),
    *((("PYTHONOPTIMIZE", "2"),), (("PYTHONWARNINGS", "error"), ("PYTHONDEVMODE", "1"))),
    *(
        (("GIT_LITERAL_PATHSPECS", "0"), ("GIT_GLOB_PATHSPECS", "1")),
        (("GIT_ICASE_PATHSPECS", "1"),),
    ),
    *((("GIT_TRACE", "1"),), (("GIT_OPTIONAL_LOCKS", "1"),), (("GIT_CEILING_DIRECTORIES", "/"),)),
    *(
        (("GITHUB_ACTIONS", "true"), ("CI", "1")),
        (("PRE_COMMIT_FROM_REF", "nope"), ("PRE_COMMIT_TO_REF", "HEAD")),
    ),
    *((("NESTWORK_COMMIT", "1"),), (("NESTWORK_COMMIT", ""),), (("PRE_COMMIT", ""),)),
)


def usage(commands: Iterable[str]) -> Iterator[Case]:
    """Wrong words and odd environments for each command, and folders that hold no nest."""
    for command in commands:
        yield Case("usage", f"usage-{command}", partial(_wrong, command))
        yield Case("usage", f"environment-{command}", partial(_surrounded, command))
    for name, begin in _PLACES.items():
        yield Case("usage", f"place-{name}", partial(_elsewhere, begin))


def _wrong(command: str, site: Site) -> Iterator[Line]:
    fill(
        site.begin(),
        {"shared/new.md": "# New\n", "shared/hosts.md": "---\ndescription: a: b\n---\n"},
    )
    writes = command in (COMMIT, FIX, MEASURE, SPLIT)
    for words in (*_WORDS, *_OWN.get(command, ())):
        yield Line((command, *words), writes=writes or "--fix" in words)
    for event in _EVENTS if command == COMMIT else ():
        yield event_line(event)
        yield event_line(event, "--push", "--today")
    for name in ("Stop", "Other", None, 1) if command == COMMIT else ():
        yield event_line({"file_path": "agents/box/a1/notes.md"}, name=name)
    for limit, value in product(LIMITS, ("0", "-1", "x", "1.5", "", "٣", "1", "9" * 30)):
        yield Line((command, "--all", f"--{limit}", value), writes=writes)
        yield Line((command, "--all", f"--{limit}={value}"), writes=writes)


def _surrounded(command: str, site: Site) -> Iterator[Line]:
    files: Files = {
        "shared/ü 🦊.md": "# New\n",
        "shared/hosts.md": '---\ndescription: "中文" x\n---\n',
    }
    fill(site.begin(), files)
    words = _USUAL.get(command, ("--all",))
    for env in _ENVIRONMENTS:
        for more in ((), ("--help",), ("shared/ü 🦊.md",)):
            yield Line((command, *(more or words)), env, writes=True)
        if command == CHECK:
            yield Line((command, "--all", "--extend-select", "all"), env)


def _bare(site: Site) -> None:
    repo = site.begin()
    fill(repo)
    repo.git("clone", "-q", "--bare", ".", "../bare")
    shutil.rmtree(repo.path)
    (site.folder / "bare").rename(repo.path)


def _empty(site: Site) -> None:
    site.begin()


def _only_code(site: Site) -> None:
    site.begin().commit({"src/main.py": "print()\n"})


def _only_code_staged(site: Site) -> None:
    site.begin().stage({"src/main.py": "print()\n"})


def _further_down(site: Site) -> None:
    repo = site.begin()
    fill(repo)
    for name in ("queen", "shared", "agents"):
        (repo.path / "docs/nest").mkdir(parents=True, exist_ok=True)
        repo.git("mv", name, f"docs/nest/{name}")
    repo.commit()


def _untracked(site: Site) -> None:
    fill(site.begin())
    site.repo.git("rm", "-rq", "--cached", ".")


def _without_git(site: Site) -> None:
    fill(site.begin())
    shutil.rmtree(site.repo.path / ".git")


_PLACES: dict[str, Callable[[Site], None]] = {
    "bare": _bare,
    "empty": _empty,
    "only-code": _only_code,
    "only-code-staged": _only_code_staged,
    "further-down": _further_down,
    "untracked": _untracked,
    "without-git": _without_git,
}


def _elsewhere(begin: Callable[[Site], None], site: Site) -> Iterator[Line]:
    begin(site)
    yield from every_line(site)
    for folder in ("nest/.git", "nest/docs", "nest/docs/nest", "nest/src"):
        if (site.folder / folder).is_dir():
            for words in (
                (CHECK,),
                (CHECK, "--all"),
                (FIX,),
                (MEASURE,),
                (COMMIT, "shared", *MESSAGE),
            ):
                yield Line(words, (), folder, writes=True)
