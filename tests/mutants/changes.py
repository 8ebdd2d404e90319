"""The small changes that a module's source allows."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import NamedTuple
from zlib import crc32

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
}
_SIGNS = {
    "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=", "In": "in",
    "NotIn": "not in", "Is": "is", "IsNot": "is not", "Add": "+", "Sub": "-", "Mult": "*",
    "FloorDiv": "//", "Div": "/", "BitOr": "|", "BitAnd": "&", "LShift": "<<", "RShift": ">>",
    "And": "and", "Or": "or",
}  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Text for people who read a command's help, and for type checkers and tools.
_UNJUDGED_WORDS = ("help", "metavar")
_UNJUDGED_NAMES = ("TYPE_CHECKING", "__slots__")


class Change(NamedTuple):
    """One change: `text` is the whole module with it.

    `source` is the line where it is made, without indentation, and of a jump the line before it
    too; `lines` are those that a test has to execute to meet it, none for what happens as the
    module is imported.
    """

    path: str
    line: int
    source: str
    kind: str
    before: str
    after: str
    lines: frozenset[int]
    text: str

    @property
    def what(self) -> str:
        return f"{self.before} -> {self.after}"

    @property
    def key(self) -> str:
        """What tells it from all others, of other states of the module too."""
        return f"{self.path}:{self.line}: {self.what} {crc32(self.text.encode()):08x}"


class _Swap(NamedTuple):
    kind: str
    before: str
    after: str
    new: ast.AST


def _sign(operator: ast.AST) -> str:
    return _SIGNS[type(operator).__name__]


def _swaps(node: ast.AST, above: tuple[ast.AST, ...]) -> Iterator[_Swap]:
    """What one node, to which `above` leads, may become."""
    if isinstance(node, ast.Compare):
        for at, old in enumerate(node.ops):
            new = _COMPARISONS[type(old)]()
            ops = [*node.ops[:at], new, *node.ops[at + 1 :]]
            changed = ast.Compare(node.left, ops, node.comparators)
            yield _Swap("comparison", _sign(old), _sign(new), changed)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        changed_bool = ast.BoolOp(other, node.values)
        yield _Swap("boolean", _sign(node.op), _sign(other), changed_bool)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _ARITHMETIC:
        yield from _arithmetic(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _Swap("condition", "not", "", node.operand)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield from _condition(node)
    elif isinstance(node, ast.Constant):
        yield from _constant(node)
    elif isinstance(node, ast.Return):
        yield from _return(node, above)
    elif isinstance(node, (ast.Continue, ast.Break)):
        yield _Swap("jump", type(node).__name__.lower(), "pass", ast.Pass())


def _arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[_Swap]:
    new = _ARITHMETIC[type(node.op)]()
    if isinstance(node, ast.AugAssign):
        before, after = f"{_sign(node.op)}=", f"{_sign(new)}="
        yield _Swap("arithmetic", before, after, ast.AugAssign(node.target, new, node.value))
    elif not any(isinstance(side, ast.JoinedStr) for side in (node.left, node.right)):
        yield _Swap("arithmetic", _sign(node.op), _sign(new), ast.BinOp(node.left, new, node.right))


def _condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[_Swap]:
    test = node.test
    if isinstance(test, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)):
        return  # They are changed themselves.
    old = ast.unparse(test)
    yield _Swap("condition", old, f"not {old}", ast.UnaryOp(ast.Not(), test))


def _constant(node: ast.Constant) -> Iterator[_Swap]:
    value = node.value
    if isinstance(value, bool):
        yield _Swap("constant", str(value), str(not value), ast.Constant(not value))
    elif isinstance(value, (int, float)):
        yield _Swap("constant", str(value), str(value + 1), ast.Constant(value + 1))
    elif isinstance(value, (str, bytes)):
        for new in _texts(value):
            yield _Swap("text", repr(value), repr(new), ast.Constant(new))


def _texts(value: str | bytes) -> Iterator[str | bytes]:
    yield value + "X" if isinstance(value, str) else value + b"X"
    if len(value) > 1:
        yield value[1:]


def _return(node: ast.Return, above: tuple[ast.AST, ...]) -> Iterator[_Swap]:
    value = node.value
    if value is None or isinstance(value, ast.Constant):
        return  # Nothing, or changed as a constant.
    old = ast.unparse(node)
    function = next(outer for outer in reversed(above) if isinstance(outer, _FUNCTIONS))
    if function.returns and ast.unparse(function.returns) == "bool":
        yield _Swap("return", old, "its opposite", ast.Return(ast.UnaryOp(ast.Not(), value)))
    else:
        yield _Swap("return", old, "return None", ast.Return(ast.Constant(None)))


class _Finder:
    """Walks a module, and knows where each node hangs."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._data = text.encode()
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._data.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._tree = ast.parse(text)

    def find(self) -> Iterator[Change]:
        yield from self._visit(self._tree, (), None)

    def _visit(
        self, node: ast.AST, above: tuple[ast.AST, ...], formatted: ast.JoinedStr | None
    ) -> Iterator[Change]:
        """All changes at and below a node; `above` leads to it from the module."""
        if _is_unjudged(node):
            return
        if isinstance(node, ast.JoinedStr):
            formatted = formatted or node
        for swap in _swaps(node, above):
            yield from self._change(node, above, formatted, swap)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "format_spec"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self._visit(child, (*above, node), formatted)

    def _change(
        self,
        node: ast.AST,
        above: tuple[ast.AST, ...],
        formatted: ast.JoinedStr | None,
        swap: _Swap,
    ) -> Iterator[Change]:
        # A condition is part of its statement, and an f-string is one token here.
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            above, node = (*above, node), node.test
        place = formatted or node
        try:
            if formatted:
                changed = _unparsed_with(formatted, node, above[-1], swap.new)
            else:
                changed = ast.unparse(swap.new)
            if isinstance(place, ast.expr) and not isinstance(place, (ast.Constant, ast.JoinedStr)):
                changed = f"({changed})"
            text = self._spliced(place, changed)
            ast.parse(text)
        except (ValueError, SyntaxError):
            return  # Not all that could be built can be written.
        assert isinstance(place, (ast.expr, ast.stmt))
        source = self._source(place, swap)
        lines = _executed(place, above)
        head = (self._path, place.lineno, source, swap.kind, swap.before, swap.after)
        yield Change(*head, lines, text)

    def _source(self, place: ast.expr | ast.stmt, swap: _Swap) -> str:
        line = self._lines[place.lineno - 1].strip()
        # A jump is like any other without what stands before it.
        return f"{self._lines[place.lineno - 2].strip()}; {line}" if swap.kind == "jump" else line

    def _spliced(self, place: ast.AST, new: str) -> str:
        assert isinstance(place, (ast.expr, ast.stmt))
        assert place.end_lineno
        assert place.end_col_offset is not None
        start = self._starts[place.lineno - 1] + place.col_offset
        stop = self._starts[place.end_lineno - 1] + place.end_col_offset
        return (self._data[:start] + new.encode() + self._data[stop:]).decode()


