"""Nests whose commits are judged through each runner, by each command, with and without old faults.

Runs through pre-commit and prek carry the mark `runners`: they cost most of the time.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.situations.hooked import COMMANDS, RUNNERS, Hooked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Templates = Callable[[str, str, str], Hooked]


def _marked(runner: str) -> object:
    return runner if runner == "plain" else pytest.param(runner, marks=pytest.mark.runners)


@pytest.fixture(params=map(_marked, RUNNERS))
def runner(request: pytest.FixtureRequest) -> str:
    """What calls the command in a commit."""
    return str(request.param)


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest) -> str:
    """The command that is installed."""
    return str(request.param)


@pytest.fixture(params=["sound", "old-faults"])
def state(request: pytest.FixtureRequest) -> str:
    """Whether what nobody touches is at fault: another scope, and other topics of `shared`."""
    return str(request.param)


@pytest.fixture(scope="session")
def runner_env(
    hermetic_env: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The hermetic environment, with folders and plain output for pre-commit and prek."""
    caches = tmp_path_factory.mktemp("caches")
    return hermetic_env | {
        "PRE_COMMIT_HOME": str(caches / "pre-commit"),
        "PREK_HOME": str(caches / "prek"),
        "PRE_COMMIT_COLOR": "never",
        "PREK_COLOR": "never",
    }


@pytest.fixture(scope="session")
def _templates(runner_env: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Templates:
    made: dict[tuple[str, str, str], Hooked] = {}

    def template(runner: str, command: str, state: str) -> Hooked:
        key = (runner, command, state)
        if key not in made:
            path, old_faults = tmp_path_factory.mktemp("template"), state == "old-faults"
            made[key] = Hooked(path, runner_env, runner, [command], old_faults=old_faults)
            made[key].begin()
            if state != "empty":
                made[key].fill()
        return made[key]

    return template


def _copied(template: Hooked, path: Path) -> Hooked:
    shutil.copytree(template.path, path, symlinks=True)
    return Hooked(
        path, template.env, template.runner, template.commands, old_faults=template.old_faults
    )


@pytest.fixture
def nest(_templates: Templates, tmp_path: Path, runner: str, command: str, state: str) -> Hooked:
    """A committed nest with a hook."""
    return _copied(_templates(runner, command, state), tmp_path / "nest")


@pytest.fixture
def sound_nest(_templates: Templates, tmp_path: Path, runner: str, command: str) -> Hooked:
    """A committed nest with a hook, in which nothing is at fault."""
    return _copied(_templates(runner, command, "sound"), tmp_path / "nest")


@pytest.fixture
def empty_nest(_templates: Templates, tmp_path: Path, runner: str, command: str) -> Hooked:
    """A repository without a commit, with a hook."""
    return _copied(_templates(runner, command, "empty"), tmp_path / "nest")
