"""The only door to git: what is staged or committed, what a commit changes, and the blobs.

Git runs in the folder where the command started, and every path is below that folder, with
`/`. Names travel NUL-separated and as bytes; those that are not UTF-8 keep their bytes as
surrogates, whatever the locale.
"""

from __future__ import annotations

import os
import subprocess

from nestwork_hooks.protocol.content import PIECE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

# The oldest git that is known to do all of this; an older one is named when something fails.
OLDEST = (2, 20)
# Whatever a user's configuration could change in a list of names is set to git's own default.
_DIFF = (
    *("diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-color"),
    *("--relative", "-O" + os.devnull, "--ignore-submodules=all"),
)
# So many ids are asked for at once: fewer than fill a pipe, so that neither side has to wait.
_BATCH = 100
# The exit code of a git that gave up; a hook that refuses a commit makes it 1.
_FATAL = 128
# More paths than this do not go on a command line: everything is listed instead.
_MOST_PATHS = 200
# Values of the attribute `filter` that leave a blob as it is, or are dealt with by themselves.
_NO_FILTERS = ("unspecified", "unset", "set", "git-crypt", "lfs")
_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)


class GitError(Exception):
    """Git could not do what was asked; the message is one line, in git's own words."""


class Refused(GitError):
    """A command that changes something ended without having done it.

    `said` is what git, or the hook that git ran, wrote on standard error, line by line; `locked`
    says that the reason is a lock, or a branch, that another process has just taken.
    """

    def __init__(self, code: int, stderr: str) -> None:
        self.code = code
        self.said = [line for line in map(str.rstrip, stderr.splitlines()) if line]
        super().__init__(" ".join(stderr.split())[:400])
        names_lock = ".lock'" in stderr or "cannot lock ref" in stderr
        self.locked = code == _FATAL and names_lock


class Entry:
    """A regular file in the staging area: its blob, and whether it is in an unsolved conflict."""

    __slots__ = ("blob", "unmerged")

    def __init__(self, blob: str, unmerged: bool = False) -> None:
        self.blob = blob
        self.unmerged = unmerged


class Change:
    """A path that differs: the regular file's blob before and after, None where there is none."""

    __slots__ = ("new", "old", "path")

    def __init__(self, path: str, old: str | None, new: str | None) -> None:
        self.path = path
        self.old = old
        self.new = new


def to_path(name: bytes) -> str:
    """A name as git or the system has it, as text."""
    return name.decode("utf-8", "surrogateescape")


def to_bytes(path: str) -> bytes:
    """The name that `path` stands for."""
    return path.encode("utf-8", "surrogateescape")


def run(*args: str, stdin: bytes = b"") -> bytes:
    """What git prints. Raises GitError where it fails, or is not there."""
    try:
        done = subprocess.run(
            _command(*args), input=stdin, capture_output=True, check=False, env=_environment()
        )
    except OSError as error:
        raise GitError(f"cannot run git: {error.strerror}") from None
    if done.returncode:
        raise GitError(_reason(args[0], done.returncode, done.stderr))
    return done.stdout


def _command(*args: str) -> list[bytes]:
    # A diff would else write the refreshed index, and its lock stop somebody else's commit.
    no_lock = ("--no-optional-locks", "-c", "diff.autoRefreshIndex=false")
    words = ("git", *no_lock, "--literal-pathspecs", *args)
    return [to_bytes(word) for word in words]


def _environment() -> dict[str, str]:
    """Git's environment: a partial clone fetches nothing (git 2.44; an older one may)."""
    return {**os.environ, "GIT_NO_LAZY_FETCH": "1"}


def _reason(command: str, code: int, stderr: bytes) -> str:
    if code == 129:
        version = subprocess.run(["git", "--version"], capture_output=True, check=False).stdout
        numbers = version.decode("utf-8", "replace").removeprefix("git version ").split(".")
        if tuple(int(number) for number in numbers[:2] if number.isdigit()) < OLDEST:
            needed = ".".join(map(str, OLDEST))
            return f"git {'.'.join(numbers).strip()} is too old: {needed} or newer is needed"
    words = " ".join(stderr.decode("utf-8", "replace").split())[:400]
    return words or f"git {command} failed with code {code}"


