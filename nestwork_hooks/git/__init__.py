"""All calls of git that only read: what is staged or committed, and what a commit changes.

`git.blobs` reads contents, `git.staging` changes a clone.

Git runs in the folder where the command started, and every path is below that folder, with
`/`. Names travel NUL-separated and as bytes; those that are not UTF-8 keep their bytes as
surrogates, whatever the locale.
"""

from __future__ import annotations

import os

from nestwork_hooks.git.asking import (
    GitError,
    ahead,
    answer,
    forget_questions,
    records,
    run,
    to_bytes,
    to_path,
)
from nestwork_hooks.protocol.layout import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

# What is asked by, for the floors above.
__all__ = ["GitError", "answer", "forget_questions", "records", "run", "to_bytes", "to_path"]

# Whatever a user's configuration could change in a list of names is set to git's own default.
DIFF = (
    *("diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-color"),
    *("--relative", "--ignore-submodules=all"),
)
_MERGE = ("rev-parse", "--is-inside-work-tree", "--git-path", "MERGE_HEAD")
_UNKNOWN = ("ls-files", "-o", "--exclude-standard", "-z", "--")
# The name of the files in which a repository gives attributes to its paths.
ATTRIBUTE_FILE = ".gitattributes"
# How a path above the current folder begins.
_OUTSIDE = f"{os.pardir}/"
# More paths than this do not go on a command line: everything is listed instead.
_MOST_PATHS = 200
# What `git rev-parse --local-env-vars` names in git 2.20 to 2.55, without the configuration that a
# user hands on (credentials, safe.directory); and what else a hook of a commit inherits.
_LOCAL_VARIABLES = (
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE"),
    *("GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX"),
    *("GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE"),
    *("GIT_SHALLOW_FILE", "GIT_WORK_TREE"),
    *("GIT_AUTHOR_DATE", "GIT_QUARANTINE_PATH"),
)
_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)


class Entry:
    """An index entry of a regular file: its blob, and its tag as of `git ls-files -v`."""

    __slots__ = ("_tag", "blob")

    def __init__(self, blob: str, tag: str = "H") -> None:
        self.blob = blob
        self._tag = tag

    @property
    def unmerged(self) -> bool:
        """Whether it is conflicted."""
        return self._tag in "Mm"

    @property
    def left_out(self) -> bool:
        """Whether git leaves the file out of the working tree, as in a sparse checkout."""
        return self._tag in "Ss"

    @property
    def unlooked(self) -> bool:
        """Whether git assumes the file on disk unchanged (skip-worktree, assume-unchanged)."""
        return self._tag == "S" or self._tag.islower()


class Change:
    """A changed path: the blob of its regular file before and after, None for no regular file.

    `kind` is what takes the place of one: `a symbolic link`, `a submodule`, or `""`.
    """

    __slots__ = ("kind", "new", "old", "path")

    def __init__(self, path: str, old: str | None, new: str | None, kind: str = "") -> None:
        self.path = path
        self.old = old
        self.new = new
        self.kind = kind


def forget_other_repository() -> None:
    """Remove from the environment what a hook of another repository has inherited.

    Git then looks for the repository of the current folder. Traces that go to standard error are
    removed too: they would be mistaken for warnings.
    """
    inherited = "GIT_INDEX_FILE" in os.environ
    for name in [name for name in os.environ if name.startswith("GIT_TRACE")]:
        if os.environ[name].lower() == "true" or os.environ[name].isdigit():
            del os.environ[name]
    for name in _LOCAL_VARIABLES:
        # A date is somebody's wish, unless it was inherited with a commit under way.
        if name != "GIT_AUTHOR_DATE" or inherited:
            os.environ.pop(name, None)


def ask_ahead(*, changes: bool, below: Sequence[str] = ()) -> None:
    """Let git look for `merge_parents` until that is called.

    And for what `changes` are staged, and for those on disk `below` these paths, if there are any.
    """
    ahead(*_MERGE)
    if changes:
        ahead(*_changes("--cached"))
        if below:
            ahead(*_changes(), *below)


