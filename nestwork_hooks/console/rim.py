"""The rim of every command: whatever happens inside, a line and an exit code come out.

What this loads is loaded before git is asked the first question; the rest while git answers.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from nestwork_hooks import git
from nestwork_hooks.console.codes import UNABLE
from nestwork_hooks.git import GitError
from nestwork_hooks.git.process import keep_exit_codes, keep_files_apart
from nestwork_hooks.nest.request import Unusable, read_environment
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from nestwork_hooks.console.options import Command, Options
    from nestwork_hooks.console.report import Report
    from nestwork_hooks.nest.checker import Checker
    from nestwork_hooks.nest.request import Request

# Arguments with which another question is asked than what a commit changes.
_ASKING_OTHERWISE = ("--all", "--base", "--root", "--help", "-h", "--version", "--explain")


def run_checker(checker: Checker, argv: Sequence[str] | None = None) -> int:
    """Run the command of one checker; its exit code."""

    def command(_: Sequence[str]) -> Command:
        from nestwork_hooks.console.options import Command

        return Command(
            name, checker.about, [checker], checker.takes_files, is_check=False, work=work
        )

    def work(request: Request, options: Options) -> Report:
        from nestwork_hooks.console.run import check

        return check(request, options, [checker])

    name = f"nestwork-{checker.name}"
    return run(name, command, argv, takes_files=checker.takes_files)


def run(
    name: str,
    command: Callable[[Sequence[str]], Command],
    argv: Sequence[str] | None = None,
    *,
    takes_files: bool = False,
    writes: bool = False,
) -> int:
    """Run a checker or the fixer, which `command` makes for its arguments; its exit code.

    `writes` says that it always writes.
    """

    def work(args: list[str]) -> int:
        _ask_ahead(args, takes_files=takes_files, writes=writes)
        from nestwork_hooks.console.run import run

        return run(command(args), args)

    return guarded(name, work, argv)


def _ask_ahead(args: Sequence[str], *, takes_files: bool, writes: bool) -> None:
    """Let git look at the commit under way, if that is what these arguments ask for.

    By hand what writes looks at the disk too.
    """
    environment = read_environment()
    if environment.range or environment.committers:
        return
    if not any(arg.startswith(_ASKING_OTHERWISE) for arg in args):
        words = zip(args, ["", *args], strict=False)
        named = any(not (word.startswith("-") or last.startswith("-")) for word, last in words)
        if takes_files or not named:
            on_disk = writes and environment.by_hand and "--staged" not in args
            git.ask_ahead(changes=not named, below=layout.TOP_FOLDERS if on_disk else ())


def guarded(
    name: str, command: Callable[[list[str]], int], argv: Sequence[str] | None = None
) -> int:
    """Run any command; its exit code. No failure, foreseen or not, ends in a traceback.

    `name` is what the line on standard error begins with. Without `argv` this process is the
    command's own: it is too short to collect garbage, and may end in here.
    """
    if argv is None:
        gc.disable()
        keep_exit_codes()
    try:
        code = _guarded(name, command, argv)
    finally:
        git.forget_questions()
    if argv is None:
        _end(code)
    return code


def _end(code: int) -> None:
    """End this process, unless more than Python itself waits for that: a profiler, or coverage.

    Python would first free piece by piece what the system takes back at once. Where it goes on to
    that, it does not look for garbage at least.
    """
    frame: FrameType | None = sys._getframe()
    while frame and frame.f_globals.get("__name__", "").startswith("nestwork_hooks."):
        frame = frame.f_back
    is_script = os.path.basename(sys.argv[0]).startswith("nestwork-")
    # There is no public way to ask for what is to be called at the end.
    if is_script and frame and not frame.f_back and not atexit._ncallbacks():
        os._exit(code)
    gc.freeze()


def _guarded(name: str, command: Callable[[list[str]], int], argv: Sequence[str] | None) -> int:
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


def _import_nothing_from_here() -> None:
    """Take the current folder, which is the nest, off Python's path.

    It is on it under `python -m`, and where PYTHONPATH names it or has an empty part.
    """
    try:
        here = os.stat(os.curdir)
    except OSError:
        return  # The folder is gone, and so is what was in it.
    sys.path[:] = [entry for entry in sys.path if not _is_folder(entry or os.curdir, here)]


def _is_folder(path: str, folder: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), folder)
    except (OSError, ValueError):
        return False


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
