"""What `nestwork-check` says of topics that say the same, word for word, and where it is silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MARKERS, RULES, Files, Repo, Run, to_fix, topic

CHECK = ("nestwork-check", "--select", "duplicate-topic")
FIX = to_fix("shared", by_hand=True)
PORTS = "Which ports are taken; read before opening one"
CODEX = "agents/box/codex"
TEXT = "".join(f"- machine {number} has port {number + 80}\n" for number in range(20))


def _nest(**topics: str) -> Files:
    """A nest whose `shared/` has these topics, and one agent's scope without any."""
    named: Files = {f"shared/{name}.md": text for name, text in topics.items()}
    return {**RULES, "shared/memory.md": MARKERS, f"{CODEX}/memory.md": MARKERS, **named}


def _double(path: str, other: str, line: int = 2, but: bool = False) -> str:
    how = ", but for case, width, spacing or punctuation" * but
    return (
        f"{path}:{line}: error: {other} has this description too{how}, so nobody can tell which of the"
        f" two to open: move this text there and git rm {path}, or write a description that says when"
        " to read this one [duplicate-topic]\n"
    )


def _copy(path: str, other: str, shared: int, total: int, share: int) -> str:
    return (
        f"{path}:1: warning: {shared} of its {total} lines ({share} %) stand in {other} too, so whoever"
        f" mends one leaves the other wrong: move what is new here into {other} and git rm {path}, or"
        " keep each line in one of the two [copied-topic]\n"
    )


NEW = "shared/new.md"
OLD = "shared/ports.md"

# the description of a new topic beside that of PORTS, and how alike they are
DESCRIPTIONS = [
    (f'"{PORTS}"', "same"),
    (f"**{PORTS.upper()}**.", "but"),
    (PORTS.replace("W", "\uff37").replace(";", "\uff1b"), "but"),
    (f"{PORTS} or two", ""),
]


@pytest.mark.parametrize(("description", "said"), DESCRIPTIONS)
def test_descriptions(repo: Repo, run: Run, description: str, said: str) -> None:
    repo.commit(_nest(ports=topic(PORTS)))
    repo.stage({NEW: topic(description)})
    expected = _double(NEW, OLD, but=said == "but") + FIX if said else ""
    assert run(*CHECK) == (bool(said), expected, "")


# descriptions of which an index shows the same part, or nothing that tells anything
UNTOLD = ["TODO", ">\n  The {}", "|-\n  The {}", "Use it when\n  {} is on fire", '"Use \\"{}\\""']


def test_descriptions_that_are_not_told(repo: Repo, run: Run) -> None:
    pairs = enumerate(UNTOLD)
    named = {f"{who}{n}": topic(text.format(who)) for n, text in pairs for who in ("desk", "lamp")}
    repo.stage(_nest(**named))
    assert run(*CHECK) == (0, "", "")


def test_which_of_several_is_named(repo: Repo, run: Run) -> None:
    """The new one; of new ones all but the first; in a run over everything all but the first."""
    repo.commit(_nest(m=topic(PORTS), z=topic("Mail")))
    repo.stage({"shared/a.md": topic(PORTS), "shared/b.md": topic(PORTS)})
    a, b = (_double(f"shared/{name}.md", "shared/m.md") for name in "ab")
    assert run(*CHECK).out == a + b + FIX
    repo.stage({"shared/m.md": topic(PORTS, "changed\n")})
    assert run(*CHECK).out == a + b + FIX
    b, m = (_double(f"shared/{name}.md", "shared/a.md") for name in "bm")
    assert run(*CHECK, "--all").out == run(*CHECK, "shared").out == b + m + FIX
    repo.commit()
    repo.stage({"shared/z.md": topic("Mail", "changed\n")})
    assert run(*CHECK) == (0, "", "")
    repo.stage({"shared/z.md": topic(PORTS)})
    assert run(*CHECK).out == _double("shared/z.md", "shared/a.md") + FIX


