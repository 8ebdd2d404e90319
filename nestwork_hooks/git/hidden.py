"""Which files git does not look at: ignored ones, and those that it takes for unchanged."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.protocol.text import escaped

# More files are not asked about: the first ones say what to do.
_MOST = 200


def ignored(paths: list[str]) -> dict[str, str]:
    """Those of the paths that git ignores, each with what is to be said of it.

    Empty where git cannot tell.
    """
    asked = b"".join(git.to_bytes(path) + b"\0" for path in paths[:_MOST])
    try:
        # Its paths are literal, but it refuses to be told so.
        fields = git.records("check-ignore", "-v", "-z", "--stdin", stdin=asked, literal=False)
    except git.GitError:
        return {}
    rows = zip(fields[0::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    # A pattern that starts with ! takes a file back.
    return {
        path: f"git ignores it ({escaped(source)}, line {line}), so no commit will hold it:"
        " git add -f, or change that rule"
        for source, line, rule, path in rows
        if rule[:1] != "!"
    }


def changed(entries: dict[str, git.Entry]) -> dict[str, str]:
    """Those of the entries that differ on disk although git does not look, each with the mark.

    A mark is `skip-worktree` or `assume-unchanged`. Empty where git cannot tell.
    """
    paths = [path for path, entry in entries.items() if entry.unlooked and _is_file(path)][:_MOST]
    try:
        ids = git.to_path(git.run("hash-object", "--", *paths)).split() if paths else []
    except git.GitError:
        return {}
    return {
        path: "skip-worktree" if entries[path].left_out else "assume-unchanged"
        for path, id_ in zip(paths, ids, strict=True)
        if id_ != entries[path].blob
    }


def _is_file(path: str) -> bool:
    name = git.to_bytes(path)
    return os.path.isfile(name) and not os.path.islink(name)
