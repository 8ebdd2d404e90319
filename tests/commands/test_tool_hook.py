"""`nestwork-commit --tool-hook`: the events of Claude Code, as it writes them to a hook's input."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.commands import tool_hook
from nestwork_hooks.git import staging
from tests.conftest import BIN, PROJECT, RULES, Done, Files, Repo, Template, entry, memory, topic

NAME = "nestwork-commit"
NOTE = f"{NAME}: committed; please note:\n"
BOX = "agents/box/claude-a7k2"
MEMORY, HOSTS, BARE = f"{BOX}/memory.md", f"{BOX}/hosts.md", f"{BOX}/bare.md"
LONG = topic(body="x\n" * 999)
UNDESCRIBED = "1: error: no YAML front matter at the first byte"
REVIEWED = (
    f"{NAME}: not committed: shared/ changes only in a distillation that a person has reviewed\n"
)
NO_EVENT = f"{NAME}: not committed: standard input holds no event of a tool's hook\n"

# What every event has.
SESSION = {
    "session_id": "0b8c1f5e-6f0e-4b57-9d3e-2f3a0c9f7a11",
    "transcript_path": "/home/me/.claude/projects/-home-me-nest/0b8c1f5e.jsonl",
    "permission_mode": "acceptEdits",
}


def wrote(path: str, cwd: str, tool: str = "Write", **more: object) -> dict[str, object]:
    """The event after a tool has written a file."""
    inputs: dict[str, dict[str, object]] = {
        "Write": {"file_path": path, "content": "x\n"},
        "Edit": {"file_path": path, "old_string": "a", "new_string": "b", "replace_all": False},
        "MultiEdit": {"file_path": path, "edits": [{"old_string": "a", "new_string": "b"}]},
        "NotebookEdit": {"notebook_path": path, "new_source": "x", "cell_type": "markdown"},
        "mcp__filesystem__write_file": {"path": path, "content": "x\n"},
    }
    response = {"type": "create", "filePath": path, "content": "x\n", "structuredPatch": []}
    return {
        **SESSION,
        "cwd": cwd,
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": inputs[tool],
        "tool_response": response,
        "tool_use_id": "toolu_01A09q90qw90lq917835lq9",
        **more,
    }


def stopped(cwd: str, *, again: object = False) -> dict[str, object]:
    """The event at the end of an agent's turn; `again` if a hook has held it back before."""
    event = {"hook_event_name": "Stop", "stop_hook_active": again}
    return {**SESSION, "cwd": cwd, **event, "last_assistant_message": "Done."}


def _fill(repo: Repo) -> None:
    repo.commit(
        {
            **RULES,
            MEMORY: memory(entry("hosts.md")),
            HOSTS: topic(),
            "shared/memory.md": memory(),
            "projects/x.md": "x\n",
        }
    )


@pytest.fixture
def box(repo: Repo, template: Template, tmp_path: Path) -> Repo:
    """A nest with one agent's scope, on the machine of this agent."""
    repo.copied(template("tool-hook", _fill))
    home = tmp_path / "home"
    home.mkdir()
    (home / ".nestwork_host").write_text("box\n")
    (home / ".nestwork_id_claude").write_text("claude-a7k2\n")
    repo.env = {**repo.env, "HOME": str(home)}
    return repo


Hook = Callable[..., Done]