def merge_parents(heads: Iterable[str]) -> list[str]:
    """The commits that are being merged into HEAD; empty where no merge is under way.

    Raises GitError outside a working tree, where `git diff` would see every file deleted.

    `MERGE_HEAD` is there for the pre-commit hook that concludes a conflicted merge; a clean
    merge runs `pre-merge-commit` before it is written, and only names them in `GITHEAD_<id>`:
    these are the `heads`.
    """
    inside, _, path = run(*_MERGE).removesuffix(b"\n").partition(b"\n")
    require_working_tree(inside)
    try:
        with open(path, "rb") as file:
            return [*heads, *file.read().decode("ascii", "replace").split()]
    except OSError:
        return list(heads)


def require_working_tree(inside: bytes) -> None:
    """Raise GitError unless `rev-parse --is-inside-work-tree` has answered `true`."""
    if inside == b"true":
        return
    folder = to_path(run("rev-parse", "--git-dir")).strip()
    if os.path.basename(folder) == ".git" and _is_bare():
        raise GitError(
            f"core.bare is true in {folder}/config, so git sees no working tree here: git config"
            " core.bare false"
        )
    raise GitError("this is no working tree: start in the nest's root")


def _is_bare() -> bool:
    try:
        return run("config", "--type=bool", "core.bare").strip() == b"true"
    except GitError:
        return False


def changes(*what: str, below: Sequence[str] = ()) -> list[Change]:
    """The paths of a `git diff`, both ends of a rename included; not what was no regular file.

    `what` is for instance `--cached`, or a range. A path in conflict counts as changed. Without it
    the disk is compared, where no submodule is looked into. `below` are the paths to look at and
    below, all if there is none.
    """
    fields = records(*_changes(*what), *below)
    return list(filter(None, map(change_of, fields[0::2], fields[1::2])))


def _changes(*what: str) -> tuple[str, ...]:
    return (*DIFF, *(["--ignore-submodules=dirty"] if what else ()), *what, "--")


def stages_anything() -> bool:
    """Whether what is staged differs from HEAD, anywhere in the repository."""
    words = (word for word in DIFF if word != "--relative")
    return bool(run("-c", "diff.relative=false", *words, "--cached", "--"))


def change_of(meta: str, path: str) -> Change | None:
    """The change in one record of a raw diff; None where what is no regular file goes away."""
    old_mode, new_mode, old, new, status = meta[1:].split(" ")
    if status[0] == "U":
        return Change(path, "", "")
    ends = (old if is_file(old_mode) else None, new if is_file(new_mode) else None)
    kind = "" if ends[1] or new_mode == "000000" else _kind(new_mode)
    return Change(path, *ends, kind) if kind or ends != (None, None) else None


def is_file(mode: str) -> bool:
    """Whether a mode, as git writes it, is a regular file's."""
    return mode.startswith("100")


def _kind(mode: str) -> str:
    """What an entry is that is no regular file."""
    return "a submodule" if mode.startswith("16") else "a symbolic link"


def listed(
    paths: Sequence[str],
    others: dict[str, str] | None = None,
    attribute_files: dict[str, Entry] | None = None,
) -> dict[str, Entry]:
    """The index entries of regular files at and below these paths, intent-to-add ones included.

    `others` takes in what is no regular file, by path: `a symbolic link` or `a submodule`;
    `attribute_files` each `.gitattributes` of the whole repository.
    """
    found: dict[str, Entry] = {}
    attributes = attribute_files is not None
    for record in records(*_listing(paths, attributes=attributes), literal=not attributes):
        meta, _, path = record.partition("\t")
        if is_file(meta[2:]):
            entry = Entry(meta[9:-2], meta[0])
            if attribute_files is not None and path.endswith(ATTRIBUTE_FILE):
                if os.path.basename(path) == ATTRIBUTE_FILE:
                    attribute_files[path] = entry
                elif not _is_asked_for(path, paths):
                    continue
            if not path.startswith(_OUTSIDE):
                found[path] = entry
        elif others is not None:
            others[path] = _kind(meta[2:])
    return found


