"""A copy of the project with an environment of its own, in which a module may be changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGE = "nestwork_hooks"
_TRACER = "nestwork_tracer"


class Project:
    """The copy below `path`; it is made where there is none yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trace = path / ".trace"
        self._environment = path / ".venv"
        self.python = self._environment / "bin" / "python"
        if not path.exists():
            self._copy()
            self._make_environment()

    def refresh(self) -> None:
        """Bring package and tests up to what the working tree has."""
        for name in (PACKAGE, "tests"):
            shutil.rmtree(self.path / name)
        self._copy()

    def _copy(self) -> None:
        listed = ("git", "ls-files", "-co", "--exclude-standard", "-z")
        names = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        for name in map(os.fsdecode, names.split(b"\0")[:-1]):
            source, target = ROOT / name, self.path / name
            if source.is_symlink() or source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)

    def _make_environment(self) -> None:
        """The packages and scripts of this environment, and before all the copy itself."""
        venv.create(self._environment, symlinks=True)
        (packages,) = self._environment.glob("lib/*/site-packages")
        (packages / "paths.pth").write_text(f"{self.path}\n{sysconfig.get_path('purelib')}\n")
        shutil.copy(Path(__file__).parent / "tracer.py", packages / f"{_TRACER}.py")
        (packages / "tracing.pth").write_text(f"import {_TRACER}\n")
        ours = os.fsencode(sys.executable)
        for script in Path(sys.executable).parent.iterdir():
            target = self.python.parent / script.name
            if target.exists() or not script.is_file():
                continue
            text = script.read_bytes()
            if text.startswith(b"#!" + ours):
                target.write_bytes(text.replace(ours, os.fsencode(self.python), 1))
                target.chmod(0o755)
            else:
                target.symlink_to(script)

    @contextmanager
    def changed(self, path: str, text: str) -> Iterator[None]:
        """The copy with another text in one module."""
        module = self.path / path
        before = module.read_bytes()
        module.write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            module.write_bytes(before)

    def require_own_package(self) -> None:
        """Exit unless Python and the scripts of the copy run the copy's package."""
        script = next(self.python.parent.glob("nestwork-*"))
        with self.changed(f"{PACKAGE}/__init__.py", "raise SystemExit(77)"):
            for command in ((self.python, "-c", f"import {PACKAGE}"), (script, "--version")):
                done = subprocess.run(
                    list(map(str, command)), cwd=self.temporary(), env=self.env(), check=False
                )
                if done.returncode != 77:
                    raise SystemExit(f"{command[0]} does not run the package of {self.path}")

    def env(self) -> dict[str, str]:
        """The environment of every test run: of this clone's git and Python it has nothing."""
        dropped = ("GIT_", "PYTHON", "VIRTUAL_ENV", "COV")
        env = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        # Two texts of a module may be of one size and time, so no compiled one may be kept.
        return env | {
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.path / ".hypothesis"),
            "TMPDIR": str(self.temporary()),
        }

    def temporary(self) -> Path:
        """Where tests write."""
        path = self.path.parent / "tmp"
        path.mkdir(exist_ok=True)
        return path