def _unparsed_with(outer: ast.AST, old: ast.AST, parent: ast.AST, new: ast.AST) -> str:
    """The source of `outer` with a node somewhere in it exchanged."""
    for name, value in ast.iter_fields(parent):
        if value is old:
            changed: object = new
        elif isinstance(value, list) and any(child is old for child in value):
            changed = [new if child is old else child for child in value]
        else:
            continue
        setattr(parent, name, changed)
        try:
            return ast.unparse(outer)
        finally:
            setattr(parent, name, value)
    raise ValueError("it does not hang there")


def _is_unjudged(node: ast.AST) -> bool:
    """Whether nothing below is meant for a run: for type checkers, help, documentation."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return True
    if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
        return True
    if isinstance(node, ast.Assign):
        return any(ast.unparse(target) in _UNJUDGED_NAMES for target in node.targets)
    if isinstance(node, ast.keyword):
        return node.arg in _UNJUDGED_WORDS
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, (ast.Assert, ast.Import, ast.ImportFrom))


def _executed(place: ast.expr | ast.stmt, above: tuple[ast.AST, ...]) -> frozenset[int]:
    """The lines that a tracer may tell of where `place` runs; none at import."""
    chain_ = (*above, place)
    for at in range(len(chain_) - 1, 0, -1):
        outer, inner = chain_[at - 1], chain_[at]
        if isinstance(outer, _FUNCTIONS) and inner in outer.body:
            statement = next(n for n in reversed(chain_[at:]) if isinstance(n, ast.stmt))
            span = range(place.lineno, (place.end_lineno or place.lineno) + 1)
            return frozenset({*span, statement.lineno})
    return frozenset()


def find_changes(path: str, text: str) -> list[Change]:
    """Every change of the module at `path`, whose source is `text`."""
    return list(_Finder(path, text).find())


def choose(sources: dict[str, str], count: int, seed: int) -> list[Change]:
    """So many changes, spread over modules and, within each, over kinds and lines."""
    orders = [_mixed(path, text, seed) for path, text in sorted(sources.items())]
    chosen = list(_in_turns(orders))[:count]
    return sorted(chosen, key=lambda change: (change.path, change.line, change.what))


def _mixed(path: str, text: str, seed: int) -> list[Change]:
    # Its own dice, so that a change of one module leaves the choice in others as it is.
    dice = random.Random(f"{seed} {path.rpartition('/')[2]}")
    kinds: dict[str, list[Change]] = {}
    for change in find_changes(path, text):
        kinds.setdefault(change.kind, []).append(change)
    orders = list(kinds.values())
    for order in orders:
        dice.shuffle(order)
    dice.shuffle(orders)
    return list(_in_turns(orders))


def _in_turns(orders: Iterable[list[Change]]) -> Iterator[Change]:
    return (change for change in chain.from_iterable(zip_longest(*orders)) if change)
