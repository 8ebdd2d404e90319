"""The attributes of what is listed. Git is asked only where a file gives one that matters."""

from __future__ import annotations

from contextlib import closing

from nestwork_hooks.git import attributes
from nestwork_hooks.protocol.content import Unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.listing import Listing


def read(listing: Listing, equal: Source | None) -> dict[str, dict[str, str]]:
    """The values of each attribute that a check depends on, by its name and the file's path.

    `equal` is the working tree where a runner has made it equal to the staging area: reading an
    attribute file there saves a process. Raises GitError, also where one cannot be read.
    """
    if listing.entries and (attributes.info_names_any() or _are_given(listing, equal)):
        return attributes.of(list(listing.entries))
    return {name: {} for name in attributes.NAMES}


def _are_given(listing: Listing, equal: Source | None) -> bool:
    """Whether a `.gitattributes` of the repository names one."""
    left = dict(listing.attribute_files)
    known = [path for path in left if path in listing.entries] if equal else []
    for path, content in equal.read(known) if equal else ():
        if not isinstance(content, Unread):
            if attributes.names_any(next(iter(content))):
                return True
            del left[path]
    if not left:
        return False
    from nestwork_hooks.git.blobs import Blobs

    with closing(Blobs()) as blobs:
        contents = blobs.read([entry.blob for entry in left.values()])
        for path, chunks in zip(left, contents, strict=True):
            first = next(chunks, None)
            if first is None:
                raise attributes.unread(path, "its blob is not in this clone")
            if attributes.names_any(first):
                return True
    return False