def act(*args: str, **env: str) -> None:
    """Run a git command that changes something. Raises Refused, and GitError without git.

    It runs in a session of its own and is never killed from here: whoever kills this process
    kills its group, and a git that dies in the middle leaves its lock in the clone for good.
    """
    inherited = {name: os.environ[name] for name in os.environ if "_PATHSPECS" not in name}
    try:
        process = subprocess.Popen(
            [to_bytes(word) for word in ("git", *args)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=inherited | env,
            start_new_session=True,
        )
    except OSError as error:
        raise GitError(f"cannot run git: {error.strerror}") from None
    with process:
        _, stderr = process.communicate()
    if process.returncode:
        raise Refused(process.returncode, stderr.decode("utf-8", "surrogateescape"))


def stage(folder: str, without: str) -> None:
    """Stage all that is below `folder` on disk, or that it is gone, and nothing else.

    Files whose names match the pattern `without` are left as they are. Raises Refused.
    """
    if os.path.isdir(to_bytes(folder)):
        act("add", "--", *_below(folder, without))
    else:
        act("rm", "-r", "-q", "--cached", "--ignore-unmatch", "--", *_below(folder, without))


def commit(folder: str, without: str, message: str, **env: str) -> None:
    """Commit what is below `folder`, and nothing else that is staged. Raises Refused."""
    act("commit", "-q", f"--message={message}", "--", *_below(folder, without), **env)


def _below(folder: str, without: str) -> tuple[str, str]:
    # Not --literal-pathspecs: git would hand that on to the hooks that it runs.
    return f":(literal){folder}/", f":(exclude,glob)**/{without}"


def waiting(folder: str) -> list[str]:
    """The paths below `folder`, of files of any kind, that are staged and in no commit."""
    words = ("--cached", "--name-only", "-z", "--no-renames", "--relative", "--", folder)
    return to_path(run("diff", *words)).split("\0")[:-1]


def under_way() -> set[str]:
    """Which of `merge`, `cherry-pick` and `rebase` this clone is in the middle of."""
    marks = {
        "MERGE_HEAD": "merge",
        "CHERRY_PICK_HEAD": "cherry-pick",
        "rebase-merge": "rebase",
        "rebase-apply": "rebase",
    }
    words = [word for mark in marks for word in ("--git-path", mark)]
    paths = run("rev-parse", *words).split(b"\n")
    return {
        what for path, what in zip(paths, marks.values(), strict=False) if os.path.lexists(path)
    }


def require_identity() -> None:
    """Raise GitError, in git's words, where git does not know who commits.

    Without these variables author and committer come from the same configuration.
    """
    run("var", "GIT_COMMITTER_IDENT")
    if any(name.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_")) for name in os.environ):
        run("var", "GIT_AUTHOR_IDENT")


def merge_parents() -> list[str]:
    """The commits that are being merged into HEAD; empty where no merge is under way.

    Raises GitError outside a working tree, where `git diff` would see every file deleted.

    `MERGE_HEAD` is there for the pre-commit hook that concludes a conflicted merge; a clean
    merge runs `pre-merge-commit` before it is written, and only names them in `GITHEAD_<id>`.
    """
    answer = run("rev-parse", "--is-inside-work-tree", "--git-path", "MERGE_HEAD")
    inside, _, path = answer.removesuffix(b"\n").partition(b"\n")
    if inside != b"true":
        raise GitError("this is no working tree: start in the nest's root")
    parents = [name[8:] for name in os.environ if name.startswith("GITHEAD_")]
    try:
        with open(path, "rb") as file:
            parents += file.read().decode("ascii", "replace").split()
    except OSError:
        pass
    return parents


def solved_conflicts() -> set[str]:
    """The paths that were in conflict in the merge under way, and have been solved and staged."""
    records = to_path(run("ls-files", "--resolve-undo", "-z")).split("\0")[:-1]
    return {record.partition("\t")[2] for record in records}


def changes(*what: str) -> list[Change]:
    """The paths of a `git diff` of regular files, both ends of a rename included.

    `what` is for instance `--cached`, or a range. A path in conflict counts as changed.
    """
    fields = to_path(run(*_DIFF, *what, "--")).split("\0")
    found = []
    for meta, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, new_mode, old, new, status = meta[1:].split(" ")
        if status[0] == "U":
            found.append(Change(path, "", ""))
            continue
        ends = (old if _is_file(old_mode) else None, new if _is_file(new_mode) else None)
        if ends != (None, None):
            found.append(Change(path, *ends))
    return found


def _is_file(mode: str) -> bool:
    return mode.startswith("100")


def entries(paths: Sequence[str]) -> dict[str, Entry]:
    """The regular files that the staging area lists at and below these paths.

    Symbolic links and submodules are left out, and what `git add -N` has only announced: it is
    listed with an empty blob, like a file that is really empty.
    """
    found = _listed(paths)
    for path in _announced(found):
        del found[path]
    return found


def _listed(paths: Sequence[str]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for record in to_path(run("ls-files", "-s", "-z", "--", *_few(paths))).split("\0")[:-1]:
        meta, _, path = record.partition("\t")
        if _is_file(meta):
            unmerged = meta[-1] != "0"
            found[path] = Entry(meta[7:-2], unmerged)
    return found


def _announced(found: dict[str, Entry]) -> set[str]:
    empty = [path for path, entry in found.items() if entry.blob in _EMPTY_BLOBS]
    if not empty:
        return set()
    words = (*_DIFF, "--diff-filter=A", "--", *_few(empty))
    return set(empty).intersection(to_path(run(*words)).split("\0")[1::2])


def _few(paths: Sequence[str]) -> Sequence[str]:
    return paths if len(paths) <= _MOST_PATHS else ()


def commit_id(revision: str) -> str:
    """The full id of the commit that `revision` names. Raises GitError where there is none."""
    if revision.startswith("-"):  # git would take it for an option
        raise GitError(f"{revision} names no commit")
    try:
        return to_path(run("rev-parse", "--verify", f"{revision}^{{commit}}")).strip()
    except GitError as error:
        raise GitError(f"{revision} names no commit here: {error}") from None


def committed(commit: str, paths: Sequence[str]) -> dict[str, Entry]:
    """The regular files that a commit holds at and below these paths."""
    found: dict[str, Entry] = {}
    for record in to_path(run("ls-tree", "-r", "-z", commit, "--", *paths)).split("\0")[:-1]:
        meta, _, path = record.partition("\t")
        mode, _, blob = meta.split(" ")
        if _is_file(mode):
            found[path] = Entry(blob)
    return found


def skipped(paths: Sequence[str]) -> set[str]:
    """Those of the listed files that a sparse checkout leaves out of the working tree."""
    records = to_path(run("ls-files", "-t", "-z", "--", *_few(paths))).split("\0")
    return {record[2:] for record in records if record.startswith("S ")}


def untracked(paths: Sequence[str]) -> list[str]:
    """The files below these paths that no commit holds: new ones, or only announced to git."""
    new = to_path(run("ls-files", "-o", "--exclude-standard", "-z", "--", *paths))
    return sorted({*new.split("\0")[:-1], *_announced(_listed(paths))})


class Blobs:
    """The contents of blobs, all from one git process, which starts with the first."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, ids: Sequence[str]) -> Iterator[Iterator[bytes]]:
        """Each blob in pieces of `PIECE` bytes and a shorter last one.

        A blob that is not there has no piece at all. What the caller leaves of a blob is
        skipped. Raises GitError where git ends too early.
        """
        if not self._process:
            self._process = subprocess.Popen(
                _command("cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        for start in range(0, len(ids), _BATCH):
            batch = ids[start : start + _BATCH]
            try:
                requests.write("".join(f"{blob}\n" for blob in batch).encode())
                requests.flush()
            except BrokenPipeError:
                raise GitError("git cat-file ended before it had sent every blob") from None
            for _ in batch:
                pieces = _next_blob(answers)
                yield pieces
                for _ in pieces:
                    pass

    def close(self) -> None:
        """End the process, wherever it is."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _next_blob(stream: IO[bytes]) -> Iterator[bytes]:
    header = stream.readline().split()
    if not header:
        raise GitError("git cat-file ended before it had sent every blob")
    if header[-1] == b"missing":
        return
    left = int(header[-1])
    while True:
        piece = stream.read(min(left, PIECE))
        if len(piece) < min(left, PIECE):
            raise GitError("git cat-file ended in the middle of a blob")
        left -= len(piece)
        if len(piece) < PIECE:
            break
        yield piece
    stream.read(1)
    yield piece


def filtered(path: str, commit: str = "") -> Iterator[bytes]:
    """The content of `path` as a checkout would write it, in pieces as of `Blobs`.

    Taken from the commit, else as staged, filters of the clone applied. Raises GitError where
    one fails.
    """
    command = _command("cat-file", "--filters", f"{commit}:./{path}")
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
    )
    with process:
        assert process.stdout is not None
        piece = process.stdout.read(PIECE)
        while len(piece) == PIECE:
            yield piece
            piece = process.stdout.read(PIECE)
        if process.wait():
            raise GitError(f"a filter of this clone fails on {path}")
        yield piece


def filtered_paths(paths: Sequence[str]) -> set[str]:
    """Those of the paths that a filter turns into what a checkout writes.

    Left out are those of git-crypt, whose blobs tell by themselves whether they are encrypted,
    and of Git LFS, which would ask the network.
    """
    names = b"".join(to_bytes(path) + b"\0" for path in paths)
    fields = to_path(run("check-attr", "-z", "--stdin", "filter", stdin=names)).split("\0")
    return {
        path
        for path, name in zip(fields[0::3], fields[2::3], strict=False)
        if name not in _NO_FILTERS
    }
