"""Two clones of a nest that push to one repository."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

from tests.conftest import RULES, Done, Files, Repo, entry, memory, topic

NAME = "nestwork-commit"
BOX, MILL = "agents/box/claude-a7k2", "agents/mill/b"
NOT_PUSHED = f"{NAME}: committed, not pushed: "


class Two(NamedTuple):
    """Two clones of a nest, and the repository that they push to."""

    remote: Repo
    box: Repo
    mill: Repo


def fill(repo: Repo) -> None:
    """Commit the nest, and make the repository and both clones beside it."""
    files: Files = {**RULES, "queen/strategy.md": "".join(f"line {n}\n" for n in range(20))}
    for scope in (BOX, MILL, "shared"):
        files[f"{scope}/memory.md"] = memory(entry("hosts.md"), entry("ports.md"))
        files[f"{scope}/hosts.md"] = topic()
        files[f"{scope}/ports.md"] = topic()
    repo.commit(files)
    bare = repo.path.parent / "remote.git"
    repo.git("clone", "-q", "--bare", ".", str(bare))
    for name in ("box", "mill"):
        clone_of(Repo(bare, repo.env), name)


def clone_of(remote: Repo, name: str) -> Repo:
    path = remote.path.parent / name
    remote.git("clone", "-q", str(remote.path), str(path))
    shutil.rmtree(path / ".git/hooks", ignore_errors=True)
    clone = Repo(path, remote.env)
    clone.git("config", "gc.auto", "0")
    return clone


def copies_of(made: Path, folder: Path, env: dict[str, str]) -> Two:
    """What `fill` made, in another folder: as if it had been cloned there."""
    two = Two(*(Repo(folder / name, env) for name in ("remote.git", "box", "mill")))
    for repo in two:
        repo.copied(made / repo.path.name)
    for clone in (two.box, two.mill):
        config = clone.path / ".git/config"
        config.write_text(config.read_text().replace(str(made), str(folder)))
        clone.git("update-index", "-q", "--refresh")
    return two


def git_to_try(env: dict[str, str]) -> dict[str, str]:
    """The environment in which ours find the git in the folder that `TRIED_GIT` names, if any."""
    folder = os.environ.get("TRIED_GIT")
    return env | {"PATH": f"{folder}{os.pathsep}{env['PATH']}"} if folder else env


def push(clone: Repo, scope: str, message: str = "memory", **env: str) -> Done:
    return clone.call(NAME, scope, "-m", message, "--push", **git_to_try(clone.env | env))


def write_and_push(clone: Repo, files: Files, message: str = "memory") -> None:
    clone.write(files)
    parts = next(iter(files)).split("/")
    done = push(clone, "/".join(parts[: 1 if parts[0] == "shared" else 3]), message)
    assert done == (0, "", ""), done.err


def subjects(repo: Repo, revision: str = "main") -> list[str]:
    """The subjects of the commits on a branch, the oldest first, without the first of all."""
    return repo.git("log", "--reverse", "--topo-order", "--format=%s", revision).splitlines()[1:]


def assert_level(clone: Repo, remote: Repo) -> None:
    """The clone is where the remote is, with nothing changed, staged, untracked or left behind."""
    assert clone.git("rev-parse", "HEAD") == remote.git("rev-parse", "main")
    assert clone.git("symbolic-ref", "HEAD") == "refs/heads/main\n"
    assert clone.git("status", "--porcelain", "-uall") == ""
    assert clone.git("stash", "list") == ""
    assert left_behind(clone) == []
    assert clone.call("nestwork-check", "--all").text == ""


def left_behind(clone: Repo) -> list[str]:
    folder = clone.path / ".git"
    return [p.name for p in (*folder.rglob("*.lock"), *folder.glob("nestwork*"))]
