"""Fit the weights of nestwork_hooks/measuring/estimate.py, and say how far off it is.

    python tests/calibrate/calibrate.py TRAIN HELD_OUT [--write]

Both folders hold UTF-8 text as LANGUAGE/PROJECT/NAME.md. No project may be in both: texts of
one project share their names, paths and phrases, in translations too. --write replaces
nestwork_hooks/measuring/estimate_weights.py; without it the weights that are there are measured.
Needs numpy and scipy, and the extra `tokens` for the exact counts.
"""

from __future__ import annotations

import argparse
import statistics
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import optimize, sparse

from nestwork_hooks.measuring import estimate, estimate_weights
from nestwork_hooks.measuring.tokens import load_counter

TARGET = Path(estimate.__file__).with_name("estimate_weights.py")
COMMON_HAN = 600
RARE = 8  # features in fewer training files have no weight
STEP = 20  # weights are rounded to 1 / STEP
FLAT = 0.01  # errors below 1 % count by their square, above it by their size
PIECES = 0.15  # how much the error of single pieces counts beside the error of files
RIDGE = 3e-6
WIDTH = 98


class Sample(NamedTuple):
    """One text: where it comes from, its pieces, and its tokens as o200k_base counts them."""

    language: str
    project: str
    pieces: Counter[str]
    tokens: int


def read(folder: Path) -> list[Sample]:
    """The samples in a folder, in the order of their paths."""
    counter = load_counter()
    assert counter.exact, "the calibration needs the extra `tokens`"
    samples = []
    for path in sorted(folder.glob("*/*/*")):
        text = path.read_bytes().decode()
        pieces = Counter(estimate.pieces(text))
        language, project = path.parts[-3:-1]
        samples.append(Sample(language, project, pieces, counter.count(text)))
    return samples


def common_han(samples: Iterable[Sample]) -> str:
    """The Han characters of most files, of those that three projects have."""
    files: Counter[str] = Counter()
    projects = defaultdict(set)
    for sample in samples:
        for char in set("".join(sample.pieces)):
            if "\u4e00" <= char < "\ua000":
                files[char] += 1
                projects[char].add(sample.project)
    ranked = sorted(files, key=lambda char: (-files[char], char))
    return "".join([char for char in ranked if len(projects[char]) >= 3][:COMMON_HAN])


def kept_features(samples: Iterable[Sample]) -> list[str]:
    """The features that at least RARE files have, sorted."""
    files: Counter[str] = Counter()
    for sample in samples:
        files.update({feature for piece in sample.pieces for feature in estimate.features(piece)})
    return sorted(feature for feature, count in files.items() if count >= RARE)


def fit(samples: Sequence[Sample], names: Sequence[str]) -> dict[str, float]:
    """The weights with the smallest relative error per file, every language counting."""
    counter = load_counter()
    pieces = sorted({piece for sample in samples for piece in sample.pieces})
    extra = np.array([counter.count(piece) - 1 for piece in pieces], float)
    by_piece = _matrix((Counter(estimate.features(piece)) for piece in pieces), names)
    tokens = np.array([sample.tokens for sample in samples], float)
    by_file = sparse.diags(1 / tokens) @ _matrix((s.pieces for s in samples), pieces)
    ones = np.array([sample.pieces.total() for sample in samples]) / tokens - 1
    importance = _importance(samples)
    shares = by_file.T @ importance
    weighed = np.asarray(by_piece.sum(axis=1)).ravel() > 0
    back, spread = by_piece.T.tocsr(), by_file.T.tocsr()

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        score = by_piece @ weights
        guess = np.where(weighed, np.logaddexp(0, score), 0)
        error = by_file @ guess + ones
        size = np.hypot(error, FLAT)
        off = guess - extra
        value = importance @ size + PIECES * (shares @ off**2) + RIDGE * (weights @ weights)
        slope = spread @ (importance * error / size) + 2 * PIECES * shares * off
        steep = np.where(weighed, slope / (1 + np.exp(-score)), 0)
        return value, back @ steep + 2 * RIDGE * weights

    options = {"maxiter": 400, "maxcor": 20}
    start = np.zeros(len(names))
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return dict(zip(names, found.x.tolist(), strict=True))


def _matrix(rows: Iterable[Counter[str]], columns: Sequence[str]) -> sparse.csr_matrix:
    number = {name: index for index, name in enumerate(columns)}
    values, indices, ends = [], [], [0]
    for row in rows:
        for name, value in row.items():
            if name in number:
                indices.append(number[name])
                values.append(float(value))
        ends.append(len(values))
    return sparse.csr_matrix((values, indices, ends), shape=(len(ends) - 1, len(columns)))


