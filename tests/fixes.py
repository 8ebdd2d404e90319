"""Do what the JSON of a refused commit says, as a program would that knows nothing of nests."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.conftest import Done, Repo


def apply_fixes(folder: Path, findings: Sequence[dict[str, Any]]) -> None:
    """Apply every `fix`: replacements of each file from its last line to its first, then commands.

    `folder` is the one in which the command that printed the findings was started.
    """
    fixes = [(folder / finding["path"], finding["fix"]) for finding in findings if "fix" in finding]
    replacements = [(path, fix) for path, fix in fixes if fix["kind"] == "replace"]
    for path, fix in sorted(replacements, key=lambda one: one[1]["first"], reverse=True):
        lines = re.findall(rb"[^\n]*\n|[^\n]+", path.read_bytes())
        assert 0 < fix["first"] <= fix["last"] + 1 <= len(lines) + 1, fix
        lines[fix["first"] - 1 : fix["last"]] = [fix["text"].encode()]
        path.write_bytes(b"".join(lines))
    for _, fix in fixes:
        if fix["kind"] == "run":
            subprocess.run(fix["argv"], cwd=folder, check=True, capture_output=True)


def mend(repo: Repo, out: str, cwd: str = ".") -> Done:
    """Apply all fixes of what a command printed as JSON, stage, run its remedy, and commit again."""
    said = json.loads(out)
    apply_fixes(repo.path / cwd, said["findings"])
    repo.git("add", "-u")
    if said["remedy"]:
        repo.run("sh", "-c", said["remedy"], cwd=cwd)
    return repo.run("git", "commit", "-q", "-m", "mended")
