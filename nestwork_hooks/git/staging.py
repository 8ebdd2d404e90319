"""The committer's git: look at a scope, stage it, and commit it."""

from __future__ import annotations

import errno
import os
import stat

from nestwork_hooks import git
from nestwork_hooks.git.acting import Refused, act, act_beside
from nestwork_hooks.git.asking import GitError, ahead, run, to_bytes
from nestwork_hooks.git.disk import READ, refuse_links, up_to_the_top
from nestwork_hooks.protocol.layout import RULES, is_private, is_temporary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# Why a private file is left out.
PRIVATE = "private to this machine (tracked-private-file)"
_REPOSITORY = "160000"
_OWN = "a git repository of its own, of which no commit here holds a file"
# A file that is not there, as against one that cannot be looked at.
_ABSENT = (errno.ENOENT, errno.ENOTDIR)
_READ_LINKED = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
# What git says where it is the clone that takes nothing, and not a file that cannot be added.
_OF_THE_CLONE = (".lock'", "database", "object", "No space left", "Read-only", "quota")
# Paths, and bytes of them, for one command line.
_MOST_PATHS, _MOST_BYTES = 1_000, 100_000
# More files than this are not looked for one by one among those that git cannot add.
_MOST_REFUSED = 100
# What git remarks on every file of a clone with such settings, and what is no fault.
_REMARKS = ("hint:", " will be replaced by ")
_CLOSED = "could not open directory"
# By these git keeps files out, or encrypts them; it goes on where it cannot read them.
_RULES = (".gitignore", ".gitattributes")


class Look:
    """A scope at one moment, as git lists it and as it lies on disk.

    `entries` are the index entries of its regular files, `unstaged` the paths that are modified or
    untracked, `former` maps those of them that have an index entry to its mode and its blob, with a
    comma between. `left` maps what is not to be staged to the reason. `unread` is why it is not
    known which files are private (`""` if it is), `is_nest` says that git lists the rules file.
    """

    def __init__(self, scope: str) -> None:
        self.entries: dict[str, git.Entry] = {}
        self.unstaged: list[str] = []
        self.former: dict[str, str] = {}
        self.left: dict[str, str] = {}
        self.is_nest = False
        self._rules = _Rules()
        self.unread = self._rules[scope]

    def sort(self, path: str, known_folders: set[str]) -> None:
        """Sort a modified or untracked path into `unstaged` or `left`."""
        if is_temporary(path) or path in self.left:
            return
        reason = _obstacle(path, known_folders)
        if reason == "":
            reason = self._rules[os.path.dirname(path)] or self._private(path)
        if reason:
            self.left[path.rstrip("/")] = reason
        elif reason is not None:
            self.unstaged.append(path)

    def _private(self, path: str) -> str:
        """Why the file at `path` is not to be staged: it is private, and not deleted."""
        if not (is_private(path) and os.path.lexists(to_bytes(path))):
            return ""
        return PRIVATE if path in self.former else f"{PRIVATE}, and not ignored"


class _Rules(dict[str, str]):
    """By folder, why it is not known which of its files are private; `""` if it is known.

    Git silently ignores a `.gitignore` or `.gitattributes` that it cannot read.
    """

    def __init__(self) -> None:
        super().__init__({"": next(filter(None, map(_unread_rules, up_to_the_top())), "")})

    def __missing__(self, folder: str) -> str:
        reason = self[""]
        for above in reversed(_folders(f"{folder}/.")):
            if above not in self:
                self[above] = reason or _unread_rules(above)
            reason = self[above]
        return reason


def _unread_rules(folder: str) -> str:
    for name in _RULES:
        path = os.path.normpath(f"{folder}/{name}")
        try:
            os.close(os.open(to_bytes(path), _READ_LINKED))
        except OSError as error:
            if error.errno not in _ABSENT:
                return f"{path}, which may say what is private, cannot be read: {error.strerror}"
    return ""


def _words(scope: str) -> tuple[str, ...]:
    return ("ls-files", "-t", "-s", "-m", "-o", "--exclude-standard", "-z", "--", scope, RULES)


def ask_ahead(scope: str) -> None:
    """Let git look for `look` until this is called."""
    ahead(*_words(scope))


