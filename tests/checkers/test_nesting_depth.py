"""What `nestwork-nesting-depth` says, word for word."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nestwork_hooks.checkers.nesting_depth import judge
from nestwork_hooks.protocol.finding import Finding
from nestwork_hooks.protocol.layout import topic_name
from nestwork_hooks.protocol.naming import Siblings
from tests.conftest import MARKERS, WARNED, Repo, Run, to_fix, topic

HOOK = "nestwork-nesting-depth"
DEEP = (
    "error: nested deeper than <topic>/<subtopic>.md, where no index lists it: {} [nesting-depth]"
)
BREAKS = "error: its name {}, which breaks the index: {} [topic-name]"
ENDS = "warning: its name has {}, which ends the index's link early: {} [topic-name]"
WINDOWS = "warning: its name has {}, so no clone on Windows can hold the file: {} [topic-name]"
DISTILLED = (
    "warning: its name is not of a-z, 0-9 and - alone (none first), and one such name stops a whole"
    " distillation: {} [topic-name]"
)
TWIN = (
    "warning: its name is that of {} but for {}, so a clone on Windows or macOS has only one of"
    " them: {} [topic-name]"
)
AGENT = "agents/box/codex"
BY_HAND = "rename it with git mv, in letters, 0-9 and -"


def _moved(*paths: str) -> str:
    return " && ".join(
        f"git mv {old} {new}" for old, new in zip(paths[::2], paths[1::2], strict=True)
    )


# name, as it is shown, what is said in an agent's scope; {} is that scope
NAMES = [
    ("a.md", "", ""),
    ("a/b.md", "", ""),
    ("naïve-机器_1.0+x.md", "", ""),
    ("Ñandú/Über-uns.md", "", ""),
    ("console.md", "", ""),
    ("com.md", "", ""),
    ("com10.md", "", ""),
    ("a.con/nul-x.md", "", ""),
    ("it's.md", "", ""),
    ("a/memory.md", "", ""),
    ("a/b/c.md", "", DEEP.format(_moved("{}/a/b/c.md", "{}/a/c.md"))),
    ("a/b/c/d/e.md", "", DEEP.format(_moved("{}/a/b/c/d/e.md", "{}/a/e.md"))),
    ("a/b/`.md", "", DEEP.format(_moved("'{}/a/b/`.md'", "'{}/a/`.md'"))),
    ("a/b/x y.md", "", DEEP.format(_moved("'{}/a/b/x y.md'", "{}/a/x-y.md"))),
    ("a`b.md", "", BREAKS.format("has a backtick", _moved("'{}/a`b.md'", "{}/a-b.md"))),
    ("`.md", "", BREAKS.format("has a backtick", BY_HAND)),
    (
        "a\tb.md",
        "a\\x09b.md",
        BREAKS.format("has a control character (\\x09)", _moved("\"$(printf '{}/a\\011b.md')\"", "{}/a-b.md")),
    ),
    ("<!--.md", "", BREAKS.format("has <!--", _moved("'{}/<!--.md'", "'{}/!.md'"))),
    (
        "a\udcff.md",
        "a\\xff.md",
        BREAKS.format("is not UTF-8", _moved("\"$(printf '{}/a\\377.md')\"", "{}/a.md")),
    ),
    ("a b.md", "", ENDS.format("a space", _moved("'{}/a b.md'", "{}/a-b.md"))),
    ("comms .md", "", ENDS.format("a space", BY_HAND)),
    *(
        (f"a{c}.md", "", ENDS.format(c, _moved(f"'{{}}/a{c}.md'", "{}/a.md")))
        for c in "()[]<>"
    ),
    *(
        (f"a{c}b.md", "", WINDOWS.format(c, _moved(f"'{{}}/a{c}b.md'", "{}/a-b.md")))
        for c in '*?"|\\'
    ),
    ("a:b.md", "", WINDOWS.format(":", _moved("{}/a:b.md", "{}/a-b.md"))),
    (
        "a./b.md",
        "",
        WINDOWS.format("a folder that ends with a dot", _moved("{}/a.", "{}/a")),
    ),
    *(
        (
            f"{n}.md",
            "",
            WINDOWS.format(f"{n}, the name of a device", _moved(f"{{}}/{n}.md", f"{{}}/{n}-topic.md")),
        )
        for n in ("con", "AUX", "prn", "Nul", "com1", "LPT9")
    ),
    (
        "nul.old.md",
        "",
        WINDOWS.format("nul, the name of a device", _moved("{}/nul.old.md", "{}/nul.old-topic.md")),
    ),
    ("aux/x.md", "", WINDOWS.format("aux, the name of a device", _moved("{}/aux", "{}/aux-topic"))),
    (
        "My Notes/On it.md",
        "",
        ENDS.format(
            "a space",
            _moved("'{}/My Notes'", "{}/My-Notes", "'{}/My-Notes/On it.md'", "{}/My-Notes/On-it.md"),
        ),
    ),
]  # fmt: skip
# name, what is said in shared/
SHARED = [
    ("a-2.md", ""),
    ("0/9.md", ""),
    ("a--.md", ""),
    ("a/memory.md", ""),
    ("Hosts-2.md", DISTILLED.format(_moved("shared/Hosts-2.md", "shared/hosts-2.md"))),
    ("a_b.md", DISTILLED.format(_moved("shared/a_b.md", "shared/a-b.md"))),
    ("a.b.md", DISTILLED.format(_moved("shared/a.b.md", "shared/a-b.md"))),
    ("-a.md", DISTILLED.format(_moved("shared/-a.md", "shared/a.md"))),
    ("naïve.md", DISTILLED.format(_moved("'shared/naïve.md'", "shared/naive.md"))),
    ("Straße.md", DISTILLED.format(_moved("'shared/Straße.md'", "shared/strasse.md"))),
    ("机器.md", DISTILLED.format("rename it with git mv, in a-z, 0-9 and -")),
    ("Net/dns.md", DISTILLED.format(_moved("shared/Net", "shared/net"))),
    ("a b.md", ENDS.format("a space", _moved("'shared/a b.md'", "shared/a-b.md"))),
    ("con.md", WINDOWS.format("con, the name of a device", _moved("shared/con.md", "shared/con-topic.md"))),
]  # fmt: skip
NFC, NFD = "caf\u00e9.md", "cafe\u0301.md"
# the topics of an agent's scope, what is said of the first
TWINS = [
    (["Hosts.md", "hosts.md"], TWIN.format("hosts.md", "case", _moved("{}/Hosts.md", "{}/Hosts-2.md"))),
    (["hosts.md", "Hosts.md"], TWIN.format("Hosts.md", "case", _moved("{}/hosts.md", "{}/hosts-3.md"))),
    (
        ["A.md", "a.md", "a-2.md", "A-3.md"],
        TWIN.format("a.md", "case", _moved("{}/A.md", "{}/A-4.md")),
    ),
    ([NFC, NFD], TWIN.format(NFD, "case or Unicode form", _moved(f"'{{}}/{NFC}'", "'{}/café-3.md'"))),
    (["Σ.md", "ς.md"], TWIN.format("ς.md", "case or Unicode form", _moved("'{}/Σ.md'", "'{}/Σ-2.md'"))),
    (["N/a.md", "n/a.md"], TWIN.format("n/a.md", "case", _moved("{}/N/a.md", "{}/N/a-2.md"))),
    (["Memory.md"], TWIN.format("memory.md", "case", _moved("{}/Memory.md", "{}/Memory-2.md"))),
    (["N/a.md", "n/b.md"], ""),
    (["straße.md", "strasse.md"], ""),
    (["a b.md", "a-b.md"], ENDS.format("a space", _moved("'{}/a b.md'", "{}/a-b-2.md"))),
    (["a b/c.md", "a-b/d.md"], ENDS.format("a space", _moved("'{}/a b'", "{}/a-b-2"))),
    (["a/b/c.md", "a/C.md"], DEEP.format(_moved("{}/a/b/c.md", "{}/a/b-c.md"))),
    (["a/b/c.md", "a/c.md", "a/b-c.md"], DEEP.format(_moved("{}/a/b/c.md", "{}/a/c-2.md"))),
]  # fmt: skip


def _says(scope: str, names: list[str]) -> str:
    fault = judge(names[0], Siblings(scope, sorted(names)), f"{scope}/")
    return f"{fault.level}: {fault.message} [{fault.rule}]" if fault else ""


@pytest.mark.parametrize(("name", "said"), SHARED)
def test_name_in_shared(name: str, said: str) -> None:
    assert _says("shared", [name]) == said


@pytest.mark.parametrize(("names", "said"), TWINS)
def test_name_among_others(names: list[str], said: str) -> None:
    assert _says(AGENT, names) == said.replace("{}", AGENT)


@pytest.mark.parametrize(("name", "shown", "said"), NAMES)
def test_name(name: str, shown: str, said: str) -> None:
    assert _says(AGENT, [name]) == said.replace("{}", AGENT)
    assert str(Finding(name, 1, "", "", "")).startswith(f"{shown or name}:1:")


@given(
    st.sampled_from(["shared", AGENT]),
    st.lists(st.text(st.sampled_from("aAß\u0301é机 .-_:`<\t"), min_size=1, max_size=4), max_size=3),
    st.lists(
        st.sampled_from(["a", "A", "b", "a-2", "con", "é", "e\u0301"]), min_size=1, max_size=2
    ),
)
def test_what_is_suggested_has_no_fault_of_its_own(
    scope: str, others: list[str], parts: list[str]
) -> None:
    """After the renames, nothing is said of the topic, however its scope looks."""
    names = [f"{'/'.join(parts)}.md", *(f"{other}.md" for other in others)]
    name = names[0]
    names = [n for n in names if topic_name(f"{scope}/{n}")]
    assume(name in names)
    for moved in names:
        moves = Siblings(scope, names).moves(moved)
        left = list(names)
        for old, new in moves:
            left = [new + n[len(old) :] if n == old or n.startswith(f"{old}/") else n for n in left]
        assert len(set(left)) == len(set(names))
        at = names.index(moved)
        if moves:
            assert _says(scope, [left[at], *left]) == ""


def test_the_move_works(nest: Repo, run: Run) -> None:
    """Each command is what a shell takes, in the folder where the check was started."""
    names = ["My Notes/On it.md", "a`b.md", "a\nc.md", "$(x) 'q'.md", "x/y/z.md"]
    nest.commit({f"shared/{name}": topic() for name in names})
    *said, first, last = run(HOOK, "--all").out.splitlines()
    assert len(said) == len(names)
    assert f"{first}\n{last}\n" == to_fix("shared", by_hand=True)
    for line in said:
        command = line[line.index("git mv ") : line.rindex(" [")]
        nest.run("sh", "-ec", command)
    assert nest.git("ls-files", "shared").split() == [
        "shared/a-b.md",
        "shared/a-c.md",
        "shared/hosts.md",
        "shared/memory.md",
        "shared/my-notes/on-it.md",
        "shared/ports.md",
        "shared/x-q.md",
        "shared/x/z.md",
    ]


def test_only_what_is_added_or_changed_is_judged_but_all_names_are_known(
    nest: Repo, run: Run
) -> None:
    nest.commit({"shared/a b.md": topic()})
    nest.stage({"shared/Hosts.md": topic()})
    to = "git mv shared/Hosts.md shared/hosts-2.md"
    said = f"shared/Hosts.md:1: {TWIN.format('hosts.md', 'case', to)}\n{WARNED}{to_fix('shared')}"
    assert run(HOOK, "shared/Hosts.md") == (0, said, "")
    assert run(HOOK).out == said
    assert run("nestwork-check", "--select", "topic-name").out == said


def test_paths_are_as_the_reader_has_them(repo: Repo, run: Run) -> None:
    repo.stage({"my nest/shared/memory.md": MARKERS, "my nest/shared/a b.md": topic()})
    said = ENDS.format("a space", _moved("'my nest/shared/a b.md'", "'my nest/shared/a-b.md'"))
    assert run(HOOK, "--root", "my nest").out.startswith(f"my nest/shared/a b.md:1: {said}\n")


def test_a_topic_that_is_gone_from_disk_is_gone(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a/b/c.md": topic()})
    nest.write({"shared/a/b/c.md": None})
    assert run(HOOK) == (0, "", "")
    assert run(HOOK, "--staged").code == 1


def test_every_target_is_free(nest: Repo, run: Run) -> None:
    """For git and on disk, and no two topics are sent to the same."""
    names = ("a/b/x.md", "a/c/x.md", "a/d/x.md", "a/e/x.md")
    nest.stage({f"shared/{name}": topic() for name in (*names, "a/x.md")})
    nest.write({"shared/a/d-x.md": "untracked\n"})
    nest.git("commit", "-q", "-m", "x", "--", "shared/a/x.md")
    found = json.loads(run(HOOK, "--format", "json").out)["findings"]
    targets = ["a/b-x.md", "a/c-x.md", "a/x-2.md", "a/e-x.md"]
    assert [finding["fix"]["argv"][2:] for finding in found] == [
        [f"shared/{name}", f"shared/{target}"] for name, target in zip(names, targets, strict=True)
    ]
    for finding in found:
        nest.git(*finding["fix"]["argv"][1:])
    assert run(HOOK).out == ""
