"""Fix what is to be fixed, and judge the rest: what `nestwork-check` does."""

from __future__ import annotations

from nestwork_hooks.commands.catalog import every, usual
from nestwork_hooks.console.options import Command
from nestwork_hooks.console.run import check
from nestwork_hooks.nest.checker import limits_of, reads_of
from nestwork_hooks.nest.judging import one_of_a_rule
from nestwork_hooks.nest.looking import look
from nestwork_hooks.nest.reads import INDEXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.console.options import Options
    from nestwork_hooks.console.report import Report
    from nestwork_hooks.nest.checker import Checker
    from nestwork_hooks.nest.request import Request


# The flags, beside limits, that no checker's name goes with.
_PLAIN = (
    *("--all", "--allow-locked", "--base", "--exclude", "--fix", "--format", "--root", "--staged"),
    *("--strict", "--uncommitted", "--verbose", "--warn-only"),
)


def command(about: str, args: Sequence[str]) -> Command:
    """The command, with the checkers that can run with these arguments."""
    checkers = usual()
    known = {*_PLAIN, *(f"--{limit.flag}" for limit in limits_of(checkers))}
    if any(arg.startswith("-") and arg.partition("=")[0] not in known for arg in args):
        checkers = every()
    return Command(
        name="nestwork-check",
        about=about,
        checkers=checkers,
        takes_files=False,
        is_check=True,
        work=lambda request, options: _work(request, options, checkers),
    )


def _work(request: Request, options: Options, checkers: Sequence[Checker]) -> Report:
    report = (_fixed if options.fix else check)(request, options, checkers)
    if not (options.uncommitted and report.view):
        return report
    from nestwork_hooks.commands.uncommitted import findings

    waiting = findings(request, report.view.listing)
    return report.replace(findings=one_of_a_rule([*report.findings, *waiting]))


def _fixed(request: Request, options: Options, checkers: Sequence[Checker]) -> Report:
    """The fixers, then the checks: what was mended is not found as well. Dates stand in indexes."""
    running, rules = options.chosen(checkers)
    writing, made, view = request.replace(writes=True), [], None
    if any(checker.name == "updated-date" for checker in running):
        from nestwork_hooks.commands import fix_dates

        if of_dates := rules & fix_dates.RULES:
            made.append((fix_dates.fix(writing, of_dates), fix_dates.RULES))
    if "stale-index" in rules:
        from nestwork_hooks.commands import fixer

        view = look(writing, INDEXES if request.environment.by_hand else reads_of(running))
        done = fixer.fix(writing, view)
        made.append((done, {"stale-index"}))
        if done.written or done.outdated or view.depends_on_writing:
            view = None
    report = check(request, options, checkers, view)
    for done, own in made:
        mended = {*done.written, *done.unstaged}
        findings = [f for f in report.findings if f.rule not in own or f.path not in mended]
        findings += [f for f in done.findings if f.rule in own]
        report = report.replace(
            findings=one_of_a_rule(findings),
            written={**report.written, **done.written},
            unstaged=[*report.unstaged, *done.unstaged],
            failures=[*report.failures, *done.failures],
            moved={**report.moved, **done.moved},
            dated=[*report.dated, *done.dated] if "stale-index" in rules else (),
        )
    return report
