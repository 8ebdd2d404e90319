"""What is read when: the files of a start, of a task, and of the whole nest.

Source of every rule here: docs/protocol.md, "What a start and a task read".
"""

from __future__ import annotations

from nestwork_hooks.protocol.layout import (
    MEMORY,
    RESIDENT,
    RULES,
    SHARED,
    SHARED_RESIDENT,
    is_memory_file,
    is_too_deep,
    memory_of,
    scope_of,
    topic_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

STRATEGY = "queen/strategy.md"
# Folders whose files are read one by one, as work asks for them.
ON_DEMAND = ("projects", "workflow")
# A generated digest, ignored by git: part of a start where it lies on disk.
RECENT = "local/recent.md"
RECENT_BYTES = 2_048
_NEVER_LOADED = frozenset({"outbox", "local", "comms", "archive"})


class Tiers:
    """Sorts the Markdown files of a nest, given as paths, into what is read when.

    `opted_in` are the scopes whose memory.md holds an index. An agent is named by its scope;
    None stands for a reader that has none.
    """

    def __init__(self, paths: Iterable[str], opted_in: Collection[str]) -> None:
        self.paths = sorted(path for path in paths if path.endswith(".md"))
        self.opted_in = opted_in
        self._all = frozenset(self.paths)
        self._by_scope: dict[str, list[str]] = {}
        for path in self.paths:
            self._by_scope.setdefault(scope_of(path) or "", []).append(path)

    def agents(self) -> list[str]:
        """The scopes of all agents, sorted."""
        return sorted(self._by_scope.keys() - {"", SHARED})

    def topics(self, scope: str) -> list[str]:
        """The topics that the scope's index can list; none where it has not opted in."""
        if scope not in self.opted_in:
            return []
        named = ((path, topic_name(path)) for path in self._by_scope.get(scope, ()))
        return [path for path, name in named if name and not is_too_deep(name)]

    def full_start(self, agent: str | None) -> list[str]:
        """What a start loaded before there was a resident tier (2.x)."""
        general = [path for path in self._by_scope.get("", ()) if _is_general(path)]
        own = self._memory(agent) if agent else []
        return [*general, *self._memory(SHARED), *own]

    def resident_start(self, agent: str | None) -> list[str]:
        """What a start reads whole (3.x)."""
        files = (RULES, SHARED_RESIDENT, f"{agent}/{RESIDENT}", RECENT)
        return [path for path in files if path in self._all]

    def on_demand(self, agent: str | None) -> list[str]:
        """What a start only names: the strategy, the memory or its index, projects, workflow."""
        files = (STRATEGY, *(memory_of(scope) for scope in (agent, SHARED) if scope))
        folders = [path for top in ON_DEMAND for path in self.paths if _is_in(top, path)]
        return [*(path for path in files if path in self._all), *folders]

    def task(self, agent: str | None, opened: Iterable[str]) -> list[str]:
        """What a task reads: a resident start, the shared index, and the files it opens."""
        index = [memory_of(SHARED)] if SHARED in self.opted_in else []
        return list(dict.fromkeys((*self.resident_start(agent), *index, *opened)))

    def whole_nest(self) -> list[str]:
        """Every memory file."""
        return [path for path in self.paths if is_memory_file(path)]

    def _memory(self, scope: str) -> list[str]:
        start = len(scope) + 1
        found = self._by_scope.get(scope, ())
        if scope not in self.opted_in:
            return [path for path in found if path[start:] == MEMORY]
        return [path for path in found if _is_loaded(path[start:])]


def _is_general(path: str) -> bool:
    return path in (RULES, STRATEGY) or _is_in("workflow", path)


def _is_in(folder: str, path: str) -> bool:
    return path.startswith(f"{folder}/") and path.count("/") == 1


def _is_loaded(name: str) -> bool:
    parts = name.split("/")
    hidden = any(part.startswith(("_", ".")) for part in parts)
    return name != RESIDENT and not hidden and _NEVER_LOADED.isdisjoint(parts)


def median(sizes: Mapping[str, int]) -> str | None:
    """The path of median size, number n // 2 of n in ascending order; None where there is none."""
    ordered = sorted(sizes, key=lambda path: (sizes[path], path))
    return ordered[len(ordered) // 2] if ordered else None
