"""Every case of tests/conformance/cases: a small nest, and what each command must say of it.

A case holds `base` (files committed first), `files` (staged on top; null deletes), `unstaged`
and `untracked` (changed in the working tree only), `first` (no commit before), and `runs`: a
hook, its arguments, the exit code, the findings as [path, rule, level], the files afterwards.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Files, Repo, Template

FOLDER = Path(__file__).parent / "conformance"
# Runs that ask for what the package does not have yet; one that passes has to leave the list.
NOT_YET = set((FOLDER / "not-yet.txt").read_text(encoding="utf-8").splitlines())
CASES = sorted(FOLDER.glob("cases/*.json"))
WRITERS = {"nestwork-fix-index", "nestwork-commit"}
WITH_NAMES = {"nestwork-missing-description", "nestwork-topic-size", "nestwork-nesting-depth"}
IN_SCOPE = re.compile(r"^(shared|agents/[^/]+/[^/]+)/.+\.md$")


def _runs() -> list[Any]:
    found = []
    for path in CASES:
        case = json.loads(path.read_text(encoding="utf-8"))
        for run in case["runs"]:
            words = " ".join([run["hook"].removeprefix("nestwork-"), *run.get("args", [])])
            name = f"{case['name']}: {words}"
            missing = [pytest.mark.xfail(reason="not yet", strict=True)] * (name in NOT_YET)
            found.append(pytest.param(case, run, id=name, marks=missing))
    return found


def _files(described: dict[str, Any]) -> Files:
    files: Files = {}
    for path, content in described.items():
        if isinstance(content, dict):
            if "symlink" in content:
                content = Path(content["symlink"])
            elif "base64" in content:
                content = base64.b64decode(content["base64"])
            else:
                content = content["text"]
        files[path] = content
    return files


def _build(repo: Repo, case: dict[str, Any]) -> None:
    """Make the case's repository."""
    repo.write(_files(case.get("base", {})))
    repo.git("add", "-A")
    if not case.get("first"):
        repo.git("commit", "-q", "--allow-empty", "-m", "base")
    repo.stage(_files(case["files"]))
    repo.write(_files(case.get("unstaged", {})))
    repo.write(_files(case.get("untracked", {})))


def _names(repo: Repo) -> list[str]:
    """The Markdown files of scopes that a runner would pass."""
    changed = repo.git("diff", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=d")
    names = changed or repo.git("ls-files", "-z")
    return [
        name
        for name in names.split("\0")
        if IN_SCOPE.match(name) and (repo.path / name).exists()
        if not (repo.path / name).is_symlink()
    ]


def _writes(run: dict[str, Any]) -> bool:
    return "after" in run or run["hook"] in WRITERS or "--fix" in run.get("args", [])


@pytest.mark.parametrize(("case", "run"), _runs())
def test_case(
    hermetic_env: dict[str, str],
    template: Template,
    tmp_path: Path,
    case: dict[str, Any],
    run: dict[str, Any],
) -> None:
    """What only reads does so in one repository for all runs of a case."""
    repo = Repo(template(case["name"], lambda made: _build(made, case)), hermetic_env)
    if _writes(run):
        repo = Repo(tmp_path / "nest", hermetic_env).copied(repo.path)
    names = _names(repo) if run["hook"] in WITH_NAMES else []
    done = repo.call(run["hook"], *run.get("args", []), "--format", "json", *names)
    assert done.code == run["exit"], case["why"]
    for path, text in run.get("after", {}).items():
        assert repo.read(path) == text, case["why"]
    if run["exit"] == 2:
        assert done.out == ""
        assert len(done.err.splitlines()) == 1
        return
    findings = json.loads(done.out)["findings"]
    found = sorted([finding["path"], finding["rule"], finding["level"]] for finding in findings)
    assert found == run["findings"], case["why"]


# What only saves time, and what it says where it cannot tell.
SHORTCUTS = [
    ("alike.reads_alike", False),
    ("blocks.on_one_line", ""),
    ("markers.plain_block", None),
    ("naming.are_plain", False),
]


@pytest.mark.slow
@pytest.mark.parametrize(("shortcut", "nothing"), SHORTCUTS)
@pytest.mark.parametrize(("case", "run"), _runs())
def test_no_verdict_depends_on_a_shortcut(
    hermetic_env: dict[str, str],
    template: Template,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    case: dict[str, Any],
    run: dict[str, Any],
    shortcut: str,
    nothing: object,
) -> None:
    monkeypatch.setattr(f"nestwork_hooks.protocol.{shortcut}", lambda *_: nothing)
    test_case(hermetic_env, template, tmp_path, case, run)


def test_there_are_cases() -> None:
    runs = _runs()
    assert len(runs) == 387
    assert {run.id for run in runs} >= NOT_YET
