"""What `nestwork-check` says of links and wiki links that lead nowhere, word for word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import MARKERS, SOUND, Files, Repo, Run, entry, memory, topic

CHECK = ("nestwork-check", "--select", "dead-pointer")
CODEX = "agents/box/codex"
NONE = "leads to no file that git lists"
OR_ADD = "if it is on disk, else correct or delete the link"

# A nest in which every pointer leads somewhere, in each way there is.
HEALTHY: Files = {
    **SOUND,
    "README.md": "# Nest\n\n[rules](queen/agent-rules.md#rules) [a](shared) [b](shared/) [c](.)\n",
    "shared/tools/Git hooks.md": topic(body="# Übersicht: die *Hooks*\n\n## Use\n\n## Use\n"),
    "shared/tools/机器.md": topic(body="# 机器 设置（重要）\n<a id='x'></a>\n"),
    "shared/img/map.png": b"\x89PNG",
    "shared/notes.md": "---\nname: spare-keys\ndescription: d\n---\n# N\n",
    "shared/all.md": topic(
        body="""# All

[a](hosts.md) [b](./hosts.md#t) [c](../shared/hosts.md "t") [d](<tools/Git hooks.md>)
[e](tools/Git%20hooks.md#übersicht-die-hooks) [f](tools/Git%20hooks.md#use-1) [g](#all)
[h](tools/%E6%9C%BA%E5%99%A8.md#机器-设置重要) [i](tools/机器.md#x) [j](hosts.md?plain=1#L3)
![k](img/map.png) [![l](img/map.png)](img/) [m][] [n](../queen/) [o](hosts.md#) [p](#top)
[q](https://example.org/x.md) <https://example.org> <me@example.org> [r](mailto:me@example.org)
[s](/etc/hosts) [t](~/x.md) [u](C:\\x.md) [v]({topic}.md) [w](...) [x]() [y](file:///x.md)
`[no](no.md)` and `no/such/file.md` \\[no](no.md) [z](img/map.png#no)
<!-- [no](no.md) [[no]] -->

```
[no](no.md) [[no]]
```

[m]: ports.md

[[hosts]] [[ports.md|The ports]] [[tools/git hooks#use]] [[Git-Hooks]] [[spare-keys]] [[#All]]
[[shared/hosts]] ![[map.png]] [[1]] [[ -f x ]] [[a, b]] [[codex]] [[hosts#^block]]
"""
    ),
    f"{CODEX}/memory.md": "# Codex\n\n[hosts](../../../shared/hosts.md#t)\n",
    "shared/link.md": Path("hosts.md"),
    "shared/linked.md": topic(body="[a](link.md) [b](link.md#no)\n"),
}


def test_a_healthy_nest_has_none(repo: Repo, run: Run) -> None:
    repo.stage(HEALTHY)
    assert run(*CHECK, "--all") == (0, "", "")
    repo.commit()
    repo.stage({"shared/all.md": f"{repo.read('shared/all.md')}\nmore\n"})
    assert run(*CHECK, "--staged") == (0, "", "")


# path and text of a new file, where the finding is and what it says
DEAD = [
    (
        "shared/x.md",
        topic(body="[a](prots.md)\n"),
        f"6: warning: prots.md {NONE}: write ports.md if that is meant, else delete the link",
    ),
    (
        "shared/x.md",
        topic(body="# X\n\n> text ![a](img/no.png 'title')\n"),
        f"8: warning: img/no.png {NONE}: git add -- shared/img/no.png {OR_ADD}",
    ),
    (
        "shared/x.md",
        topic(body="text [a][b]\n\n[b]: <no such.md>\n"),
        f"8: warning: no such.md {NONE}: git add -- 'shared/no such.md' {OR_ADD}",
    ),
    (
        "shared/x.md",
        topic(body="[a](Ports.md#t)\n"),
        "6: warning: Ports.md#t is spelt otherwise in git, and letter case counts: write ports.md#t",
    ),
    (
        "shared/x.md",
        topic(body="[a](ports)\n[b](nothing.md)\n[c](nor/this.md) [d](also.md)\n"),
        f"6: warning: ports {NONE}: write ports.md if that is meant, else delete the link;"
        " likewise in lines 7, 8",
    ),
    (
        "shared/x.md",
        topic(body="[a](shared/ports.md)\n"),
        f"6: warning: shared/ports.md {NONE}: write ports.md if that is meant, else delete the link",
    ),
    (
        "shared/x.md",
        topic(body="[a](..\\queen\\agent-rules.md)\n"),
        f"6: warning: ..\\queen\\agent-rules.md {NONE}: write ../queen/agent-rules.md if that is"
        " meant, else delete the link",
    ),
    (
        f"{CODEX}/x.md",
        topic(body="[a](ports.md)\n"),
        f"6: warning: ports.md {NONE}: write ../../../shared/ports.md if that is meant, else delete"
        " the link",
    ),
    (
        "shared/x.md",
        topic(body="[a](ports.md/) \n"),
        f"6: warning: ports.md/ {NONE}: write ports.md if that is meant, else delete the link",
    ),
    (
        "shared/x.md",
        topic(body="[a](gone/)\n"),
        f"6: warning: gone/ {NONE}: correct or delete the link",
    ),
    (
        "shared/x.md",
        topic(body="[a](example.org/x)\n"),
        f"6: warning: example.org/x {NONE}: write https://example.org/x if that is meant, else"
        " delete the link",
    ),
    (
        "shared/x.md",
        topic(body="[a](../../other/x.md)\n"),
        "6: warning: ../../other/x.md leads out of the nest, to no file that git lists: correct or"
        " delete the link",
    ),
    (
        "shared/x.md",
        topic(body="[a](../local/recent.md)\n"),
        "6: warning: ../local/recent.md leads to what stays on one machine, and no other clone has:"
        " move what is needed into a topic, or delete the link",
    ),
    (
        "shared/x.md",
        topic(body="[a](no\x1b[31m.md)\n"),
        "",
    ),
    (
        "shared/x.md",
        topic(body="[a](<no\u202e.md>)\n"),
        f"6: warning: no\\u202e.md {NONE}: git add -- \"$(printf 'shared/no\\342\\200\\256.md')\""
        f" {OR_ADD}",
    ),
    (
        "shared/x.md",
        topic(body="[a](hosts.md#open)\n"),
        "6: warning: shared/hosts.md has no heading for #open: correct the anchor or leave it out",
    ),
    (
        "shared/x.md",
        topic(body="# Open ports\n\n[a](#Open-Ports)\n"),
        "8: warning: shared/x.md has no heading for #Open-Ports, since letter case counts: write"
        " #open-ports",
    ),
    (
        "shared/x.md",
        topic(body="# Open ports\n\n[a](x.md#open-port)\n"),
        "8: warning: shared/x.md has no heading for #open-port: write #open-ports if that is meant,"
        " else leave the anchor out",
    ),
    (
        f"{CODEX}/resident.md",
        "[a](no.md)\n",
        f"1: error: no.md {NONE}: git add -- {CODEX}/no.md {OR_ADD}",
    ),
    (
        f"{CODEX}/resident.md",
        "[a](#no)\n[b](no.md)\n",
        f"2: error: no.md {NONE}: git add -- {CODEX}/no.md {OR_ADD}; likewise in line 1",
    ),
    (
        f"{CODEX}/memory.md",
        "# M\n\n[a](#no)\n",
        f"3: warning: {CODEX}/memory.md has no heading for #no: correct the anchor or leave it out",
    ),
    (
        f"{CODEX}/memory.md",
        memory(entry("gone.md")) + "\n[a](no.md)\n",
        f"10: error: no.md {NONE}: git add -- {CODEX}/no.md {OR_ADD}",
    ),
    ("notes/x.md", "[a](no.md)\n", f"1: warning: no.md {NONE}: git add -- notes/no.md {OR_ADD}"),
    ("x.txt", "[a](no.md)\n", ""),
    ("shared/x.md", f"---\ndescription: '[a](no.md)'\n---\n{MARKERS}", ""),
]


def test_dead_links(nest: Repo, run: Run) -> None:
    """Each case in a file of its own."""
    files: Files = {}
    expected = []
    for number, case in enumerate(DEAD):
        other = (f"x{number:02}.md", f"codex{number:02}")
        path, text, said = (t.replace("x.md", other[0]).replace("codex", other[1]) for t in case)
        files[path] = text
        expected += [f"{path}:{said} [dead-link]"] if said else []
    nest.stage(files)
    done = run(*CHECK)
    assert done.out.splitlines() == sorted(expected)
    assert (done.code, done.err) == (1, "")


WIKI = [
    (
        "[[prots]]",
        "[[prots]] names no topic: write [[ports]] if that is meant, else take the brackets away",
    ),
    (
        "[[nothing|text]] [[nor#this]]\n[[either]]",
        "[[nothing]] names no topic: add the topic, or take the brackets away; likewise in line 7",
    ),
    (
        "[[hosts#Names]]",
        "shared/hosts.md has no heading Names: correct what stands behind the # or leave it out",
    ),
]


def test_dead_wiki_links(nest: Repo, run: Run) -> None:
    files = {f"shared/x{n}.md": topic(body=f"{text}\n") for n, (text, _) in enumerate(WIKI)}
    nest.stage(dict(files))
    expected = [
        f"shared/x{n}.md:6: warning: {said} [dead-wiki-link]" for n, (_, said) in enumerate(WIKI)
    ]
    done = run(*CHECK)
    assert (done.code, done.out.splitlines()) == (0, expected)


POINTING: Files = {
    f"{CODEX}/memory.md": "# M\n\nSee [the ports](../../../shared/ports.md#t).\n",
    "shared/hosts.md": topic(body="# T\n\n[[ports]] and [ports](ports.md), [old](never.md)\n"),
    "shared/other.md": topic(body="Ports are in ports.md; no link.\n"),
}
LEADS = "ports.md leads to shared/ports.md, which this change"


def test_what_is_deleted(nest: Repo, run: Run) -> None:
    """Said at each file that points there, though the commit doesn't change it."""
    nest.commit(POINTING)
    nest.stage({"shared/ports.md": None})
    assert run(*CHECK) == (
        1,
        f"{CODEX}/memory.md:3: error: ../../../shared/ports.md#t leads to shared/ports.md, which"
        " this change deletes: correct or delete the link [dead-link]\n"
        f"shared/hosts.md:8: warning: {LEADS} deletes: correct or delete the link [dead-link]\n"
        "shared/hosts.md:8: warning: [[ports]] names shared/ports.md, which this change deletes:"
        " take the brackets away [dead-wiki-link]\n",
        "",
    )
    nest.commit()
    nest.stage({"shared/third.md": topic()})
    assert run(*CHECK) == (0, "", "")


def test_what_is_renamed(nest: Repo, run: Run) -> None:
    nest.commit(POINTING | {"shared/hosts.md": topic(body="[[ports|P]]\n[a](ports.md)\n")})
    (nest.path / "shared/net").mkdir()
    nest.git("mv", "shared/ports.md", "shared/net/open.md")
    found = json.loads(run(*CHECK, "--format", "json").out)["findings"]
    findings = [(f["path"], f["message"], f["fix"]["text"]) for f in found]
    assert findings == [
        (
            f"{CODEX}/memory.md",
            "../../../shared/ports.md#t leads to shared/ports.md, which this change renames: write"
            " ../../../shared/net/open.md#t",
            "See [the ports](../../../shared/net/open.md#t).\n",
        ),
        (
            "shared/hosts.md",
            "[[ports]] names shared/ports.md, which this change renames: write [[open]]",
            "[[open|P]]\n",
        ),
        ("shared/hosts.md", f"{LEADS} renames: write net/open.md", "[a](net/open.md)\n"),
    ]


def test_a_rename_with_edits(nest: Repo, run: Run) -> None:
    nest.commit({"shared/hosts.md": topic(body="[a](ports.md) [b](tools/)\n")})
    nest.commit({"shared/tools/git.md": topic()})
    nest.stage({"shared/ports.md": None, "shared/net/ports.md": topic(body="other\n")})
    meant = "write net/ports.md if that is meant, else delete the link"
    expected = f"shared/hosts.md:6: warning: {LEADS} deletes: {meant} [dead-link]\n"
    assert run(*CHECK).out == expected
    nest.stage({"shared/tools/git.md": None})
    assert run(*CHECK).out == expected
    nest.git("reset", "-q", "--hard")
    nest.stage({"shared/tools/git.md": None})
    assert run(*CHECK).out == (
        "shared/hosts.md:6: warning: tools/ leads to shared/tools, which this change deletes:"
        " correct or delete the link [dead-link]\n"
    )


def test_pointers_that_the_same_commit_mends(nest: Repo, run: Run) -> None:
    nest.commit(POINTING)
    nest.stage(
        {
            "shared/ports.md": None,
            f"{CODEX}/memory.md": "# M\n",
            "shared/hosts.md": topic(body="# T\n"),
        }
    )
    assert run(*CHECK) == (0, "", "")


# before, and the line of the pointer after the edit; none where it isn't certain which text is meant
EDITS = [
    ("[`Ports.md`](Ports.md) x", "[`Ports.md`](ports.md) x"),
    ("[a](<Ports.md> 'Ports.md')", "[a](<ports.md> 'Ports.md')"),
    ("[a](Ports.md) `[b](Ports.md)`", None),
    ("[a](P%6Frts.md)", "[a](ports.md)"),
    ("text [a]\n\n[a]: Ports.md", "[a]: ports.md"),
    ("[over\nlines](Ports.md)", None),
]


def test_edits_of_letter_case(nest: Repo, run: Run) -> None:
    files = {f"shared/x{n}.md": topic(body=f"{before}\n") for n, (before, _) in enumerate(EDITS)}
    nest.stage(dict(files))
    findings = json.loads(run(*CHECK, "--format", "json").out)["findings"]
    for finding, (_, after) in zip(findings, EDITS, strict=True):
        assert finding["message"].endswith("write ports.md")
        fix = after and {"first": finding["line"], "last": finding["line"], "text": f"{after}\n"}
        assert finding.get("fix") == (fix and {"kind": "replace", **fix})


def test_an_old_warning_is_no_news(nest: Repo, run: Run) -> None:
    nest.commit({"shared/x.md": topic(body="[a](no.md)\n"), f"{CODEX}/resident.md": "[a](no.md)\n"})
    nest.stage({"shared/x.md": topic(body="[a](no.md)\n\nmore\n")})
    assert run(*CHECK) == (0, "", "")
    nest.stage({f"{CODEX}/resident.md": "[a](no.md)\n\nmore\n"})
    assert run(*CHECK).code == 1
    assert run(*CHECK, "--all").out.count("[dead-link]") == 2


@pytest.mark.parametrize("args", [[], ["--staged"], ["--all"]])
def test_a_nest_in_a_sub_folder(repo: Repo, run: Run, args: list[str]) -> None:
    """A link out of the nest leads to whatever the repository has there."""
    files = {f"docs/nest/{path}": text for path, text in SOUND.items()}
    repo.commit({**files, "README.md": "# R\n"})
    body = "[a](../../../README.md#r) [b](../../../readme.md)\n"
    repo.stage({"docs/nest/shared/x.md": topic(body=body)})
    assert run(*CHECK, "--root", "docs/nest", *args).out == (
        "docs/nest/shared/x.md:6: warning: ../../../readme.md is spelt otherwise in git, and letter"
        " case counts: write ../../../README.md [dead-link]\n"
    )


def test_only_what_git_lists_counts(nest: Repo, run: Run) -> None:
    nest.commit({".gitignore": "private.md\n"})
    nest.stage({"shared/private.md": topic(), "shared/x.md": topic(body="[a](private.md)\n")})
    nest.write({"shared/new.md": topic(), "shared/y.md": topic(body="[a](new.md)\n")})
    nest.git("add", "shared/y.md")
    nest.git("add", "-N", "shared/new.md")
    assert [line.split(":")[0] for line in run(*CHECK).out.splitlines()] == [
        "shared/x.md",
        "shared/y.md",
    ]
    nest.git("add", "shared/new.md")
    assert run(*CHECK).out.count("\n") == 1


def test_a_file_that_cannot_be_read_hides_nothing(nest: Repo, run: Run) -> None:
    nest.stage(
        {
            "shared/a.md": b"[a](no.md) caf\xe9\n",
            "shared/b.md": topic(body="[a](a.md#x) [b](c.md#x) [c](no.md)\n"),
            "shared/c.md": b"\0GITCRYPT\0...",
        }
    )
    rules = [line.rpartition(" ")[2] for line in run(*CHECK).out.splitlines()]
    assert rules == ["[unreadable]", "[dead-link]", "[locked]"]


def test_a_huge_and_deep_text(nest: Repo, run: Run) -> None:
    body = f"{'[' * 3_000}\n\n" + "[a](no.md)\n" * 3_000
    nest.stage({"shared/x.md": topic(body=body), "shared/y.md": "[a](b.md)\n" * (5 << 17)})
    lines = run(*CHECK).out.splitlines()
    assert lines[0].endswith(
        "else correct or delete the link; likewise in lines 9, 10, 11 and 2996 more [dead-link]"
    )
    assert lines[1].endswith("too much to be looked through [unreadable]")
    assert len(lines) == 2


def test_it_runs_only_where_it_is_selected(nest: Repo, run: Run) -> None:
    nest.stage(
        {"shared/x.md": topic(body="[a](no.md) [[no]]\n"), f"{CODEX}/memory.md": "[a](no.md)"}
    )
    assert "dead" not in run("nestwork-check").out
    out = run("nestwork-check", "--extend-select", "dead-wiki-link").out
    assert ("[dead-wiki-link]" in out, "[dead-link]" in out) == (True, False)
