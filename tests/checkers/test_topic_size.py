"""What `nestwork-topic-size` says, word for word."""

from __future__ import annotations

import pytest

from tests.conftest import BEGINS, Repo, Run, to_fix, topic

HOOK = "nestwork-topic-size"
SPLIT = (
    "move sections to new topics shared/{}<part>.md until each file, this one too, has at most"
    f" 16,384 bytes; each begins with {BEGINS}"
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