def _listing(paths: Sequence[str], *, attributes: bool) -> tuple[str, ...]:
    words, few = ("ls-files", "-s", "-v", "-z", "--"), _few(paths)
    if attributes:
        few = [f":(literal){path}" for path in few or ("",)]
        # This git compares with the end of each path; `glob` with `**/` takes many times as long.
        few.append(f":(top)*{ATTRIBUTE_FILE}")
    return (*words, *few)


def _is_asked_for(path: str, paths: Sequence[str]) -> bool:
    """Whether a path of a listing is at or below one of these, and not only ends as attribute files do."""
    few = _few(paths) or [os.curdir]
    return any(below in (path, os.curdir) or path.startswith(f"{below}/") for below in few)


def ask_listed(paths: Sequence[str], *, attributes: bool) -> None:
    """Let git look for `listed`, with or without attribute files, until this is called."""
    ahead(*_listing(paths, attributes=attributes), literal=not attributes)


def everything(others: dict[str, str]) -> dict[str, Entry]:
    """The index entries of the whole repository; paths above the current folder begin with `../`.

    Both kinds as of `listed`.
    """
    found: dict[str, Entry] = {}
    for record in records("ls-files", "-s", "-v", "-z", "--", ":/", literal=False):
        meta, _, path = record.partition("\t")
        if is_file(meta[2:]):
            found[path] = Entry(meta[9:-2], meta[0])
        else:
            others[path] = _kind(meta[2:])
    return found


def lists_any(paths: Sequence[str]) -> bool:
    """Whether the staging area holds anything, of whatever kind, at or below these paths."""
    return bool(run("ls-files", "-z", "--", *paths))


def intent_to_add(found: dict[str, Entry]) -> set[str]:
    """The intent-to-add entries (`git add -N`): git lists them with an empty blob."""
    empty = [path for path, entry in found.items() if entry.blob in _EMPTY_BLOBS]
    if not empty:
        return set()
    return set(empty).intersection(records(*DIFF, "--diff-filter=A", "--", *_few(empty))[1::2])


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


def has_commit() -> bool:
    """Whether the branch has a commit yet."""
    try:
        return bool(run("rev-parse", "--verify", "--quiet", "HEAD"))
    except GitError:
        return False


def top() -> bytes:
    """The top folder of the working tree. Raises GitError where there is none."""
    return run("rev-parse", "--show-toplevel")


def merge_base(commit: str, other: str = "HEAD") -> str:
    """The id of the best common ancestor of two commits; `""` where this clone has none."""
    try:
        return to_path(run("merge-base", other, commit)).strip()
    except GitError:
        return ""


def nests_below() -> list[str]:
    """The folders further down in which git lists a rules file."""
    end = f"/{RULES}"
    names = records("ls-files", "-z")
    return sorted(name.removesuffix(end) for name in names if name.endswith(end))


def committed(
    commit: str, paths: Sequence[str], others: dict[str, str] | None = None
) -> dict[str, Entry]:
    """The regular files that a commit holds at and below these paths; all, where those are many.

    `others` takes in what is no regular file, as of `listed`.
    """
    found: dict[str, Entry] = {}
    for record in records("ls-tree", "-r", "-z", commit, "--", *_few(paths)):
        meta, _, path = record.partition("\t")
        if is_file(meta):
            found[path] = Entry(meta.split(" ")[2])
        elif others is not None:
            others[path] = _kind(meta)
    return found


def unknown(paths: Collection[str]) -> list[str]:
    """The untracked files below these paths, without ignored ones."""
    return records(*_UNKNOWN, *sorted(paths))


def ask_unknown(paths: Collection[str]) -> None:
    """Let git look for `unknown` until that is called."""
    ahead(*_UNKNOWN, *sorted(paths))
