"""Two wheels of the package, each installed in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.conftest import PROJECT

WORKTREE = "worktree"
_WARM = Path(__file__).with_name("warm.py")
_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


class Line(NamedTuple):
    """A command line: in its words and values `{case}` and `{side}` stand for folders.

    `cwd` is below the case's folder; `writes` says that it is run on a copy of its own and what
    it leaves is compared, `cold` that it gets a Python of its own whatever was asked for.
    """

    words: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    cwd: str = "nest"
    writes: bool = False
    cold: bool = False


class Said(NamedTuple):
    """How a command ended, its output with the side's own folder taken out."""

    code: int
    out: bytes
    err: bytes


class Side:
    """One installed wheel, `base` or `head`, below the folder `root`.

    Names are of one length, so that lines that are cut are cut at the same place.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.bin = root / "venv" / "bin"

    @property
    def name(self) -> str:
        """`base` or `head`."""
        return self.root.name

    def install(self, revision: str) -> None:
        """Build the wheel of a revision, of the working tree or of a folder, and install it."""
        self.root.mkdir(parents=True)
        source = PROJECT if revision == WORKTREE else Path(revision)
        if not source.is_dir():
            source = self._export(revision)
        wheels = self.root / "wheels"
        _call(*_PIP, "wheel", "-q", "--no-deps", "-w", str(wheels), str(source))
        (wheel,) = wheels.glob("*.whl")
        _call(sys.executable, "-m", "venv", "--without-pip", str(self.root / "venv"))
        python = str(self.bin / "python")
        _call(*_PIP, "--python", python, "install", "-q", str(wheel))

    def add_tokenizer(self) -> None:
        """Put what counts tokens exactly into the folder `tokens`, for PYTHONPATH."""
        (wheel,) = (self.root / "wheels").glob("*.whl")
        tokens = str(self.root / "tokens")
        _call(*_PIP, "install", "-q", "--no-warn-conflicts", "--target", tokens, f"{wheel}[tokens]")

    def _export(self, revision: str) -> Path:
        folder = self.root / "source"
        folder.mkdir()
        archive = self.root / "source.tar"
        _call("git", "-C", str(PROJECT), "archive", "-o", str(archive), revision)
        _call("tar", "-xf", str(archive), "-C", str(folder))
        return folder

    def commands(self) -> list[str]:
        """The names of the installed commands."""
        return sorted(path.name for path in self.bin.glob("nestwork-*"))

    def environment(self) -> dict[str, str]:
        """An environment without the machine's configuration, in which time stands still."""
        dropped = ("GIT_", "PRE_COMMIT", "NESTWORK_", "LC_", "LANG", "PYTHON", "COV_")
        env = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        home = self.root / "home"
        home.mkdir(exist_ok=True)
        path = [part for part in env["PATH"].split(os.pathsep) if not _has_ours(part)]
        env |= {
            "HOME": str(home),
            "PATH": os.pathsep.join([str(self.bin), *path]),
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        for who in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{who}_NAME": "t", f"GIT_{who}_EMAIL": "t@example.org"}
            env[f"GIT_{who}_DATE"] = "2026-10-01T12:00:00+00:00"
        return env


class Runner:
    """Runs command lines on one side, for one thread."""

    def __init__(self, side: Side, scratch: Path, *, cold: bool = False) -> None:
        self.side = side
        self._cold = cold
        self._env = side.environment()
        scratch.mkdir(parents=True, exist_ok=True)
        self._out, self._err = scratch / "out", scratch / "err"
        self._server = subprocess.Popen(
            [side.bin / "python", _WARM],
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, line: Line, case: Path) -> Said:
        """What a command line says in the folder of a case."""
        folders = {"{case}": str(case), "{side}": str(self.side.root)}
        words = [_filled(word, folders) for word in line.words]
        env = self._env | {name: _filled(value, folders) for name, value in line.env}
        is_warm = not (self._cold or line.cold or words[0] == "git" or _is_for_python(line.env))
        act = self._run_warm if is_warm else self._run_cold
        code = act(words, env, case / line.cwd)
        out, err = (self._normal(path.read_bytes()) for path in (self._out, self._err))
        return Said(code, out, err)

    def _run_cold(self, words: list[str], env: dict[str, str], cwd: Path) -> int:
        own = self.side.bin / words[0]
        found = str(own) if own.exists() else words[0]
        with open(self._out, "wb") as out, open(self._err, "wb") as err:
            done = subprocess.run(
                [found, *words[1:]],
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                check=False,
                timeout=300,
            )
        return done.returncode

    def _run_warm(self, words: list[str], env: dict[str, str], cwd: Path) -> int:
        job = {
            "script": str(self.side.bin / words[0]),
            "args": words[1:],
            "cwd": str(cwd),
            "env": env,
            "out": str(self._out),
            "err": str(self._err),
        }
        assert self._server.stdin
        assert self._server.stdout
        print(json.dumps(job), file=self._server.stdin, flush=True)
        return int(self._server.stdout.readline())

    def _normal(self, text: bytes) -> bytes:
        for encoding in ("utf-8", "utf-16-le"):  # Some lines ask Python for another one.
            text = text.replace(str(self.side.root).encode(encoding), "<side>".encode(encoding))
        return text

    def close(self) -> None:
        """End the process that the warm runs come from."""
        assert self._server.stdin
        self._server.stdin.close()
        self._server.wait()


def _filled(text: str, folders: dict[str, str]) -> str:
    for name, folder in folders.items():
        text = text.replace(name, folder)
    return text


def _is_for_python(env: tuple[tuple[str, str], ...]) -> bool:
    """Whether Python reads any of these variables when it starts."""
    return any(name.startswith(("PYTHON", "LC_", "LANG")) for name, _ in env)


def _has_ours(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, "nestwork-check"))


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
