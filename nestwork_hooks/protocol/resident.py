"""The resident tier: files that are read whole at every start, each within a budget."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.layout import RULES, SHARED, SHARED_RESIDENT, scope_of

# Largest allowed values, in bytes after CRLF became LF (docs/protocol.md, "Resident files").
RULES_BYTES = 4_096
SHARED_BYTES = 4_096
AGENT_BYTES = 2_048
START_BYTES = 10_240


class Budgets(Frozen):
    """The budgets in force, in bytes: of the rules, of each resident file, of one start."""

    rules: int = RULES_BYTES
    shared: int = SHARED_BYTES
    agent: int = AGENT_BYTES
    start: int = START_BYTES

    def of(self, path: str) -> int:
        """The budget of the resident file at `path`."""
        return {RULES: self.rules, SHARED_RESIDENT: self.shared}.get(path, self.agent)

    def is_over(self, path: str, size: int) -> bool:
        """Whether a resident file of `size` bytes is over its budget."""
        return size > self.of(path)


def start_of(agent_resident: str) -> tuple[str, str, str]:
    """The files of one start: the rules, the shared resident file, the agent's own."""
    return RULES, SHARED_RESIDENT, agent_resident


def topics_scope(path: str) -> str:
    """The scope whose topics take what is too much for the resident file at `path`."""
    return scope_of(path) or SHARED
