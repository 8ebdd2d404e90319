"""What git lists of a nest, in the staging area or in a commit."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.nest.request import Request, Unusable
from nestwork_hooks.nest.selection import Selection
from nestwork_hooks.protocol import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

# What to do where no nest is.
START = "start in the nest's root"


class Listing:
    """The index entries of regular files by path, and the topics among them.

    `others` maps what is no regular file to its kind: `a symbolic link` or `a submodule`.
    `intent_to_add` are the paths of `git add -N`, which are not among `entries`. `attribute_files`
    are the `.gitattributes` of the whole repository, if they were asked for. `topics` maps each
    scope to the paths of its topics, `names` each of these to the topic's name below its scope;
    `besides` are the paths of all other entries.
    """

    def __init__(
        self,
        entries: dict[str, git.Entry],
        others: dict[str, str] | None = None,
        intent_to_add: set[str] | None = None,
        attribute_files: dict[str, git.Entry] | None = None,
    ) -> None:
        self.entries = entries
        self.attribute_files = attribute_files or {}
        self.others = others or {}
        self.intent_to_add = intent_to_add or set()
        self.names = {path: name for path in entries if (name := layout.topic_name(path))}
        self.topics: dict[str, list[str]] = {}
        for path, name in self.names.items():
            self.topics.setdefault(path[: -len(name) - 1], []).append(path)
        self.besides = [path for path in entries if path not in self.names]

    def with_blobs(self, blobs: Mapping[str, str | None]) -> Listing:
        """The same with these blobs at these paths, or nothing where that is None."""
        if not blobs:
            return self
        kept = {path: entry for path, entry in self.entries.items() if path not in blobs}
        entries = {**kept, **{path: git.Entry(blob) for path, blob in blobs.items() if blob}}
        return Listing(entries, self.others, self.intent_to_add, self.attribute_files)

    def scopes(self) -> set[str]:
        """The scopes with any listed file."""
        return {*self.topics, *filter(None, map(layout.scope_of, self.besides))}

    @property
    def has_nest(self) -> bool:
        """Whether any listed file is in a folder of a nest."""
        folders = tuple(f"{folder}/" for folder in layout.TOP_FOLDERS)
        return any(path.startswith(folders) for path in self.entries)

    def in_place_of(self, path: str) -> str:
        """What is listed where a regular file belongs, as `a symbolic link`; `""` for nothing."""
        folder = self.others.get(os.path.dirname(path))
        if folder:
            return f"behind {folder}"
        below = any(found.startswith(f"{path}/") for found in (*self.entries, *self.others))
        return "a folder" if below else self.others.get(path, "")


def staged(paths: Sequence[str], *, attributes: bool = False) -> Listing:
    """What the staging area lists at and below these paths, and `attributes` files anywhere.

    Raises GitError.
    """
    others: dict[str, str] = {}
    files: dict[str, git.Entry] | None = {} if attributes else None
    entries = git.listed(paths, others, files) if paths else {}
    intent_to_add = git.intent_to_add(entries)
    for path in intent_to_add:
        del entries[path]
    return Listing(entries, others, intent_to_add, files)


def refuse_emptiness(request: Request, selection: Selection, listing: Listing) -> None:
    """Raise Unusable where there is nothing that could be judged."""
    folders = layout.TOP_FOLDERS
    if not (listing.has_nest or any(map(os.path.lexists, folders)) or git.lists_any(folders)):
        raise no_nest(request)
    if selection.paths is not None:
        _refuse_typing_errors(request, listing)
    elif selection.scopes:
        _refuse_unknown_scopes(request, selection.scopes, listing)
    elif not listing.has_nest:
        raise no_nest(request)


def _refuse_typing_errors(request: Request, listing: Listing) -> None:
    """A runner passes files that are there; a person may name one that is not."""
    for name in request.names if request.environment.by_hand else ():
        if name not in listing.entries and not os.path.lexists(git.to_bytes(name)):
            raise Unusable(f"no such file: {request.root}{name}")


def _refuse_unknown_scopes(request: Request, scopes: Collection[str], listing: Listing) -> None:
    known = listing.scopes()
    if request.uncommitted:
        known.update(filter(None, map(layout.scope_of, listing.intent_to_add)))
    for scope in sorted(scopes):
        if scope not in known and not (request.uncommitted and git.unknown([scope])):
            raise Unusable(f"git lists no file in {scope}: name a scope of this nest")


def no_nest(request: Request) -> Unusable:
    """What to raise where git lists nothing of a nest."""
    folders = "/, ".join(layout.TOP_FOLDERS)
    remedy = where_below(request.root)
    if not remedy and request.environment.by_hand:
        remedy = f"{START}, and git add new files first"
    elif not remedy:
        remedy = "start this hook in a nest's root, or take it out of this repository"
    return Unusable(f"no nest here: git lists no file below {folders}/; {remedy}")


def where_below(root: str) -> str:
    """Where the only nest further down is, and the flag that names it; `""` where there is none."""
    below = [f"{root}{folder}" for folder in git.nests_below()]
    return f"there is one in {below[0]}/: --root {below[0]}" if len(below) == 1 else ""
