"""What `placement` says, word for word, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import FIRST, MARKERS, RULES, Files, Repo, Run, entry, memory, topic

CHECK = ("nestwork-check", "--select", "placement")
AGENT = "agents/box/claude"
MEMORY = f"{AGENT}/memory.md"
MISPLACED = (
    "in no scope, so no index leads here and no distillation reads it: move it into"
    " agents/<host>/<agent-id>/ with git mv"
)
BLOCK = (
    "starts with <<<FILE or >>>END, where a distillation takes its own block to begin or end:"
    " indent the line by a space"
)
LINK = (
    "a symbolic link, so nobody indexes, measures or keeps what is in it: put the file itself here"
)
SUBMODULE = (
    "a submodule, so nobody indexes, measures or keeps what is in it: put the files themselves"
    " here, without a .git of their own"
)
INSTALLED = (
    "# MEMORY -- box/claude\n\n> Private memory for this agent instance.\n"
    "> Only box/claude writes here.\n\n---\n\n_No memory yet._\n"
)


def _drift(line: int, theirs: int) -> str:
    return (
        f"CLAUDE.md:{line}: warning: not what AGENTS.md says from here on (its line {theirs}), so"
        " agents follow different instructions: make both alike again, or write only the line"
        " @AGENTS.md here [agents-md-drift]\n"
    )


def _held(line: int, words: str = "the line") -> str:
    return (
        f"{MEMORY}:{line}: warning: _No memory yet._ stands beside memory, and keeps this agent out"
        f" of every distillation: delete {words} [not-distilled]\n"
    )


def _private(path: str, line: str, shown: str = "", word: str = "") -> str:
    return (
        f"{shown or path}:1: error: private to one machine, and tracked all the same: git rm --cached"
        f" -- {word or path}, then put the line {line} into .gitignore, if it is not there, and git add that [tracked-private-file]\n"
    )


IN_AGENTS = "agents/*/*/local/"


@pytest.mark.quick(8)
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("local/recent.md", _private("local/recent.md", "/local/")),
        ("local/a/b.txt", _private("local/a/b.txt", "/local/")),
        ("nestwork.config.json", _private("nestwork.config.json", "/nestwork.config.json")),
        ("comms/seen.txt", _private("comms/seen.txt", "/comms/seen.txt")),
        (f"{AGENT}/local/h.jsonl", _private(f"{AGENT}/local/h.jsonl", IN_AGENTS)),
        (f"{AGENT}/local/a/b.md", _private(f"{AGENT}/local/a/b.md", IN_AGENTS)),
        (
            "local/it's $(x).md",
            _private("local/it's $(x).md", "/local/", word="'local/it'\"'\"'s $(x).md'"),
        ),
        (
            "local/a\nb.md",
            _private("", "/local/", "local/a\\x0ab.md", "\"$(printf 'local/a\\012b.md')\""),
        ),
        (
            "local/\udcff.md",
            _private("", "/local/", "local/\\xff.md", "\"$(printf 'local/\\377.md')\""),
        ),
        ("local/机器.md", _private("local/机器.md", "/local/", word="'local/机器.md'")),
        ("locals/a.md", ""),
        ("shared/local/a.txt", ""),
        ("projects/local/a.md", ""),
        (f"{AGENT}/a/local/b.md", ""),
        ("agents/box/local/memory.md", ""),
        ("comms/other.txt", ""),
        (f"{AGENT}/nestwork.config.json", ""),
    ],
)
def test_a_private_file(nest: Repo, run: Run, path: str, said: str) -> None:
    nest.stage({path: "x\n"})
    assert run(*CHECK) == (int(bool(said)), said, "")


def test_a_private_file_is_said_as_long_as_a_commit_changes_it(nest: Repo, run: Run) -> None:
    nest.commit({"local/recent.md": "x\n"})
    nest.stage({"local/recent.md": "y\n"})
    assert run(*CHECK) == (1, _private("local/recent.md", "/local/"), "")
    nest.git("reset", "-q", "--hard")
    nest.stage({"shared/hosts.md": topic(body="y\n")})
    assert run(*CHECK) == (0, "", "")
    assert run(*CHECK, "--all").code == 1
    nest.git("rm", "-q", "--cached", "local/recent.md")
    assert run(*CHECK) == (0, "", "")
    assert run(*CHECK, "--all") == (0, "", "")


def test_a_private_link_is_private(nest: Repo, run: Run) -> None:
    nest.stage({f"{AGENT}/local/link": Path("/etc")})
    assert run("nestwork-check") == (1, _private(f"{AGENT}/local/link", IN_AGENTS), "")


def _fix(out: str) -> object:
    return json.loads(out)["findings"][0].get("fix")


@pytest.mark.parametrize("root", ["", "a b/"])
def test_the_fix_of_a_private_file_makes_the_commit_pass(repo: Repo, run: Run, root: str) -> None:
    repo.commit({f"{root}queen/agent-rules.md": "x\n"})
    repo.stage({f"{root}local/it's.md": "x\n"})
    flags = ["--root", root[:-1]] if root else []
    out = run(*CHECK, *flags, "--format", "json").out
    argv = ["git", "rm", "--cached", "--", f"{root}local/it's.md"]
    assert _fix(out) == {"kind": "run", "argv": argv}
    assert f"into {root}.gitignore," in json.loads(out)["findings"][0]["message"]
    assert repo.run(*argv).code == 0
    assert run(*CHECK, *flags).code == 0


def test_there_is_no_fix_for_a_path_that_json_cannot_hold(nest: Repo, run: Run) -> None:
    nest.stage({"local/\udcff.md": "x\n"})
    assert _fix(run(*CHECK, "--format", "json").out) is None


@pytest.mark.quick(5)
@pytest.mark.parametrize(
    ("path", "is_misplaced"),
    [
        ("agents/notes.md", True),
        ("agents/box/notes.md", True),
        ("agents/box/memory.md", True),
        ("agents/README.md", False),
        ("agents/box/README.md", False),
        ("agents/box/setup.sh", False),
        ("agents/box/claude/notes.md", False),
        ("agents/box/a.md/notes.md", False),
        ("agents.md", False),
        ("projects/box/notes.md", False),
    ],
)
def test_misplaced(nest: Repo, run: Run, path: str, is_misplaced: bool) -> None:
    said = f"{path}:1: warning: {MISPLACED} [misplaced]\n" if is_misplaced else ""
    nest.stage({path: "x\n"})
    assert run(*CHECK) == (0, said, "")
    nest.commit({})
    assert run(*CHECK) == (0, said, "")
    nest.stage({path: "y\n"})
    assert run(*CHECK) == (0, "", "")


@pytest.mark.quick(10)
@pytest.mark.parametrize(
    ("line", "is_said"),
    [
        ("<<<FILE shared/x.md", True),
        (">>>END", True),
        (">>>END\r", True),
        ("```\n>>>END\n```", True),
        (" >>>END", False),
        ("a >>>END", False),
        ("<<<FILE", False),
        ("<<<FILES a", False),
        (">>> END", False),
        (">>>end", False),
    ],
)
@pytest.mark.parametrize("path", ["shared/hosts.md", "shared/memory.md", MEMORY])
def test_a_line_of_a_distillation(
    nest: Repo, run: Run, path: str, line: str, is_said: bool
) -> None:
    nest.commit({MEMORY: "# M\n"})
    nest.stage({path: f"{topic()}\n{line}\n"})
    at = topic().count("\n") + 2 + line.startswith("```")
    said = f"{path}:{at}: warning: {BLOCK} [not-distilled]\n" if is_said else ""
    if path == "shared/hosts.md":
        nest.stage({"shared/memory.md": MARKERS})
    assert run(*CHECK) == (0, said, "")
    nest.commit({})
    assert run(*CHECK, "--all") == (0, said, "")
    nest.stage({path: f"{nest.read(path)}more\n"})
    assert run(*CHECK) == (0, "", "")


@pytest.mark.quick(6)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (INSTALLED, ""),
        ("\ufeff" + INSTALLED.replace("\n", "\r\n"), ""),
        ("_No memory yet._\n", ""),
        ("# M\n\n<!-- a\nb -->\n_No memory yet._\n", ""),
        (f"{MARKERS}\n_No memory yet._\n", ""),
        (f"{INSTALLED}\n{memory()}".replace("# Memory\n", ""), ""),
        ("# M\n", ""),
        ("# M\n\nNo memory yet.\n", ""),
        (f"{INSTALLED}\n- a fact\n", _held(8)),
        (f"# M\n\n- a fact\n\n_No memory yet._\n{MARKERS}", _held(5)),
        ("# M\n\n## Notes\n\n_No memory yet._\n", _held(5)),
        ("_No memory yet._\n\n> quoted\n", _held(1)),
        ("# M\n\nDelete _No memory yet._ first.\n", _held(3, "these words")),
        ("# M\n\n- a\n<!-- _No memory yet._ -->\n", _held(4, "these words")),
        ("_No memory yet._\n- a\n_No memory yet._\n", _held(1, "these words")),
        ("_No memory yet._\r\r- a\r", _held(1)),
    ],
)
def test_the_placeholder(nest: Repo, run: Run, text: str, said: str) -> None:
    nest.stage({MEMORY: text})
    assert run(*CHECK) == (0, said, "")
    nest.commit({})
    nest.stage({MEMORY: text + "\n<!-- x -->\n"})
    assert run(*CHECK) == (0, "", "")
    nest.commit({"shared/memory.md": text})
    assert run(*CHECK, "--all", "--exclude", "^agents/") == (0, "", "")


def test_the_placeholder_beside_a_first_topic(nest: Repo, run: Run) -> None:
    """The commit that adds the topic is the one that makes the placeholder wrong."""
    held = "_No memory yet._\n"
    nest.commit({MEMORY: memory() + held, f"{AGENT}/archive/old.md": "x\n"})
    nest.stage({f"{AGENT}/a.md": topic()})
    assert run(*CHECK) == (0, _held(9), "")
    nest.stage({MEMORY: memory(entry("a.md")) + held})
    assert run(*CHECK) == (0, _held(9), "")
    fix = {"kind": "replace", "first": 9, "last": 9, "text": ""}
    assert _fix(run(*CHECK, "--format", "json").out) == fix
    nest.commit({})
    nest.stage({f"{AGENT}/a.md": topic("another")})
    assert run(*CHECK) == (0, "", "")


MIRROR = "<!-- mirror of\n  AGENTS.md -->\n\n"
TEXT = "# A\n\n- one\n- two\n"


@pytest.mark.quick(8)
@pytest.mark.parametrize(
    ("agents", "claude", "said"),
    [
        (TEXT, MIRROR + TEXT, ""),
        (TEXT, TEXT, ""),
        (TEXT, f"<!-- mirror -->{TEXT}", ""),
        (f"<!-- 3.2 -->\n{TEXT}", f"{MIRROR}<!-- 3.2 -->\n{TEXT}", ""),
        (f"<!-- 3.2 -->\n{TEXT}", MIRROR + TEXT, ""),
        (TEXT, "\ufeff" + (MIRROR + TEXT).replace("\n", "\r\n"), ""),
        (TEXT, f"\n\n{MIRROR}\n\n{TEXT}\n\n", ""),
        (TEXT, f"{MIRROR}@AGENTS.md\n", ""),
        (TEXT, "See @./AGENTS.md.\n\n- three\n", ""),
        ("@CLAUDE.md\n", TEXT, ""),
        (TEXT, Path("AGENTS.md"), ""),
        (Path("CLAUDE.md"), TEXT, ""),
        (None, TEXT, ""),
        (TEXT, None, ""),
        ("", "", ""),
        (TEXT.encode("utf-16"), TEXT.encode("utf-16"), ""),
        (TEXT, f"{MIRROR}# A\n\n- 1\n", _drift(6, 3)),
        (TEXT, f"{MIRROR}# A\n\n- one\n", _drift(6, 4)),
        (TEXT, f"{MIRROR}{TEXT}- three\n", _drift(8, 4)),
        (TEXT, "", _drift(1, 1)),
        (TEXT, f"{MIRROR}See `@AGENTS.md`\n", _drift(4, 1)),
        (TEXT, f"{MIRROR}a@AGENTS.md\n", _drift(4, 1)),
        (TEXT, f"<!-- never closed\n{TEXT}", _drift(1, 1)),
        (TEXT, f"{MIRROR}# A\n- one\n- two\n", _drift(5, 2)),
        ("# A\n\xff\n".encode("latin-1"), "# A\n\xfe\n".encode("latin-1"), _drift(2, 2)),
    ],
)
def test_a_mirror(
    nest: Repo,
    run: Run,
    agents: str | bytes | Path | None,
    claude: str | bytes | Path | None,
    said: str,
) -> None:
    nest.stage({"AGENTS.md": agents, "CLAUDE.md": claude})
    assert run(*CHECK) == (0, said, "")
    assert run(*CHECK, "--staged") == (0, said, "")


def test_a_drift_is_said_by_the_commit_that_begins_it(nest: Repo, run: Run) -> None:
    nest.commit({"AGENTS.md": TEXT, "CLAUDE.md": MIRROR + TEXT})
    for changed in ("AGENTS.md", "CLAUDE.md"):
        nest.stage({changed: f"{nest.read(changed)}- three\n"})
        lines = {"AGENTS.md": (7, 5), "CLAUDE.md": (8, 4)}[changed]
        assert run(*CHECK) == (0, _drift(*lines), "")
        nest.git("reset", "-q", "--hard")
    nest.commit({"AGENTS.md": f"{TEXT}- three\n"})
    nest.stage({"CLAUDE.md": f"{MIRROR}# B\n"})
    assert run(*CHECK) == (0, "", "")
    nest.stage({"CLAUDE.md": None})
    assert run(*CHECK) == (0, "", "")
    nest.git("reset", "-q", "--hard")
    nest.stage({"shared/hosts.md": topic(body="y\n")})
    assert run(*CHECK) == (0, "", "")
    assert run(*CHECK, "shared") == (0, "", "")
    assert run(*CHECK, "--all") == (0, _drift(7, 5), "")


def test_a_mirror_elsewhere_is_nobody_s(nest: Repo, run: Run) -> None:
    nest.stage({"projects/AGENTS.md": "a\n", "projects/CLAUDE.md": "b\n"})
    assert run(*CHECK) == (0, "", "")


@pytest.mark.quick(10)
@pytest.mark.parametrize(
    ("path", "is_said"),
    [
        ("shared/link.md", True),
        ("shared/picture.png", True),
        ("shared/tooling", True),
        ("shared/archive/old.md", True),
        ("shared/resident.md", True),
        (MEMORY, True),
        (AGENT, True),
        ("agents/box", True),
        ("agents/README.md", False),
        ("agents/box/README.md", False),
        ("projects/x.md", False),
        ("AGENTS.md", False),
    ],
)
@pytest.mark.parametrize("target", ["nowhere", "/", ".."])
def test_a_link(nest: Repo, run: Run, path: str, is_said: bool, target: str) -> None:
    said = f"{path}:1: warning: {LINK} [not-a-file]\n" if is_said else ""
    nest.stage({path: Path(target)})
    assert run("nestwork-check") == (0, said, "")
    assert run("nestwork-check", "--staged") == (0, said, "")
    nest.commit({})
    assert run(*CHECK, "--all") == (0, said, "")
    nest.stage({path: Path(f"{target}/other")})
    assert run(*CHECK) == (0, "", "")


def test_links_are_said_once_each(nest: Repo, run: Run) -> None:
    """In place of the rules, of Markdown in no scope, and of an index whose topics remain."""
    nest.stage(
        {
            "queen/agent-rules.md": Path("x"),
            "agents/box/notes.md": Path("x"),
            "shared/memory.md": Path("x"),
        }
    )
    lines = run("nestwork-check").out.partition(FIRST)[0].splitlines()
    assert [(line.split(":")[0], line.rpartition(" ")[2]) for line in lines] == [
        ("agents/box/notes.md", "[misplaced]"),
        ("queen/agent-rules.md", "[missing-rules]"),
        ("shared/memory.md", "[broken-markers]"),
    ]


def test_a_topic_that_becomes_a_link_is_gone_from_its_index(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": Path("ports.md")})
    said = (
        f"shared/hosts.md:1: warning: {LINK} [not-a-file]\n"
        "shared/memory.md:3: error: topic index is stale: a line for hosts.md, which is a symbolic"
        " link now, and so no topic (git checkout HEAD -- shared/hosts.md brings its text back)"
        " [stale-index]\n"
    )
    done = run("nestwork-check")
    assert (done.code, done.out.partition("to fix")[0]) == (1, said)
    nest.stage({"shared/memory.md": memory(entry("ports.md"))})
    nest.commit({})
    nest.stage({"shared/hosts.md": topic(), "shared/memory.md": MARKERS})
    assert "not-a-file" not in run("nestwork-check").out


@pytest.mark.parametrize("path", ["shared/sub", "shared/archive/sub", AGENT, "vendor/sub"])
def test_a_submodule(nest: Repo, run: Run, path: str) -> None:
    head = nest.git("rev-parse", "HEAD").strip()
    nest.git("update-index", "--add", "--cacheinfo", f"160000,{head},{path}")
    said = f"{path}:1: warning: {SUBMODULE} [not-a-file]\n" if path != "vendor/sub" else ""
    assert run("nestwork-check", "--staged") == (0, said, "")
    nest.git("commit", "-q", "-m", "sub")
    assert run(*CHECK, "--all", "--staged") == (0, said, "")
    nest.git("commit", "-q", "--allow-empty", "-m", "more")
    other = nest.git("rev-parse", "HEAD").strip()
    nest.git("update-index", "--cacheinfo", f"160000,{other},{path}")
    assert run(*CHECK, "--staged") == (0, "", "")


def test_nothing_behind_a_link_is_judged(repo: Repo, run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "local").mkdir(parents=True)
    (outside / "memory.md").write_text(f"{MARKERS}\n>>>END\n_No memory yet._\n- x\n")
    (outside / "local/x.md").write_text("x\n")
    repo.stage({**RULES, AGENT: outside})
    assert run(*CHECK) == (0, f"{AGENT}:1: warning: {LINK} [not-a-file]\n", "")


@pytest.mark.parametrize(
    "files",
    [
        {"agents/box/notes.md": "x\n"},
        {"shared/hosts.md": topic(body=">>>END\n"), "shared/memory.md": memory(entry("hosts.md"))},
        {"AGENTS.md": TEXT, "CLAUDE.md": "x\n"},
        {"shared/link.md": Path("x")},
    ],
)
def test_a_merge(nest: Repo, run: Run, files: Files) -> None:
    """What one side brings is old; a merge is judged on what differs from both."""
    nest.git("switch", "-q", "-c", "side")
    nest.commit(files)
    nest.git("switch", "-q", "main")
    nest.commit({"projects/x.md": "x\n"})
    nest.git("merge", "-q", "--no-commit", "--no-ff", "side")
    assert run(*CHECK) == (0, "", "")


def test_what_a_committer_says(nest: Repo) -> None:
    """A link is committed and said; a submodule is left out, and said as that alone."""
    nest.commit({MEMORY: memory()})
    head = nest.git("rev-parse", "HEAD").strip()
    nest.write({f"{AGENT}/link": Path("x")})
    nest.git("clone", "-q", ".", f"{AGENT}/sub")
    nest.git("update-index", "--add", "--cacheinfo", f"160000,{head},{AGENT}/sub")
    said = nest.call("nestwork-commit", AGENT, "-m", "m").err.splitlines()
    assert said[1:] == [
        f"nestwork-commit: left out: {AGENT}/sub: a git repository of its own, of which no commit"
        " here holds a file",
        f"{AGENT}/link:1: warning: {LINK} [not-a-file]",
    ]
