"""What a commit of one scope is judged on, and what is found there: the checkers' part of it."""

from __future__ import annotations

from nestwork_hooks.checkers.encryption import leaks
from nestwork_hooks.commands.catalog import usual
from nestwork_hooks.git import Change, Entry, ask_listed, forget_questions
from nestwork_hooks.git.blobs import Attributes, Blobs
from nestwork_hooks.git.staging import Look, Waiting
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.checker import limits_of, reads_of, rules_of
from nestwork_hooks.nest.request import Request, read_environment
from nestwork_hooks.nest.scope import memories_in_git
from nestwork_hooks.nest.selection import of_changes
from nestwork_hooks.protocol import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.nest.scope import Scope
    from nestwork_hooks.nest.staged import Ready
    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding

__all__ = ["as_now", "ask_ahead", "findings", "leaks", "view_of"]

_CHECKERS = usual()


def view_of(
    scope: str, waiting: Waiting, since: str, ready: Ready | None, *, root: str, today: str
) -> View:
    """The scope as it is to be committed, with what changes since a commit (HEAD if `""`).

    `ready` is what `ask_ahead` has made. `today` is the date to set, which needs more to be read;
    `""` where none is set.
    """
    from nestwork_hooks.nest.view import read

    reads = _reads(today)
    changes = Waiting(scope, since, waiting.left).changes if since else waiting.changes
    selection = of_changes(changes, [scope])
    try:
        listing = listings.staged(selection.listing(reads), attributes=True)
        listing = listing.with_blobs(waiting.kept_back)
        request = Request(read_environment(), staged=True, root=root, today=today)
        return read(request, selection, listing, reads, ready)
    finally:
        forget_questions()  # One that was asked in vain must not answer a later round.


def ask_ahead(scope: str, look: Look, objects: Blobs, today: str) -> Ready:
    """Let git compare and list for `view_of`, if `look` has what changes, until that is called.

    And let `objects` get ready to read what is there.
    """
    Waiting.ask_ahead(scope)
    selection = of_changes([Change(path, "", "") for path in look.unstaged], [scope])
    ask_listed(selection.listing(_reads(today)), attributes=True)
    # Loaded while git answers.
    import nestwork_hooks.nest.staged
    import nestwork_hooks.nest.view  # noqa: F401

    objects.get_ready()
    return objects, Attributes({*look.entries, *look.unstaged})


def _reads(today: str) -> int:
    reads = reads_of(_CHECKERS)
    if today:
        from nestwork_hooks.checkers.optional import updated_date

        reads |= updated_date.CHECKER.reads
    return reads


def as_now(
    view: View,
    entries: dict[str, Entry] | None = None,
    commit: str = "",
    ready: Ready | None = None,
) -> tuple[Scope, bool]:
    """The scope of a view with the memory.md of a newer listing, that of a commit or of what is staged.

    And whether that listing differs in memory.md at most; temporary files of a fixer do not count.
    `ready` reads it, as for `view_of`.
    """
    scope = view.scopes[0]
    entries = listings.staged([scope.folder]).entries if entries is None else entries
    path, before = scope.memory_path, _blobs(view.listing.entries, scope.folder)
    now = _blobs(entries, scope.folder)
    if now.get(path) != before.get(path):
        memories = memories_in_git(listings.Listing(entries), [scope.folder], commit, ready)
        scope = scope.with_memory(memories.get(scope.folder))
    return scope, {**before, path: ""} == {**now, path: ""}


def _blobs(entries: dict[str, Entry], folder: str) -> dict[str, str]:
    return {
        path: entry.blob
        for path, entry in entries.items()
        if layout.scope_of(path) == folder and not layout.is_temporary(path)
    }


def findings(view: View, before: str) -> list[Finding]:
    """What is found in a view that the commit `before` did not have too."""
    from nestwork_hooks.nest.judging import judge

    limits = {limit.flag: limit.default for limit in limits_of(_CHECKERS)}
    rules = {rule.name for rule in rules_of(_CHECKERS)}
    selection = view.selection.replace(before=before)
    return judge(_CHECKERS, view.replace(selection=selection), limits, rules)
