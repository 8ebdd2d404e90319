"""The `fix` of a finding in JSON: only where it fits what lies on disk, and beside the others."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.console.fixes import compatible
from nestwork_hooks.console.formats import print_report
from nestwork_hooks.console.report import Report
from nestwork_hooks.nest.request import Request, read_environment
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding, Replace
from nestwork_hooks.protocol.finding import Run as Argv
from tests.conftest import Repo, Run, entry, memory, topic
from tests.fixes import apply_fixes, mend

if TYPE_CHECKING:
    from nestwork_hooks.protocol.finding import Fix

Said = pytest.CaptureFixture[str]


def _finding(fix: Fix | None, path: str = "shared/a.md", level: str = ERROR) -> Finding:
    return Finding(path, 1, level, "bad-front-matter", "x", fix)


def _printed(said: Said, request: Request, findings: list[Finding]) -> str:
    said.readouterr()
    print_report(Report(request, findings), "json")
    return said.readouterr().out


MV = Argv(("git", "mv", "a", "b"))
RM = Argv(("git", "rm", "--cached", "--", "a"))
# fixes of one file in order, and the numbers of those that are kept
TOGETHER: list[tuple[list[Fix | None], list[int]]] = [
    ([None], []),
    ([Replace(2, 4, "x\n"), Replace(5, 5, "y\n")], [0, 1]),
    ([Replace(5, 5, "y\n"), Replace(2, 4, "x\n")], [0, 1]),
    ([Replace(2, 4, "x\n"), Replace(4, 5, "y\n")], [0]),
    ([Replace(2, 4, "x\n"), Replace(3, 3, "")], [0]),
    ([Replace(2, 4, "x\n"), Replace(2, 4, "x\n")], [0]),
    ([Replace(1, 0, "---\n"), Replace(1, 1, "x\n")], [0]),  # which of the two comes first?
    ([Replace(1, 0, "---\n"), Replace(1, 0, "x\n")], [0]),
    ([Replace(1, 0, "---\n"), Replace(2, 1, "x\n"), Replace(2, 2, "y\n")], [0, 1]),
    ([Replace(2, 4, "x\n"), Replace(4, 3, "y\n")], [0]),
    ([Replace(2, 4, "x\n"), Replace(5, 4, "y\n")], [0, 1]),
    ([MV, RM], [0]),
    ([Replace(2, 4, "x\n"), MV], [0, 1]),
]


@pytest.mark.parametrize(("fixes", "kept"), TOGETHER)
def test_the_first_of_those_that_collide_is_kept(fixes: list[Fix | None], kept: list[int]) -> None:
    found = compatible([_finding(fix) for fix in fixes])
    assert found == [fix if number in kept else None for number, fix in enumerate(fixes)]
    apart = [_finding(fix, f"shared/{number}.md") for number, fix in enumerate(fixes)]
    assert compatible(apart) == fixes


def test_an_error_comes_before_a_warning() -> None:
    one, other = Replace(2, 4, "x\n"), Replace(3, 5, "y\n")
    findings = [_finding(one, level=WARNING), _finding(other)]
    assert compatible(findings) == [None, other]


LINES = 6
RANGES = st.integers(1, LINES).flatmap(
    lambda first: st.builds(
        Replace, st.just(first), st.integers(first - 1, LINES), st.sampled_from(["", "new\n"])
    )
)


@given(st.lists(RANGES, max_size=6))
def test_what_is_kept_means_the_same_in_any_order_from_last_to_first(fixes: list[Replace]) -> None:
    """Each line is replaced as if it were the only edit, and no line is touched twice."""
    kept = [fix for fix in compatible([_finding(fix) for fix in fixes]) if fix]
    lines = [f"{number}\n" for number in range(1, LINES + 1)]
    expected = {number: lines[number - 1] for number in range(1, LINES + 1)}
    inserted = {}
    for fix in kept:
        assert isinstance(fix, Replace)
        for number in range(fix.first, fix.last + 1):
            assert expected[number] == lines[number - 1]
            expected[number] = ""
        assert fix.first not in inserted
        inserted[fix.first] = fix.text
    for fix in sorted(kept, key=lambda fix: -getattr(fix, "first", 0)):
        assert isinstance(fix, Replace)
        lines[fix.first - 1 : fix.last] = [fix.text]
    assert "".join(lines) == "".join(
        inserted.get(number, "") + line for number, line in expected.items()
    )


STATES = ["same", "crlf", "filtered", "edited", "gone", "link", "assumed", "skipped", "untracked",
          "nowhere"]  # fmt: skip


@pytest.fixture
def states(repo: Repo) -> Repo:
    """Files that lie on disk, in many ways, as they are staged or not."""
    attributes = "shared/filtered.md filter=up\n"
    repo.git("config", "filter.up.clean", "tr a-z A-Z")
    repo.git("config", "filter.up.smudge", "tr A-Z a-z")
    listed = STATES[:-2]
    repo.commit(
        {".gitattributes": attributes, **{f"shared/{name}.md": "a\nb\n" for name in listed}}
    )
    repo.git("update-index", "--assume-unchanged", "shared/assumed.md")
    repo.git("update-index", "--skip-worktree", "shared/skipped.md")
    repo.write(
        {
            "shared/crlf.md": "a\r\nb\r\n",
            "shared/edited.md": "a\nc\n",
            "shared/gone.md": None,
            "shared/link.md": Path("same.md"),
            "shared/assumed.md": "a\nc\n",
            "shared/skipped.md": None,
            "shared/untracked.md": "a\nb\n",
        }
    )
    return repo


@pytest.mark.parametrize(
    ("by", "kept"),
    [
        ("hand", {"same", "crlf", "filtered", "edited", "link", "assumed", "nowhere"}),
        ("staged", {"same", "crlf", "filtered", "nowhere"}),
        ("hook", {"same", "crlf", "filtered", "nowhere"}),
        ("runner", {"same", "crlf", "filtered", "edited", "link", "nowhere"}),
    ],
)
def test_no_fix_where_the_disk_holds_something_else_than_was_judged(
    states: Repo, capsys: Said, by: str, kept: set[str]
) -> None:
    """A runner has made what git looks at equal to what is staged, so only the rest is compared."""
    assert states
    variables = {"hook": {"GIT_INDEX_FILE": ".git/index"}, "runner": {"PRE_COMMIT": "1"}}
    request = Request(read_environment(variables.get(by, {})), staged=by == "staged")
    findings = [_finding(Replace(1, 1, "x\n"), f"shared/{name}.md") for name in sorted(STATES)]
    printed = json.loads(_printed(capsys, request, findings))["findings"]
    assert [Path(found["path"]).stem for found in printed] == sorted(STATES)
    assert {Path(found["path"]).stem for found in printed if "fix" in found} == kept


def test_the_file_is_compared_below_the_root_of_the_nest(repo: Repo, capsys: Said) -> None:
    repo.commit({"docs/shared/a.md": "a\n", "docs/shared/b.md": "a\n"})
    repo.write({"docs/shared/b.md": "c\n"})
    request = Request(read_environment({}), staged=True, root="docs/", start=str(repo.path))
    findings = [_finding(Replace(1, 1, "x\n"), f"shared/{name}.md") for name in "ab"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repo.path / "docs")
        a, b = json.loads(_printed(capsys, request, findings))["findings"]
    assert a["path"] == "docs/shared/a.md"
    assert a["fix"] == {"kind": "replace", "first": 1, "last": 1, "text": "x\n"}
    assert "fix" not in b


def test_fixes_then_the_remedy_mend_a_commit(nest: Repo, run: Run, capsys: Said) -> None:
    """Three edits of one file, a command on another, and the index at last."""
    nest.stage({"shared/a.md": "# A\nb\nc\n", "shared/b.md": topic()})
    refused = json.loads(run("nestwork-check", "--format", "json").out)
    assert {found["rule"] for found in refused["findings"] if "fix" not in found} >= {"stale-index"}
    stale = next(found for found in refused["findings"] if found["rule"] == "stale-index")
    findings = [
        _finding(Replace(1, 0, "---\ndescription: When\n---\n"), "shared/a.md"),
        _finding(Replace(2, 2, ""), "shared/a.md"),
        _finding(Replace(4, 3, "d\n"), "shared/a.md"),
        _finding(Argv(("git", "mv", "shared/b.md", "shared/new name.md")), "shared/b.md"),
        Finding(stale["path"], stale["line"], ERROR, "stale-index", stale["message"]),
    ]
    out = _printed(capsys, Request(read_environment({})), findings)
    assert mend(nest, out).code == 0
    assert nest.read("shared/a.md") == "---\ndescription: When\n---\n# A\nc\nd\n"
    assert nest.git("show", "HEAD:shared/memory.md") == memory(
        "- [`a.md`](a.md) — When (0.0 KB)",
        entry("hosts.md"),
        entry("new name.md"),
        entry("ports.md"),
    )
    assert run("nestwork-check", "--all").code == 0


def test_the_helper_refuses_what_no_program_could_do(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a\n")
    found = {"path": "a.md", "fix": {"kind": "replace", "first": 3, "last": 3, "text": ""}}
    with pytest.raises(AssertionError):
        apply_fixes(tmp_path, [found])
    with pytest.raises(subprocess.CalledProcessError):
        apply_fixes(tmp_path, [{"path": "a.md", "fix": {"kind": "run", "argv": ["false"]}}])