def look(scope: str) -> Look:
    """Find what is to be staged of a scope. Raises GitError."""
    out, said = git.answer(*_words(scope))
    found = Look(scope)
    different = []
    for record in git.to_path(out).split("\0")[:-1]:
        tag, rest = record[0], record[2:]
        if tag == "?":
            different.append(rest)
            continue
        meta, _, path = rest.partition("\t")
        if tag == "C":
            different.append(path)
            found.former[path] = ",".join(meta.split(" ")[:2])
        elif path == RULES:
            found.is_nest = True
        elif git.is_file(meta):
            found.entries[path] = git.Entry(meta.split(" ")[1], tag)
    folders: set[str] = {""}
    for path in dict.fromkeys(different):  # One in conflict is listed for each stage.
        if path.startswith(f"{scope}/"):
            found.sort(path, folders)
    # What `git add -N` has announced is restored as what it was before that.
    modified = {path: found.entries[path] for path in found.former if path in found.entries}
    for path in git.intent_to_add(modified):
        del found.former[path]
    for line in _remarks(said.decode("utf-8", "surrogateescape").splitlines(), scope):
        found.left.setdefault(scope, f"git says: {line}")
    return found


def _remarks(lines: list[str], scope: str) -> list[str]:
    """What git warned of in this scope, or in a folder above it, although it went on."""
    elsewhere = f"'{os.path.dirname(RULES)}/'"
    return [
        line
        for line in lines
        if (scope in line or (_CLOSED in line and elsewhere not in line))
        and not any(map(line.count, _REMARKS))
    ]


def _obstacle(path: str, known_folders: set[str]) -> str | None:
    """Why the file at `path` cannot be staged; `""` if it can, None if git knows it is deleted.

    A path below a folder that became a link is gone: what stages the link stages that.
    """
    if path.endswith("/"):
        return _OWN
    name = to_bytes(path)
    try:
        refuse_links(os.path.dirname(path), known_folders)
        mode = os.lstat(name).st_mode
        if stat.S_ISREG(mode):
            os.close(os.open(name, READ))
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        return "" if error.errno in _ABSENT else f"cannot be looked at: {error.strerror}"
    if stat.S_ISDIR(mode):
        return _OWN if os.path.lexists(name + b"/.git") else ""
    return "" if stat.S_ISREG(mode) or stat.S_ISLNK(mode) else "no regular file"


def stage(paths: list[str], meanwhile: Callable[[], object] = lambda: None) -> dict[str, str]:
    """Stage these files, or their deletion; return those that git refuses, with the reason.

    `meanwhile` is called while git works, if there is anything to stage, and raises nothing.
    Git refuses all for one that it cannot add; bisection finds that one. Raises Refused for what
    may succeed later and where the clone accepts nothing at all, and GitError.
    """
    refused: dict[str, str] = {}
    groups = _groups(paths)
    while groups:
        group = groups.pop()
        try:
            # Ignored are, of these, only files that git has all the same.
            act_beside(meanwhile, "add", "--force", "--", *map(_literal, group))
        except Refused as refusal:
            if refusal.passing or refusal.code < 0 or any(map(str(refusal).count, _OF_THE_CLONE)):
                raise
            if len(group) > 1 and len(refused) > _MOST_REFUSED:
                reason = f"git cannot add it, or one of {len(group):,} with it: {_reason(refusal)}"
                refused.update(dict.fromkeys(group, reason))
            elif len(group) > 1:
                middle = len(group) // 2
                groups += [group[:middle], group[middle:]]
            elif os.path.lexists(to_bytes(group[0])) or "did not match" not in str(refusal):
                refused[group[0]] = f"git cannot add it: {_reason(refusal)}"
    return refused


def restore(look: Look, paths: Iterable[str]) -> None:
    """Give those of the paths that were staged since `look` the index entries back of that moment.

    Raises Refused and GitError.
    """
    prefix = git.to_path(run("rev-parse", "--show-prefix")).removesuffix("\n")
    for group in _groups(sorted(set(paths).intersection(look.unstaged))):
        entries = [f"{look.former[path]},{prefix}{path}" for path in group if path in look.former]
        new = [path for path in group if path not in look.former]
        if entries:
            words = (word for entry in entries for word in ("--cacheinfo", entry))
            act("update-index", "--add", "--replace", *words)
        if new:
            act("update-index", "--force-remove", "--", *new)


def _reason(refusal: Refused) -> str:
    lines = [line for line in refusal.said if not line.startswith("hint:")]
    return " ".join(lines)[:300] or f"exit code {refusal.code}"


def _groups(paths: list[str]) -> list[list[str]]:
    groups: list[list[str]] = []
    size = 0
    for path in paths:
        if not groups or len(groups[-1]) == _MOST_PATHS or size + len(path) > _MOST_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(path)
        size += len(path)
    return groups


