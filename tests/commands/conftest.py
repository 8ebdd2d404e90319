"""A nest in two clones."""

from __future__ import annotations

import pytest

from tests.commands.two_clones import Two, clone_of, fill
from tests.conftest import Repo, Template


@pytest.fixture
def two(repo: Repo, template: Template) -> Two:
    bare = repo.path.parent / "remote.git"
    repo.git("clone", "-q", "--bare", str(template("push", fill)), str(bare))
    remote = Repo(bare, repo.env)
    return Two(remote, clone_of(remote, "box"), clone_of(remote, "mill"))
