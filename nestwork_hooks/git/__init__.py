"""All calls of git that only read: what is staged or committed, and what a commit changes.

`git.blobs` reads contents, `git.staging` changes a clone.

Git runs in the folder where the command started, and every path is below that folder, with
`/`. Names travel NUL-separated and as bytes; those that are not UTF-8 keep their bytes as
surrogates, whatever the locale.
"""

from __future__ import annotations

import os

from nestwork_hooks.git import process
from nestwork_hooks.protocol.layout import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import IO

# The oldest git that is known to do all of this; an older one is named when something fails.
OLDEST = (2, 20)
# The exit code of a git that gave up.
FATAL = 128
# Whatever a user's configuration could change in a list of names is set to git's own default.
DIFF = (
    *("diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-color"),
    *("--relative", "--ignore-submodules=all"),
)
# A diff, and a commit, end where the file that this names is missing.
_MERGE = ("rev-parse", "--is-inside-work-tree", "--git-path", "MERGE_HEAD")
NO_ORDER = ("-c", f"diff.orderFile={os.devnull}")
_PATHSPECS = {f"GIT_{how}_PATHSPECS" for how in ("LITERAL", "GLOB", "NOGLOB", "ICASE")}
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


class GitError(Exception):
    """Git could not do what was asked; the message is one line, mostly in git's own words."""


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


def to_path(name: bytes) -> str:
    """Decode a file name of git or the system; bytes that are not UTF-8 become surrogates."""
    return name.decode("utf-8", "surrogateescape")


def to_bytes(path: str) -> bytes:
    """The inverse of `to_path`."""
    return path.encode("utf-8", "surrogateescape")


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


def run(*args: str, stdin: bytes = b"", literal: bool = True, **env: str) -> bytes:
    """Run git; return its standard output. Raises GitError if it fails or is not installed.

    `literal` says that a pathspec is a path and nothing else.
    """
    return answer(*args, stdin=stdin, literal=literal, **env)[0]


def records(*args: str, stdin: bytes = b"", literal: bool = True, **env: str) -> list[str]:
    """Run git as `run` does; return what it prints with a NUL behind each."""
    return to_path(run(*args, stdin=stdin, literal=literal, **env)).split("\0")[:-1]


def answer(*args: str, stdin: bytes = b"", literal: bool = True, **env: str) -> tuple[bytes, bytes]:
    """Run git; return its standard output and error. Raises GitError as `run` does."""
    asked = None if stdin or env else _ASKED.pop(args, None)
    code, out, said = (asked or _Question(command(*args, literal=literal), stdin, env)).answer()
    if code:
        raise GitError(_reason(args[0], code, said))
    return out, said


def start(
    words: list[bytes],
    stdin: IO[bytes] | None,
    stdout: IO[bytes],
    stderr: IO[bytes] | None = None,
    env: Mapping[str, str] | None = None,
) -> process.Started:
    """Start a git that only reads, as of `command`. Raises GitError where git is not installed."""
    env = {**environment(), **(env or {})}
    try:
        return process.start(words, env, stdin=stdin, stdout=stdout, stderr=stderr)
    except OSError as error:
        raise GitError(f"cannot run git: {error.strerror}") from None


