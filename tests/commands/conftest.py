"""A nest in two clones."""

from __future__ import annotations

import pytest

from tests.commands.two_clones import Two, copies_of, fill
from tests.conftest import Repo, Template


@pytest.fixture
def two(repo: Repo, template: Template) -> Two:
    return copies_of(template("push", fill).parent, repo.path.parent, repo.env)
