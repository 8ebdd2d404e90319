"""What a checker sees that reads what none of the first five reads."""

from __future__ import annotations

import pytest

from nestwork_hooks.nest.looking import look
from nestwork_hooks.nest.reads import BEFORE, BODIES, MARKDOWN
from nestwork_hooks.nest.request import Request, Unusable, read_environment
from nestwork_hooks.nest.view import View
from nestwork_hooks.protocol.topic import Topic
from tests.conftest import Repo, topic

ANYWHERE = ["agents/box/README.md", "inbox/a.md", "notes.md", "queen/x.md", "shared/hosts.md"]


def _view(reads: int, **request: object) -> View:
    return look(Request(read_environment(), **request), reads)  # type: ignore[arg-type]


def test_the_bodies_of_judged_topics(nest: Repo) -> None:
    nest.stage({"shared/hosts.md": topic(body="words\n")})
    view = _view(BODIES)
    assert {path: _text(found) for path, found in view.topics.items()} == {
        "shared/hosts.md": topic(body="words\n")
    }


@pytest.mark.parametrize(("base", "body"), [("", "one\n"), ("HEAD", "one\n"), ("HEAD~2", "# T\n")])
def test_the_version_before_the_commit_or_the_base(nest: Repo, base: str, body: str) -> None:
    nest.commit({"shared/hosts.md": topic(body="two\n")})
    nest.commit({"shared/hosts.md": topic(body="one\n")})
    nest.stage({"shared/hosts.md": topic(body="now\n"), "shared/new.md": topic()})
    view = _view(BODIES | BEFORE, base=base)
    assert {path: _text(found) for path, found in view.before.items()} == {
        "shared/hosts.md": topic(body=body)
    }
    assert set(view.topics) == {"shared/hosts.md", "shared/new.md"}


@pytest.mark.parametrize("path", ANYWHERE)
@pytest.mark.parametrize("everything", [False, True])
def test_markdown_anywhere(nest: Repo, path: str, everything: bool) -> None:
    nest.stage({path: "text\n", "code.py": "1\n"})
    view = _view(MARKDOWN, all=everything)
    assert view.markdown[path] == "text\n"
    assert set(view.markdown) - {path} == (
        {"queen/agent-rules.md", "shared/hosts.md", "shared/memory.md", "shared/ports.md"} - {path}
        if everything
        else set()
    )


def test_markdown_makes_no_nest(repo: Repo) -> None:
    repo.commit({"README.md": "code\n"})
    with pytest.raises(Unusable, match=r"^no nest here: "):
        _view(MARKDOWN, all=True)


def _text(found: object) -> str | None:
    return found.text if isinstance(found, Topic) else None
