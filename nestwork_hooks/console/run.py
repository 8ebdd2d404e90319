"""A run of a checker, of all, or of the fixer: arguments in, a report printed, an exit code out."""

from __future__ import annotations

import os

from nestwork_hooks.console.codes import FOUND, OK, UNABLE
from nestwork_hooks.console.options import Command, Options
from nestwork_hooks.console.report import Report, narrowed
from nestwork_hooks.nest.checker import Checker, reads_of, reindexed_by
from nestwork_hooks.nest.judging import judge
from nestwork_hooks.nest.looking import look
from nestwork_hooks.nest.request import Request, as_listed, read_environment, today

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.nest.view import View


def check(
    request: Request, options: Options, checkers: Sequence[Checker], view: View | None = None
) -> Report:
    """Let checkers judge what was asked for; `view` is that, if it was looked at already."""
    running, rules = options.chosen(checkers)
    view = view or look(request, reads_of(running))
    findings = judge(running, view, options.limits, rules)
    return Report(request, findings, taken=taken(view), view=view)


def taken(view: View) -> list[str]:
    """The topics and indexes that `git commit -- PATH` takes from disk, past the staging area."""
    if not view.request.environment.is_partial_commit:
        return []
    return sorted(filter(reindexed_by, view.selection.changed))


def run(command: Command, args: list[str]) -> int:
    """Run a command with these arguments; its exit code."""
    options = Options(command)
    if any(arg.startswith("-") for arg in args):
        from nestwork_hooks.console.flags import parse

        parse(command, args, options)
    else:
        options.names = args
    if not options.root:
        return _work(command, options, list(map(as_listed, options.names)), "", os.getcwd())
    from nestwork_hooks.console.root import Root

    with Root(options.root) as root:
        names = list(root.within(options.names, files=command.takes_files))
        if options.names and not names:
            command = command.replace(work=_nothing)  # Files of the repository, none of the nest.
        return _work(command, options, names, root.prefix, root.start)


def _work(command: Command, options: Options, names: list[str], root: str, start: str) -> int:
    request = Request(
        environment=read_environment(),
        names=names,
        all=options.all,
        base=options.base,
        staged=options.staged,
        root=root,
        start=start,
        allow_locked=options.allow_locked,
        uncommitted=options.uncommitted,
        exclude=options.exclude,
        today=today(),
    )
    if _is_judged_by_committer(command, request):
        command = command.replace(work=_nothing)
    report = command.work(request, options)
    findings = narrowed(report.findings, options.exclude, options.warn_only)
    report = report.replace(findings=findings, strict=options.strict)
    if not report.is_silent or options.format != "text" or options.verbose:
        from nestwork_hooks.console.formats import print_report

        print_report(report, options.format, brief=options.uncommitted, verbose=options.verbose)
    if report.failures:
        from nestwork_hooks.console.streams import complain

        for failure in report.failures:
            complain(command.name, failure)
        return UNABLE
    return FOUND if report.fails else OK


def _nothing(request: Request, _: Options) -> Report:
    return Report(request, [])


def _is_judged_by_committer(command: Command, request: Request) -> bool:
    """Whether nestwork-commit judges by itself what this run would judge: its own commit."""
    environment = request.environment
    named = request.names and not (environment.by_runner and command.takes_files)
    if request.all or request.base or named or environment.range or not environment.committers:
        return False
    from nestwork_hooks.nest.own_commit import is_judged

    return is_judged(environment)
