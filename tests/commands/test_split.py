"""nestwork-split, run as its user runs it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.conftest import BEGIN, END, MARKERS, RULES, Files, Repo, memory, topic

MONOLITH = (
    "# Shared memory\n\nWhat all agents know.\n\n"
    "## Hosts\n\n- box builds\n\n```sh\n## no heading\n```\n\n"
    "## Hosts\n\n- lab tests\n\n"
    "## 日志\n\n- rotated at night\n"
)
HAND = f"# Memory\n\n## One\n\n- 1\n\n{BEGIN}\n{END}\n\ntail\n\n## Two\n\n- 2\n"


@pytest.fixture
def monolith(repo: Repo) -> Repo:
    repo.commit({**RULES, "shared/memory.md": MONOLITH})
    return repo


def state(repo: Repo) -> dict[str, bytes]:
    """Every file of the nest, and what is staged."""
    files = [path for path in repo.path.rglob("*") if ".git" not in path.parts and path.is_file()]
    found = {str(path.relative_to(repo.path)): path.read_bytes() for path in files}
    return found | {"staged": repo.git("ls-files", "-s").encode()}


def test_a_monolith_becomes_topics(monolith: Repo) -> None:
    done = monolith.call("nestwork-split", "shared")
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "shared/memory.md: 3 topics, cut at headings of level 2 (##)"
    assert [line.split("  ")[1] for line in lines[1:6]] == [
        *("file               ".rstrip(), "shared/hosts.md", "shared/hosts-2.md"),
        *("shared/topic-03.md", "shared/memory.md"),
    ]
    assert lines[6] == (
        "proved: what stays and the topics, in order, are the original to the byte;"
        " 4 headings, each in exactly one file"
    )
    assert lines[7] == (
        "next: in each file above, replace the placeholder in line 2 by what it holds and when to"
        " read it; say in shared/resident.md that shared/memory.md is the index of the topics;"
        " then: git add -- shared && nestwork-fix-index --ok --staged shared"
        " && git add -- shared/memory.md && git commit -m 'memory: distill shared'"
    )
    front, _, body = monolith.read("shared/hosts.md").partition("\n\n")
    assert front.startswith('---\ndescription: "<what it holds; when to read it>"\nupdated: 20')
    assert body == MONOLITH[MONOLITH.index("## Hosts") : MONOLITH.rindex("## Hosts")]
    assert monolith.read("shared/memory.md").startswith(
        "# Shared memory\n\nWhat all agents know.\n\n" + BEGIN
    )
    assert monolith.git("diff", "--cached", "--name-only") == ""


def test_the_index_is_true_once_the_files_are_staged(monolith: Repo) -> None:
    assert monolith.call("nestwork-split", "shared").code == 0
    monolith.git("add", "-A")
    assert monolith.call("nestwork-stale-index", "--staged").text == ""


def test_what_is_printed_leads_to_a_commit_that_passes(monolith: Repo) -> None:
    monolith.plain_hook("nestwork-check --strict")
    said = monolith.call("nestwork-split", "shared").out
    refused = monolith.run("sh", "-c", f"{said.partition('then: ')[2]}")
    assert refused.code != 0
    assert "[missing-description]" in refused.text
    for file in (monolith.path / "shared").glob("*.md"):
        if file.name != "memory.md":
            text = file.read_text().replace(
                "<what it holds; when to read it>", f"All of {file.stem}"
            )
            file.write_text(text)
    done = monolith.run("sh", "-c", said.partition("then: ")[2])
    assert done.code == 0, done.text
    assert monolith.git("status", "--porcelain") == ""
    assert monolith.git("log", "--format=%s", "-1") == "memory: distill shared\n"


def test_dry_run_writes_nothing(monolith: Repo) -> None:
    before = state(monolith)
    done = monolith.call("nestwork-split", "--dry-run", "shared")
    assert (done.code, done.out.splitlines()[-1]) == (0, "nothing written: this was --dry-run")
    assert state(monolith) == before


def test_the_text_outside_an_index_is_split_where_that_is_asked_for(repo: Repo) -> None:
    scope = "agents/box/claude-a7k2"
    repo.commit({**RULES, f"{scope}/memory.md": HAND, f"{scope}/old.md": topic("Old things")})
    assert repo.call("nestwork-split", scope, "--hand-written").code == 0
    text = repo.read(f"{scope}/memory.md")
    assert text.startswith(f"# Memory\n\n{BEGIN}\n")
    assert text.endswith(f"{END}\n\ntail\n\n")
    assert [line[2:12] for line in text.splitlines() if line.startswith("- ")] == [
        *("[`old.md`]", "[`one.md`]", "[`two.md`]"),
    ]
    assert repo.read(f"{scope}/one.md").endswith("\n\n## One\n\n- 1\n\n")


UNTOUCHED = {
    "no such scope": (
        "agents/box",
        {},
        "agents/box is no scope: name shared or agents/<host>/<agent-id>",
    ),
    "no memory.md": (
        "agents/a/b",
        {},
        "nothing written: agents/a/b/memory.md is not known to git, which could not give it back:"
        " git add it first",
    ),
    "unstaged": (
        "shared",
        {"shared/memory.md": MONOLITH + "more\n"},
        "nothing written: shared/memory.md has changes that are not staged: git add it first",
    ),
    "a link": (
        "shared",
        {"shared/memory.md": Path("../other.md"), "other.md": MONOLITH},
        "nothing written: shared/memory.md has changes that are not staged: git add it first",
    ),
}
STAGED = {
    "not UTF-8": (b"# A\n\xff\n# B\n", "is not UTF-8 (line 2): save it as UTF-8 first"),
    "an index": (MARKERS, "has an index already: to split the text outside it, add --hand-written"),
    "one marker": (
        f"# A\n{BEGIN}\n# B\n",
        "has broken markers (line 2): ",
    ),
    "no heading": ("text\n", "is not split: it has no headings"),
    "one heading": (
        "# T\n## A\n",
        "is not split: no level of heading occurs twice in it; --level N splits at one",
    ),
    "encrypted": (b"\0GITCRYPT\0abc", "encrypted with git-crypt; run git-crypt unlock first"),
}


@pytest.mark.parametrize(("scope", "files", "reason"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_refused(monolith: Repo, scope: str, files: Files, reason: str) -> None:
    monolith.write(files)
    before = state(monolith)
    done = monolith.call("nestwork-split", scope)
    assert (done.code, done.out, done.err) == (2, "", f"nestwork-split: {reason}\n")
    assert state(monolith) == before


@pytest.mark.parametrize(("content", "reason"), STAGED.values(), ids=STAGED)
def test_refused_for_what_it_holds(monolith: Repo, content: str | bytes, reason: str) -> None:
    monolith.stage({"shared/memory.md": content})
    before = state(monolith)
    done = monolith.call("nestwork-split", "shared")
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert done.err.count("\n") == 1
    assert state(monolith) == before


def test_a_conflict_is_refused(monolith: Repo) -> None:
    monolith.git("switch", "-qc", "other")
    monolith.commit({"shared/memory.md": MONOLITH.replace("box", "one")})
    monolith.git("switch", "-q", "main")
    monolith.commit({"shared/memory.md": MONOLITH.replace("box", "two")})
    assert monolith.run("git", "merge", "-q", "other").code == 1
    done = monolith.call("nestwork-split", "shared")
    assert done.err == (
        "nestwork-split: nothing written: shared/memory.md is in an unsolved merge conflict: solve"
        " it, then git add it\n"
    )


@pytest.mark.parametrize("which", range(3))
def test_a_disk_that_is_full_leaves_everything_as_it_was(
    monolith: Repo, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    before, real, calls = state(monolith), os.fsync, []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) > which:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    done = monolith.call("nestwork-split", "shared")
    assert (done.code, done.out) == (2, "")
    assert done.err == "nestwork-split: nothing written: No space left on device\n"
    assert state(monolith) == before


def test_a_memory_that_changes_meanwhile_stays(
    monolith: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.link

    def link(source: bytes, target: bytes) -> None:
        monolith.write({"shared/memory.md": MONOLITH + "new\n"})
        real(source, target)

    monkeypatch.setattr(os, "link", link)
    done = monolith.call("nestwork-split", "shared")
    assert done.err == (
        "nestwork-split: nothing written: shared/memory.md was changed meanwhile: run this again\n"
    )
    assert monolith.read("shared/memory.md").endswith("new\n")
    assert sorted(path.name for path in (monolith.path / "shared").iterdir()) == ["memory.md"]


def test_no_file_is_overwritten(monolith: Repo) -> None:
    monolith.write({"shared/Hosts.md": "mine\n", "shared/hosts-3.md": "mine\n"})
    done = monolith.call("nestwork-split", "shared")
    assert "shared/hosts-2.md" in done.out
    assert "shared/hosts-4.md" in done.out
    assert monolith.read("shared/Hosts.md") == monolith.read("shared/hosts-3.md") == "mine\n"


def test_verify(monolith: Repo) -> None:
    base = monolith.git("rev-parse", "HEAD").strip()
    assert monolith.call("nestwork-split", "shared").code == 0
    done = monolith.call("nestwork-split", "shared", "--verify", base)
    assert done == (
        *(0, f"shared/memory.md of {base}: every line and every heading is still there, once\n"),
        "",
    )
    monolith.commit()
    text = monolith.read("shared/hosts.md").replace("## Hosts\n", "").replace("- box builds\n", "")
    monolith.write({"shared/hosts.md": text, "shared/new.md": topic("x", "- lab tests\n")})
    done = monolith.call("nestwork-split", "shared", "--verify", base)
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines() == [
        "shared/memory.md:5: heading only once now, in shared/hosts-2.md (it was there 2 times):"
        " ## Hosts",
        "shared/memory.md:7: line gone: - box builds",
        "shared/memory.md:15: line 2 times now, in shared/hosts-2.md, shared/new.md: - lab tests",
    ]


def test_verify_of_what_git_does_not_have(monolith: Repo) -> None:
    done = monolith.call("nestwork-split", "shared", "--verify", "nowhere")
    assert (done.code, done.out) == (2, "")
    assert "nowhere" in done.err


def test_the_original_index_is_no_text(nest: Repo) -> None:
    nest.commit({"shared/memory.md": memory() + "\n# A\n\n# B\n"})
    assert nest.call("nestwork-split", "shared", "--hand-written").code == 0
    assert nest.call("nestwork-split", "shared", "--verify", "HEAD").code == 0


def test_a_nest_in_a_folder(repo: Repo) -> None:
    files = {f"my nest/{path}": text for path, text in RULES.items()}
    repo.commit({**files, "my nest/shared/memory.md": MONOLITH})
    done = repo.call("nestwork-split", "--root", "my nest", "shared")
    assert done.code == 0
    assert "my nest/shared/hosts.md" in done.out
    assert "git add -- 'my nest/shared' && nestwork-fix-index --ok" in done.out


def monolith_of(language: str) -> str:
    """A memory.md of 56 KB, as it grows over a year: dates, code, lists, sections of one name."""
    words = {
        "en": ("Shared memory", "Host {}", "Learned on {}", "- the service {} listens on {} and"),
        "zh": ("共享记忆", "主机{}", "{}学到的", "- 服务{}监听端口{}，重启之前先通知大家；另外"),
    }[language]
    title, host, learned, fact = words
    parts = [f"# {title}\n\n> {title} 2.x\n\n"]
    number = 0
    while len("".join(parts).encode()) < 56_000:
        number += 1
        heading = host.format(number % 9) if number % 3 else learned.format(f"2026-0{number % 9}")
        facts = "".join(f"{fact.format(n, 8000 + n)} {number}\n" for n in range(12))
        parts.append(f"## {heading}\n\n{facts}\n```sh\n# not a heading\nssh box\n```\n\n")
        parts.append(f"### {learned.format('x')}\n\n{facts}\n")
    return "".join(parts)


@pytest.mark.quick(1)
@pytest.mark.parametrize(("language", "scope"), [("en", "shared"), ("zh", "agents/box/claude")])
def test_a_legacy_monolith_becomes_a_nest_by_what_is_printed(
    repo: Repo, language: str, scope: str
) -> None:
    text = monolith_of(language)
    repo.commit({**RULES, f"{scope}/memory.md": text, f"{scope}/resident.md": "# Me\n"})
    repo.plain_hook("nestwork-check --strict")
    said = repo.call("nestwork-split", scope).out
    files = [line.split()[0] for line in said.splitlines() if line.startswith(f"  {scope}/")][:-1]
    assert "over the" not in said
    for number, file in enumerate(files):
        old, new = '"<what it holds; when to read it>"', f'"Part {number}; read before part work"'
        repo.write({file: repo.read(file).replace(old, new)})
    repo.write({f"{scope}/resident.md": "# Me\n\nThe index of topics is memory.md.\n"})
    done = repo.run("sh", "-c", said.partition("then: ")[2])
    assert done.code == 0, done.text
    assert repo.git("status", "--porcelain") == ""
    assert repo.call("nestwork-split", scope, "--verify", "HEAD~1").code == 0
    assert repo.call("nestwork-check", "--all", "--strict") == (0, "", "")
