"""Build with flit, which packs one folder, and put the page of `--explain` into it.

docs/rules.md is the one source of that text: a wheel has it as nestwork_hooks/rules.md. Flit makes
the wheel from a copy, so that nothing is left in a clone, and builds can run side by side.
"""

from __future__ import annotations

import os
import shutil
from tempfile import TemporaryDirectory

from flit_core import buildapi
from flit_core.buildapi import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, object] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build a wheel into that directory; its name. PEP 517 says what the arguments are."""
    target, here = os.path.abspath(wheel_directory), os.getcwd()
    metadata = metadata_directory and os.path.abspath(metadata_directory)
    with TemporaryDirectory() as folder:
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy2(name, folder)
        package = os.path.join(folder, "nestwork_hooks")
        shutil.copytree("nestwork_hooks", package)
        shutil.copy2("docs/rules.md", package)
        os.chdir(folder)
        try:
            return buildapi.build_wheel(target, config_settings, metadata)
        finally:
            os.chdir(here)  # Windows deletes no folder in which a process stands.
