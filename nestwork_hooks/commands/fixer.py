"""Rewrite every topic index that is stale: what `nestwork-fix-index` does."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.checkers import stale_index
from nestwork_hooks.console.report import Report
from nestwork_hooks.console.run import taken
from nestwork_hooks.nest.judging import one_of_a_rule, with_indexes
from nestwork_hooks.nest.looking import look
from nestwork_hooks.nest.reads import INDEXES
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, Finding
from nestwork_hooks.protocol.text import named
from nestwork_hooks.writing import leftovers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.console.options import Options
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.view import View

NAME = "nestwork-fix-index"
_GIVEN_BACK = "in the text that a run that was killed had not put back"


def fix(request: Request, view: View, *, ok: bool = False) -> Report:
    """Compute every index that is judged in a view, then write those that differ.

    `ok` says that to have written is no failure, as where the next command stages it.
    """
    findings = [
        *view.unread,
        *(found for scope in view.scopes for found in stale_index.broken_markers(scope, view)),
    ]
    kept: list[str] = []
    outdated = False
    stale: dict[str, tuple[str, str]] = {}
    for scope in view.scopes:
        path, exclude = scope.memory_path, request.exclude
        if scope.expected is None or (exclude and exclude.search(path)):
            continue
        given_back, left = leftovers.clear(scope.folder)
        kept += left
        outdated |= given_back
        if scope.is_stale or given_back:
            stale[path] = scope.expected, scope.staleness
    done = _Done()
    done.write(stale)
    if not ok:
        findings += [_unstaged(path, stale[path][1]) for path in done.right & view.staged]
    if request.environment.by_hand:
        _name_untracked(view)
    return Report(
        request,
        with_indexes(one_of_a_rule(findings), [stale_index.CHECKER], view),
        written=done.written,
        unstaged=done.right,
        failures=[*done.failures, *map(leftovers.describe, kept)],
        taken=taken(view),
        moved=done.moved,
        ok=ok,
        view=view,
        outdated=outdated,
    )


class _Done:
    """What was done: the files rewritten and why, those already right, failures, lines moved."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}
        self.right: set[str] = set()
        self.failures: list[str] = []
        self.moved: dict[str, list[int]] = {}

    def write(self, stale: dict[str, tuple[str, str]]) -> None:
        """Write each index that differs from what is on disk."""
        if not stale:
            return
        from nestwork_hooks.writing.replacement import NotRewritten, rewrite

        for path, (expected, reason) in stale.items():
            try:
                done = rewrite(path, expected)
            except NotRewritten as error:
                self.failures.append(f"{path}: not rewritten: {error}")
                continue
            if done:
                self.written[path] = reason or _GIVEN_BACK
                self.moved[path] = done.moved
            elif reason:
                self.right.add(path)


def _unstaged(path: str, difference: str) -> Finding:
    message = f"topic index is stale: {difference}; it is right on disk, but not staged: git add it"
    return Finding(path, 1, ERROR, "stale-index", message)


def _name_untracked(view: View) -> None:
    scopes = {scope.folder for scope in view.scopes if scope.opted_in}
    unknown = git.unknown(view.selection.scopes or scopes) if scopes else []
    own = (path for path in unknown if layout.scope_of(path) in scopes)
    topics = sorted(filter(layout.topic_name, {*own, *view.listing.intent_to_add}))
    exclude = view.request.exclude
    if exclude:
        topics = [path for path in topics if not exclude.search(path)]
    if topics:
        from nestwork_hooks.console.streams import complain

        names = named([f"{view.request.root}{path}" for path in topics])
        complain(NAME, f"left out, not known to git: {names} (git add)")


def work(request: Request, options: Options) -> Report:
    """Do what the command is asked for."""
    request = request.replace(writes=True)
    return fix(request, look(request, INDEXES), ok=options.ok)
