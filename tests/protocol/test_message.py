"""The subject that git reads in a message file, and which commit may change what."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol import ownership
from nestwork_hooks.protocol.message import Cleanup, cleanup, is_plain, subject

HELP = "\n# Please enter the commit message for your changes.\n#\n# On branch main\n"
CUT = "# ------------------------ >8 ------------------------\n"
EDITED, TYPED = Cleanup(), Cleanup(strips=False, edited=False)
AUTO = Cleanup("auto")

SUBJECTS = [
    ("say\n", EDITED, "say"),
    ("\n \nsay\n\nmore\n", EDITED, "say"),
    (f"say\n{HELP}", EDITED, "say"),
    (f"\n{HELP}", EDITED, ""),
    (f"# note\nsay\n{HELP}", EDITED, "say"),
    (f" # note\nsay\n{HELP}", EDITED, "# note"),
    ("# note\nsay\n", TYPED, "# note"),
    ("# note\nsay\n", Cleanup(edited=False), "say"),
    ("# note\nsay\n", Cleanup(strips=False), "# note"),
    (f"{HELP}{CUT}diff --git a/x b/x\n", EDITED, ""),
    (f"say\n{HELP}{CUT}diff --git a/x b/x\n", EDITED, "say"),
    (f"{CUT}say\n", Cleanup(strips=False), ""),
    (f"{CUT}say\n", TYPED, CUT.strip()),
    (f"{CUT}say\n".replace("#", ";"), Cleanup(";"), ""),
    (f"x{CUT}say\n", Cleanup(strips=False), f"x{CUT}".strip()),
    ("; note\nsay\n", Cleanup(";"), "say"),
    ("; note\nsay\n", EDITED, "; note"),
    ("// note\nsay\n", Cleanup("//"), "say"),
    ("% note\n# say\n\n% Please enter\n% more\n", AUTO, "# say"),
    ("# say\n\n# Please enter\n", AUTO, ""),
    (f"; a\n# say\n\n; Please\n{CUT}; x\n".replace("# -", "; -"), AUTO, "# say"),
    ("# say\n", Cleanup("auto", edited=False), "# say"),
    ("words\n", AUTO, "words"),
    ("\ufeffsay\n", EDITED, "say"),
    ("say \t\r\n\r\n# x\r\n", EDITED, "say"),
    ("caf\u00e9\n", EDITED, "caf\u00e9"),
    ("", EDITED, ""),
    ("\n\n", TYPED, ""),
]


@pytest.mark.parametrize(("text", "how", "said"), SUBJECTS)
def test_subject(text: str, how: Cleanup, said: str) -> None:
    assert subject(text.encode(), how) == said
    if is_plain(text.encode()):
        assert subject(text.encode(), TYPED) == said


@pytest.mark.parametrize(
    ("data", "encoding", "said"),
    [
        ("\u7aef\u53e3".encode("gbk"), "gbk", "\u7aef\u53e3"),
        (b"caf\xe9", "latin-1", "caf\u00e9"),
        (b"caf\xe9", "utf-8", "caf\udce9"),
        (b"caf\xe9", "no-such", "caf\udce9"),
        (b"caf\xe9", "hex", "caf\udce9"),
        (b"caf\xe9", "", "caf\udce9"),
    ],
)
def test_encodings(data: bytes, encoding: str, said: str) -> None:
    assert subject(data, Cleanup(encoding=encoding)) == said


# git's configuration, whether an editor was open, how the message is read
CONFIGURED = [
    ([], True, EDITED),
    ([], False, TYPED),
    ([("core.commentchar", ";")], True, Cleanup(";")),
    ([("core.commentchar", ";"), ("core.commentstring", "//")], True, Cleanup("//")),
    ([("core.commentstring", "//"), ("core.commentchar", "auto")], True, AUTO),
    ([("commit.cleanup", "strip")], False, Cleanup(edited=False)),
    ([("commit.cleanup", "strip"), ("commit.cleanup", "default")], False, TYPED),
    ([("commit.cleanup", "verbatim")], True, Cleanup(strips=False)),
    ([("commit.cleanup", "whitespace")], True, Cleanup(strips=False)),
    ([("commit.cleanup", "scissors")], True, Cleanup(strips=False)),
    ([("commit.cleanup", "scissors")], False, TYPED),
    ([("i18n.commitencoding", "gbk"), ("user.name", "x")], True, Cleanup(encoding="gbk")),
]


@pytest.mark.parametrize(("pairs", "edited", "how"), CONFIGURED)
def test_configuration(pairs: list[tuple[str, str]], edited: bool, how: Cleanup) -> None:
    found = cleanup(pairs, edited=edited)
    for key in ("comment", "strips", "edited", "encoding"):
        assert getattr(found, key) == getattr(how, key)


@pytest.mark.parametrize(
    ("said", "scope"),
    [
        ("memory: update box/claude-a7k2", "agents/box/claude-a7k2"),
        ("memory: update agents/box/codex/", "agents/box/codex"),
        ("memory: update box/codex: the ports", "agents/box/codex"),
        ("memory: update box/codex (ports/x)", "agents/box/codex"),
        ("memory: update my box/codex", "agents/my box/codex"),
        ("memory: update b\u00f6x/codex", "agents/b\u00f6x/codex"),
        ("memory: update box", ""),
        ("memory: update box/", ""),
        ("memory: update a/b/c", ""),
        ("memory: updates box/codex", ""),
        ("Memory: update box/codex", ""),
        ("memory: distill shared", ""),
    ],
)
def test_the_scope_that_a_subject_names(said: str, scope: str) -> None:
    assert ownership.updated_scope(said) == scope


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("memory: distill shared", True),
        ("memory: distill shared (week 40)", True),
        ("memory: distill shared: ports", True),
        ("memory: distill sharedness", False),
        ("memory: distill shared-x", False),
        ("memory: distill", False),
        ("Memory: distill shared", False),
        ("x memory: distill shared", False),
    ],
)
def test_a_distillation(said: str, is_one: bool) -> None:
    assert ownership.is_distillation(said) is is_one


FREE = [
    'Revert "memory: update box/codex"',
    'Reapply "x"',
    "fixup! memory: update box/codex",
    "squash! x",
    "amend! x",
    "chore: update nestwork protocol from upstream",
    "chore: sync nestwork protocol from upstream",
    "chore: sync CLAUDE.md",
    "",
]


@pytest.mark.parametrize("said", FREE)
def test_subjects_that_may_change_anything(said: str) -> None:
    assert ownership.is_free(said)


@pytest.mark.parametrize("said", ["Revert x", "fixup x", "chore: update x", "chore: synced", "x"])
def test_subjects_that_may_not(said: str) -> None:
    assert not ownership.is_free(said)
