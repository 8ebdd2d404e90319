"""Read what is judged file by file: resident files, Markdown, attributes, and what is misplaced."""

from __future__ import annotations

from nestwork_hooks.nest.looked_through import LookedThrough
from nestwork_hooks.nest.reading import Reading
from nestwork_hooks.nest.reads import GUIDES, MARKDOWN, PLACES, RESIDENT
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.attributes import is_git_crypt
from nestwork_hooks.protocol.content import (
    GIT_CRYPT,
    ByteCount,
    Unread,
    locked,
    unix_size,
    unreadable,
    whole_or_unread,
)
from nestwork_hooks.protocol.markers import MOST_BYTES
from nestwork_hooks.protocol.topic import Topic, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nestwork_hooks.nest.texts import LineCount
    from nestwork_hooks.protocol.content import Content
    from nestwork_hooks.protocol.hunks import Hunk
_TO_LOOK_THROUGH = "to be looked through"


def residents_of(reading: Reading) -> tuple[list[str], dict[str, int | Unread], str | None]:
    """The resident files that are judged, the sizes of all in their starts, and what rules lack."""
    if not reading.reads & RESIDENT:
        return [], {}, None
    selection, listing = reading.selection, reading.listing
    files = list(filter(layout.is_resident, listing.besides))
    judged = list(filter(selection.judges, files))
    sizes = {path: _size(content) for path, content in reading.source.read(files * bool(judged))}
    for path in judged:
        size = sizes.get(path)
        if isinstance(size, Unread):
            reading.add_unread(path, size)
    whole = selection.paths is None and selection.scopes is None
    lost = (*selection.removed, *selection.others)
    asked = judged or whole or any(map(layout.is_resident, lost))
    return judged, sizes, _what_rules_lack(reading) if asked else None


def _what_rules_lack(reading: Reading) -> str | None:
    if layout.RULES in reading.listing.entries:
        return None if reading.source.exists(layout.RULES) else "gone from disk"
    return reading.listing.in_place_of(layout.RULES) or "missing"


def conflicts_in(reading: Reading, names: list[str]) -> dict[str, list[Hunk]]:
    """The conflicts in judged memory files; names what could not be looked through."""
    if not isinstance(reading.source, LookedThrough):
        return {}
    for path, unread in reading.source.look_through_others():
        reading.add_unread(path, unread)
    return reading.source.conflicts(set(names))


def markdown_of(reading: Reading, topics: dict[str, Topic | Unread]) -> dict[str, str]:
    """The text of every Markdown file that is judged."""
    if not reading.reads & MARKDOWN:
        return {}
    paths = reading.selection.judged(reading.listing.entries)
    judged = [path for path in paths if path.endswith(".md")]
    texts: dict[str, str | Unread] = {}
    for path in judged:
        topic = topics.get(path)
        if isinstance(topic, Topic) and topic.text is not None:
            texts[path] = topic.text
    others = [path for path in judged if path not in texts]
    for path, content in reading.source.read(others):
        texts[path] = content if isinstance(content, Unread) else read_text(content)
    for path, text in texts.items():
        if isinstance(text, Unread):
            reading.add_unread(path, text)
    return {path: text for path, text in texts.items() if not isinstance(text, Unread)}


def line_counts(reading: Reading) -> dict[str, LineCount]:
    """The lines of every Markdown file that is judged."""
    from nestwork_hooks.nest.texts import count_lines

    paths = reading.selection.judged(reading.listing.entries)
    found = {}
    for path, content in reading.source.read([path for path in paths if path.endswith(".md")]):
        count = count_lines(path, content)
        if isinstance(count, Unread):
            reading.add_unread(path, count)
        else:
            found[path] = count
    return found


def own_limits(reading: Reading) -> str | None:
    """The text of queen/limits.md, whatever its encoding: its table may be read all the same."""
    listed = [layout.LIMITS] if layout.LIMITS in reading.listing.entries else []
    for _, content in reading.source.read(listed):
        data = whole_or_unread(content, MOST_BYTES, _TO_LOOK_THROUGH)
        return None if isinstance(data, Unread) else data.decode(errors="replace")
    return None


def _covered(reading: Reading) -> list[str]:
    """The listed files that are judged, or may have other attributes by the commit."""
    judges, folders = reading.selection.judges, tuple(reading.selection.attributed)
    return [path for path in reading.listing.entries if judges(path) or path.startswith(folders)]


def sealed_scopes(reading: Reading, filters: dict[str, str]) -> set[str]:
    """The scopes whose memory.md git-crypt is to encrypt, of those with a file in question."""
    if not filters:
        return set()
    folders = set(map(layout.scope_of, [*_covered(reading), *(reading.selection.paths or ())]))
    return {folder for folder in folders if folder and is_sealed(folder, filters)}


def is_sealed(folder: str, filters: dict[str, str]) -> bool:
    """Whether git-crypt is to encrypt the memory.md of a scope, which is listed."""
    return is_git_crypt(filters.get(layout.memory_of(folder), ""))


def stored_starts(reading: Reading, filters: dict[str, str]) -> dict[str, bytes]:
    """How what is staged of each file in question begins that git-crypt is to encrypt."""
    if not filters:
        return {}
    entries = reading.listing.entries
    encrypted = (path for path in _covered(reading) if is_git_crypt(filters.get(path, "")))
    blobs = {path: entries[path].blob for path in encrypted if not entries[path].unmerged}
    if not blobs:
        return {}
    found = {}
    for path, chunks in zip(blobs, reading.source.blobs.read(list(blobs.values())), strict=True):
        first = next(chunks, None)
        if first is None:
            reading.add_unread(path, unreadable("its blob is not in this clone"))
        else:
            found[path] = first[: len(GIT_CRYPT)]
    return found


def out_of_place(reading: Reading) -> list[str]:
    """The judged paths where the protocol has no file, regular files or not, that are not gone."""
    listed = (*reading.listing.besides, *reading.listing.others)  # No topic is out of place.
    return _there(reading, listed, layout.is_out_of_place)


def odd_ones(reading: Reading) -> dict[str, str]:
    """What is no regular file where memory lies, by path."""
    others = reading.listing.others
    return {path: others[path] for path in _there(reading, others, layout.may_be_memory)}


def _there(reading: Reading, listed: Iterable[str], is_wanted: Callable[[str], bool]) -> list[str]:
    if not reading.reads & PLACES:
        return []
    judged = filter(is_wanted, reading.selection.judged(listed))
    return list(filter(reading.source.exists, judged))


def guides_of(reading: Reading) -> dict[str, bytes]:
    """The instructions of the nest's root, where any of them is judged."""
    listed = [path for path in layout.GUIDES if path in reading.listing.entries]
    if not (reading.reads & GUIDES and any(map(reading.selection.judges, listed))):
        return {}
    found = {
        path: whole_or_unread(content, MOST_BYTES, _TO_LOOK_THROUGH)
        for path, content in reading.source.read(listed)
    }
    for path, data in found.items():
        if isinstance(data, Unread):
            reading.add_unread(path, data)
    return {path: data for path, data in found.items() if not isinstance(data, Unread)}


def _size(content: Content) -> int | Unread:
    if isinstance(content, Unread):
        return content
    if type(content) is tuple:
        return locked() if content[0].startswith(GIT_CRYPT) else unix_size(content[0])
    count = ByteCount()
    for chunk in content:
        if count.total == 0 and chunk.startswith(GIT_CRYPT):
            return locked()
        count.add(chunk)
    return count.total
