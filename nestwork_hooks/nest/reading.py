"""One run's reading of a nest: where it reads from, and what could not be read."""

from __future__ import annotations

from nestwork_hooks.light import Frozen, MappingProxyType
from nestwork_hooks.nest.everything import Everything
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.listing import Listing
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.selection import Selection
    from nestwork_hooks.protocol.topic import Topic


class Reading(Frozen):
    """What a run reads (`reads`, a sum of the constants in reads), of what, and from where.

    `source` is the working tree or what is staged, `disk` the working tree in any case. `unread`
    takes in the findings of files that could not be read. `known` are topics that need not be read,
    `is_before` says that this is the version before the commit.
    """

    request: Request
    selection: Selection
    listing: Listing
    reads: int
    source: Source
    disk: Source
    attributes: dict[str, dict[str, str]]
    everything: Everything
    unread: list[Finding]
    known: Mapping[str, Topic | Unread] = MappingProxyType({})
    is_before: bool = False

    def add_unread(self, path: str, unread: Unread) -> None:
        """Add the finding for a file that could not be read.

        Encrypted files fail a run over everything, and are only named in a commit. A file that
        the commit does not change is not its fault.
        """
        if unread.fault.rule == "locked":
            lenient = self.request.allow_locked or self.selection.of_commit
        else:
            lenient = not self.selection.judges(path)
        self.unread.append(unread.fault.at(path, WARNING if lenient else ERROR))
