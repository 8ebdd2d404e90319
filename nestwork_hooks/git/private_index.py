"""Merge commits in an index of one's own: nothing that anybody else sees changes."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.git.acting import Refused, act
from nestwork_hooks.git.asking import GitError, to_bytes, to_path
from nestwork_hooks.light import cached_property
from nestwork_hooks.protocol.content import GIT_CRYPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nestwork_hooks.git.clone import Clone

# Where it lies: a folder in the git folder, which a run that was killed leaves behind.
_FOLDER = b"nestwork-push-"
# Seconds after which nobody works in such a folder any more.
_OUTDATED = 600
# Seconds for the remote of a partial clone.
_FETCHING = 20
# A clone's own settings are for the files that it has on disk.
_WHOLE = (
    *("-c", "core.splitIndex=false", "-c", "core.sparseCheckout=false", "-c", "index.sparse=false"),
    *("-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false"),
)
# What may be at a path: the mode and the id of its object, as git writes them, zeros for nothing.
Item = tuple[str, str]


class Conflict(GitError):
    """What two commits did to these files cannot be put together."""

    def __init__(self, paths: Iterable[str], reason: str) -> None:
        self.paths = sorted(paths)
        self.reason = reason
        super().__init__(reason)


class PrivateIndex:
    """An index file beside a clone's own; paths are those below the top of the working tree.

    Whoever makes one closes it.
    """

    def __init__(self, clone: Clone) -> None:
        self.up = clone.up
        self._git_folder = os.path.abspath(clone.git_folder)
        self._folder = os.path.join(self._git_folder, _FOLDER + str(os.getpid()).encode())
        self._index = os.path.join(self._folder, b"index")

    def close(self) -> None:
        """Remove it."""
        _remove(self._folder)

    def run(self, *args: str, stdin: bytes = b"", **env: str) -> bytes:
        """Run a git command at the top of the working tree, with this index."""
        # What a partial clone has not fetched yet is needed now.
        env = {"GIT_INDEX_FILE": to_path(self._index), "GIT_NO_LAZY_FETCH": "0", **env}
        return git.run("-C", self.up, *_WHOLE, *args, stdin=stdin, literal=False, **env)

    def records(self, *args: str) -> list[str]:
        """Run a git command; what it prints with a NUL behind each."""
        return to_path(self.run(*args)).split("\0")[:-1]

    def read(self, tree: str) -> None:
        """Hold this tree, and nothing else."""
        self._begin()
        self.run("read-tree", tree)

    def merge(self, base: str, ours: str, theirs: str) -> tuple[str, dict[str, dict[str, Item]]]:
        """Merge three trees, as far as only one side changed a path: the id of the tree, if all is.

        Else what is left by path: the item of each side that has one, by `1` (base), `2` and `3`.
        """
        self._begin()
        self.run("read-tree", "-m", "-i", "--aggressive", base, ours, theirs)
        try:
            return self.write(), {}
        except GitError:
            left = self._unmerged()
            if not left:
                raise
            return "", left

    def _unmerged(self) -> dict[str, dict[str, Item]]:
        left: dict[str, dict[str, Item]] = {}
        for record in self.records("ls-files", "-u", "-z", "--full-name", "--", ":/"):
            meta, _, path = record.partition("\t")
            mode, blob, stage = meta.split(" ")
            left.setdefault(path, {})[stage] = (mode, blob)
        return left

    def _begin(self) -> None:
        if os.path.isdir(self._folder):
            if os.path.lexists(self._index):
                os.unlink(self._index)
            return
        _clear(self._git_folder)
        os.mkdir(self._folder)

    def put(self, items: Mapping[str, Item]) -> None:
        """Hold these items at their paths."""
        lines = (f"{mode} {id_}\t{path}\0" for path, (mode, id_) in items.items())
        # An unmerged path is replaced only by way of none.
        none = (f"0 {'0' * len(id_)}\t{path}\0" for path, (_, id_) in items.items())
        self.run("update-index", "-z", "--index-info", stdin=to_bytes("".join([*none, *lines])))

    def write(self) -> str:
        """The id of the tree that it holds."""
        return to_path(self.run("write-tree")).strip()

    def content(self, path: str, blob: str) -> tuple[bytes, bool]:
        """The content of a blob at `path` in plain text; whether it was encrypted.

        Raises Conflict where this clone cannot decrypt it.
        """
        data = self.run("cat-file", "blob", blob)
        if not data.startswith(GIT_CRYPT):
            return data, False
        data = self.run("cat-file", "--filters", f"--path={path}", blob)
        if data.startswith(GIT_CRYPT):
            raise Conflict([path], "encrypted, and this clone is not unlocked")
        return data, True

    def fetch_blobs(self, tree: str, folder: str) -> None:
        """In a partial clone, let git ask for what is missing of a folder in a tree."""
        empty = to_path(self.run("hash-object", "-t", "tree", "--stdin")).strip()
        # Git asks for all that a diff needs at once, or one by one if it is old.
        words = ("-r", "-p", "--no-ext-diff", "--no-textconv", empty, tree)
        try:
            act("diff-tree", *words, "--", f":(top,literal){folder}", limit=_FETCHING)
        except Refused:
            pass  # What is still missing is found so.

    def store(self, path: str, content: bytes, *, encrypted: bool) -> str:
        """The id of a blob with this content, which the filters of `path` encrypt if need be.

        Raises Conflict where they do not.
        """
        how = [f"--path={path}"] if encrypted else []
        blob = to_path(self.run("hash-object", "-w", *how, "--stdin", stdin=content)).strip()
        if encrypted and not self.run("cat-file", "blob", blob).startswith(GIT_CRYPT):
            raise Conflict([path], "encrypted, and this clone would push it in plain text")
        return blob

    def hashed(self, path: str) -> str:
        """The id that git would give to the file on disk; `""` where it cannot read it."""
        try:
            return to_path(self.run("hash-object", "--", path)).strip()
        except GitError:
            return ""

    def merged(self, path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes:
        """Merge three texts by lines. Raises Conflict where both sides changed the same ones."""
        names = []
        for name, content in (("ours", ours), ("base", base), ("theirs", theirs)):
            names.append(os.path.join(self._folder, name.encode()))
            with open(names[-1], "wb") as file:
                file.write(content)
        attribute = self.records("check-attr", "-z", "merge", "--", path)[2]
        how = ["--union"] if attribute == "union" else []
        try:
            return self.run("merge-file", "-p", "-q", *how, *map(to_path, names))
        except GitError:
            raise Conflict([path], "changed here and on the remote, in the same lines") from None

    def changed(self, before: str, after: str) -> dict[str, Item]:
        """The paths that differ in two trees, with the item of the second."""
        words = ("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", before, after)
        return _items(self.records(*words))

    def items(self, tree: str, paths: Iterable[str]) -> dict[str, Item]:
        """What a tree holds at these paths, those left out where it holds nothing."""
        wanted = set(paths)
        found = {}
        for record in self.records("ls-tree", "-r", "-z", "--full-tree", tree):
            meta, _, path = record.partition("\t")
            if path in wanted:
                mode, _, id_ = meta.split(" ")
                found[path] = (mode, id_)
        return found

    def commit(self, tree: str, parents: list[str], like: str = "", message: str = "") -> str:
        """Make a commit with author, date and message of another one, or one with a message."""
        author, encoding, text = self._of(like) if like else ({}, "UTF-8", message.encode())
        words = [word for parent in parents for word in ("-p", parent)]
        sign = ["-S"] * self._signs
        config = ("-c", f"i18n.commitEncoding={encoding}")
        out = self.run(*config, "commit-tree", *sign, *words, tree, stdin=text, **author)
        return to_path(out).strip()

    def _of(self, commit: str) -> tuple[dict[str, str], str, bytes]:
        """The variables that name the author of a commit, its encoding, and its message."""
        head, _, message = self.run("cat-file", "commit", commit).partition(b"\n\n")
        fields = dict(line.split(b" ", 1) for line in head.split(b"\n") if b" " in line)
        who, _, date = to_path(fields[b"author"]).rpartition("> ")
        name, _, mail = who.rpartition(" <")
        author = {"NAME": name, "EMAIL": mail, "DATE": f"@{date}"}
        variables = {f"GIT_AUTHOR_{what}": value for what, value in author.items()}
        return variables, to_path(fields.get(b"encoding", b"UTF-8")), message

    @cached_property
    def _signs(self) -> bool:
        try:
            return self.run("config", "--bool", "commit.gpgSign").strip() == b"true"
        except GitError:
            return False


def _items(fields: list[str]) -> dict[str, Item]:
    """The paths of a raw diff, with what is there afterwards."""
    ends = (meta.split(" ") for meta in fields[0::2])
    return {path: (end[1], end[3]) for path, end in zip(fields[1::2], ends, strict=True)}


def is_gone(item: Item) -> bool:
    """Whether this item is none."""
    return not item[0].strip("0")


def staged(head: str) -> dict[str, Item]:
    """The paths of which the clone's own index holds something else than a commit."""
    words = ("diff-index", "--cached", "-z", "--no-renames", "--no-abbrev")
    return _items(git.records("-c", "diff.relative=false", *words, head))


def _clear(git_folder: bytes) -> None:
    """Remove what runs that were killed have left behind."""
    from time import time

    for name in os.listdir(git_folder):
        path = os.path.join(git_folder, name)
        try:
            if name.startswith(_FOLDER) and os.lstat(path).st_mtime < time() - _OUTDATED:
                _remove(path)
        except OSError:
            pass


def _remove(folder: bytes) -> None:
    from shutil import rmtree

    rmtree(folder, ignore_errors=True)
