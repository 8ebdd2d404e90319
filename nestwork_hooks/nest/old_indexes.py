"""What large indexes were before a commit: one that was large is no news, whatever its topics say."""

from __future__ import annotations

from nestwork_hooks.light import closing
from nestwork_hooks.nest.scope import Memory, has_index, read_memory
from nestwork_hooks.protocol import index, layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nestwork_hooks.nest.reading import Reading
    from nestwork_hooks.protocol.content import Unread


class OldIndexes:
    """The old memory.md of each scope whose index is over the protocol's advice now.

    Git is started where there are any, and asked by `sizes`: in between it gets ready.
    """

    def __init__(
        self,
        reading: Reading,
        scopes: Iterable[str],
        memories: Mapping[str, Memory | Unread],
    ) -> None:
        self._ids: dict[str, list[str]] = {}
        if not reading.selection.of_commit or reading.is_before:
            return
        for folder in scopes:
            if _is_large(memories.get(folder)):
                self._ids[folder] = _old_ids(reading, folder)
        if self._ids:
            from nestwork_hooks.git.blobs import Blobs

            self._blobs = Blobs()
            self._blobs.get_ready()

    def sizes(self) -> dict[str, int]:
        """The bytes of each such index as it stood, markers included; the least of several parents'.

        0 where there was none, or it is not known.
        """
        if not self._ids:
            return {}
        with closing(self._blobs) as blobs:
            return {
                folder: min((_size(read_memory(old)) for old in blobs.read(ids)), default=0)
                for folder, ids in self._ids.items()
            }


def _is_large(memory: Memory | Unread | None) -> bool:
    return _size(memory) > index.MAX_BYTES


def _size(memory: Memory | Unread | None) -> int:
    return len((memory.index or "").encode(errors="replace")) if has_index(memory) else 0


def _old_ids(reading: Reading, folder: str) -> list[str]:
    """The blobs of the scope's memory.md before the commit, in any parent."""
    path, old = layout.memory_of(folder), reading.selection.old_memories.get(folder)
    if old or path in reading.selection.changed:
        return sorted(old or ())
    return [reading.listing.entries[path].blob]
