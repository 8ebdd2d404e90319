"""The attributes of what is listed. Git is asked only where a file gives one that matters."""

from __future__ import annotations

from nestwork_hooks.git import attributes
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.attributes import NAMES, names_any
from nestwork_hooks.protocol.content import Unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.listing import Listing


def read(listing: Listing, source: Source, *, made_equal: bool) -> dict[str, dict[str, str]]:
    """The values of each attribute that a check depends on, by its name and the file's path.

    `made_equal` says that `source` is the working tree, and equal to the staging area: reading an
    attribute file there saves a process. Among the paths is `layout.ANY_MEMORY`. Raises GitError,
    also where an attribute file cannot be read.
    """
    if listing.entries and (
        attributes.info_names_any() or _are_given(listing, source, made_equal=made_equal)
    ):
        return attributes.of([*listing.entries, layout.ANY_MEMORY])
    return {name: {} for name in NAMES}


def _are_given(listing: Listing, source: Source, *, made_equal: bool) -> bool:
    """Whether a `.gitattributes` of the repository names one."""
    left = dict(listing.attribute_files)
    known = [path for path in left if path in listing.entries] if made_equal else []
    for path, content in source.read(known):
        if not isinstance(content, Unread):
            if names_any(next(iter(content))):
                return True
            del left[path]
    ids = [entry.blob for entry in left.values()]
    for path, chunks in zip(left, source.blobs.read(ids) if left else (), strict=True):
        first = next(chunks, None)
        if first is None:
            raise attributes.unread(path, "its blob is not in this clone")
        if names_any(first):
            return True
    return False
