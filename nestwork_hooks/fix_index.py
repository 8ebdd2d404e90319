"""Rewrite every topic index that is stale.

Makes the index from the front matter and sizes of the topics that git lists, and puts it
between the two markers in the scope's memory.md. Text outside the markers stays as it is.
Exits 1 if it wrote, so that a commit stops and the file can be added to it; it never
stages anything. Where it can't be sure it writes nothing, and says why.

example: nestwork-fix-index --staged shared; git add -- shared/memory.md
"""

from __future__ import annotations

import errno
import os
import signal
from contextlib import contextmanager
from time import time, time_ns

from nestwork_hooks import contents, git, hook
from nestwork_hooks.protocol import index, layout, markers
from nestwork_hooks.protocol.finding import ERROR, Finding
from nestwork_hooks.protocol.text import named
from nestwork_hooks.report import Report
from nestwork_hooks.stale_index import unjudged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nestwork_hooks.nest import Nest

# Seconds after which a temporary file is no running fixer's any more.
_ABANDONED = 10
# How often a memory.md may change under the fixer before it gives up.
_TRIES = 5
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_CREATE |= getattr(os, "O_CLOEXEC", 0)


class Moving(Exception):
    """A memory.md is not what it was when its scope was judged; the message says in what way."""


def work(nest: Nest, options: hook.Options) -> Report:
    """Compute every index that is judged, then write those that differ."""
    findings: list[Finding] = []
    stale: dict[str, tuple[str, str]] = {}
    for scope in nest.scopes():
        findings += unjudged(nest, scope)
        path, expected = layout.memory_of(scope), nest.expected_index(scope)
        if expected is None or (options.exclude and options.exclude.search(path)):
            continue
        remove_leftovers(scope)
        difference = index.difference(nest.index(scope) or "", expected)
        if difference:
            stale[path] = expected, difference
    written, unstaged, failures = _write(stale)
    if nest.staged:
        findings += [_unstaged(path, stale[path][1]) for path in unstaged]
    report = Report(findings, staged=nest.staged)
    report.written, report.unstaged, report.failures = written, unstaged, failures
    if nest.by_hand:
        _name_untracked(nest)
    return report


def _write(stale: dict[str, tuple[str, str]]) -> tuple[dict[str, str], set[str], list[str]]:
    """Write each index: the files rewritten and why, those already right, and the failures."""
    written: dict[str, str] = {}
    right: set[str] = set()
    failures = []
    for path, (expected, difference) in stale.items():
        try:
            if rewrite(path, expected):
                written[path] = difference
            else:
                right.add(path)
        except (OSError, Moving) as error:
            reason = getattr(error, "strerror", None) or error
            failures.append(f"{path}: not rewritten: {reason}")
    return written, right, failures


def _unstaged(path: str, difference: str) -> Finding:
    message = f"topic index is stale: {difference}; it is right on disk, but not staged: git add it"
    return Finding(path, 1, ERROR, "stale-index", message)


def rewrite(path: str, expected: str) -> bool:
    """Put the index into the memory.md at `path`, whole or not at all; False if it is there.

    The file keeps its mode and everything outside its markers. Raises OSError, also for an index
    that would be too large to be read again, and Moving where somebody else changes the file
    faster, or its markers are not those that were judged.
    """
    for _ in range(_TRIES):
        before = contents.read_whole(path)
        block = markers.find_block(before)
        if not isinstance(block, markers.Block):
            raise Moving("its markers on disk are not those that were judged; run this again")
        if index.current(before, block) == expected:
            return False
        after = index.splice(before, block, expected)
        if len(after) > markers.MOST_BYTES:
            most = f"{markers.MOST_BYTES:,} bytes"
            raise OSError(errno.EFBIG, f"over {most} with its index: move topics to other scopes")
        if _replace(path, before, after):
            return True
    raise Moving("somebody keeps changing it; run this again")


def _replace(path: str, before: bytes, after: bytes) -> bool:
    """Replace the file, unless it no longer holds `before`: then False, and nothing is done.

    What remains possible is a change between that last look and the replacement itself, which
    are two system calls in a row.
    """
    name = git.to_bytes(path)
    descriptor, temporary = _create(os.path.dirname(name))
    try:
        with open(descriptor, "wb") as file:
            file.write(after)
            file.flush()
            _take_after(name, temporary)
            os.fsync(descriptor)
        seen = _identity(name)
        unchanged = contents.read_whole(path) == before
        if unchanged and _identity(name) == seen:
            os.replace(temporary, name)
            return True
        return False
    finally:
        _remove(temporary)


def _identity(name: bytes) -> tuple[int, ...]:
    """What changes with a file: cheaper to compare than its bytes, so closer to the replacement."""
    status = os.lstat(name)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _take_after(name: bytes, temporary: bytes) -> None:
    """Give the temporary file the other's mode, and its owner where this process may."""
    status = os.lstat(name)
    if hasattr(os, "chown"):
        try:
            os.chown(temporary, status.st_uid, status.st_gid)
        except PermissionError:
            pass
    os.chmod(temporary, status.st_mode & 0o7777)


def _create(folder: bytes) -> tuple[int, bytes]:
    # The tempfile module would take longer to load than all the rest of a replacement.
    name = f"{layout.TEMPORARY}{os.getpid()}-{time_ns()}"
    temporary = os.path.join(folder, name.encode())
    return os.open(temporary, _CREATE, 0o600), temporary


def _remove(temporary: bytes) -> None:
    try:
        os.unlink(temporary)
    except OSError:
        pass


def remove_leftovers(scope: str) -> None:
    """Remove the temporary files that a fixer left in the scope's folder when it was killed."""
    try:
        with os.scandir(git.to_bytes(scope)) as files:
            for file in files:
                if layout.is_temporary(git.to_path(file.name)) and _is_abandoned(file):
                    _remove(file.path)
    except OSError:
        pass


def _is_abandoned(file: os.DirEntry[bytes]) -> bool:
    return time() - file.stat(follow_symlinks=False).st_mtime > _ABANDONED


def _name_untracked(nest: Nest) -> None:
    scopes = [scope for scope in nest.scopes() if nest.has_opted_in(scope)]
    unknown = git.unknown(scopes) if scopes else []
    topics = sorted(filter(layout.topic_name, {*unknown, *nest.announced}))
    if topics:
        hook.complain(HOOK.name, f"left out, not known to git: {named(topics)} (git add)")


HOOK = hook.Hook("nestwork-fix-index", __doc__, ("index",), work=work)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-fix-index`: 0 nothing to fix, 1 wrote or findings, 2 could not."""
    with _terminated_as_interrupted():
        return hook.run(HOOK, argv)


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Whoever ends the fixer kindly gets its temporary file removed."""
    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    default = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in default:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in default:
            signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    raise SystemExit(main())
