"""Does the disk hold what was judged? Imported only where a program may edit it."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.light import closing
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.contents import Worktree
from nestwork_hooks.protocol.content import Unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.request import Request


def as_judged(request: Request, paths: Sequence[str]) -> set[str]:
    """Those of the paths where the disk holds what a run of this request judged.

    Both are read as any run reads them, and their line ends don't count. Raises GitError.
    """
    from nestwork_hooks.nest.staged import Staged

    listing = listings.staged(paths)
    entries, on_disk, staged = listing.entries, set(), []
    for path in paths:
        there = os.path.lexists(git.to_bytes(path))
        if path not in entries:
            same = there == (path in listing.others)
        elif request.reads_staged or (request.environment.by_runner and entries[path].unlooked):
            same = False
            staged += [path] * there
        else:
            same = there
        on_disk.update([path] * same)
    if staged:
        with closing(Worktree(entries)) as disk, closing(Staged(entries)) as source:
            found, judged = _digests(disk, staged), _digests(source, staged)
        on_disk.update(
            path for path in staged if path in judged and found.get(path) == judged[path]
        )
    return on_disk


def _digests(source: Source, paths: Sequence[str]) -> dict[str, bytes]:
    """A hash of each file's text with CRLF as LF, without those that could not be read."""
    from hashlib import blake2b

    found = {}
    for path, content in source.read(paths):
        if isinstance(content, Unread):
            continue
        digest, rest = blake2b(), b""
        for chunk in content:
            text = rest + chunk
            rest = b"\r" * text.endswith(b"\r")
            digest.update(text[: len(text) - len(rest)].replace(b"\r\n", b"\n"))
        digest.update(rest)
        found[path] = digest.digest()
    return found
