"""Laws of the commands: whatever git holds, they say it safely and never break."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.protocol import markers
from tests import laws
from tests.conftest import BEGIN, END, Done, Repo
from tests.entry_points import main_of
from tests.properties import texts
from tests.properties.conftest import examples

_CHECK, _FIX = main_of("nestwork-check"), main_of("nestwork-fix-index")
_part = st.binary(min_size=1, max_size=8).filter(
    lambda name: not {b".", b"..", b".git"} & {name.lower()} and not set(b"/\0~") & set(name)
)
_path = st.builds(
    b"/".join,
    st.tuples(
        st.sampled_from([b"shared", b"agents/h/i", b"agents/h", b"queen", b"shared/archive"]),
        st.one_of(
            _part.map(lambda name: name + b".md"),
            st.builds(lambda one, two: one + b"/" + two + b".md", _part, _part),
            st.sampled_from([b"resident.md", b"agent-rules.md", b"memory.md"]),
        ),
    ),
)


def _run(main: object, args: Sequence[str]) -> Done:
    """Call a command with standard streams as strict as a console's."""
    assert callable(main)
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict", newline="\n")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", newline="\n")
    path = sys.path[:]
    with redirect_stdout(out), redirect_stderr(err):
        code = main(args)
    sys.path[:] = path
    texts_said = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        texts_said.append(stream.buffer.getvalue().decode())
    return Done(code, *texts_said)


def _is_sound(
    done: Done, codes: set[int] | frozenset[int] = frozenset({0, 1}), commands: bool = False
) -> None:
    assert done.code in codes, done.text
    assert "internal error" not in done.text
    assert "Traceback" not in done.text
    for line in done.text.split("\n"):
        laws.is_safe_to_print(line)
        assert not line.startswith("##")
        assert commands or not line.lstrip().startswith("::")


@given(
    st.dictionaries(_path, st.one_of(texts.topic_bytes, texts.opted_in_memories), max_size=5),
    texts.opted_in_memories,
)
@examples(20)
def test_whatever_is_staged_is_judged_in_every_format(
    repo: Repo, files: dict[bytes, bytes], memory: bytes
) -> None:
    repo.stage_blobs({b"shared/memory.md": memory, b"agents/h/i/memory.md": memory} | files)
    text = _run(_CHECK, ["--staged", "--all"])
    _is_sound(text)
    told = _run(_CHECK, ["--staged", "--all", "--format", "json"])
    assert told.code == text.code
    assert told.out.isascii()
    findings = json.loads(told.out)["findings"]
    assert (text.code == 1) == any(found["level"] == "error" for found in findings)
    github = _run(_CHECK, ["--staged", "--all", "--format", "github"])
    _is_sound(github, {text.code}, commands=True)
    assert github.out.count("\n") == len(findings)
    assert all(line.startswith(("::error ", "::warning ")) for line in github.out.splitlines())


@given(
    st.one_of(texts.memories, texts.opted_in_memories),
    st.dictionaries(
        st.sampled_from(["a.md", "b/c.md", "é.md", "a b.md"]), texts.topic_bytes, max_size=3
    ),
)
@examples(20)
def test_a_fix_is_whole_and_final_or_does_nothing(
    repo: Repo, memory: bytes, topics: dict[str, bytes]
) -> None:
    repo.git("rm", "-rfq", "--ignore-unmatch", ".")
    repo.stage(
        {"shared/memory.md": memory, **{f"shared/{name}": data for name, data in topics.items()}}
    )
    first = _run(_FIX, ["--all"])
    _is_sound(first)
    path = repo.path / "shared/memory.md"
    after = path.read_bytes()
    block = markers.find_block(memory)
    if not isinstance(block, markers.Block) or "rewrote" not in first.out:
        assert after == memory
    else:
        assert first.code == 1
        assert after.startswith(memory[: block.start] + BEGIN.encode())
        assert after.endswith(END.encode() + memory[block.stop :])
    again = _run(_FIX, ["--all"])
    _is_sound(again)
    assert "rewrote" not in again.out
    assert path.read_bytes() == after
    checked = _run(_CHECK, ["--all"])
    assert "[stale-index]" not in checked.out
    assert [file.name for file in path.parent.glob(".nestwork*")] == []
