"""Nests of a size that nobody has: time grows with the nest, and nothing else."""

from __future__ import annotations

import os
import time

import pytest

from tests.conftest import MARKERS, Repo, memory, topic

# Seconds that the slowest run here may take; far more than it does.
MOST = 120.0


def _timed(repo: Repo, *command: str) -> tuple[int, str]:
    start = time.monotonic()
    done = repo.run(*command)
    seconds = time.monotonic() - start
    print(f"{' '.join(command)[:60]}: {seconds:.1f} s, {len(done.out)} characters")
    assert done.err == ""
    assert seconds < MOST
    return done.code, done.out


@pytest.mark.slow
def test_a_hundred_thousand_topics_in_one_scope(repo: Repo) -> None:
    data = topic().encode()
    files = {b"shared/%06d.md" % number: data for number in range(100_000)}
    repo.stage_blobs(
        {b"queen/agent-rules.md": b"x", b"shared/memory.md": MARKERS.encode(), **files}
    )
    code, said = _timed(repo, "nestwork-check", "--staged")
    assert code == 1
    assert "000000.md, 000001.md, 000002.md and 99997 more) [stale-index]" in said
    repo.write({"shared/memory.md": MARKERS})
    assert repo.run("nestwork-fix-index", "--staged") == (
        2,
        "",
        "nestwork-fix-index: shared/memory.md: not rewritten: over 4,194,304 bytes with its index:"
        " move topics to other scopes\n",
    )
    assert repo.read("shared/memory.md") == MARKERS


@pytest.mark.slow
def test_ten_thousand_scopes(repo: Repo) -> None:
    scopes = [b"agents/h%02d/a%04d" % (number % 50, number) for number in range(10_000)]
    files = {b"queen/agent-rules.md": b"x" * 4000, b"shared/resident.md": b"x" * 4000}
    for scope in scopes:
        files[scope + b"/memory.md"] = MARKERS.encode()
        files[scope + b"/deep/er/t.md"] = b"# No front matter\n"
        files[scope + b"/resident.md"] = b"x" * 2000
    repo.stage_blobs(files)
    code, said = _timed(repo, "nestwork-check", "--staged")
    assert code == 1
    for rule in ("stale-index", "missing-description", "nesting-depth"):
        assert said.count(f"[{rule}]") == 10_000
    repo.git("checkout-index", "-a", "-q")
    code, said = _timed(repo, "nestwork-fix-index")
    assert (code, said.count("rewrote")) == (1, 10_000)
    names = [os.fsdecode(scope) for scope in scopes]
    code, said = _timed(repo, "nestwork-stale-index", *names)
    assert (code, said) == (0, "")
    for name in names:
        os.unlink(repo.path / name / "deep/er/t.md")
    code, said = _timed(repo, "nestwork-check", "--all")
    assert code == 0


@pytest.mark.slow
def test_ten_thousand_scopes_lose_their_markers_in_one_commit(repo: Repo) -> None:
    scopes = [b"agents/h/a%04d" % number for number in range(10_000)]
    files = {b"queen/agent-rules.md": b"x"}
    files |= {scope + b"/t.md": topic().encode() for scope in scopes}
    repo.stage_blobs(files | {scope + b"/memory.md": memory().encode() for scope in scopes})
    repo.git("commit", "-q", "-m", "before")
    repo.stage_blobs(files | {scope + b"/memory.md": b"# Gone\n" for scope in scopes})
    code, said = _timed(repo, "nestwork-check", "--staged")
    assert (code, said.count("[broken-markers]")) == (1, 10_000)


@pytest.mark.slow
def test_one_agent_commits_beside_a_hundred_thousand_topics(repo: Repo) -> None:
    """The cost of a commit is that of its scope."""
    data = topic().encode()
    files = {b"agents/h%03d/a/%03d.md" % divmod(number, 200): data for number in range(100_000)}
    files |= {b"queen/agent-rules.md": b"x", b"shared/memory.md": memory().encode()}
    repo.stage_blobs(files)
    repo.git("commit", "-q", "-m", "before")
    repo.stage_blobs({**files, b"shared/memory.md": MARKERS.encode(), b"shared/t.md": data})
    code, said = _timed(repo, "nestwork-check", "--staged")
    assert code == 1
    assert "never generated, so it lists none of its topics (t.md) [stale-index]" in said
