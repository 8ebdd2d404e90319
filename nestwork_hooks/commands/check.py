"""All checks of a nest, in one process; with --fix, the fixer first.

Fails where one of these fails: nestwork-stale-index, nestwork-missing-description,
nestwork-topic-size, nestwork-nesting-depth, nestwork-resident-budget; on a file that stays
private, and on one that git-crypt should encrypt and that is staged in plain text.

A commit is judged on the scopes, topics and resident files that it touches, a run with
nothing staged on everything.

example: nestwork-check shared agents/box/claude-a7k2
"""

from __future__ import annotations

import os

from nestwork_hooks import checkers
from nestwork_hooks.console.options import Command
from nestwork_hooks.console.run import check, run
from nestwork_hooks.nest.judging import one_of_a_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.console.options import Options
    from nestwork_hooks.console.report import Report
    from nestwork_hooks.nest.checker import Checker
    from nestwork_hooks.nest.request import Request


def all_checkers() -> list[Checker]:
    """What the files of the folder `checkers` declare, by name."""
    files = sorted(os.listdir(os.path.dirname(checkers.__file__)))
    names = [file[:-3] for file in files if file.endswith(".py") and file != "__init__.py"]
    # Not importlib, which takes as long to load as a git process.
    folder = checkers.__name__
    return [__import__(f"{folder}.{name}", fromlist=["CHECKER"]).CHECKER for name in names]


CHECKERS = all_checkers()


def work(request: Request, options: Options) -> Report:
    """Fix what is to be fixed, and judge the rest."""
    report = _fixed(request, options) if options.fix else check(request, options, CHECKERS)
    if not (options.uncommitted and report.view):
        return report
    from nestwork_hooks.commands.uncommitted import findings

    waiting = findings(request, report.view.listing)
    return report.replace(findings=one_of_a_rule([*report.findings, *waiting]))


def _fixed(request: Request, options: Options) -> Report:
    """The fixers, then the checks: what was mended is not found as well. Dates stand in indexes."""
    from nestwork_hooks.checkers import updated_date

    _, rules = options.chosen(CHECKERS)
    writing, made = request.replace(writes=True), []
    of_dates = {rule.name for rule in updated_date.CHECKER.rules}
    if rules & of_dates:
        from nestwork_hooks.commands import fix_dates

        made.append((fix_dates.fix(writing, rules & of_dates), of_dates))
    if "stale-index" in rules:
        from nestwork_hooks.commands import fix_index

        made.append((fix_index.fix(writing), {"stale-index"}))
    report = check(request, options, CHECKERS)
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


COMMAND = Command(
    name="nestwork-check",
    about=__doc__,
    checkers=CHECKERS,
    takes_files=False,
    is_check=True,
    work=work,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-check`: 0 in order, 1 findings, 2 could not look."""
    return run(COMMAND, argv)


if __name__ == "__main__":
    raise SystemExit(main())
