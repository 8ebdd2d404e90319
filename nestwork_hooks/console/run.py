"""The rim of every command: arguments in, a report printed, an exit code out."""

from __future__ import annotations

import os
import sys

from nestwork_hooks.console.options import Command, Options
from nestwork_hooks.console.report import Report, narrowed
from nestwork_hooks.git import GitError
from nestwork_hooks.git.process import keep_files_apart
from nestwork_hooks.nest.checker import Checker, reads_of, reindexed_by
from nestwork_hooks.nest.judging import judge
from nestwork_hooks.nest.request import Request, Unusable, as_listed, read_environment, today
from nestwork_hooks.nest.view import View, look
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OK, FOUND, UNABLE = 0, 1, 2


def run_checker(checker: Checker, argv: Sequence[str] | None = None) -> int:
    """Run the command of one checker; its exit code."""

    def work(request: Request, options: Options) -> Report:
        return check(request, options, [checker])

    name, takes_files = f"nestwork-{checker.name}", checker.takes_files
    return run(
        Command(name, checker.about, [checker], takes_files, is_check=False, work=work), argv
    )


def check(request: Request, options: Options, checkers: Sequence[Checker]) -> Report:
    """Let checkers judge what was asked for."""
    running, rules = options.chosen(checkers)
    view = look(request, reads_of(running))
    findings = judge(running, view, options.limits, rules)
    return Report(request, findings, taken=taken(view), view=view)


def taken(view: View) -> list[str]:
    """The topics and indexes that `git commit -- PATH` takes from disk, past the staging area."""
    if not view.request.environment.is_partial_commit:
        return []
    return sorted(filter(reindexed_by, view.selection.changed))


def run(command: Command, argv: Sequence[str] | None = None) -> int:
    """Run a checker or the fixer; its exit code."""
    return guarded(command.name, lambda args: _run(command, args), argv)


def guarded(
    name: str, command: Callable[[list[str]], int], argv: Sequence[str] | None = None
) -> int:
    """Run any command; its exit code. No failure, foreseen or not, ends in a traceback.

    `name` is what the line on standard error begins with.
    """
    try:
        _import_nothing_from_here()
        keep_files_apart()
        return _flushed(command, sys.argv[1:] if argv is None else list(argv))
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
        from nestwork_hooks.console.streams import complain, drop

        if isinstance(error, OSError):
            drop(sys.stdout)
        if not isinstance(error, BrokenPipeError):  # Else nobody reads, as of `head`.
            complain(name, reason_of(error))
        return UNABLE


def reason_of(error: BaseException) -> str:
    """Why a command could not do its work, in one line."""
    if isinstance(error, GitError | Unusable):
        return str(error)
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, OSError):
        return f"{error.strerror or error}"
    return f"internal error in {_place(error)}; please report it: {error!r}"


def _flushed(command: Callable[[list[str]], int], args: list[str]) -> int:
    try:
        return command(args)
    finally:
        if sys.stdout:
            sys.stdout.flush()


def _run(command: Command, args: list[str]) -> int:
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


def _import_nothing_from_here() -> None:
    """Take the current folder, which is the nest, off Python's path.

    It is on it under `python -m`, and where PYTHONPATH names it or has an empty part.
    """
    try:
        here = os.path.realpath(os.curdir)
    except OSError:
        return  # The folder is gone, and so is what was in it.
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]


def _place(error: BaseException) -> str:
    """Where in this package an error came up, and the path at work there where one is known."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    place = path = ""
    at = error.__traceback__
    while at:
        file, values = os.path.abspath(at.tb_frame.f_code.co_filename), at.tb_frame.f_locals
        if file.startswith(package + os.sep):
            place = f"{file[len(package) + 1 :]}, line {at.tb_lineno}"
            here = values.get("path") or values.get("scope")
            path = here if isinstance(here, str) else path
        at = at.tb_next
    return f"{place}, at {escaped(path)}" if path else place