class _Question:
    """A git that was started, and will answer and end."""

    def __init__(self, words: list[bytes], stdin: bytes, env: Mapping[str, str]) -> None:
        self._out, self._said = process.nameless_file(), process.nameless_file()
        given = process.nameless_file(stdin) if stdin else None
        try:
            self._process = start(words, given, self._out, self._said, env)
        except GitError:
            self._close()
            raise
        finally:
            if given:
                given.close()

    def drop(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._out.close()
        self._said.close()

    def answer(self) -> tuple[int, bytes, bytes]:
        """Wait for its exit code, standard output and standard error."""
        try:
            code = self._process.wait()
            self._out.seek(0)
            self._said.seek(0)
            return code, self._out.read(), self._said.read()
        except BaseException:
            self._process.kill()
            raise
        finally:
            self._close()


# The questions that git was asked before the answer was needed, by their words.
_ASKED: dict[tuple[str, ...], _Question] = {}


def ask_ahead(*, changes: bool) -> None:
    """Let git look for `merge_parents`, and for `changes("--cached")`, until these are called."""
    for words in [_MERGE, _changes("--cached")] if changes else [_MERGE]:
        _ask(words)


def _ask(words: tuple[str, ...], *, literal: bool = True) -> None:
    try:
        _ASKED[words] = _Question(command(*words, literal=literal), b"", {})
    except GitError:
        pass  # Whoever needs the answer is told.


def forget_questions() -> None:
    """End what was asked ahead, and then not needed."""
    while _ASKED:
        _ASKED.popitem()[1].drop()


def command(*args: str, literal: bool = True) -> list[bytes]:
    """The command line of a git that only reads."""
    # A diff would else write the refreshed index, and its lock stop somebody else's commit.
    no_lock = ("--no-optional-locks", "-c", "diff.autoRefreshIndex=false")
    literally = ["--literal-pathspecs"] * literal
    return list(map(to_bytes, ("git", *no_lock, *NO_ORDER, *literally, *args)))


def literal_environment() -> dict[str, str]:
    """The environment without what would change the meaning of a path on a command line."""
    return {name: value for name, value in os.environ.items() if name not in _PATHSPECS}


def environment() -> dict[str, str]:
    """The environment of a git that only reads.

    A partial clone fetches nothing (before git 2.44 it may), objects are read as they are (what
    `git replace` puts in their place stays in this clone), and no warning is translated, since its
    words tell what it is about.
    """
    more = {"GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1", "LANGUAGE": "en"}
    return literal_environment() | more


def _reason(command: str, code: int, stderr: bytes) -> str:
    if code == 129:
        _, version, _ = _Question([b"git", b"--version"], b"", {}).answer()
        numbers = version.decode("utf-8", "replace").removeprefix("git version ").split(".")
        if tuple(int(number) for number in numbers[:2] if number.isdigit()) < OLDEST:
            needed = ".".join(map(str, OLDEST))
            return f"git {'.'.join(numbers).strip()} is too old: {needed} or newer is needed"
    words = " ".join(stderr.decode("utf-8", "replace").split())[:400]
    return words or f"git {command} failed with code {code}"


def merge_parents(heads: Iterable[str]) -> list[str]:
    """The commits that are being merged into HEAD; empty where no merge is under way.

    Raises GitError outside a working tree, where `git diff` would see every file deleted.

    `MERGE_HEAD` is there for the pre-commit hook that concludes a conflicted merge; a clean
    merge runs `pre-merge-commit` before it is written, and only names them in `GITHEAD_<id>`:
    these are the `heads`.
    """
    answer = run(*_MERGE)
    inside, _, path = answer.removesuffix(b"\n").partition(b"\n")
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


def changes(*what: str) -> list[Change]:
    """The paths of a `git diff`, both ends of a rename included; not what was no regular file.

    `what` is for instance `--cached`, or a range. A path in conflict counts as changed. Without it
    the disk is compared, where no submodule is looked into.
    """
    fields = records(*_changes(*what))
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
            if attribute_files is not None and os.path.basename(path) == ATTRIBUTE_FILE:
                attribute_files[path] = entry
            if not path.startswith(_OUTSIDE):
                found[path] = entry
        elif others is not None:
            others[path] = _kind(meta[2:])
    return found


def _listing(paths: Sequence[str], *, attributes: bool) -> tuple[str, ...]:
    words, few = ("ls-files", "-s", "-v", "-z", "--"), _few(paths)
    if attributes:
        few = [f":(literal){path}" for path in few or ("",)]
        few.append(f":(top,glob)**/{ATTRIBUTE_FILE}")
    return (*words, *few)


def ask_listed(paths: Sequence[str], *, attributes: bool) -> None:
    """Let git look for `listed`, with or without attribute files, until this is called."""
    _ask(_listing(paths, attributes=attributes), literal=not attributes)


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


def unknown(paths: Sequence[str]) -> list[str]:
    """The untracked files below these paths, without ignored ones."""
    return records("ls-files", "-o", "--exclude-standard", "-z", "--", *paths)
