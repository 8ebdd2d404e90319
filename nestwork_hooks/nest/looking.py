"""Select, list and read what a run judges; git lists while the rest of this package is loaded."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.nest.reads import ATTRIBUTES
from nestwork_hooks.nest.selection import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.view import View


def look(request: Request, reads: int) -> View:
    """Select, list and read what is judged. Raises GitError, and Unusable where nothing is there."""
    selection = select(request, reads)
    paths, attributes = selection.listing(reads), bool(reads & ATTRIBUTES)
    if paths:
        git.ask_listed(paths, attributes=attributes)
    if request.writes and request.environment.by_hand and selection.scopes:
        git.ask_unknown(selection.scopes)
    from nestwork_hooks.nest import listing, view

    listed = listing.staged(paths, attributes=attributes)
    listing.refuse_emptiness(request, selection, listed)
    return view.read(request, selection, listed, reads)
