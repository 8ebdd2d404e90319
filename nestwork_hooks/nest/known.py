"""What the files of a nest are called: by path, by name, by what a change made of them."""

from __future__ import annotations

from unicodedata import normalize

from nestwork_hooks.light import cached_property
from nestwork_hooks.protocol import layout, line_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.destinations import Destination

_MOST = 3
# How alike two names are that one may be meant for the other, as of difflib.
_ALIKE = 0.75


class Known:
    """Finds files by what a pointer says that leads to none."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._all = view.everything
        self._given: dict[str, dict[str, list[str]]] = {}

    # What a change takes away

    def removed_at(self, path: str) -> bool:
        """Whether the change takes away what was at this path, or all below it."""
        removed = self._view.selection.removed
        return path in removed or any(other.startswith(f"{path}/") for other in removed)

    def removed_as(self, name: str) -> str:
        """The path of what the change takes away and a wiki link calls so; `""` for none."""
        return next(iter(self._removed_names.get(_key(name), ())), "")

    @cached_property
    def _removed_names(self) -> dict[str, list[str]]:
        return _by_name(self._view.selection.removed)

    def words_of_removed(self) -> set[str]:
        """Words that stand in every pointer to what goes away, casefolded."""
        words = set()
        for path in self._view.selection.removed:
            parts = path.split("/")
            words.add(parts[-1].removesuffix(".md"))
            folders = ("/".join(parts[:count]) for count in range(1, len(parts)))
            words.update(f.rpartition("/")[2] for f in folders if not self._all.has(f))
        return {word.casefold() for word in words}

    def moved(self, path: str) -> str:
        """Where the change puts the same content that it takes away here; `""` if not one place."""
        blob = self._view.selection.removed.get(path)
        places = self._added.get(blob, []) if blob else []
        return places[0] if len(places) == 1 else ""

    @cached_property
    def _added(self) -> dict[str, list[str]]:
        """The same by their blob."""
        found: dict[str, list[str]] = {}
        for path in self._changed:
            found.setdefault(self._all.entries[path].blob, []).append(path)
        return found

    # What is nearly called so

    def spelt(self, path: str) -> str:
        """The one path that differs by letter case or Unicode form alone; `""` for none."""
        found = [other for other in self._spellings.get(_spelling(path), ()) if other != path]
        return found[0] if len(found) == 1 else ""

    @cached_property
    def _spellings(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in (*self._all.entries, *self._all.folders):
            found.setdefault(_spelling(path), []).append(path)
        return found

    def meant(self, found: Destination, of: str) -> list[str]:
        """The files that a link in the file at `of` may be meant for, the likeliest first; few."""
        path, entries = found.path, self._all.entries
        certain = [
            other
            for other in (path, f"{path}.md", *found.guesses)
            if other in entries or (other and other in self._all.folders)
        ]
        if certain:
            return certain[:1]
        folder, _, name = path.rpartition("/")
        same = [o for o in self._paths_by_file.get(_spelling(name), ()) if o not in (path, of)]
        if len(same) > _MOST:  # as every folder has its README.md
            end = _spelling("/".join(path.rsplit("/", 2)[-2:]))
            same = [other for other in same if _spelling(other).endswith(f"/{end}")]
        if 0 < len(same) <= _MOST:
            return sorted(same, key=lambda other: (-_alike(other, path), other))
        if self.removed_at(path):  # what takes its place came with the same change
            pool = self._changed
        else:
            pool = [o for o in entries if o.rpartition("/")[0] == folder and o != of]
        near = _near(name, map(_file, pool))
        return [other for like in near for other in pool if _file(other) == like][:_MOST]

    @cached_property
    def _changed(self) -> list[str]:
        """The files that the change adds or changes."""
        return sorted(filter(self._all.entries.get, self._view.selection.paths or ()))

    @cached_property
    def _paths_by_file(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._all.entries:
            found.setdefault(_spelling(_file(path)), []).append(path)
        return found

    # Wiki links

    def named(self, name: str, of: str) -> list[str]:
        """What a wiki link in the file at `of` names: files by path or name, with `.md` or without.

        Else topics of the scope whose front matter has it as name, title, permalink or alias.
        """
        key = _key(name)
        found = self._names.get(key)
        if found:
            scope = layout.scope_of(of)
            return [path for path in found if layout.scope_of(path) == scope] or found
        return self._given_names(of).get(key, [])

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        return _by_name((*self._all.entries, *self._all.others, *self._all.folders))

    def _given_names(self, of: str) -> dict[str, list[str]]:
        scope = layout.scope_of(of)
        if scope is None:
            return {}
        if scope not in self._given:
            found: dict[str, list[str]] = {}
            below = f"{scope}/"
            paths = (p for p in self._all.entries if p.startswith(below) and p.endswith(".md"))
            for path, text in self._all.texts(paths):
                for name in _given_in(text):
                    found.setdefault(_key(name), []).append(path)
            self._given[scope] = found
        return self._given[scope]

    def near_name(self, name: str, of: str) -> list[str]:
        """The names of topics of the scope that are nearly that."""
        scope = layout.scope_of(of)
        pool = self._changed if self.removed_as(name) else self._all.entries
        topics = (path for path in pool if layout.scope_of(path) == scope)
        return _near(name, (_file(path).removesuffix(".md") for path in topics))


def _spelling(path: str) -> str:
    return normalize("NFC", path).casefold()


def _key(name: str) -> str:
    """A name of a wiki link, without what is no difference: case, `.md`, dashes for spaces."""
    key = _spelling(name).removeprefix("./").removesuffix(".md").strip("/")
    return key.replace(" ", "-").replace("_", "-")


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    """Paths by every end of theirs that begins behind a `/`, and by all of it."""
    found: dict[str, list[str]] = {}
    for path in paths:
        key = _key(path)
        while key:
            found.setdefault(key, []).append(path)
            key = key.partition("/")[2]
    return found


def _given_in(text: str) -> Iterator[str]:
    fields = line_reader.read_fields(text, line_reader.closing_at(text))
    yield from filter(None, map(fields.get, ("name", "title", "permalink")))
    for alias in fields.get("aliases", "").strip("[]").split(","):
        yield from filter(None, [alias.strip().strip("\"'")])


def _alike(one: str, other: str) -> int:
    """How many folders two paths share from the start."""
    pairs = zip(one.split("/"), other.split("/"), strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), 0)


def _file(path: str) -> str:
    return path.rpartition("/")[2]


def _digits(name: str) -> list[str]:
    return [char for char in name if char.isdigit()]


def _near(name: str, others: Iterable[str]) -> list[str]:
    """Those of the names that differ from `name` by a slip in its letters, not in a file's type."""
    from difflib import get_close_matches

    stem, dot, kind = name.rpartition(".")
    end = f"{dot}{kind}" if dot else ""
    stem = stem if dot else kind
    stems = {other[: len(other) - len(end)] for other in others if other.endswith(end)}
    likely = (s for s in stems if abs(len(s) - len(stem)) <= _MOST and _digits(s) == _digits(stem))
    alike = sorted(s for s in likely if s != stem and (s[:1] == stem[:1] or s[-2:] == stem[-2:]))
    return [f"{found}{end}" for found in get_close_matches(stem, alike, _MOST, _ALIKE)]