@pytest.mark.parametrize(
    "files",
    [
        {f"{CODEX}/ports.md": topic(PORTS)},
        {"shared/inbox/ports.md": topic(PORTS)},
        {"shared/_ports.md": topic(PORTS)},
        {"shared/link.md": Path("ports.md")},
        {"projects/ports.md": topic(PORTS)},
        {"agents/box/none/memory.md": "# M\n", "agents/box/none/a.md": topic(PORTS)},
        {OLD: None, NEW: topic(PORTS)},
    ],
    ids=["another scope", "reserved", "hidden", "a link", "no scope", "no index", "renamed"],
)
def test_what_is_no_second_topic(repo: Repo, run: Run, files: Files) -> None:
    text = topic(PORTS, TEXT)
    repo.commit(_nest(ports=text))
    repo.stage(
        {path: text if content == topic(PORTS) else content for path, content in files.items()}
    )
    assert run(*CHECK) == run(*CHECK, "--all") == (0, "", "")


def test_subtopics_are_topics(repo: Repo, run: Run) -> None:
    repo.commit(_nest(ports=topic(PORTS)))
    repo.stage({"shared/net/ports.md": topic(PORTS)})
    assert run(*CHECK).out == _double("shared/net/ports.md", OLD) + FIX


@pytest.mark.parametrize("args", [[], ["--staged"]])
def test_a_copy(repo: Repo, run: Run, args: list[str]) -> None:
    repo.commit(_nest(ports=topic(PORTS, TEXT)))
    more = "# Another title\n\n" + TEXT + "a new line\nand a second\nand a third\n"
    repo.stage({NEW: topic("Other", more.replace("\n", "\r\n"))})
    said = _copy(NEW, OLD, 20, 23, 86)
    assert run(*CHECK, *args) == (0, said, "")
    assert run(*CHECK, *args, "--strict").out.startswith(said)


def test_only_what_is_new_is_a_copy(repo: Repo, run: Run) -> None:
    repo.commit(_nest(ports=topic(PORTS, TEXT), old=topic("Old", "one line\n")))
    repo.stage({"shared/old.md": topic("Old", TEXT)})
    assert run(*CHECK) == (0, "", "")
    assert run(*CHECK, "--all").out == _copy(OLD, "shared/old.md", 20, 20, 100)
    repo.stage({NEW: topic("Other", TEXT)})
    assert run(*CHECK).out == _copy(NEW, "shared/old.md", 20, 20, 100)


def test_a_part_of_another_is_named_whichever_comes_first(repo: Repo, run: Run) -> None:
    part = "".join(TEXT.splitlines(keepends=True)[:10])
    repo.stage(_nest(a=topic("A", part), b=topic("B", TEXT)))
    said = _copy("shared/a.md", "shared/b.md", 10, 10, 100)
    assert run(*CHECK).out == run(*CHECK, "--all").out == said


def test_of_several_copies_each_names_the_first(repo: Repo, run: Run) -> None:
    repo.stage(_nest(a=topic("A", TEXT), b=topic("B", TEXT), c=topic("C", TEXT)))
    b, c = (_copy(f"shared/{name}.md", "shared/a.md", 20, 20, 100) for name in "bc")
    assert run(*CHECK, "--all").out == b + c


@pytest.mark.parametrize(
    "other", [b"\xff\xfe", b"", b"\0GITCRYPT\0", topic("X", "y" * (5 << 20)).encode()]
)
def test_what_cannot_be_read_hides_nothing(repo: Repo, run: Run, other: bytes) -> None:
    repo.commit({**_nest(ports=topic(PORTS, TEXT)), "shared/other.md": other})
    repo.stage({NEW: topic(PORTS, TEXT)})
    assert run(*CHECK).out == _copy(NEW, OLD, 20, 20, 100) + _double(NEW, OLD) + FIX


def test_it_runs_where_it_is_selected(repo: Repo, run: Run) -> None:
    repo.commit(_nest(ports=topic(PORTS)))
    repo.stage({NEW: topic(PORTS)})
    assert "duplicate-topic" not in run("nestwork-check").out
    for name in ("duplicate-topic", "copied-topic,duplicate-topic", "all"):
        assert _double(NEW, OLD) in run("nestwork-check", "--extend-select", name).out
    assert run("nestwork-check", "--select", "copied-topic") == (0, "", "")


def test_names_are_escaped_and_quoted(repo: Repo, run: Run) -> None:
    repo.commit(_nest(**{"a b": topic(PORTS)}))
    repo.stage({"shared/\u202ex.md": topic(PORTS)})
    out = run(*CHECK).out
    assert out.startswith("shared/\\u202ex.md:2: error: shared/a b.md has this description too, ")
    assert "git rm \"$(printf 'shared/\\342\\200\\256x.md')\", or" in out
