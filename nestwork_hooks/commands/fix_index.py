"""Rewrite every topic index that is stale.

Makes the index from the front matter and sizes of the topics that git lists, and puts it
between the two markers in the scope's memory.md. Text outside the markers stays as it is.
Exits 1 if it wrote, so that a commit stops and the file can be added to it; it never
stages anything. Where it can't be sure it writes nothing, and says why.

example: nestwork-fix-index --staged shared; git add -- shared/memory.md
"""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.checkers.stale_index import broken_markers
from nestwork_hooks.console.options import Command
from nestwork_hooks.console.report import Report
from nestwork_hooks.console.run import run
from nestwork_hooks.nest.judging import one_of_a_rule
from nestwork_hooks.nest.reads import INDEXES
from nestwork_hooks.nest.view import look
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, Finding
from nestwork_hooks.protocol.text import named
from nestwork_hooks.writing import leftovers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.console.options import Options
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.view import View

NAME = "nestwork-fix-index"
_GIVEN_BACK = "in the text that a run that was killed had not put back"


def fix(request: Request) -> Report:
    """Compute every index that is judged, then write those that differ."""
    view = look(request, INDEXES)
    findings = [*view.unread, *(found for scope in view.scopes for found in broken_markers(scope))]
    kept: list[str] = []
    stale: dict[str, tuple[str, str]] = {}
    for scope in view.scopes:
        path, exclude = scope.memory_path, request.exclude
        if scope.expected is None or (exclude and exclude.search(path)):
            continue
        given_back, left = leftovers.clear(scope.folder)
        kept += left
        if scope.is_stale or given_back:
            stale[path] = scope.expected, scope.difference
    written, unstaged, failures = _write(stale)
    findings += [_unstaged(path, stale[path][1]) for path in unstaged & view.staged]
    if request.environment.by_hand:
        _name_untracked(view)
    return Report(
        request,
        one_of_a_rule(findings),
        written=written,
        unstaged=unstaged,
        failures=[*failures, *map(leftovers.describe, kept)],
        view=view,
    )


def _write(stale: dict[str, tuple[str, str]]) -> tuple[dict[str, str], set[str], list[str]]:
    """Write each index: the files rewritten and why, those already right, and the failures."""
    written: dict[str, str] = {}
    right: set[str] = set()
    failures: list[str] = []
    if not stale:
        return written, right, failures
    from nestwork_hooks.writing.replacement import NotRewritten, rewrite

    for path, (expected, difference) in stale.items():
        try:
            if rewrite(path, expected):
                written[path] = difference or _GIVEN_BACK
            elif difference:
                right.add(path)
        except NotRewritten as error:
            failures.append(f"{path}: not rewritten: {error}")
    return written, right, failures


def _unstaged(path: str, difference: str) -> Finding:
    message = f"topic index is stale: {difference}; it is right on disk, but not staged: git add it"
    return Finding(path, 1, ERROR, "stale-index", message)


def _name_untracked(view: View) -> None:
    scopes = [scope.folder for scope in view.scopes if scope.opted_in]
    unknown = git.unknown(scopes) if scopes else []
    topics = sorted(filter(layout.topic_name, {*unknown, *view.listing.intent_to_add}))
    exclude = view.request.exclude
    if exclude:
        topics = [path for path in topics if not exclude.search(path)]
    if topics:
        from nestwork_hooks.console.streams import complain

        names = named([f"{view.request.root}{path}" for path in topics])
        complain(NAME, f"left out, not known to git: {names} (git add)")


def _work(request: Request, _: Options) -> Report:
    return fix(request.replace(writes=True))


COMMAND = Command(
    name=NAME, about=__doc__, checkers=(), takes_files=False, is_check=False, work=_work
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-fix-index`: 0 nothing to fix, 1 wrote or findings, 2 could not."""
    return run(COMMAND, argv)


if __name__ == "__main__":
    raise SystemExit(main())
