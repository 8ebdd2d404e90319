"""The rim of every command: flags in, findings printed, an exit code out."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager

from nestwork_hooks.console.report import Report, print_lines, print_report
from nestwork_hooks.git import GitError
from nestwork_hooks.nest.selection import Request, Unusable
from nestwork_hooks.nest.view import Nest
from nestwork_hooks.protocol.text import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from nestwork_hooks.protocol.finding import Finding

OK, FOUND, UNABLE = 0, 1, 2


class Limit:
    """A number that a flag sets: its name without dashes, the protocol's value, its meaning."""

    __slots__ = ("default", "flag", "meaning")

    def __init__(self, flag: str, default: int, meaning: str) -> None:
        self.flag = flag
        self.default = default
        self.meaning = meaning


class Options:
    """What the command line says, or does not say."""

    def __init__(self, limits: Iterable[Limit] = ()) -> None:
        self.names: list[str] = []
        self.staged = False
        self.all = False
        self.exclude: re.Pattern[str] | None = None
        self.warn_only: re.Pattern[str] | None = None
        self.strict = False
        self.allow_locked = False
        self.uncommitted = False
        self.format = "text"
        self.limits = {limit.flag: limit.default for limit in limits}


class Hook:
    """One command: its name, what `--help` says, its limits, what it judges, and how.

    `judges` names the parts of a nest that it looks at: `index`, `topics`, `resident`. `check`
    turns a nest into findings; a command that does more gives `work` instead, which fills in
    the whole report. `sees_uncommitted` says that it has the flag `--uncommitted`.
    """

    def __init__(
        self,
        name: str,
        about: str,
        judges: Sequence[str],
        check: Callable[[Nest, Options], Iterable[Finding]] | None = None,
        work: Callable[[Nest, Options], Report] | None = None,
        limits: Sequence[Limit] = (),
        *,
        sees_uncommitted: bool = False,
    ) -> None:
        self.name = name
        self.about = about
        self.judges = judges
        self.limits = limits
        self.sees_uncommitted = sees_uncommitted
        self._check = check
        self._work = work

    def report(self, options: Options) -> Report:
        """Look at the nest, and say what was found. Raises GitError and Unusable."""
        request = Request(
            options.names,
            everything=options.all,
            staged=options.staged,
            allow_locked=options.allow_locked,
            index="index" in self.judges,
            topics="topics" in self.judges,
            resident="resident" in self.judges,
            fixes=self._work is not None,
            untracked=options.uncommitted,
        )
        with Nest(request) as nest:
            if self._work:
                return self._work(nest, options)
            assert self._check
            findings = self._check(nest, options)
            return Report(findings, staged=request.staged, taken=nest.topics_taken())

    def takes_files(self) -> bool:
        """Whether a runner passes it the names of changed files."""
        return "topics" in self.judges and "index" not in self.judges


def run(hook: Hook, argv: Sequence[str] | None = None) -> int:
    """Run a checker or the fixer; its exit code."""
    return guarded(hook.name, lambda args: _run(hook, args), argv)


def guarded(
    name: str, command: Callable[[list[str]], int], argv: Sequence[str] | None = None
) -> int:
    """Run any command; its exit code. No failure, foreseen or not, ends in a traceback."""
    try:
        _import_nothing_from_here()
        with _terminated_as_interrupted():
            return _flushed(command, sys.argv[1:] if argv is None else list(argv))
    except (GitError, Unusable) as error:
        reason = str(error)
    except BrokenPipeError:
        _drop(sys.stdout)
        return UNABLE
    except KeyboardInterrupt:
        reason = "interrupted"
    except OSError as error:
        _drop(sys.stdout)
        reason = f"{error.strerror or error}"
    except Exception as error:  # noqa: BLE001
        reason = f"internal error in {_place(error)}; please report it: {error!r}"
    complain(name, reason)
    return UNABLE


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Whoever ends a command kindly gets what it had begun to write taken away."""
    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []  # Python lets no other thread set them.
    default = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in default:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in default:
            signal.signal(number, signal.SIG_DFL)


def _flushed(command: Callable[[list[str]], int], args: list[str]) -> int:
    try:
        return command(args)
    finally:
        if sys.stdout:
            sys.stdout.flush()


def _run(hook: Hook, args: list[str]) -> int:
    options = Options(hook.limits)
    if any(arg.startswith("-") for arg in args):
        from nestwork_hooks.console.flags import parse

        parse(hook, args, options)
    else:
        options.names = args
    if _is_judged_by_committer(hook, options):
        return OK
    report = hook.report(options)
    report.narrow(options.exclude, options.warn_only)
    print_report(report, options.format, brief=options.uncommitted)
    for failure in report.failures:
        complain(hook.name, failure)
    if report.failures:
        return UNABLE
    return FOUND if report.fails(options.strict) else OK


def _is_judged_by_committer(hook: Hook, options: Options) -> bool:
    """Whether nestwork-commit judges by itself what this run would judge: its own commit."""
    if "NESTWORK_COMMIT" not in os.environ:
        return False
    from nestwork_hooks.nest.own_commit import is_judged

    by_runner = "PRE_COMMIT" in os.environ
    named = options.names and not (by_runner and hook.takes_files())
    ranged = "PRE_COMMIT_FROM_REF" in os.environ
    return not (options.all or named or ranged) and is_judged()


def complain(name: str, reason: str) -> None:
    """One line on standard error, whatever `reason` holds and whoever listens."""
    if sys.stderr is None:
        return
    try:
        print(f"{name}: {shown(reason, 1_000)}", file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def say_if_heard(lines: Iterable[str]) -> None:
    """These lines on standard error; what was done stays done where nobody can listen."""
    try:
        print_lines(lines, sys.stderr)
    except (OSError, ValueError):
        _drop(sys.stderr)


def _import_nothing_from_here() -> None:
    """Take the current folder, which is the nest, off Python's path.

    It is on it under `python -m`, and where PYTHONPATH names it or has an empty part.
    """
    here = os.path.realpath(os.curdir)
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != here]


def _drop(stream: TextIO | None) -> None:
    """Nobody reads on: keep the interpreter from writing at its end what is still buffered."""
    try:
        if stream:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError:
        pass


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
    return f"{place}, at {shown(path)}" if path else place
