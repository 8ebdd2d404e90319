"""What `nestwork-topic-size` says, word for word."""

from __future__ import annotations

import pytest

from tests.conftest import BEGIN, BEGINS, END, Repo, Run, entry, memory, to_fix, topic

HOOK = "nestwork-topic-size"
SPLIT = (
    "move sections to new topics shared/{}<part>.md until each file, this one too, has at most"
    f" 16,384 bytes; each new one begins with {BEGINS}"
)


def _of(size: int, newline: str = "\n") -> str:
    """A topic of this many bytes after CRLF became LF."""
    head = topic()
    return (head + "x" * (size - len(head) - 1) + "\n").replace("\n", newline)


@pytest.mark.parametrize(
    ("path", "size", "said"),
    [
        ("shared/infra.md", 16_384, ""),
        (
            "shared/infra.md",
            16_385,
            "warning: 16,385 bytes, over the 16,384-byte advice; consider moving sections"
            " to new topics shared/infra/<part>.md",
        ),
        (
            "shared/infra.md",
            32_768,
            "warning: 32,768 bytes, over the 16,384-byte advice; consider moving sections"
            " to new topics shared/infra/<part>.md",
        ),
        (
            "shared/infra.md",
            32_769,
            f"error: 32,769 bytes, over the 32,768-byte limit: {SPLIT.format('infra/')}",
        ),
        (
            "shared/tooling/mail.md",
            40_000,
            f"error: 40,000 bytes, over the 32,768-byte limit: {SPLIT.format('tooling/mail-')}",
        ),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_size(nest: Repo, run: Run, path: str, size: int, said: str, newline: str) -> None:
    nest.stage({path: _of(size, newline)})
    expected = f"{path}:1: {said} [topic-size]\n" if said else ""
    is_error = said.startswith("error")
    expected += to_fix("shared", by_hand=True) * is_error
    assert run(HOOK, path) == (int(is_error), expected, "")


def test_limits(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": _of(1_000)})
    assert run(HOOK, "--max-bytes", "999").code == 1
    assert run(HOOK, "--max-bytes", "1000").code == 0
    assert run(HOOK, "--warn-bytes", "999", "--strict").code == 1
    assert run(HOOK, "--warn-bytes", "1000", "--strict") == (0, "", "")


def test_bytes_are_counted_in_any_encoding(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": b"\xff" * 40_000, "shared/b.md": b"\xff"})
    assert run(HOOK) == (
        1,
        "shared/a.md:1: error: 40,000 bytes, over the 32,768-byte limit:"
        f" {SPLIT.format('a/')} [topic-size]\n{to_fix('shared', by_hand=True)}",
        "",
    )


def test_a_locked_topic_cannot_be_measured(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": b"\0GITCRYPT\0"})
    done = run(HOOK)
    assert done.code == 0
    assert "[locked]" in done.out


def test_a_topic_that_is_gone_from_disk_is_gone(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": _of(40_000)})
    nest.write({"shared/a.md": None})
    assert run(HOOK) == (0, "", "")


@pytest.mark.usefixtures("nest")
def test_a_name_that_does_not_exist_is_not_passed_over(run: Run) -> None:
    said = "nestwork-topic-size: no such file: shared/nofile.md\n"
    assert run(HOOK, "shared/nofile.md") == (2, "", said)


# The hand-written part of a memory.md

CODEX = "agents/box/codex"
MOVE = (
    f"move its sections, word for word, to new topics {CODEX}/<topic>.md, each of which begins with"
    f" {BEGINS}"
)
BESIDE = f" beside the index, over the {{}}: {MOVE}"
WITHOUT = (
    f", over the {{}}, and whoever needs one fact reads it whole: {MOVE}; leave here the title and the lines"
    f" {BEGIN} and {END}"
)
ADVICE, LIMIT = "16,384-byte advice", "32,768-byte limit"


def _memory(size: int, index: str = "", newline: str = "\n") -> str:
    """A memory.md with this many bytes beside its index, after CRLF became LF."""
    return ("x" * (size - 2) + f"\n{index}\n").replace("\n", newline)


INDEX = memory()[memory().index(BEGIN) : -1]
MEMORIES = [
    (16_384, INDEX, ""),
    (16_385, INDEX, f"warning: 16,385 bytes{BESIDE.format(ADVICE)}"),
    (32_768, INDEX, f"warning: 32,768 bytes{BESIDE.format(ADVICE)}"),
    (32_769, INDEX, f"error: 32,769 bytes{BESIDE.format(LIMIT)}"),
    (16_384, "", ""),
    (16_385, "", f"warning: 16,385 bytes{WITHOUT.format(ADVICE)}"),
    (56_000, "", f"warning: 56,000 bytes{WITHOUT.format(LIMIT)}"),
    # Where markers are broken nobody knows what the index is.
    (56_000, END, f"warning: 56,033 bytes{WITHOUT.format(LIMIT)}"),
]


@pytest.mark.quick(6)
@pytest.mark.parametrize(("size", "index", "said"), MEMORIES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_size_of_a_memory(
    nest: Repo, run: Run, size: int, index: str, said: str, newline: str
) -> None:
    path = f"{CODEX}/memory.md"
    nest.stage({path: _memory(size, index, newline)})
    expected = f"{path}:1: {said} [topic-size]\n" if said else ""
    expected += to_fix(CODEX, by_hand=True) * said.startswith("error")
    assert run(HOOK, path) == (int(said.startswith("error")), expected, "")
    assert run(HOOK) == run(HOOK, "--all") == run(HOOK, path)
    assert run(HOOK, "--staged").out == expected.replace("--ok", "--ok --staged")


def test_a_memory_whose_index_alone_changes_is_not_judged(nest: Repo, run: Run) -> None:
    path = f"{CODEX}/memory.md"
    nest.commit({path: _memory(40_000, INDEX)})
    assert run(HOOK, "--all").code == run(HOOK, path).code == 1
    lines = memory(entry("a.md"))
    index = lines[lines.index(BEGIN) : -1]
    nest.stage({path: _memory(40_000, index), f"{CODEX}/a.md": topic()})
    assert run(HOOK) == run(HOOK, path, f"{CODEX}/a.md") == (0, "", "")
    assert run("nestwork-check") == (0, "", "")
    assert nest.call("nestwork-commit", CODEX, "-m", "memory") == (0, "", "")
    nest.stage({path: _memory(39_999, index)})
    assert run(HOOK).code == run("nestwork-check").code == 1
    assert nest.call("nestwork-commit", CODEX, "-m", "memory").code == 1


def test_an_old_monolith_is_no_news(nest: Repo, run: Run) -> None:
    path = f"{CODEX}/memory.md"
    nest.commit({path: _memory(20_000)})
    nest.stage({path: _memory(20_001)})
    assert run(HOOK) == (0, "", "")
    assert "20,001 bytes, over" in run(HOOK, "--all").out
    nest.stage({path: _memory(10_000)})
    assert run(HOOK, "--all") == (0, "", "")


def test_bytes_of_a_memory_are_counted_in_any_encoding(nest: Repo, run: Run) -> None:
    nest.stage({f"{CODEX}/memory.md": "记忆".encode("gbk") * 5_000})
    assert run(HOOK).out.startswith(f"{CODEX}/memory.md:1: warning: 20,000 bytes, over")
