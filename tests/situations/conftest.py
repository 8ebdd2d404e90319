"""Nests whose commits are judged through each runner, by each command, with and without old faults.

In the quick part git's hook has this process run the check. Hooks that start it, by themselves
or through pre-commit and prek, carry the mark `slow`: they cost most of the time.
"""

from __future__ import annotations

import os
import shutil
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from tests.situations import served
from tests.situations.hooked import COMMANDS, RUNNERS, Hooked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Templates = Callable[["Case"], Hooked]


class Case(NamedTuple):
    """What calls which command in a commit, and whether what nobody touches is at fault."""

    runner: str
    command: str
    state: str = "sound"


STATES = ("sound", "old-faults")
# Each runner meets each command and each state; the plain hook meets every pair of them.
_PAIRS = list(zip(COMMANDS, ("old-faults", "sound"), strict=True))
_CASES = [Case(runner, *pair) for runner in RUNNERS for pair in _PAIRS]
_MORE = [Case("plain", *pair) for pair in product(COMMANDS, STATES) if pair not in _PAIRS]


def _param(case: Case, *, more: bool = False) -> object:
    slow = more or case.runner != "called" or case.command != "nestwork-check"
    return pytest.param(case, id="-".join(case), marks=pytest.mark.slow if slow else ())


@pytest.fixture(params=[*map(_param, _CASES), *(_param(case, more=True) for case in _MORE)])
def case(request: pytest.FixtureRequest) -> Case:
    """Who judges a commit, in a nest with or without old faults."""
    return cast("Case", request.param)


@pytest.fixture(params=[_param(Case(*pair)) for pair in product(RUNNERS, COMMANDS)])
def sound_case(request: pytest.FixtureRequest) -> Case:
    """Who judges a commit, in a nest that is sound."""
    return cast("Case", request.param)


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
    made: dict[Case, Hooked] = {}
    asking = tmp_path_factory.mktemp("asking")
    served.write_commands(asking)
    served_env = runner_env | {"PATH": f"{asking}{os.pathsep}{runner_env['PATH']}"}

    def template(case: Case) -> Hooked:
        if case not in made:
            path, old_faults = tmp_path_factory.mktemp("template"), case.state == "old-faults"
            env = served_env if case.runner == "called" else runner_env
            made[case] = Hooked(path, env, case.runner, [case.command], old_faults=old_faults)
            made[case].begin()
            if case.state != "empty":
                made[case].fill()
        return made[case]

    return template


def _copied(template: Hooked, path: Path) -> Hooked:
    shutil.copytree(template.path, path, symlinks=True)
    return template.at(path)


@pytest.fixture
def nest(_templates: Templates, tmp_path: Path, case: Case) -> Hooked:
    """A committed nest with a hook."""
    return _copied(_templates(case), tmp_path / "nest")


@pytest.fixture
def sound_nest(_templates: Templates, tmp_path: Path, sound_case: Case) -> Hooked:
    """A committed nest with a hook, in which nothing is at fault."""
    return _copied(_templates(sound_case), tmp_path / "nest")


@pytest.fixture
def empty_nest(_templates: Templates, tmp_path: Path, sound_case: Case) -> Hooked:
    """A repository without a commit, with a hook."""
    return _copied(_templates(sound_case._replace(state="empty")), tmp_path / "nest")
