"""What `nestwork-check` says of files with too many lines, word for word, and which lines count."""

from __future__ import annotations

import pytest

from tests.conftest import BEGINS, MARKERS, RULES, SOUND, Files, Repo, Run, memory, topic

CHECK = ("nestwork-check", "--select", "line-limit")
CODEX = "agents/box/codex"
TABLE = "# Limits\n\n| File | Max lines | Split target |\n|---|---|---|\n"


def _lines(number: int, end: str = "\n") -> str:
    return f"x{end}" * number


# path, how many lines, what is said
LIMITS = [
    ("queen/agent-rules.md", 80, ""),
    (
        "queen/agent-rules.md",
        81,
        "error: 81 lines, over the 80-line limit: move sections to new files queen/rules/<topic>.md,"
        " and leave links to them here",
    ),
    (
        f"{CODEX}/memory.md",
        201,
        f"error: 201 lines, over the 200-line limit: move sections to new topics {CODEX}/<topic>.md,"
        f" each of which begins with {BEGINS}",
    ),
    (
        "projects/x.md",
        151,
        "error: 151 lines, over the 150-line limit: move sections to new files projects/x/<topic>.md,"
        " and leave links to them here",
    ),
    (
        "workflow/x.md",
        201,
        "error: 201 lines, over the 200-line limit: move sections to new files"
        " workflow/x/<subtopic>.md, and leave links to them here",
    ),
    ("shared/hosts.md", 500, ""),
    (
        "shared/hosts.md",
        501,
        "warning: 501 lines, over the 500-line advice: consider moving sections to new topics"
        " shared/hosts/<part>.md",
    ),
    (
        "shared/hosts.md",
        1001,
        "error: 1,001 lines, over the 1,000-line limit: move sections to new topics"
        f" shared/hosts/<part>.md, each of which begins with {BEGINS}",
    ),
    (
        "shared/net/mail.md",
        501,
        "warning: 501 lines, over the 500-line advice: consider moving sections to new topics"
        " shared/net/mail-<part>.md",
    ),
    (
        "projects/deep/x.md",
        501,
        "warning: 501 lines, over the 500-line advice: consider moving sections to new files"
        " projects/deep/x/<part>.md, and leave links to them here",
    ),
    ("README.md", 1001, ""),
    ("docs/guide.md", 1001, ""),
    ("shared/archive/x.md", 1001, ""),
    ("shared/outbox/x.md", 1001, ""),
    ("projects/x.txt", 1001, ""),
]


@pytest.mark.parametrize(("path", "number", "said"), LIMITS)
def test_limits(nest: Repo, run: Run, path: str, number: int, said: str) -> None:
    nest.stage({path: _lines(number)})
    expected = f"{path}:1: {said} [line-limit]\n" if said else ""
    done = run(*CHECK)
    assert (done.code, done.out.partition("first make the")[0]) == ("error" in said, expected)


@pytest.mark.parametrize("args", [[], ["--staged"]])
def test_any_encoding(nest: Repo, run: Run, args: list[str]) -> None:
    nest.stage({"queen/strategy.md": b"caf\xe9\r\n" * 80, "projects/x.md": b"\xff" * (2 << 20)})
    assert run(*CHECK, *args) == (0, "", "")
    nest.stage({"queen/strategy.md": b"caf\xe9\r\n" * 80 + b"x"})
    assert run(*CHECK, *args).code == 1


def test_an_index_does_not_count(nest: Repo, run: Run) -> None:
    index = memory(*(f"- line {number}" for number in range(300)))
    path = f"{CODEX}/memory.md"
    nest.stage({path: _lines(190) + index})
    assert run(*CHECK) == (0, "", "")
    nest.stage({path: _lines(200) + index})
    said = (
        f"{path}:1: error: 202 lines beside the index, over the 200-line limit: move sections to new"
        f" topics {CODEX}/<topic>.md, each of which begins with {BEGINS} [line-limit]\n"
    )
    assert run(*CHECK) == (1, said, "")


def test_an_old_text_beside_an_index_does_not_stop_new_memory(nest: Repo, run: Run) -> None:
    path = f"{CODEX}/memory.md"
    nest.commit({path: _lines(300) + MARKERS, "shared/hosts.md": topic(body=_lines(501))})
    nest.stage({path: _lines(300) + memory(), "shared/hosts.md": topic(body=_lines(502))})
    assert run(*CHECK) == (0, "", "")
    assert run(*CHECK, "--all").code == 1
    nest.stage({path: _lines(301) + memory()})
    assert run(*CHECK).code == 1