def _literal(path: str) -> str:
    # Not --literal-pathspecs: git would hand that on to the hooks that it runs.
    return f":(literal){path}"


def _waiting(scope: str, since: str = "") -> tuple[str, ...]:
    against = [since] if since else []
    return (*git.DIFF, "--ignore-submodules=none", "--cached", *against, "--", scope)


class Waiting:
    """What is staged of a scope and differs from the commit `since` (HEAD if `""`).

    `changes` are those of regular files and links; `pathspecs` is what `git commit` is given;
    `left` maps what a commit of single paths cannot include, or must not, to the reason.
    `kept_back` maps what must not be committed to the blob that it had before, None for no file:
    what is private, and `leaks`.
    """

    def __init__(self, scope: str, since: str = "", leaks: Mapping[str, str] | None = None) -> None:
        fields = git.records(*_waiting(scope, since))
        self.changes: list[git.Change] = []
        self.left: dict[str, str] = {}
        self.kept_back: dict[str, str | None] = {}
        self._leaks = leaks or {}
        self._there: set[str] = set()
        self._gone: list[str] = []
        for meta, path in zip(fields[0::2], fields[1::2], strict=True):
            if not is_temporary(path) and path.startswith(f"{scope}/"):
                self._take(meta, path)

    @staticmethod
    def ask_ahead(scope: str) -> None:
        """Let git look for what waits of a scope until it is needed."""
        ahead(*_waiting(scope))

    def _take(self, meta: str, path: str) -> None:
        mode = meta.split(" ")[1]
        change = git.change_of(meta, path)
        leak = self._leaks.get(path) or (PRIVATE if is_private(path) else "")
        if leak and mode != "000000":
            self.left[path] = leak
            self.kept_back[path] = change.old if change else None
            return
        if change and mode == _REPOSITORY:  # It is left out; a file in its place may go away.
            change = git.Change(path, change.old, None) if change.old else None
        if change:
            self.changes.append(change)
        if mode == _REPOSITORY:
            self.left[path] = _OWN
        elif mode == "000000":
            self._gone.append(path)
        else:
            self._there.add(path)

    def pathspecs(self, extra: str = "") -> list[str]:
        """The pathspecs of a commit; `extra` is a file to include in any case, `""` for none."""
        found = {*self._there, *([extra] if extra else ())}
        hidden = set()
        replaced = {folder for path in found for folder in _folders(path)}
        for path in self._gone:
            above = next((folder for folder in _folders(path) if folder in found), None)
            if above:
                # A pathspec matches what is below it too, and git would look behind a link.
                hidden.add(above)
            elif path not in replaced and path not in found:
                self._take_gone(path, found)
        return [
            *map(_literal, sorted(found)),
            *(f":(exclude,literal){above}/" for above in sorted(hidden)),
        ]

    def _take_gone(self, path: str, found: set[str]) -> None:
        """Include a deletion unless the file is on disk, or git could only guess that it is not."""
        try:
            os.lstat(to_bytes(path))
        except OSError as error:
            if error.errno in _ABSENT:
                found.add(path)
            else:
                self.left[path] = f"cannot be looked at: {error.strerror}"
        else:
            self.left[path] = "staged as removed, but still on disk: only a git commit takes that"


def _folders(path: str) -> list[str]:
    """The folders above `path`, the nearest first."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(len(parts) - 1, 0, -1)]


def commit(pathspecs: list[str], message: str, meanwhile: Callable[[], object], **env: str) -> None:
    """Commit these paths as they are on disk, and nothing else. Raises Refused and GitError.

    `meanwhile` is called while git works, and raises nothing.
    """
    act_beside(meanwhile, "commit", "-q", f"--message={message}", "--", *pathspecs, limit=0, **env)


def unstaged(folder: str) -> set[str]:
    """The modified and untracked paths below `folder`."""
    return set(git.records("ls-files", "-m", "-o", "--exclude-standard", "-z", "--", folder))


def is_only_comments(message: str) -> bool:
    """Whether this clone's configuration takes every line of a commit's message for a comment."""
    if message.lstrip()[:1].isalnum():
        return False  # No comment starts so; two processes are saved.
    try:
        cleanup = run("config", "--get", "commit.cleanup").strip()
    except GitError:
        return False
    text = message.encode("utf-8", "surrogateescape")
    return cleanup == b"strip" and not run("stripspace", "--strip-comments", stdin=text)
