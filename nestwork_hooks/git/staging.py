"""What changes a clone: staging and committing, for the committer alone."""

from __future__ import annotations

import os
import subprocess

from nestwork_hooks.git import (
    FATAL,
    GitError,
    commit_id,
    literal_environment,
    require_working_tree,
    run,
    skipped,
    to_bytes,
    to_path,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

# What git says where another process has been quicker: it holds a lock or has just moved the
# branch, or it wrote or removed a file while git read it.
_PASSING = (".lock'", "cannot lock ref", "unable to index file", "unable to stat '")


class Refused(GitError):
    """A command that changes something ended without having done it.

    `said` is what git, or the hook that git ran, wrote on standard error, line by line; `passing`
    says that it may go well a little later, since another process was only quicker.
    """

    def __init__(self, code: int, stderr: str) -> None:
        self.code = code
        self.said = [line for line in map(str.rstrip, stderr.splitlines()) if line]
        super().__init__(" ".join(stderr.split())[:400])
        self.passing = code == FATAL and any(words in stderr for words in _PASSING)


def act(*args: str, **env: str) -> None:
    """Run a git command that changes something. Raises Refused, and GitError without git.

    It runs in a session of its own and is never killed from here: whoever kills this process
    kills its group, and a git that dies in the middle leaves its lock in the clone for good.
    """
    # Whether it may go well a little later is told by words that git would translate.
    env = {**literal_environment(), **env, "LANGUAGE": "en"}
    with _passing_file() as stderr:
        try:
            process = subprocess.Popen(
                [to_bytes(word) for word in ("git", *args)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env=env,
                start_new_session=True,
            )
        except OSError as error:
            raise GitError(f"cannot run git: {error.strerror}") from None
        try:
            code = process.wait()
        except KeyboardInterrupt:
            raise GitError(f"interrupted; git {args[0]} goes on, and may yet be done") from None
        stderr.seek(0)
        said = stderr.read()
    if code:
        raise Refused(code, said.decode("utf-8", "surrogateescape"))


def _passing_file() -> IO[bytes]:
    """A file without a name: the end of a pipe would wait for all that a hook leaves running."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("stderr"), "w+b")
    from tempfile import TemporaryFile  # Loading it takes as long as a git process.

    return TemporaryFile()


def stage(folder: str, without: str) -> None:
    """Stage all that is below `folder` on disk, or that it is gone, and nothing else.

    Files whose names match the pattern `without` are left as they are, except below a folder
    whose own name would be a pattern. Raises Refused.
    """
    if os.path.isdir(to_bytes(folder)):
        act("add", "--", *_below(folder, without))
        return
    # What a sparse checkout leaves out is not gone.
    left_out = skipped([folder])
    if not left_out:
        act("rm", "-r", "-q", "--cached", "--ignore-unmatch", "--", *_below(folder, without))
    elif left_out != set(to_path(run("ls-files", "-z", "--", folder)).split("\0")[:-1]):
        act("add", "-u", "--", *_below(folder, without))


def commit(folder: str, without: str, message: str, **env: str) -> None:
    """Commit what `stage` stages, as it is on disk now, and nothing else. Raises Refused."""
    act("commit", "-q", f"--message={message}", "--", *_below(folder, without), **env)


def _below(folder: str, without: str) -> tuple[str, ...]:
    # Not --literal-pathspecs: git would hand that on to the hooks that it runs. What is excluded
    # has to start as the folder does: git compares it only from there (dir.c, common prefix).
    inside = f":(literal){folder}/"
    if set(folder) & set("*?[\\"):
        return (inside,)
    return inside, f":(exclude,glob){folder}/{without}"


def waiting(folder: str) -> list[str]:
    """The paths below `folder`, of files of any kind, that are staged and in no commit."""
    words = ("--cached", "--name-only", "-z", "--no-renames", "--relative", "--", folder)
    return to_path(run("diff", *words)).split("\0")[:-1]


def unstaged(folder: str) -> set[str]:
    """The paths below `folder` whose files on disk, new ones too, are not what is staged."""
    words = ("-m", "-o", "--exclude-standard", "-z", "--", folder)
    return set(to_path(run("ls-files", *words)).split("\0")[:-1])


class Clone:
    """The working tree that is committed from: its git folder, and what it is in the middle of.

    Raises GitError outside a working tree.
    """

    def __init__(self) -> None:
        names = {
            "MERGE_HEAD": "merge",
            "CHERRY_PICK_HEAD": "cherry-pick",
            "rebase-merge": "rebase",
            "rebase-apply": "rebase",
            "REVERT_HEAD": "revert",
            "BISECT_LOG": "bisect",
        }
        words = [word for name in (*names, "reftable") for word in ("--git-path", name)]
        answer = run("rev-parse", "--is-inside-work-tree", "--git-dir", *words)
        inside, *paths = answer.removesuffix(b"\n").split(b"\n")
        require_working_tree(inside)
        if len(paths) != len(names) + 2:
            raise GitError("the path of this clone's git folder has a line end in it")
        self.git_folder, *paths, reftable = paths
        self._marks = dict(zip(paths, names.values(), strict=True))
        self._reftable = reftable

    def states(self) -> set[str]:
        """Which of `merge`, `cherry-pick`, `rebase`, `revert` and `bisect` are under way now."""
        found = {state for mark, state in self._marks.items() if os.path.lexists(mark)}
        if os.path.lexists(self._reftable) and _is_commit("CHERRY_PICK_HEAD"):
            found.add("cherry-pick")  # Such a clone has no file of that name.
        return found


def _is_commit(name: str) -> bool:
    try:
        return bool(commit_id(name))
    except GitError:
        return False


def before_head() -> str:
    """The id of the commit that HEAD was made on, or of the empty tree."""
    try:
        return commit_id("HEAD^")
    except GitError:
        return to_path(run("hash-object", "-t", "tree", "--stdin")).strip()
