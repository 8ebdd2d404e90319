"""What `git status` knows of some folders and of their branch, from one process."""

from __future__ import annotations

from nestwork_hooks import git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Whatever a user's configuration could change is set.
_STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"),
    *("--ignored=traditional", "--ahead-behind", "--ignore-submodules=all", "--"),
)
_DETACHED = "(detached)"


class Status:
    """The state of these folders, and the branch that is checked out.

    `changed`, `staged`, `untracked` and `ignored` are paths below the current folder, of which
    `prefix` is the path in the working tree (`""`, or with a `/`). A path is in one of them at
    most; that of a repository ends with a `/`. `branch` is `""` on a detached HEAD, and `upstream`
    where the branch has none; `ahead` and `behind` count commits, and are None where that is not
    known. `has_commits` says that there is a commit. Raises GitError.
    """

    def __init__(self, folders: Sequence[str], prefix: str) -> None:
        self.changed: set[str] = set()
        self.staged: set[str] = set()
        self.untracked: set[str] = set()
        self.ignored: set[str] = set()
        self.branch = self.upstream = ""
        self.ahead: int | None = None
        self.behind: int | None = None
        self.has_commits = True
        self._prefix = prefix
        for record in git.records(*_STATUS, *folders):
            kind, _, rest = record.partition(" ")
            if kind == "#":
                self._take_header(*rest.split(" "))
            else:
                self._take(kind, rest)

    def _take_header(self, name: str, *values: str) -> None:
        if name == "branch.oid":
            self.has_commits = values != ("(initial)",)
        elif name == "branch.head" and values != (_DETACHED,):
            self.branch = values[0]
        elif name == "branch.upstream":
            self.upstream = values[0]
        elif name == "branch.ab":
            self.ahead, self.behind = int(values[0]), -int(values[1])

    def _take(self, kind: str, rest: str) -> None:
        if kind in "?!":
            path, paths = rest, self.untracked if kind == "?" else self.ignored
        else:
            *fields, path = rest.split(" ", 9 if kind == "u" else 7)
            on_disk = fields[0][1]
            # `A` on disk is an intent-to-add entry.
            paths = {".": self.staged, "A": self.untracked}.get(on_disk, self.changed)
            paths = self.changed if kind == "u" else paths
        paths.add(path.removeprefix(self._prefix))


def count(*revisions: str) -> int:
    """How many commits of these revisions change the current folder. Raises GitError."""
    return int(git.run("rev-list", "--count", *revisions, "--", "."))


def remotes() -> list[str]:
    """The names of the remotes."""
    return git.to_path(git.run("remote")).split()
