"""The `to fix:` line, pasted into a shell with the worst names a scope can have."""

from __future__ import annotations

import shutil

import pytest

from tests.conftest import BIN, MARKERS, RULES, Repo, topic

SHELLS = [name for name in ("sh", "bash", "dash", "zsh", "ksh", "busybox") if shutil.which(name)]
AGENTS = [
    "a b",
    "$(touch ran)",
    "`touch ran`",
    "'; touch ran; '",
    '"; touch ran; "',
    "a\\b\\n",
    "a\nb",
    "ends with a line\n",
    "\n",
    "\x1b[31m\x07",
    "ü日\U0001f4bb",
    "\udcff\udcfe",
    "\u202e\u2066",
    "##[error]",
    "##vso[task.complete]",
    "##teamcity[x",
    "::error::",
    "a\ufe0fb\u3164c\u200dd",
    "%s%n%%",
    "!x !!",
    "~",
    "-rf",
    "*?[a]",
    "a;b&c|d<e>f(g){h}",
    "#x",
    "=x",
    "a\tb",
    "100%",
]


@pytest.mark.quick(3)
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("env", [{}, {"PYTHONIOENCODING": "ascii"}], ids=["utf-8", "ascii"])
def test_pasted(repo: Repo, shell: str, env: dict[str, str]) -> None:
    scopes = [f"agents/h/{agent}" for agent in AGENTS]
    files = {f"{scope}/memory.md": MARKERS for scope in scopes}
    repo.commit({**RULES, **files, **{f"{scope}/t.md": topic() for scope in scopes}})
    said = repo.run("nestwork-stale-index", "--all", **env)
    assert said.code == 1
    (line,) = (line for line in said.out.split("\n") if line.startswith("to fix: "))
    pasted = ("busybox", "sh") if shell == "busybox" else (shell,)
    done = repo.run(*pasted, "-c", line.removeprefix("to fix: "))
    assert done.code == 0, done.text
    assert done.out.count("rewrote the topic index") == len(AGENTS)
    assert not (repo.path / "ran").exists()
    assert repo.call("nestwork-stale-index", "--all", "--staged").code == 0
    assert len(repo.git("diff", "--cached", "--name-only", "-z").split("\0")) == len(AGENTS) + 1


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_pasted_from_a_hook_in_a_folder_with_such_a_name(repo: Repo, shell: str) -> None:
    for folder in ("ends\n", "ü $(touch ran) '", "\x1b"):
        nest = Repo(repo.path / folder, repo.env)
        nest.path.mkdir()
        nest.git("init", "-q")
        nest.commit({**RULES, "shared/memory.md": MARKERS})
        nest.stage({"shared/t.md": topic()})
        said = nest.call("nestwork-stale-index", PRE_COMMIT="1")
        line = said.out.split("to fix: ")[1]
        assert str(BIN) in line
        pasted = ("busybox", "sh") if shell == "busybox" else (shell,)
        done = repo.run(*pasted, "-c", line)
        assert "rewrote" in done.out, done.text
        assert nest.call("nestwork-stale-index", "--staged").code == 0
        assert not (nest.path / "ran").exists()
