"""Which attributes a checker sees, and when git is asked for them."""

from __future__ import annotations

import os
import shutil

import pytest

from nestwork_hooks.git import GitError
from nestwork_hooks.nest.looking import look
from nestwork_hooks.nest.reads import ATTRIBUTES
from nestwork_hooks.nest.request import Request, read_environment
from nestwork_hooks.protocol.layout import ANY_MEMORY
from tests.conftest import Files, Repo, topic

HOSTS = "shared/hosts.md"


def _values(name: str = "filter", **request: object) -> dict[str, str]:
    view = look(Request(read_environment(), **request), ATTRIBUTES)  # type: ignore[arg-type]
    return {path: value for path, value in view.attributes[name].items() if path != ANY_MEMORY}


GIVEN: list[tuple[Files, str | None]] = [
    ({".gitattributes": "shared/hosts.md filter=x\n"}, "x"),
    ({".gitattributes": "hosts.md filter=x\nhosts.md !filter\n"}, None),
    ({".gitattributes": "hosts.md filter=x\nhosts.md -filter\n"}, "unset"),
    ({".gitattributes": "hosts.md filter=x -text\n"}, "x"),
    ({".gitattributes": "hosts.md filter\n"}, "set"),
    ({".gitattributes": '"shared/h\\157sts.md" filter=x\n'}, "x"),
    ({".gitattributes": "[attr]own filter=x\n*.md own\n"}, "x"),
    ({".gitattributes": "*.md filter=x\n", "shared/.gitattributes": "hosts.md filter=y\n"}, "y"),
    ({"shared/.gitattributes": "hosts.md filter=x\n"}, "x"),
    ({"shared/.gitattributes": "other.md filter=x\n"}, None),
    ({"agents/box/a/.gitattributes": "hosts.md filter=x\n"}, None),
    ({".gitattributes": "*.md text eol=lf\n"}, None),
    ({".gitattributes": b"\xff\n*.md filter=x\n"}, "x"),
    ({".gitattributes": ""}, None),
    ({}, None),
]


@pytest.mark.quick(10)
@pytest.mark.parametrize(("files", "value"), GIVEN)
@pytest.mark.parametrize("runner", [False, True])
def test_values(
    nest: Repo, monkeypatch: pytest.MonkeyPatch, files: Files, value: str | None, runner: bool
) -> None:
    if runner:
        monkeypatch.setenv("PRE_COMMIT", "1")
    nest.commit(files)
    nest.stage({HOSTS: topic(body="x\n")})
    assert _values().get(HOSTS) == value


def test_another_attribute(nest: Repo) -> None:
    nest.commit({".gitattributes": "*.md conflict-marker-size=9\n"})
    assert _values("conflict-marker-size", all=True)[HOSTS] == "9"


def test_what_is_staged_counts_and_not_what_lies_on_disk(nest: Repo) -> None:
    nest.stage({".gitattributes": "*.md filter=staged\n", HOSTS: topic(body="x\n")})
    nest.write({".gitattributes": "*.md filter=disk\n"})
    assert _values()[HOSTS] == "staged"
    nest.write({".gitattributes": "*.md text\n"})
    assert _values()[HOSTS] == "staged"


def test_the_attributes_of_this_clone_alone(nest: Repo) -> None:
    (nest.path / ".git/info").mkdir(exist_ok=True)
    (nest.path / ".git/info/attributes").write_text("*.md filter=x\n")
    assert _values(all=True)[HOSTS] == "x"
    nest.git("worktree", "add", "-q", "../linked")
    os.chdir("../linked")
    assert _values(all=True)[HOSTS] == "x"


def test_the_attributes_of_a_user_are_not_looked_at(nest: Repo) -> None:
    (nest.path / ".git/own").write_text("*.md filter=x\n")
    nest.git("config", "core.attributesFile", f"{nest.path}/.git/own")
    nest.commit({".gitattributes": "*.txt filter=y\n", "x.txt": "x"})
    assert _values(all=True) == {"x.txt": "y"}


def test_a_nest_in_a_folder_has_those_of_the_whole_repository(nest: Repo) -> None:
    inner = "projects/inner"
    nest.commit({".gitattributes": "x.md filter=x\n", f"{inner}/queen/x.md": "x"})
    os.chdir(inner)
    assert _values(all=True) == {"queen/x.md": "x"}


def test_a_commit_that_changes_attributes_lists_what_they_cover(nest: Repo) -> None:
    nest.stage({"shared/.gitattributes": "*.md filter=x\n"})
    assert set(_values()) == {HOSTS, "shared/memory.md", "shared/ports.md"}
    nest.commit({"shared/.gitattributes": None, ".gitattributes": "*.md filter=x\n"})
    nest.stage({".gitattributes": None})
    assert _values() == {}
    nest.stage({".gitattributes": "queen/* filter=y\n"})
    assert _values() == {"queen/agent-rules.md": "y"}


def test_more_paths_than_are_asked_for_at_once(nest: Repo) -> None:
    names = [f"agents/box/a/{number}.md" for number in range(10_001)]
    files = {name.encode(): b"x" for name in names}
    nest.stage_blobs({**files, b".gitattributes": b"*.md filter=x\n"})
    assert len(_values(all=True)) == len(names)


def test_attributes_that_cannot_be_read(nest: Repo) -> None:
    nest.commit({".gitattributes": "*.md filter=x\n"})
    blob = nest.git("rev-parse", "HEAD:.gitattributes").strip()
    (nest.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    said = r"^\.gitattributes, which may say what is to be encrypted, cannot be read: its blob "
    with pytest.raises(GitError, match=said):
        _values(all=True)


def test_a_folder_in_place_of_the_attributes_of_this_clone(nest: Repo) -> None:
    shutil.rmtree(nest.path / ".git/info", ignore_errors=True)
    (nest.path / ".git/info/attributes").mkdir(parents=True)
    said = r"^\.git/info/attributes, which may say what is to be encrypted, cannot be read: "
    with pytest.raises(GitError, match=said):
        _values(all=True)


PROCESSES: list[tuple[Files, bool, list[str]]] = [
    ({}, False, []),
    ({}, True, []),
    ({".gitattributes": "* text=auto\n"}, True, []),
    ({".gitattributes": "* text=auto\n"}, False, ["cat-file"]),
    ({".gitattributes": "* filter=x\n"}, True, ["check-attr"]),
    ({".gitattributes": "* filter=x\n"}, False, ["cat-file", "check-attr"]),
]


@pytest.mark.parametrize(("files", "runner", "more"), PROCESSES)
def test_processes(
    nest: Repo,
    monkeypatch: pytest.MonkeyPatch,
    processes: list[str],
    files: Files,
    runner: bool,
    more: list[str],
) -> None:
    """A nest without attributes costs no process; under a runner nor do any but those in question."""
    nest.commit(files)
    if runner:
        monkeypatch.setenv("PRE_COMMIT", "1")
    processes.clear()
    _values(all=True)
    assert processes == ["ls-files", *more]
