"""All that git lists of a repository, and the texts of those of its files that are asked for."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.light import cached_property, closing
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.topic import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.view import View


class Everything:
    """What git lists, of the nest and around it, from the first question on.

    Paths are below the nest's root; those above it begin with `../`. `list_all` returns the entries
    of regular files, and takes what else there is into its argument, by kind. `source` is where
    entries are read from.
    """

    def __init__(
        self,
        list_all: Callable[[dict[str, str]], dict[str, git.Entry]],
        source: Callable[[dict[str, git.Entry]], Source],
    ) -> None:
        self._list_all = list_all
        self._source = source
        self.others: dict[str, str] = {}

    @cached_property
    def entries(self) -> dict[str, git.Entry]:
        """The entries of all regular files by path. Raises GitError."""
        return self._list_all(self.others)

    @cached_property
    def folders(self) -> set[str]:
        """The folders with anything in them, without a `/` at the end; the nest's root is `""`."""
        found: set[str] = {""}
        for path in [*self.entries, *self.others]:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return found

    def has(self, path: str) -> bool:
        """Whether git lists something at this path, below it, or behind a link or a submodule."""
        if path in self.entries or path in self.folders or path in self.others:
            return True
        parts = path.split("/") if self.others else ()
        return any("/".join(parts[:count]) in self.others for count in range(1, len(parts)))

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The texts of these files below the nest's root, those left out that cannot be read."""
        wanted = [path for path in paths if path in self.entries and not path.startswith("../")]
        with closing(self._source({path: self.entries[path] for path in wanted})) as source:
            for path, content in source.read(wanted):
                text = content if isinstance(content, Unread) else read_text(content)
                if isinstance(text, str):
                    yield path, text


def list_staged(others: dict[str, str]) -> dict[str, git.Entry]:
    """What the staging area lists, without intent-to-add entries. Raises GitError."""
    entries = git.everything(others)
    for path in git.intent_to_add(entries):
        del entries[path]
    return entries


def list_before(view: View) -> Callable[[dict[str, str]], dict[str, git.Entry]]:
    """What the commit before lists, and around the nest what is there now. Raises GitError."""

    def list_all(others: dict[str, str]) -> dict[str, git.Entry]:
        now = view.everything.entries
        around = {path: entry for path, entry in now.items() if path.startswith("../")}
        return {**around, **git.committed(view.selection.before, (), others)}

    return list_all
