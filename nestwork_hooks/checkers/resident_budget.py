"""Does what is read whole at every start stay within its budget?

Fails on a resident file over its budget (queen/agent-rules.md, shared/resident.md,
agents/<host>/<agent-id>/resident.md), on a start, which is the three together, over its own
(resident-budget), and where there is no rules file, or none that is a file (missing-rules).

A commit is judged on the files that it changes, a run with nothing staged on all.

example: nestwork-resident-budget --all
"""

from __future__ import annotations

from nestwork_hooks.console import run as hook
from nestwork_hooks.protocol import layout, resident
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.finding import ERROR, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nestwork_hooks.nest.view import Nest

LIMITS = (
    hook.Limit("rules-bytes", resident.RULES_BYTES, "budget of queen/agent-rules.md in bytes"),
    hook.Limit("shared-bytes", resident.SHARED_BYTES, "budget of shared/resident.md in bytes"),
    hook.Limit("agent-bytes", resident.AGENT_BYTES, "budget of an agent's resident.md in bytes"),
    hook.Limit("start-bytes", resident.START_BYTES, "budget of one start in bytes"),
)


def check(nest: Nest, options: hook.Options) -> Iterator[Finding]:
    """The findings of every resident file that is judged, and of each start it is part of."""
    files = [path for path in nest.entries if layout.is_resident(path)]
    judged = [path for path in files if nest.selection.judges(path)]
    if judged or nest.looks_for_rules():
        yield from _missing_rules(nest)
    budgets = resident.Budgets(*(options.limits[limit.flag] for limit in LIMITS))
    for path in judged:
        yield from _file(nest, path, budgets)
    touched = set(judged)
    for path in files:
        if layout.is_agent_resident(path) and not touched.isdisjoint(resident.start_of(path)):
            yield from _start(nest, path, budgets)


def _missing_rules(nest: Nest) -> Iterator[Finding]:
    rules = layout.RULES
    if rules in nest.entries:
        if nest.exists(rules):
            return
        fact, remedy = "is gone from disk", f"put it back: git checkout -- {rules}"
    else:
        other = nest.in_place_of(rules)
        fact = f"is {other}" if other else "is missing"
        remedy = "put the file itself here" if other else "add it"
    message = f"the rules file {fact}, and every start reads it: {remedy}"
    yield Finding(rules, 1, ERROR, "missing-rules", message)


def _file(nest: Nest, path: str, budgets: resident.Budgets) -> Iterator[Finding]:
    size = nest.resident_size(path)
    if isinstance(size, Unread):
        yield nest.unread(path, size)
    elif size is not None and budgets.is_over(path, size):
        budget = budgets.of(path)
        message = (
            f"{size:,} bytes, {size - budget:,} over the {budget:,}-byte budget:"
            " move what is not needed at every start into a topic"
        )
        yield Finding(path, 1, ERROR, "resident-budget", message)


def _start(nest: Nest, agent: str, budgets: resident.Budgets) -> Iterator[Finding]:
    """A start is judged only where each of its files is within budget, and said of the agent's."""
    sizes = {path: nest.resident_size(path) or 0 for path in resident.start_of(agent)}
    total = 0
    for path, size in sizes.items():
        if isinstance(size, Unread) or budgets.is_over(path, size):
            return
        total += size
    if total > budgets.start:
        parts = " + ".join(f"{size:,}" for size in sizes.values())
        message = (
            f"one start is {total:,} bytes ({parts}: rules, shared, this agent),"
            f" {total - budgets.start:,} over the {budgets.start:,}-byte budget:"
            " move what is not needed at every start into a topic"
        )
        yield Finding(agent, 1, ERROR, "resident-budget", message)


HOOK = hook.Hook("nestwork-resident-budget", __doc__, ("resident",), check, limits=LIMITS)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-resident-budget`: 0 in order, 1 findings, 2 could not look."""
    return hook.run(HOOK, argv)


if __name__ == "__main__":
    raise SystemExit(main())
