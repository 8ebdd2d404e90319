"""The nests that the rows run in, each built when a row first asks for it."""

from __future__ import annotations

import itertools
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench import real_text
from tests.bench.nests import LINE, SHAPES, Shape, build, git, write

TOPIC = "shared/subject-001.md"
BIN = Path(sys.executable).parent
# What a commit under prek looks at outside the nest.
PREK_HOME = "PREK_HOME"


class Places:
    """The nests below a folder. A row that changes a nest gives it a name of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def at(self, shape: str, use: str = "", then: Callable[[Path], None] | None = None) -> Path:
        """The nest of this shape for this use, which `then` goes on with once it is built."""
        root = self.folder / f"{shape}{use and '-'}{use}"
        if not root.exists():
            real_text.build(root) if shape == "text" else build(root, _shape(shape))
            if then:
                then(root)
            _age(root)
        return root


def _age(root: Path) -> None:
    """Make the files an hour older than git's list of them, as most files of a nest are.

    git reads a file again that is as young as its list, since it may have changed meanwhile.
    """
    hour_ago = time.time() - 3600
    for folder, folders, files in os.walk(root):
        if ".git" in folders:
            folders.remove(".git")
        for name in files:
            os.utime(os.path.join(folder, name), (hour_ago, hour_ago))
    git(root, "update-index", "-q", "--refresh")


def _shape(name: str) -> Shape:
    """`small`, `author`, `large`, or a number: so many topics beside a scope that is changed."""
    return SHAPES.get(name) or Shape(int(name) // 100 + 1, 100, 300)


def lengthened(size: int) -> Callable[[Path], None]:
    """Write that many bytes by hand around an index; stage one topic, of the size it had."""

    def go_on(root: Path) -> None:
        memory = root / "shared/memory.md"
        text = LINE * (size // 2 // len(LINE))
        memory.write_text(f"{text}\n{memory.read_text()}\n{text}")
        git(root, "commit", "-q", "-a", "-m", "memory")
        write(root, TOPIC, (root / TOPIC).read_text().replace("One fact", "1: facts"))
        git(root, "add", "-A")

    return go_on


def crowded(count: int) -> Callable[[Path], None]:
    """Commit that many files outside the nest's folders."""

    def go_on(root: Path) -> None:
        for number in range(count):
            folder = root / f"src/part-{number // 1_000:03}"
            if number % 1_000 == 0:
                folder.mkdir(parents=True)
            (folder / f"file-{number % 1_000:03}.txt").write_text("x\n")
        git(root, "reset", "-q")  # `git commit -- src` of so many takes minutes here
        git(root, "add", "src")
        git(root, "commit", "-q", "-m", "others")
        git(root, "add", "shared")

    return go_on


def under_prek(hooks: Sequence[Sequence[str]], home: Path) -> Callable[[Path], None]:
    """Have prek run these command lines before each commit."""

    def go_on(root: Path) -> None:
        write(root, ".pre-commit-config.yaml", json.dumps(_configured(hooks)))  # JSON is YAML
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "configure")
        install = ["env", f"{PREK_HOME}={home}", str(BIN / "prek"), "install"]
        subprocess.run(install, cwd=root, check=True, capture_output=True)

    return go_on


def _configured(hooks: Sequence[Sequence[str]]) -> dict[str, object]:
    described = [
        {
            "id": f"hook-{number}",
            "name": f"hook {number}",
            "entry": shlex.join(words),
            "language": "system",
            "always_run": True,
            "pass_filenames": False,
        }
        for number, words in enumerate(hooks)
    ]
    return {"repos": [{"repo": "local", "hooks": described}]}


def edits(root: Path, step: int) -> Callable[[int], None]:
    """Writes the topic anew at each call, `step` bytes or more away from the size it had."""
    numbers, text = itertools.count(), (root / TOPIC).read_text()

    def edit(_: int) -> None:
        number = next(numbers)
        write(root, TOPIC, f"{text}{'y' * step * (number % 5)}{number:06}\n")

    return edit


def staged_edits(root: Path, step: int) -> Callable[[int], None]:
    """The same, staged with a true index."""
    edit = edits(root, step)
    fixer = [str(BIN / "nestwork-fix-index"), "--ok", "shared"]

    def stage(number: int) -> None:
        edit(number)
        subprocess.run(fixer, cwd=root, check=True, capture_output=True)
        git(root, "add", "shared")

    return stage