def _importance(samples: Sequence[Sample]) -> np.ndarray:
    """What each file counts for, in sum 1: many files of one language or project count less."""
    languages = Counter(sample.language for sample in samples)
    projects = Counter(sample[:2] for sample in samples)
    weights = [languages[s.language] ** -0.5 * projects[s[:2]] ** -0.25 for s in samples]
    return np.array(weights) / sum(weights)


def module(han: str, weights: dict[str, float]) -> str:
    """The source of estimate_weights.py."""
    by_weight = defaultdict(list)
    for name, weight in weights.items():
        if rounded := round(weight * STEP):
            by_weight[rounded].append(name)
    lines: list[str] = []
    for weight in sorted(by_weight):
        lines += _wrapped(f"{weight} ", [_escaped(name) for name in by_weight[weight]], " ")
    chars = "\n".join(f'    "{line}"' for line in _wrapped("", han, "", WIDTH - 6))
    return (
        '"""Weights of the features in estimate.py, written by tests/calibrate/calibrate.py."""\n\n'
        "# The Han characters that have a weight of their own, the most common first.\n"
        f"HAN = frozenset(\n{chars}\n)\n\n"
        f"# A line: {STEP} times the weight, then the features that have it.\n"
        '_LINES = """\\\n' + "\n".join(lines) + '\n"""\n\n'
        "WEIGHTS = {\n"
        f"    feature: int(weight) / {STEP}\n"
        "    for weight, *features in map(str.split, _LINES.splitlines())\n"
        "    for feature in features\n"
        "}\n"
    )


def _escaped(name: str) -> str:
    """As a Python string holds it; no right-to-left or combining character stands bare."""
    return "".join(map(_escaped_char, name.replace("\\", "\\\\").replace('"', '\\"')))


def _escaped_char(char: str) -> str:
    if char.isascii() or (char.isalpha() and unicodedata.bidirectional(char) == "L"):
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _wrapped(head: str, parts: Iterable[str], joint: str, width: int = WIDTH) -> Iterator[str]:
    line = head
    for part in parts:
        if _columns(line + part) > width:
            yield line.rstrip()
            line = head
        line += part + joint
    yield line.rstrip()


def _columns(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def table(train: Sequence[Sample], held_out: Sequence[Sample]) -> str:
    """Median and 95th percentile of the error per file, in per cent, as a Markdown table."""
    rows = [
        "| text | held-out files | projects | median | 95th percentile | bias "
        "| training files | median | 95th percentile |",
        "|---|---|---|---|---|---|---|---|---|",
        _row("all", train, held_out),
    ]
    for language in sorted({sample.language for sample in held_out}):
        chosen = [[s for s in samples if s.language == language] for samples in (train, held_out)]
        rows.append(_row(language, *chosen))
    return "\n".join(rows)


def _row(name: str, train: Sequence[Sample], held_out: Sequence[Sample]) -> str:
    projects = len({sample.project for sample in held_out})
    errors, seen = _errors(held_out), _errors(train)
    bias = statistics.median(errors)
    cells = (
        name,
        len(errors),
        projects,
        *_spread(errors),
        f"{bias:+.1f}",
        len(seen),
        *_spread(seen),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def _errors(samples: Iterable[Sample]) -> list[float]:
    costs = estimate._Costs()
    guesses = ((sum(costs[p] * n for p, n in s.pieces.items()), s.tokens) for s in samples)
    return [100 * (round(guess) / exact - 1) for guess, exact in guesses]


def _spread(errors: Sequence[float]) -> tuple[str, str]:
    sizes = [abs(error) for error in errors] or [0.0]
    return f"{np.median(sizes):.1f}", f"{np.percentile(sizes, 95):.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("held_out", type=Path)
    parser.add_argument("--write", action="store_true", help="replace the weights")
    args = parser.parse_args()
    train, held_out = read(args.train), read(args.held_out)
    shared = {s.project for s in train} & {s.project for s in held_out}
    assert not shared, f"projects on both sides: {sorted(shared)}"
    if args.write:
        han = common_han(train)
        estimate_weights.HAN = frozenset(han)
        estimate._LETTERS.clear()
        source = module(han, fit(train, kept_features(train)))
        namespace: dict[str, dict[str, float]] = {}
        exec(source, namespace)
        estimate_weights.WEIGHTS = namespace["WEIGHTS"]
        TARGET.write_text(source, "utf-8")
    print(table(train, held_out))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
