"""What `nestwork-fix-index` writes, leaves alone, and says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nestwork_hooks.nest import contents
from tests.conftest import BEGIN, END, FIRST, MARKERS, Repo, Run, entry, memory, topic

HOOK = "nestwork-fix-index"
WROTE = "shared/memory.md: rewrote the topic index, which was stale: {}\n"
FIX = "to fix: git add -- shared/memory.md\n"
FRESH = memory(entry("hosts.md"), entry("ports.md"))


def test_it_writes_and_says_so(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic()})
    assert run(HOOK) == (1, WROTE.format("missing a line for new.md") + FIX, "")
    assert nest.read("shared/memory.md") == memory(
        entry("hosts.md"), entry("new.md"), entry("ports.md")
    )
    assert nest.git("diff", "--name-only") == "shared/memory.md\n"
    assert run(HOOK) == (0, "", "")


def test_json(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic()})
    assert run(HOOK, "--format", "json") == (
        1,
        '{"version": 1, "findings": [], "written": ["shared/memory.md"], "remedy": "git add -- shared/memory.md"}\n',
        "",
    )


def test_github(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic()})
    said = "::notice file=shared/memory.md::rewrote the topic index, which was stale: missing a line for new.md\n"
    assert run(HOOK, "--format", "github") == (1, said, "")


def test_text_outside_the_markers_is_the_owners(nest: Repo, run: Run) -> None:
    around = "\ufeff# M\r\n  odd \n{}\n\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> x\n\tend"
    nest.stage({"shared/memory.md": around.format(f"{BEGIN}\r\n<!-- old -->\n{END}")})
    assert run(HOOK).code == 1
    block = FRESH[FRESH.index(BEGIN) : FRESH.index(END) + len(END)]
    assert nest.read("shared/memory.md") == around.format(block.replace("\n", "\r\n"))


def test_a_conflict_inside_the_block_is_mended(nest: Repo, run: Run) -> None:
    conflict = "<<<<<<< a\n" + entry("hosts.md") + "\n=======\n" + entry("ports.md") + "\n>>>>>>> b"
    nest.stage({"shared/memory.md": memory(conflict)})
    assert run(HOOK) == (
        1,
        WROTE.format("a merge conflict in it (lines 6 to 10), which making it anew ends") + FIX,
        "",
    )
    assert nest.read("shared/memory.md") == FRESH


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{BEGIN}\n",
            f"shared/memory.md:1: error: the begin marker is alone: put a line {END} right below it",
        ),
        ("gone\n", "shared/memory.md:1: error: its markers are gone while topics remain (2)"),
    ],
)
def test_it_refuses_and_says_why(nest: Repo, run: Run, text: str, said: str) -> None:
    nest.stage({"shared/memory.md": text})
    done = run(HOOK)
    assert done.code == 1
    assert done.out.startswith(said)
    assert nest.read("shared/memory.md") == text


def test_it_refuses_one_scope_and_mends_the_other(nest: Repo, run: Run) -> None:
    nest.stage(
        {
            "shared/memory.md": MARKERS,
            "shared/hosts.md": b"\xff",
            "agents/box/a/memory.md": MARKERS,
            "agents/box/a/x.md": topic(),
        }
    )
    done = run(HOOK)
    assert done.code == 1
    first, *rest = done.out.splitlines(keepends=True)
    assert first.startswith("shared/hosts.md:1: error: byte 0xff is not UTF-8")
    assert "".join(rest) == (
        "agents/box/a/memory.md: rewrote the topic index, which was stale: never generated, so it"
        f" lists none of its topics (x.md)\n{FIRST}to fix: nestwork-fix-index --ok shared && git add"
        " -- agents/box/a/memory.md shared/memory.md\n"
    )
    assert nest.read("shared/memory.md") == MARKERS
    assert nest.read("agents/box/a/memory.md") == memory(entry("x.md"))


def test_excluded_files_are_not_written(nest: Repo, run: Run) -> None:
    nest.stage({"shared/memory.md": MARKERS})
    assert run(HOOK, "--exclude", "^shared/") == (0, "", "")
    assert nest.read("shared/memory.md") == MARKERS


def test_by_hand_scopes_with_unstaged_changes_too(nest: Repo, run: Run) -> None:
    nest.stage({"projects/x.md": "x\n"})
    nest.write({"shared/hosts.md": topic("On disk")})
    assert run(HOOK, "--staged") == (0, "", "")
    assert run(HOOK) == (1, WROTE.format("a line for hosts.md unlike its front matter") + FIX, "")


def test_staged_topics_go_into_the_memory_on_disk(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": topic("Staged")})
    nest.write({"shared/hosts.md": topic("On disk"), "shared/memory.md": f"Mine\n{FRESH}"})
    assert run(HOOK, "--staged").code == 1
    assert nest.read("shared/memory.md") == "Mine\n" + memory(
        entry("hosts.md", "Staged"), entry("ports.md")
    )


def test_untracked_topics_are_named(nest: Repo, run: Run) -> None:
    nest.write({"shared/draft.md": "x\n", "shared/outbox/x.md": "x\n", "agents/h/i/y.md": "y\n"})
    said = "nestwork-fix-index: left out, not known to git: shared/draft.md (git add)\n"
    assert run(HOOK) == (0, "", said)
    assert run(HOOK, "--exclude", "draft") == (0, "", "")


def test_a_deleted_memory_is_not_written(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": None})
    nest.write({"shared/memory.md": None})
    said = "nestwork-fix-index: shared/memory.md: not rewritten: No such file or directory\n"
    assert run(HOOK, "--staged") == (2, "", said)
    assert run(HOOK).out.startswith(
        "shared/memory.md:1: error: the file is gone while topics remain (1)"
    )
    assert not (nest.path / "shared/memory.md").exists()


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o444])
def test_the_mode_stays(nest: Repo, run: Run, mode: int) -> None:
    (nest.path / "shared/memory.md").chmod(mode)
    nest.stage({"shared/new.md": topic()})
    assert run(HOOK).code == 1
    assert (nest.path / "shared/memory.md").stat().st_mode & 0o777 == mode


def test_old_leftovers_are_removed_and_young_ones_kept(nest: Repo, run: Run) -> None:
    old, young = nest.path / "shared/.nestwork-fix-new-1", nest.path / "shared/.nestwork-fix-new-2"
    for path in (old, young):
        path.write_text("x")
    os.utime(old, (0, 0))
    assert run(HOOK) == (0, "", "")
    assert (old.exists(), young.exists()) == (False, True)


def test_a_file_that_changes_meanwhile_keeps_the_change(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = nest.path / "shared/memory.md"
    real, changes = contents.read_whole, iter(["one\n", "two\n"])

    def read(name: str) -> bytes:
        data = real(name)
        change = next(changes, "")
        if change:
            path.write_text(change + path.read_text())
        return data

    monkeypatch.setattr(contents, "read_whole", read)
    nest.stage({"shared/new.md": topic()})
    assert run(HOOK).code == 1
    assert nest.read("shared/memory.md").startswith("two\none\n# Memory")
    assert entry("new.md") in nest.read("shared/memory.md")
    assert not list(Path("shared").glob(".nestwork-fix-*"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("x", "somebody keeps changing it; run this again"),
        (BEGIN + "\n", "its markers on disk are not those that were judged; run this again"),
    ],
)
def test_a_file_that_never_rests_is_left_alone(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, change: str, said: str
) -> None:
    path = nest.path / "shared/memory.md"
    real = contents.read_whole

    def read(name: str) -> bytes:
        path.write_text(change + path.read_text())
        return real(name)

    def look(name: str) -> bytes:
        data = real(name)
        path.write_text(change + path.read_text())
        return data

    monkeypatch.setattr(contents, "read_whole", read if BEGIN in change else look)
    nest.stage({"shared/new.md": topic()})
    assert run(HOOK) == (2, "", f"nestwork-fix-index: shared/memory.md: not rewritten: {said}\n")
    assert "new.md" not in nest.read("shared/memory.md")
    assert not list(Path("shared").glob(".nestwork-fix-*"))


def test_a_folder_that_takes_no_file(nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    nest.stage({"shared/new.md": topic(), "agents/h/i/memory.md": MARKERS})
    make = os.open

    def refuse(path: str | bytes, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT and os.fsdecode(path).startswith("shared/"):
            raise PermissionError(13, "Permission denied")
        return make(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    done = run(HOOK)
    assert done.code == 2
    assert done.err == "nestwork-fix-index: shared/memory.md: not rewritten: Permission denied\n"
    assert nest.read("agents/h/i/memory.md") == memory()
    assert nest.read("shared/memory.md") == FRESH


def test_an_index_too_large_to_be_read_again_is_not_written(nest: Repo, run: Run) -> None:
    head = nest.read("shared/memory.md")
    nest.stage(
        {
            "shared/new.md": topic(),
            "shared/memory.md": head + "x" * (4_194_304 - len(head.encode())),
        }
    )
    said = (
        "nestwork-fix-index: shared/memory.md: not rewritten: over 4,194,304 bytes with its index:"
        " move topics to other scopes\n"
    )
    assert run(HOOK) == (2, "", said)


@pytest.mark.parametrize("refuses", [True, False])
def test_an_owner_that_cannot_be_kept(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, refuses: bool
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    if refuses:
        monkeypatch.setattr(os, "chown", refuse)
    else:
        monkeypatch.delattr(os, "chown")
    nest.stage({"shared/new.md": topic()})
    assert run(HOOK).code == 1


FOREIGN = memory(entry("hosts.md"), "A rule by hand.", "", "- another", entry("ports.md"))
KEPT = FRESH + "A rule by hand.\n\n- another\n"


def test_what_nobody_generated_is_kept_and_named(nest: Repo, run: Run) -> None:
    nest.stage({"shared/memory.md": FOREIGN})
    said = (
        "2 lines in it that nobody generated (lines 7 and 9), which the fixer moves right below the"
        " end marker"
    )
    assert run(HOOK) == (1, WROTE.format(said) + FIX, "")
    assert nest.read("shared/memory.md") == KEPT
    nest.git("add", "-A")
    assert run(HOOK) == (0, "", "")


def test_a_conflict_that_ends_between_the_markers_keeps_the_fixer_off(nest: Repo, run: Run) -> None:
    """One that is whole in there would end it below them, if its lines were moved."""
    torn = f"<<<<<<< a\n=======\n{memory('<<<<<<< b', '=======', '>>>>>>> c', '>>>>>>> d')}"
    nest.stage({"shared/memory.md": torn})
    done = run(HOOK)
    assert (done.code, done.err) == (1, "")
    assert "[broken-markers]" in done.out
    assert nest.read("shared/memory.md") == torn


OK = "shared/memory.md: rewrote the topic index, which is right now{}\n"


def test_ok_says_that_all_is_right_and_passes(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic()})
    assert run(HOOK, "--ok") == (0, OK.format(""), "")
    assert run(HOOK, "--ok") == (0, "", "")
    # Right on disk and not staged: the next step of the line is to stage it.
    assert run(HOOK, "--ok", "--staged") == (0, "", "")
    nest.write({"shared/memory.md": FOREIGN})
    moved = "; lines 7 and 9, which nobody generated, are right below the end marker"
    assert run(HOOK, "--ok", "--staged") == (0, OK.format(moved), "")


def test_ok_stops_the_line_where_something_is_left(nest: Repo, run: Run) -> None:
    nest.stage({"shared/memory.md": MARKERS, "shared/hosts.md": b"\xff"})
    done = run(HOOK, "--ok", "shared")
    assert (done.code, done.out.splitlines()[-1]) == (
        1,
        "to fix: nestwork-fix-index --ok shared && git add -- shared/memory.md",
    )
    nest.stage({"shared/hosts.md": topic()})
    (nest.path / "shared/memory.md").unlink()
    assert run(HOOK, "--ok", "--staged", "shared").code == 2


def test_only_the_fixer_has_ok(nest: Repo, run: Run) -> None:
    assert nest
    assert run("nestwork-check", "--ok").code == run("nestwork-stale-index", "--ok").code == 2
