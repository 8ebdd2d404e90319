"""What changes a clone: staging and committing, for the committer alone."""

from __future__ import annotations

import os
import subprocess

from nestwork_hooks.git import GitError, run, to_bytes, to_path

# What git says where another process has been quicker: it holds a lock or has just moved the
# branch, or it wrote or removed a file while git read it.
_PASSING = (".lock'", "cannot lock ref", "unable to index file", "unable to stat '")
# The exit code of a git that gave up; a hook that refuses a commit makes it 1.
_FATAL = 128


class Refused(GitError):
    """A command that changes something ended without having done it.

    `said` is what git, or the hook that git ran, wrote on standard error, line by line; `passing`
    says that it may go well a little later, since another process was only quicker.
    """

    def __init__(self, code: int, stderr: str) -> None:
        self.code = code
        self.said = [line for line in map(str.rstrip, stderr.splitlines()) if line]
        super().__init__(" ".join(stderr.split())[:400])
        self.passing = code == _FATAL and any(words in stderr for words in _PASSING)


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


def under_way() -> tuple[set[str], bytes]:
    """Which of `merge`, `cherry-pick` and `rebase` this clone is in the middle of; its git folder."""
    marks = {
        "MERGE_HEAD": "merge",
        "CHERRY_PICK_HEAD": "cherry-pick",
        "rebase-merge": "rebase",
        "rebase-apply": "rebase",
    }
    words = [word for mark in marks for word in ("--git-path", mark)]
    *paths, folder = run("rev-parse", *words, "--git-dir").removesuffix(b"\n").split(b"\n")
    found = {
        what for path, what in zip(paths, marks.values(), strict=False) if os.path.lexists(path)
    }
    return found, folder
