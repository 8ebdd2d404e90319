"""A nest that is a folder of the repository: what `--root` takes, and how its paths are said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import BEGINS, RULES, entry, memory, topic

if TYPE_CHECKING:
    from tests.conftest import Repo, Run

FIX = "nestwork-fix-index"
NOT_HERE = "git lists no file below queen/, shared/, agents/"


@pytest.fixture
def project(repo: Repo) -> Repo:
    """A repository of code with a nest in docs/nest, of which one index is stale."""
    nest = {**RULES, "shared/memory.md": memory(), "shared/hosts.md": topic()}
    repo.commit({**{f"docs/nest/{path}": text for path, text in nest.items()}, "src/a.py": "1\n"})
    repo.write({"link": Path("docs/nest"), "linked": Path("docs")})
    (repo.path / "src/sub").mkdir()
    return repo


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("start", "root", "prefix"),
    [
        (".", "docs/nest", "docs/nest/"),
        (".", "docs/nest/", "docs/nest/"),
        (".", "./docs//nest", "docs/nest/"),
        (".", "src/../docs/nest", "docs/nest/"),
        (".", "{top}/docs/nest", "docs/nest/"),
        # Git lists and stages nothing behind a link.
        (".", "link", "docs/nest/"),
        (".", "linked/nest", "docs/nest/"),
        ("docs", "nest", "nest/"),
        ("docs/nest", ".", ""),
        ("docs/nest/shared", "..", "../"),
        ("src/sub", "../../docs/nest", "../../docs/nest/"),
        ("src", "{top}/docs/nest", "../docs/nest/"),
    ],
)
def test_any_way_to_name_it(project: Repo, start: str, root: str, prefix: str) -> None:
    args = ["--root", root.format(top=project.path), "--all"]
    done = project.call("nestwork-check", *args, cwd=start)
    flag = f" --root {prefix.rstrip('/')}" if prefix else ""
    path = f"{prefix}shared/memory.md"
    assert done.text == (
        f"{path}:3: error: topic index is stale: missing a line for hosts.md [stale-index]\n"
        f"to fix: {FIX} --ok{flag} shared && git add -- {path}\n"
    )
    project.run("sh", "-c", done.out.splitlines()[-1].removeprefix("to fix: "), cwd=start)
    assert project.call("nestwork-check", *args, "--staged", cwd=start).code == 0


@pytest.mark.parametrize(
    ("start", "root", "said"),
    [
        (".", "missing", "--root missing: no such folder"),
        (".", "src/a.py", "--root src/a.py: no such folder"),
        (".", "..", "--root ..: name a folder of this repository"),
        (".", "own", "--root own: it is a repository of its own"),
        ("src", "../..", "--root ../..: name a folder of this repository"),
        (".", "docs", f"no nest here: {NOT_HERE}; there is one in docs/nest/: --root docs/nest"),
        ("docs", ".", f"no nest here: {NOT_HERE}; there is one in nest/: --root nest"),
        (
            "src",
            "../docs",
            f"no nest here: {NOT_HERE}; there is one in ../docs/nest/: --root ../docs/nest",
        ),
    ],
)
def test_what_is_no_nest(project: Repo, start: str, root: str, said: str) -> None:
    project.run("git", "init", "-q", "own")
    done = project.call("nestwork-check", "--root", root, "--all", cwd=start)
    assert (done.code, done.text) == (2, f"nestwork-check: {said}\n")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            "nestwork-measure",
            "no nest here: git knows no Markdown file below queen/, shared/, agents/",
        ),
        (
            "nestwork-commit shared -m x",
            "not committed: shared is no folder here, and nothing that git knows",
        ),
        (FIX, f"no nest here: {NOT_HERE}"),
    ],
)
def test_every_command_names_the_nest_further_down(project: Repo, command: str, said: str) -> None:
    name, *args = command.split()
    done = project.call(name, *args)
    where = "there is one in docs/nest/: --root docs/nest"
    separator = ": " if name == "nestwork-commit" else "; "
    assert (done.code, done.text) == (2, f"{name}: {said}{separator}{where}\n")


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("shared", 1, ""),
        ("docs/nest/shared", 1, ""),
        ("{top}/docs/nest/shared", 1, ""),
        ("nest/shared", 2, "nest/shared is no scope: name shared or agents/<host>/<agent-id>"),
        ("src", 2, "src is no scope: name shared or agents/<host>/<agent-id>"),
    ],
)
def test_a_scope(project: Repo, run: Run, name: str, code: int, said: str) -> None:
    done = run("nestwork-check", "--root", "docs/nest", name.format(top=project.path))
    assert (done.code, done.err) == (code, f"nestwork-check: {said}\n" if said else "")


@pytest.mark.parametrize(
    ("names", "code", "said"),
    [
        ("docs/nest/shared/bad.md", 1, ""),
        ("src/a.py docs/nest/shared/bad.md README.md", 1, ""),
        # The code's own files, whatever they are called.
        ("README.md shared/bad.md agents/a.md shared.py", 0, ""),
        ("docs/nest/shared/none.md", 2, "no such file: docs/nest/shared/none.md"),
    ],
)
def test_files(project: Repo, run: Run, names: str, code: int, said: str) -> None:
    project.commit({"docs/nest/shared/bad.md": "bare\n", "shared/bad.md": "code\n"})
    name = "nestwork-missing-description"
    done = run(name, "--root", "docs/nest", *names.split())
    assert (done.code, done.err) == (code, f"{name}: {said}\n" if said else "")


def test_the_committer_names_the_nests_folder_inside_its_messages(project: Repo, run: Run) -> None:
    project.write({"docs/nest/shared/big.md": topic(body="x" * 40_000)})
    size = len(topic(body="x" * 40_000))
    done = run("nestwork-commit", "--root", "docs/nest", "shared", "-m", "x")
    assert done.err == (
        "nestwork-commit: committed; please note:\n"
        f"docs/nest/shared/big.md:1: error: {size:,} bytes, over the 32,768-byte limit:"
        " move sections to new topics docs/nest/shared/big/<part>.md until each file, this one too,"
        f" has at most 16,384 bytes; each new one begins with {BEGINS} [topic-size]\n"
    )
    listed = [entry("big.md", size=f"{size / 1024:.1f}"), entry("hosts.md")]
    assert project.git("show", "HEAD:docs/nest/shared/memory.md") == memory(*listed)