@pytest.fixture
def hook(box: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hook:
    """Run the hook in this process with an event, or bytes, on standard input."""

    def call(event: object, *args: str, **env: str) -> Done:
        data = event if isinstance(event, bytes) else json.dumps(event).encode()
        path = tmp_path / "event"
        path.write_bytes(data)
        with path.open(encoding="utf-8") as file:
            monkeypatch.setattr(sys, "stdin", file)
            return box.call(NAME, "--tool-hook", *args, **env)

    return call


def log(repo: Repo) -> str:
    return repo.git("log", "--format=%s").splitlines()[0]


def waiting(repo: Repo) -> str:
    return repo.git("status", "--porcelain", "-uall")


# After a write

TOOLS = ["Write", "Edit", "MultiEdit", "NotebookEdit", "mcp__filesystem__write_file"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_write_is_committed_with_a_true_index(box: Repo, hook: Hook, tool: str) -> None:
    box.write({HOSTS: LONG})
    assert hook(wrote(f"{box.path}/{HOSTS}", str(box.path), tool)) == (0, "", "")
    assert log(box) == "memory: update box/claude-a7k2"
    assert waiting(box) == ""
    assert "2.0 KB" in box.read(MEMORY)


def test_findings_come_after_the_word_that_it_is_committed(box: Repo, hook: Hook) -> None:
    box.write({BARE: "x\n"})
    done = hook(wrote(f"{box.path}/{BARE}", str(box.path)))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"{NOTE}{BARE}:{UNDESCRIBED}")
    assert waiting(box) == ""


def test_an_agent_that_works_elsewhere_is_told_whole_paths(
    box: Repo, hook: Hook, tmp_path: Path
) -> None:
    box.write({BARE: "x\n"})
    done = hook(wrote(f"{box.path}/{BARE}", str(tmp_path)))
    assert done.code == 2
    assert done.err.startswith(f"{NOTE}{box.path}/{BARE}:{UNDESCRIBED}")


def test_a_finding_is_not_said_of_another_write(box: Repo, hook: Hook) -> None:
    box.write({BARE: "x\n"})
    assert hook(wrote(f"{box.path}/{BARE}", str(box.path))).code == 2
    box.write({HOSTS: LONG})
    assert hook(wrote(f"{box.path}/{HOSTS}", str(box.path))) == (0, "", "")


def relative(box: Repo) -> tuple[str, str]:
    return "hosts.md", f"{box.path}/{BOX}"


def upwards(box: Repo) -> tuple[str, str]:
    return f"../{BOX}/hosts.md", f"{box.path}/projects"


def below_home(box: Repo) -> tuple[str, str]:
    (Path(box.env["HOME"]) / "nest").symlink_to(box.path)
    return f"~/nest/{HOSTS}", "/"


def behind_a_link(box: Repo) -> tuple[str, str]:
    link = box.path.parent / "note.md"
    link.symlink_to(box.path / HOSTS)
    return str(link), str(box.path.parent)


def from_nowhere(box: Repo) -> tuple[str, str]:
    return f"{box.path}/{HOSTS}", "/no/such/folder"


PLACES = [relative, upwards, below_home, behind_a_link, from_nowhere]


@pytest.mark.quick(2)
@pytest.mark.parametrize("place", PLACES)
def test_the_file_is_found(box: Repo, hook: Hook, place: Callable[[Repo], tuple[str, str]]) -> None:
    path, cwd = place(box)
    box.write({HOSTS: LONG})
    assert hook(wrote(path, cwd)) == (0, "", "")
    assert waiting(box) == ""


def test_a_file_and_folders_that_are_gone(box: Repo, hook: Hook) -> None:
    box.commit({f"{BOX}/a/b.md": topic(), MEMORY: memory(entry("a/b.md"), entry("hosts.md"))})
    box.write({f"{BOX}/a/b.md": None})
    (box.path / BOX / "a").rmdir()
    assert hook(wrote(f"{box.path}/{BOX}/a/b.md", str(box.path))) == (0, "", "")
    assert waiting(box) == ""
    assert log(box) == "memory: update box/claude-a7k2"


def test_a_nest_that_is_a_folder_of_its_repository(box: Repo, hook: Hook) -> None:
    files: Files = {**RULES, MEMORY: memory(entry("hosts.md")), HOSTS: topic()}
    box.commit({f"docs/nest/{path}": text for path, text in files.items()})
    box.write({f"docs/nest/{HOSTS}": "x\n"})
    done = hook(wrote(f"{box.path}/docs/nest/{HOSTS}", str(box.path)))
    assert done.code == 2
    assert done.err.startswith(f"{NOTE}{box.path}/docs/nest/{HOSTS}:{UNDESCRIBED}")
    assert waiting(box) == ""


def test_the_variables_of_another_repository(box: Repo, hook: Hook, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other", box.env)
    box.git("init", "-q", str(other.path))
    box.write({HOSTS: LONG})
    env = {"GIT_DIR": f"{other.path}/.git", "GIT_INDEX_FILE": f"{other.path}/.git/index"}
    assert hook(wrote(f"{box.path}/{HOSTS}", str(other.path)), **env) == (0, "", "")
    assert waiting(box) == ""


def test_an_excluded_path(box: Repo, hook: Hook) -> None:
    box.write({BARE: "x\n"})
    event = wrote(f"{box.path}/{BARE}", str(box.path))
    assert hook(event, "--exclude", "bare") == (0, "", "")
    assert waiting(box) == ""


def test_what_git_ignores_is_said_of_its_write(box: Repo, hook: Hook) -> None:
    box.commit({".gitignore": "*.draft.md\n"})
    time.sleep(0.02)
    box.write({f"{BOX}/x.draft.md": topic()})
    done = hook(wrote(f"{box.path}/{BOX}/x.draft.md", str(box.path)))
    assert done.code == 2
    assert done.err == (
        f"{NAME}: nothing to commit; please note:\n{NAME}: left out: {BOX}/x.draft.md: git ignores"
        " it (.gitignore, line 1), so no commit will hold it: git add -f, or change that rule\n"
    )


def test_a_distillation_is_left_to_a_person(box: Repo, hook: Hook) -> None:
    box.write({"shared/x.md": topic()})
    assert hook(wrote(f"{box.path}/shared/x.md", str(box.path))) == (0, "", REVIEWED)
    assert waiting(box) == "?? shared/x.md\n"


NOBODYS = ["projects/x.md", "queen/agent-rules.md", "agents/box/README.md", "new/x.md", ".git/x"]


@pytest.mark.parametrize("path", NOBODYS)
def test_a_file_in_no_scope_costs_nothing(
    box: Repo, hook: Hook, processes: list[str], path: str
) -> None:
    box.write({path: "y\n"})
    processes.clear()
    assert hook(wrote(f"{box.path}/{path}", str(box.path))) == (0, "", "")
    assert processes == []


@pytest.mark.quick(3)
@pytest.mark.parametrize("path", ["shared/x.md", "agents/a/b/x.md", "agents/a/b/c/d/x.md"])
@pytest.mark.parametrize("is_repository", [False, True])
def test_what_only_looks_like_a_scope(
    box: Repo, hook: Hook, tmp_path: Path, path: str, is_repository: bool
) -> None:
    code = Repo(tmp_path / "code", box.env)
    code.write({path: "x\n"})
    if is_repository:
        box.git("init", "-q", "-b", "main", str(code.path))
        code.commit({"README.md": "x\n"})
        code.commit({path: "y\n"})
        code.git("switch", "-q", "-c", "side", "HEAD~1")
        code.commit({path: "z\n"})
        assert code.run("git", "merge", "-q", "main").code == 1
    assert hook(wrote(f"{code.path}/{path}", str(code.path))) == (0, "", "")


def test_a_merge_under_way_is_said(box: Repo, hook: Hook) -> None:
    box.git("switch", "-q", "-c", "side")
    box.commit({"projects/x.md": "y\n"})
    box.git("switch", "-q", "main")
    box.commit({"projects/x.md": "z\n"})
    assert box.run("git", "merge", "side").code == 1
    box.write({HOSTS: LONG})
    done = hook(wrote(f"{box.path}/{HOSTS}", str(box.path)))
    assert done.code == 2
    assert done.err.startswith(f"{NAME}: not committed: git makes no partial commit during a merge")
    assert hook(stopped(str(box.path))).code == 2
    assert hook(stopped(str(box.path), again=True)).code == 0
    box.git("checkout", HOSTS)
    assert hook(stopped(str(box.path))) == (0, "", "")


def test_a_hook_of_somebody_else_that_refuses(box: Repo, hook: Hook) -> None:
    path = box.path / ".git/hooks/pre-commit"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\necho no >&2\nexit 1\n")
    path.chmod(0o755)
    box.write({HOSTS: LONG})
    said = f"{NAME}: not committed: {BOX} stays staged, its index true; git or a hook says:\n> no\n"
    assert hook(wrote(f"{box.path}/{HOSTS}", str(box.path))) == (2, "", said)
    assert hook(stopped(str(box.path))) == (2, "", said)
    assert hook(stopped(str(box.path), again=True)) == (0, "", said)


def test_it_ends_in_time(box: Repo, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    path = box.path / ".git/hooks/pre-commit"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\nsleep 30\n")
    path.chmod(0o755)
    box.write({HOSTS: LONG})
    monkeypatch.setattr(tool_hook, "_WORKING", 1)
    start = time.monotonic()
    done = hook(wrote(f"{box.path}/{HOSTS}", str(box.path)))
    assert time.monotonic() - start < 15
    assert done.code == 2
    assert done.err == (
        f"{NAME}: not committed: interrupted; git commit was ended\n"
        f"{NAME}: ended after 1 seconds; the next write tries again\n"
    )
    assert not list((box.path / ".git").rglob("*.lock"))


def test_our_own_error_is_no_traceback(
    box: Repo, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr(staging, "look", fail)
    done = hook(wrote(f"{box.path}/{HOSTS}", str(box.path)))
    assert done.code == 2
    assert done.err.startswith(f"{NAME}: not committed: internal error in ")
    assert hook(stopped(str(box.path), again=True)).code == 0


# At the end of a turn


def test_the_end_of_a_turn_commits_what_no_tool_named(box: Repo, hook: Hook) -> None:
    box.write({HOSTS: LONG})
    assert hook(stopped(f"{box.path}/projects")) == (0, "", "")
    assert (log(box), waiting(box)) == ("memory: update box/claude-a7k2", "")


def test_the_end_of_a_turn_in_a_project_beside_the_nest(
    box: Repo, hook: Hook, tmp_path: Path
) -> None:
    """The entry in the settings starts the hook in the nest."""
    box.write({BARE: "x\n"})
    done = hook(stopped(str(tmp_path)))
    assert done.code == 2
    assert done.err.startswith(f"{NOTE}{box.path}/{BARE}:{UNDESCRIBED}")
    assert hook(stopped(str(tmp_path))) == (0, "", "")


@pytest.mark.quick(2)
@pytest.mark.parametrize("again", [True, None, 0, "false"])
def test_nobody_is_held_back_twice(box: Repo, hook: Hook, again: object) -> None:
    box.write({BARE: "x\n"})
    done = hook(stopped(str(box.path), again=again))
    assert done.code == 0
    assert done.err.startswith(NOTE)
    assert waiting(box) == ""


def test_nobody_is_held_back_where_nothing_was_committed(box: Repo, hook: Hook) -> None:
    box.git("init", "-q", str(box.path / BOX / "own"))
    done = hook(stopped(str(box.path)))
    assert done.code == 0
    assert "own: a git repository of its own" in done.err


def test_the_scope_of_this_tool(box: Repo, hook: Hook) -> None:
    home = Path(box.env["HOME"])
    (home / ".nestwork_id_codex").write_text("codex-1\n")
    box.write({"agents/box/codex-1/x.md": topic(), HOSTS: LONG})
    assert hook(stopped(str(box.path))) == (0, "", "")
    assert waiting(box) == "?? agents/box/codex-1/x.md\n"


@pytest.mark.parametrize("name", ["../box/claude-a7k2", "..", "a/b", ".", "nobody", ""])
def test_an_identity_that_is_none(box: Repo, hook: Hook, name: str) -> None:
    (Path(box.env["HOME"]) / ".nestwork_id_claude").write_text(name)
    box.write({HOSTS: LONG, "agents/x.md": "x\n"})
    before = waiting(box)
    assert hook(stopped(str(box.path))) == (0, "", "")
    assert waiting(box) == before


# What is no event


def event_with(**values: object) -> dict[str, object]:
    return {**wrote("x", "/"), **values}


SILENT: list[object] = [
    {},
    {"hook_event_name": "PostToolUse"},
    {"hook_event_name": "Stop"},
    {"hook_event_name": ["PostToolUse"]},
    event_with(hook_event_name="PreToolUse"),
    event_with(hook_event_name="SubagentStop"),
    event_with(hook_event_name=7),
    event_with(tool_input=None),
    event_with(tool_input=[]),
    event_with(tool_input="agents/a/b/c.md"),
    event_with(tool_input={}),
    event_with(tool_input={"command": "ls", "description": "List"}),
    event_with(tool_input={"file_path": None}),
    event_with(tool_input={"file_path": 7}),
    event_with(tool_input={"file_path": ""}),
    event_with(tool_input={"file_path": "agents/a/b/\0.md"}),
    event_with(tool_input={"file_path": "agents/a/b/\ud800.md"}),
    event_with(tool_input={"file_path": "agents/a/b/" + "x" * 5_000}),
    event_with(tool_input={"file_path": "~nobody/agents/a/b/x.md"}),
    event_with(cwd=None, tool_input={"file_path": "x.md"}),
    event_with(cwd=["/"], tool_input={"file_path": "x.md"}),
    event_with(cwd="\0", tool_input={"file_path": "x.md"}),
]


@pytest.mark.parametrize("event", SILENT)
def test_nothing_to_do(hook: Hook, event: object) -> None:
    assert hook(event) == (0, "", "")


MALFORMED = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"7",
    b'"Stop"',
    b"not JSON",
    b"\xff\xfe\x00",
    bytes(range(256)),
    b'{"hook_event_name": "PostToolUse", "tool_input": {"file_path": "/x/\xff"}}',
    b"[" * 100_000,
    b"9" * 10_000,
]


@pytest.mark.parametrize("data", MALFORMED, ids=[data[:12].hex() for data in MALFORMED])
def test_malformed_input(hook: Hook, data: bytes) -> None:
    assert hook(data) == (0, "", NO_EVENT)


NAMES = ["hook_event_name", "tool_input", "file_path", "cwd", "stop_hook_active", "path", "x"]
TEXTS = st.sampled_from(["PostToolUse", "Stop", "/", "agents/a/b/c.md", "~/shared/x"]) | st.text(
    "a/.~\0\ud800", max_size=9
)
VALUES: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=8,
)


@given(event=st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_no_event_is_an_error(event: dict[str, object]) -> None:
    def keep(scope: str, message: str, root: str) -> tuple[int, list[str], bool]:
        raise AssertionError(scope, message, root)

    with patch.object(tool_hook, "_read", return_value=json.dumps(event).encode()):
        assert tool_hook.answer(NAME, keep) == 0


def test_an_input_that_is_too_long(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_hook, "_MOST", 100)
    assert hook(wrote("x", "/")) == (0, "", NO_EVENT)


def test_a_large_file_is_no_obstacle(box: Repo, hook: Hook) -> None:
    box.write({HOSTS: LONG})
    event = wrote(f"{box.path}/{HOSTS}", str(box.path), tool_response={"x": "y" * 5_000_000})
    assert hook(event) == (0, "", "")
    assert waiting(box) == ""


@pytest.mark.parametrize("stdin", ["<&-", "</dev/null"])
def test_no_input(box: Repo, stdin: str) -> None:
    assert box.run("sh", "-c", f"{NAME} --tool-hook {stdin}") == (0, "", NO_EVENT)


def test_an_input_that_never_ends(box: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_hook, "_READING", 0.2)
    reading, writing = os.pipe()
    os.write(writing, b'{"hook_event_name"')
    with os.fdopen(reading) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert box.call(NAME, "--tool-hook") == (0, "", NO_EVENT)
    os.close(writing)


def test_the_folder_of_the_agent_is_gone(box: Repo) -> None:
    box.write({HOSTS: LONG})
    event = json.dumps(wrote(f"{box.path}/{HOSTS}", "/tmp/gone"))
    box.write({"../event": event})
    script = (
        f"mkdir ../gone && cd ../gone && rmdir ../gone && {NAME} --tool-hook <{box.path}/../event"
    )
    assert box.run("sh", "-c", script) == (0, "", "")
    assert waiting(box) == ""


MISUSED = [
    ["--tool-hook", BOX],
    ["--tool-hook", "-m", "x"],
    ["--tool-hook", "--root", "."],
    ["--tool-hook", "--no-such-flag"],
]


@pytest.mark.quick(2)
@pytest.mark.parametrize("args", MISUSED)
def test_a_wrong_command_line_holds_nobody_back(box: Repo, args: list[str]) -> None:
    done = box.run(NAME, *args)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"{NAME}: not committed: ")


def test_a_message_may_look_like_the_flag(box: Repo) -> None:
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "--tool-hook") == (0, "", "")
    assert log(box) == "--tool-hook"


# The entry that docs/agents.md shows


def entry_of(event: str) -> str:
    """The command of an event's hook in the settings that the page shows."""
    page = (PROJECT / "docs/agents.md").read_text(encoding="utf-8")
    (block,) = [part for part in page.split("```json\n")[1:] if "PostToolUse" in part]
    settings: dict[str, Any] = json.loads(block.split("```")[0])
    ((group,), other) = settings["hooks"][event], "Write|Edit|MultiEdit|NotebookEdit"
    assert group.get("matcher", other) == other
    (command,) = group["hooks"]
    assert (command["type"], command["timeout"]) == ("command", 60)
    return str(command["command"])


@pytest.fixture
def settings(box: Repo) -> Callable[..., Done]:
    """Run the command of an event as the tool does, in a shell, on a machine with the nest at home."""
    home = Path(box.env["HOME"])
    (home / "nest").symlink_to(box.path)
    (home / "project").mkdir()
    programs = home / ".local/bin"
    programs.mkdir(parents=True)
    (programs / NAME).symlink_to(BIN / NAME)
    box.git("clone", "-q", "--bare", ".", "../remote.git")
    box.git("remote", "add", "origin", "../remote.git")
    box.git("fetch", "-q")
    box.git("branch", "-q", "-u", "origin/main")

    def call(event: dict[str, object]) -> Done:
        done = subprocess.run(
            ["/bin/sh", "-c", entry_of(str(event["hook_event_name"]))],
            input=json.dumps({**event, "cwd": str(home / "project")}).encode(),
            cwd=home / "project",
            env={**box.env, "PATH": os.defpath, "GIT_DIR": "/nowhere"},
            capture_output=True,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


def programs(box: Repo) -> Path:
    return Path(box.env["HOME"]) / ".local/bin" / NAME


def test_the_entry_commits_after_a_write(box: Repo, settings: Callable[..., Done]) -> None:
    box.write({BARE: "x\n"})
    done = settings(wrote(f"{box.path}/{BARE}", ""))
    assert done.code == 2
    assert done.err.startswith(f"{NOTE}{box.path}/{BARE}:{UNDESCRIBED}")
    assert waiting(box) == ""


def test_the_entry_commits_at_the_end(box: Repo, settings: Callable[..., Done]) -> None:
    box.write({HOSTS: LONG})
    assert settings(stopped("")) == (0, "", "")
    assert waiting(box) == ""
    assert box.git("rev-parse", "HEAD") == box.git("rev-parse", "main", cwd="../remote.git")


def test_what_is_not_pushed_is_told_only_with_a_commit(
    box: Repo, settings: Callable[..., Done]
) -> None:
    shutil.rmtree(box.path.parent / "remote.git")
    box.write({HOSTS: LONG})
    done = settings(stopped(""))
    assert done.code == 2
    assert done.err.startswith(f"{NAME}: committed, not pushed: git says:\n> fatal: ")
    assert settings(stopped("")).code == 0


def test_the_entry_without_an_identity_takes_no_others_memory(
    box: Repo, settings: Callable[..., Done]
) -> None:
    programs(box).unlink()
    (Path(box.env["HOME"]) / ".nestwork_id_claude").unlink()
    box.write({HOSTS: LONG})
    assert settings(stopped("")).code == 1
    assert waiting(box) == f" M {HOSTS}\n"


def test_the_entry_leaves_other_files_alone(box: Repo, settings: Callable[..., Done]) -> None:
    box.write({"projects/x.md": "y\n"})
    assert settings(wrote(f"{box.path}/projects/x.md", "")) == (0, "", "")
    assert waiting(box) == " M projects/x.md\n"


def gone(program: Path) -> None:
    program.unlink()


def without_python(program: Path) -> None:
    program.unlink()
    program.write_text("#!/no/such/python\n")
    program.chmod(0o755)


def broken(program: Path) -> None:
    program.unlink()
    program.write_text(f"#!{shutil.which('sh')}\necho ModuleNotFoundError >&2; exit 1\n")
    program.chmod(0o755)


@pytest.mark.quick(2)
@pytest.mark.parametrize("damage", [gone, without_python, broken])
@pytest.mark.parametrize("event", ["PostToolUse", "Stop"])
def test_a_missing_program_loses_no_memory(
    box: Repo, settings: Callable[..., Done], damage: Callable[[Path], None], event: str
) -> None:
    damage(programs(box))
    box.write({HOSTS: LONG, f"{BOX}/new.md": topic()})
    box.stage({"projects/x.md": "y\n"})
    done = settings(stopped("") if event == "Stop" else wrote(f"{box.path}/{HOSTS}", ""))
    assert done.code == 1
    assert "committed by git alone" in done.err
    assert (log(box), waiting(box)) == ("memory: update box/claude-a7k2", "M  projects/x.md\n")
    assert settings(stopped("")).code == 0
