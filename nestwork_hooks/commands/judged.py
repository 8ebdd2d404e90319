"""What a commit of one scope is judged on, and what is found there: the checkers' part of it."""

from __future__ import annotations

from nestwork_hooks.checkers.encryption import leaks
from nestwork_hooks.commands.catalog import usual
from nestwork_hooks.git import Change, ask_listed
from nestwork_hooks.git.staging import Waiting
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.checker import limits_of, reads_of, rules_of
from nestwork_hooks.nest.judging import judge
from nestwork_hooks.nest.request import Request, read_environment
from nestwork_hooks.nest.selection import of_changes
from nestwork_hooks.nest.view import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding

__all__ = ["findings", "leaks", "view_of"]

_CHECKERS = usual()


def view_of(scope: str, waiting: Waiting, since: str, *, root: str, today: str) -> View:
    """The scope as it is to be committed, with what changes since a commit (HEAD if `""`).

    `today` is the date to set, which needs more to be read; `""` where none is set.
    """
    reads = _reads(today)
    changes = Waiting(scope, since, waiting.left).changes if since else waiting.changes
    selection = of_changes(changes, [scope])
    listing = listings.staged(selection.listing(reads), attributes=True)
    listing = listing.with_blobs(waiting.kept_back)
    request = Request(read_environment(), staged=True, root=root, today=today)
    return read(request, selection, listing, reads)


def ask_ahead(scope: str, paths: Sequence[str], today: str) -> None:
    """Let git list for `view_of`, if these paths are what changes, until this is called."""
    selection = of_changes([Change(path, "", "") for path in paths], [scope])
    ask_listed(selection.listing(_reads(today)), attributes=True)


def _reads(today: str) -> int:
    reads = reads_of(_CHECKERS)
    if today:
        from nestwork_hooks.checkers.optional import updated_date

        reads |= updated_date.CHECKER.reads
    return reads


def findings(view: View, before: str) -> list[Finding]:
    """What is found in a view that the commit `before` did not have too."""
    limits = {limit.flag: limit.default for limit in limits_of(_CHECKERS)}
    rules = {rule.name for rule in rules_of(_CHECKERS)}
    selection = view.selection.replace(before=before)
    return judge(_CHECKERS, view.replace(selection=selection), limits, rules)
