"""The oldest versions that are allowed to be installed, in an environment of their own."""

from __future__ import annotations

import re
import sys
import venv
from pathlib import Path

import pytest

from tests.conftest import PROJECT, Repo

# The first PyYAML that comes ready built for this Python; a floor says no more than that.
_BUILT = {(3, 13): "6.0.2", (3, 14): "6.0.3"}


def _floors() -> dict[str, str]:
    (line,) = re.findall(
        r"^dependencies = .*", (PROJECT / "pyproject.toml").read_text(), re.MULTILINE
    )
    return dict(re.findall(r'"([\w-]+)>=([\d.]+)"', line))


@pytest.mark.slow
def test_the_oldest_dependencies(repo: Repo, tmp_path: Path) -> None:
    floors = _floors()
    assert list(floors) == ["markdown-it-py", "python-frontmatter", "PyYAML"]
    floors["PyYAML"] = _BUILT.get(sys.version_info[:2], floors["PyYAML"])
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=True)
    python = str(folder / "bin/python")
    pins = [f"{name}=={version}" for name, version in floors.items()]
    pip = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check")
    installed = repo.run(*pip, *pins, str(PROJECT), "pytest", "hypothesis", "regex")
    if "NewConnectionError" in installed.err:
        pytest.skip("no package index in reach")
    assert installed.code == 0, installed.err
    tests = [str(PROJECT / "tests" / name) for name in ("protocol", "properties", "hostile")]
    options = ("-q", "-p", "no:cacheprovider", "-m", "not slow", "-k", "not fixer and not streams")
    done = repo.run(python, "-m", "pytest", f"--rootdir={PROJECT}", *options, *tests)
    assert done.code == 0, done.out
