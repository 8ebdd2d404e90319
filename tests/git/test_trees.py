"""What a commit holds, read from its tree objects: as `git ls-tree` has it."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from nestwork_hooks import git
from nestwork_hooks.git import trees
from nestwork_hooks.git.blobs import Blobs
from tests.conftest import Files, Repo

FILES: Files = {
    "shared/a.md": "a\n",
    "shared/deep/er/b.md": "b\n",
    "shared/link": Path("a.md"),
    "shared/\udcff \t.md": "c\n",
    "shared.md": "d\n",
    "file": "e\n",
}


def _blobs(entries: dict[str, git.Entry]) -> dict[str, str]:
    return {path: entry.blob for path, entry in entries.items()}


@pytest.mark.quick(4)
@pytest.mark.parametrize("folder", ["shared", "shared/deep", "file", "none", "a\nb", "x y"])
@pytest.mark.parametrize("ids", ["sha1", "sha256"])
@pytest.mark.parametrize("below", ["", "nest"])
def test_a_folder_is_listed_as_git_lists_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, folder: str, ids: str, below: str
) -> None:
    if repo.run("git", "init", "-q", f"--object-format={ids}", "other").code:
        pytest.skip(f"this git knows no {ids}")
    other = Repo(repo.path / "other", repo.env)
    files: Files = {**FILES, "a\nb/c.md": "f\n", "x y/d.md": "g\n"}
    other.commit({os.path.join(below, name): content for name, content in files.items()})
    id_, link = other.git("rev-parse", "HEAD").strip(), os.path.join(below, "shared/sub")
    other.git("update-index", "--add", "--cacheinfo", f"160000,{id_},{link}")
    other.git("commit", "-q", "-m", "submodule")
    monkeypatch.chdir(other.path / below)
    expected = _blobs(git.committed("HEAD", [folder]))
    assert bool(expected) == (folder != "none")
    with closing(Blobs()) as objects:
        for _ in range(2):
            assert _blobs(trees.committed(objects, "HEAD", folder)) == expected


@pytest.mark.usefixtures("repo")
def test_a_branch_without_a_commit_holds_nothing_to_list() -> None:
    with closing(Blobs()) as objects, pytest.raises(git.GitError):
        trees.committed(objects, "HEAD", "shared")
