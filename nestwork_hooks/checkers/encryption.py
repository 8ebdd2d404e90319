"""Is what git-crypt should encrypt encrypted in git, and all of a scope that should be?

Fails on a staged file of which the attributes say filter=git-crypt, or git-crypt-NAME, and that
is plain text all the same (not-encrypted). Warns where the memory.md of a scope is under such a
filter, and its topics or its resident.md are not (partly-encrypted).

Judges what is staged, whatever lies on disk: of a commit what it adds or changes, and all that
a .gitattributes covers that it changes.
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Rule
from nestwork_hooks.nest.reads import ATTRIBUTES, STORED
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.attributes import FILTER, encrypting_line, is_leak
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding
from nestwork_hooks.protocol.text import escaped, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nestwork_hooks.nest.view import View

NOT_ENCRYPTED = "not-encrypted"


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every file and every scope that is judged."""
    filters = view.attributes[FILTER]
    for path, start in view.stored.items():
        if is_leak(start):
            yield _not_encrypted(view, path, filters[path])
    for scope, has_index in view.sealed.items():
        yield from _scope(view, scope, filters, has_index=has_index)


def _not_encrypted(view: View, path: str, value: str) -> Finding:
    message = (
        f"staged in plain text, {_remedy(value)}, then git add --renormalize --"
        f" {view.quoted(path)}; what was pushed like this has leaked: the history keeps it, and a"
        " new key does not help"
    )
    return Finding(path, 1, ERROR, NOT_ENCRYPTED, message)


def leaks(view: View) -> dict[str, str]:
    """What would leak if it was committed as it is staged, and why."""
    filters = view.attributes[FILTER]
    return {
        path: f"not encrypted (not-encrypted), {_remedy(filters[path])}"
        for path, start in view.stored.items()
        if is_leak(start)
    }


def _remedy(value: str) -> str:
    value = escaped(value)
    key = value.removeprefix("git-crypt").removeprefix("-")
    new = f" (git-crypt init -k {key} if no clone has that key)" if key else ""
    return (
        f"though its attributes say filter={value}: run git-crypt unlock{new} if git config"
        f" filter.{value}.clean prints nothing"
    )


def _scope(
    view: View, scope: str, filters: Mapping[str, str], *, has_index: bool
) -> Iterator[Finding]:
    """Whether the scope publishes what belongs to its encrypted memory.md.

    A file for which an attribute says otherwise, as `-filter` does, is its owner's decision.
    """
    resident = f"{scope}/{layout.RESIDENT}"
    paths = [*(view.listing.topics.get(scope, ()) if has_index else ()), resident]
    open_ = [path for path in paths if path in view.listing.entries and path not in filters]
    if open_:
        memory = layout.memory_of(scope)
        names = named(sorted(path[len(scope) + 1 :] for path in open_))
        line = escaped(encrypting_line(_folder(scope, filters), filters[memory]))
        attributes = ".gitattributes"
        message = (
            f"encrypted (filter={escaped(filters[memory])}), but {names} of this scope"
            f" {'is' if len(open_) == 1 else 'are'} not: add the line {line} to"
            f" {view.escaped(attributes)}, then git add --renormalize -- {view.quoted(attributes)}"
            f" {view.quoted(scope)}; what was pushed in plain text stays in the history"
        )
        yield Finding(memory, 1, WARNING, "partly-encrypted", message)


def _folder(scope: str, filters: Mapping[str, str]) -> str:
    """The folder to encrypt: the scope, or all agents where every memory.md is encrypted alike."""
    alike = filters.get(layout.ANY_MEMORY) == filters[layout.memory_of(scope)]
    return "agents" if alike and scope != layout.SHARED else scope


CHECKER = Checker(
    name="encryption",
    about=__doc__,
    rules=(
        Rule(
            NOT_ENCRYPTED, "error", "a file that git-crypt should encrypt is staged in plain text"
        ),
        Rule(
            "partly-encrypted", "warning", "a scope's memory.md is encrypted and its topics are not"
        ),
    ),
    limits=(),
    reads=ATTRIBUTES | STORED,
    takes_files=False,
    check=check,
)
