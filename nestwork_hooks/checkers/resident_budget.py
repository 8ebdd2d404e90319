"""Does what is read whole at every start stay within its budget?

Fails on a resident file over its budget (queen/agent-rules.md, shared/resident.md,
agents/<host>/<agent-id>/resident.md), on a start, which is the three together, over its own
(resident-budget), and where there is no rules file, or none that is a file (missing-rules).

A commit is judged on the files that it changes, a run with nothing staged on all.

example: nestwork-resident-budget --all
"""

from __future__ import annotations

from nestwork_hooks.console.rim import run_checker
from nestwork_hooks.nest.checker import Checker, Limit, Rule
from nestwork_hooks.nest.reads import RESIDENT
from nestwork_hooks.protocol import layout, resident
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.finding import ERROR, Finding, Run
from nestwork_hooks.protocol.topic import BEGINS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nestwork_hooks.nest.view import View

_LIMITS = (
    Limit("rules-bytes", resident.RULES_BYTES, "budget of queen/agent-rules.md in bytes"),
    Limit("shared-bytes", resident.SHARED_BYTES, "budget of shared/resident.md in bytes"),
    Limit("agent-bytes", resident.AGENT_BYTES, "budget of an agent's resident.md in bytes"),
    Limit("start-bytes", resident.START_BYTES, "budget of one start in bytes"),
)


def check(view: View, limits: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every resident file that is judged, and of each start it is part of."""
    if view.rules is not None:
        yield _missing_rules(view, view.rules)
    budgets = resident.Budgets(*(limits[limit.flag] for limit in _LIMITS))
    for path in view.residents:
        yield from _file(view, path, budgets)
    touched = set(view.residents)
    for path in view.sizes:
        if layout.is_agent_resident(path) and not touched.isdisjoint(resident.start_of(path)):
            yield from _start(view, path, budgets)


def _missing_rules(view: View, lack: str) -> Finding:
    path = f"{view.request.root}{layout.RULES}"
    remedy = "put the file itself here"
    words: tuple[str, ...] = ()
    if lack == "gone from disk":
        words = "git", "checkout", "--", path
    elif layout.RULES in view.selection.removed and "folder" not in lack and "behind" not in lack:
        words = "git", "checkout", view.selection.before, "--", path
    elif lack == "missing":
        remedy = "add it"
    if words:
        from nestwork_hooks.protocol.shell import line

        remedy = f"put it back: {line(*words)}"
    message = f"the rules file is {lack}, and every start reads it: {remedy}"
    return Finding(layout.RULES, 1, ERROR, "missing-rules", message, Run(words) if words else None)


def _file(view: View, path: str, budgets: resident.Budgets) -> Iterator[Finding]:
    size = view.sizes.get(path)
    if isinstance(size, int) and budgets.is_over(path, size):
        budget = budgets.of(path)
        fact = f"{size:,} bytes, {size - budget:,} over the {budget:,}-byte budget"
        yield Finding(path, 1, ERROR, "resident-budget", f"{fact}: {_advice(view, path)}")


def _advice(view: View, path: str) -> str:
    """Where what is too much goes: to a topic, or to the memory.md of a scope without an index."""
    scope = resident.topics_scope(path)
    if scope not in view.indexed:
        place = view.escaped(layout.memory_of(scope))
    else:
        place = f"a new topic {view.escaped(f'{scope}/<topic>.md')}, which begins with {BEGINS}"
    return f"move what is not needed at every start to {place}"


def _start(view: View, agent: str, budgets: resident.Budgets) -> Iterator[Finding]:
    """A start is judged only where each of its files is within budget, and said of the agent's."""
    sizes = {path: view.sizes.get(path, 0) for path in resident.start_of(agent)}
    total = 0
    for path, size in sizes.items():
        if isinstance(size, Unread) or budgets.is_over(path, size):
            return
        total += size
    if total > budgets.start:
        parts = " + ".join(f"{size:,}" for size in sizes.values())
        fact = (
            f"one start is {total:,} bytes ({parts}: rules, shared, this agent),"
            f" {total - budgets.start:,} over the {budgets.start:,}-byte budget"
        )
        yield Finding(agent, 1, ERROR, "resident-budget", f"{fact}: {_advice(view, agent)}")


CHECKER = Checker(
    name="resident-budget",
    about=__doc__,
    rules=(
        Rule(
            "resident-budget",
            "error",
            "a resident file or a start is over its budget",
            resident.topics_scope,
        ),
        Rule("missing-rules", "error", "there is no rules file, or none that is a file"),
    ),
    limits=_LIMITS,
    reads=RESIDENT,
    takes_files=False,
    check=check,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-resident-budget`: 0 in order, 1 findings, 2 could not look."""
    return run_checker(CHECKER, argv)


if __name__ == "__main__":
    raise SystemExit(main())
