"""Every command line means what it means to argparse, and the same on every version of Python."""

from __future__ import annotations

import argparse
import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from typing import Any, NoReturn
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nestwork_hooks.console.parser import Flag, Parser, regex
from nestwork_hooks.nest.request import Unusable
from tests.entry_points import commands, main_of
from tests.properties.conftest import examples

VALUES = [
    *("shared", "agents/a/b", "a/b", "x", "a,b", ",", "topic-size", "all", "json", "numbered"),
    *("1", "0", "6", " 3", "+4", "007", "\u0663", "1.5", "-1", "-1.5", "-.5", "-1.", "-1-", "-\u00b2", "1" * 5_000),
    *("", " ", "-", "--", "---", "-a b", "- ", "--all=a b", "--x=y z", "=", "(", "x|y", "\udcff", "\x1b"),
]  # fmt: skip


@cache
def _parser(command: str) -> Parser:
    """The parser of a command, as the command makes it."""
    made: list[Parser] = []

    def parse(parser: Parser, _: object) -> NoReturn:
        made.append(parser)
        raise SystemExit(0)

    with patch.object(Parser, "parse", parse):
        main_of(command)(["--version"])
    return made[0]


class _Reference(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SystemExit(message)


def _reference(parser: Parser) -> _Reference:
    found = _Reference(allow_abbrev=False, add_help=False, argument_default=argparse.SUPPRESS)
    apart = any(flag.apart for flag in parser.flags)
    either = found.add_mutually_exclusive_group() if apart else found
    for flag in parser.flags:
        names = [name for name in (flag.short, flag.name) if name]
        how: dict[str, Any] = {"type": flag.kind, "choices": flag.choices or None}
        if not flag.kind:
            how = {"action": "help" if flag.key in ("help", "version") else "store_true"}
        elif flag.is_place:
            how = {"nargs": "?" if flag.required else "*"}
        elif isinstance(flag.kind(_good(flag)[0]), list):
            how["action"] = "extend"
        (either if flag.apart else found).add_argument(*names, **how)
    return found


def _good(flag: Flag) -> list[str]:
    """The values that a flag takes."""
    found = []
    for text in VALUES if flag.kind else []:
        try:
            value = flag.kind(text) if flag.kind else None
        except ValueError:
            continue
        if not flag.choices or value in flag.choices:
            found.append(text)
    return found


def _expected(parser: Parser, args: list[str]) -> dict[str, Any] | None:
    """What argparse makes of it; `None` for an error, and for what prints and ends.

    Versions differ in what they make of `--` and of words behind it, so these are put in front, as
    words that are surely no flags.
    """
    args, names, is_cut = _cut(parser, args)
    # A value that is `--` is lost before 3.13.
    assume(sys.version_info >= (3, 13) or not any(arg in ("-m--", "-m=--") for arg in args))
    assume(sys.version_info >= (3, 13) or not any(arg.endswith("=--") for arg in args))
    place = next((flag for flag in parser.flags if flag.is_place), None)
    if is_cut and not place:
        return None
    try:
        stand_ins = [f"name{number}" for number in range(len(names))]
        found = vars(_reference(parser).parse_intermixed_args([*stand_ins, *args]))
    except SystemExit:
        return None
    if place and names:
        here = found[place.key]
        found[place.key] = [*here[len(names) :], *names] if isinstance(here, list) else names[0]
    required = {flag.key for flag in parser.flags if flag.required}
    return found if required <= found.keys() or "tool_hook" in found else None


def _cut(parser: Parser, args: list[str]) -> tuple[list[str], list[str], bool]:
    """The words before the first `--`, those behind it, and whether there is one.

    A message is joined to its flag: it may be any word.
    """
    free = {name: flag for flag in parser.flags if flag.free for name in (flag.name, flag.short)}
    before: list[str] = []
    words = iter(args)
    for word in words:
        if word == "--":
            return before, [*words], True
        value = next(words, None) if word in free else None
        before.append(word if value is None else f"{free[word].name}={value}")
    return before, [], False


def _parts(flag: Flag) -> st.SearchStrategy[list[str]]:
    """Words that hold a flag and its value, or a name."""
    if not flag.kind:
        return st.just([flag.name])
    values = st.sampled_from(_good(flag))
    if flag.is_place:
        return values.map(lambda value: [value])
    parts = [values.map(lambda value: [flag.name, value])]
    parts.append(values.map(lambda value: [f"{flag.name}={value}"]))
    if flag.short:
        parts.append(values.map(lambda value: [f"{flag.short}{value}"]))
        parts.append(values.map(lambda value: [flag.short, value]))
    return st.one_of(parts)


@st.composite
def _lines(draw: st.DrawFn, parser: Parser) -> list[str]:
    """Command lines: many that are in order, and all that is near to them."""
    flags = [flag for flag in parser.flags if flag.key not in ("help", "version")]
    names = st.sampled_from([flag.name for flag in flags])
    values = st.sampled_from(VALUES) | st.text("-=ab1 .,", max_size=4)
    odd = st.one_of(
        values.map(lambda value: [value]),
        st.tuples(names, values).map(list),
        st.tuples(names, values).map(lambda pair: ["=".join(pair)]),
        st.tuples(names, names).map(lambda pair: [pair[0], f"{pair[1]}=a b"]),
        names.map(lambda name: [name]),
        names.map(lambda name: [name[:-1]]),
        st.sampled_from([["--help"], ["-h"], ["--version"], ["--nope"], ["-x"], ["--"], ["--"]]),
    )
    parts = [draw(_parts(flag)) for flag in flags if flag.required and draw(st.integers(0, 7))]
    parts += draw(st.lists(st.sampled_from(flags).flatmap(_parts), max_size=4))
    parts += draw(st.lists(odd, max_size=2))
    return [word for part in draw(st.permutations(parts)) for word in part]


def _comparable(found: dict[str, Any] | None) -> dict[str, Any] | None:
    """What was found, with a regular expression's text in its place."""
    return found and {key: getattr(value, "pattern", value) for key, value in found.items()}


@pytest.mark.parametrize("command", sorted(commands()))
@given(data=st.data())
@examples(100)
def test_a_command_line_means_what_it_means_to_argparse(command: str, data: st.DataObject) -> None:
    parser = _parser(command)
    args = data.draw(_lines(parser))
    found = None
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        expected = _expected(parser, args)
        with suppress(SystemExit, Unusable):
            found = parser.parse(args)
    assert _comparable(found) == _comparable(expected)


@examples(600)
@given(
    st.text(st.sampled_from("ab/_-^9\u00e9\u0663\u4e2d"), max_size=4),
    st.text(st.sampled_from("ab/_-^9\u00e9\u0663\u4e2d\n."), max_size=8),
)
def test_a_plain_expression_finds_what_re_finds(text: str, path: str) -> None:
    assert bool(regex(text).search(path)) is bool(re.search(text, path))