OWN = (
    f"{TABLE}| `shared/memory.md` | 3 | topic memory in `shared/` |\n"
    "| `agents/<host>/<agent-id>/*.md` | soft 2 / hard 4 | `agents/<host>/<agent-id>/x/<topic>.md` |\n"
    "| `notes/**` | 2 | `notes/old/` |\n| (default - any other) | soft 3 / hard 5 | folder |\n"
)
OWNED = [
    ("shared/memory.md", 4, "error: 4 lines, over the 3-line limit of queen/limits.md, line 5:"
     " split it, to topic memory in shared/"),
    (f"{CODEX}/a.md", 3, "warning: 3 lines, over the 2-line advice of queen/limits.md, line 6:"
     f" consider splitting it, to {CODEX}/x/<topic>.md"),
    (f"{CODEX}/a.md", 5, "error: 5 lines, over the 4-line limit of queen/limits.md, line 6:"
     f" split it, to {CODEX}/x/<topic>.md"),
    ("notes/a/b.md", 3, "error: 3 lines, over the 2-line limit of queen/limits.md, line 7:"
     " split it, to notes/old/"),
    ("shared/a.md", 6, "error: 6 lines, over the 5-line limit of queen/limits.md, line 8: move sections"
     f" to new topics shared/a/<part>.md, each of which begins with {BEGINS}"),
    ("projects/x.md", 6, ""),
    ("README.md", 6, ""),
]  # fmt: skip


@pytest.mark.parametrize(("path", "number", "said"), OWNED)
def test_the_nests_own_table(nest: Repo, run: Run, path: str, number: int, said: str) -> None:
    nest.commit({"queen/limits.md": OWN})
    nest.stage({path: _lines(number)})
    out = run(*CHECK).out.partition("first make the")[0]
    assert out == (f"{path}:1: {said} [line-limit]\n" if said else "")


BAD: Files = {"queen/limits.md": f"{TABLE}| `shared/memory.md` | 8OO | `shared/<topic>.md` |\n"}
BAD_SAYS = (
    "queen/limits.md:5: error: the row | `shared/memory.md` | 8OO | `shared/<topic>.md` | cannot be"
    " read: its second cell is not the most lines, a whole number, or soft N / hard M [bad-limits]\n"
)


def test_a_table_that_cannot_be_read(nest: Repo, run: Run) -> None:
    nest.stage({**BAD, "shared/memory.md": _lines(501), "projects/x.md": _lines(151)})
    lines = run(*CHECK).out.splitlines(keepends=True)
    assert [line.partition(":")[0] for line in lines] == ["projects/x.md", "queen/limits.md"]
    assert lines[1] == BAD_SAYS
    assert run("nestwork-check", "--select", "bad-limits").out == BAD_SAYS
    nest.commit()
    nest.stage({"queen/strategy.md": "x\n"})
    assert run(*CHECK) == (0, "", "")
    assert BAD_SAYS in run(*CHECK, "--all").out


@pytest.mark.parametrize("content", [OWN.encode() + b"caf\xe9", OWN.encode().replace(b"\n", b"\r")])
def test_a_table_in_any_encoding(nest: Repo, run: Run, content: bytes) -> None:
    nest.stage({"queen/limits.md": content, "notes/a.md": _lines(3)})
    assert run(*CHECK).out.startswith("notes/a.md:1: error: 3 lines")


def test_locked_files_are_named(nest: Repo, run: Run) -> None:
    files: Files = dict.fromkeys(("queen/limits.md", "projects/x.md", f"{CODEX}/memory.md"), LOCKED)
    nest.stage({**files, "workflow/x.md": _lines(201)})
    done = run(*CHECK)
    assert done.out.count("[locked]") == 3
    assert "workflow/x.md:1: error: 201 lines" in done.out


LOCKED = b"\0GITCRYPT\0..."


def test_scopes_and_a_nest_further_down(repo: Repo, run: Run) -> None:
    files: Files = {
        **RULES,
        "queen/limits.md": OWN,
        f"{CODEX}/a.md": _lines(5),
        "notes/a.md": _lines(9),
    }
    repo.commit({f"docs/nest/{path}": text for path, text in files.items()})
    done = run(*CHECK, "--root", "docs/nest", CODEX)
    assert done.out.startswith(
        f"docs/nest/{CODEX}/a.md:1: error: 5 lines, over the 4-line limit of docs/nest/queen/limits.md,"
        " line 6: split it, to"
    )
    assert "notes" not in done.out
    assert "docs/nest/notes/a.md:1: " in run(*CHECK, "--root", "docs/nest", "--all").out


def test_it_runs_where_it_is_selected(nest: Repo, run: Run) -> None:
    nest.stage({"projects/x.md": _lines(151)})
    assert run("nestwork-check") == (0, "", "")
    assert run("nestwork-check", "--extend-select", "line-limit").code == 1
    assert run(*CHECK, "--warn-only", "^projects/").code == 0


def test_a_sound_nest_is_within_all(repo: Repo, run: Run) -> None:
    repo.stage(SOUND)
    assert run(*CHECK, "--all", "--strict") == (0, "", "")
