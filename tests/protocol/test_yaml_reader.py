from __future__ import annotations

import pytest
import yaml

from nestwork_hooks.protocol import yaml_reader

# text, what YAML takes for front matter
SOURCES = [
    ("---\na: b\n---\n", "a: b"),
    ("\ufeff--- \t\na: b\n---\t\n", "a: b"),
    ("---\na: b\n...\nc\n---\n", "a: b"),
    ("---\n---\n", ""),
    ("---", None),
    ("---\na: b\n", None),
    ("---\na: b\n----\n", None),
    ("---\na: b\n--- c\n", None),
    ("----\na: b\n----\n", None),
    ("\n---\na: b\n---\n", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), SOURCES)
def test_front_matter(text: str, expected: str | None) -> None:
    assert yaml_reader.front_matter(text) == expected


# source, what YAML reads, every scalar as text
READ = [
    ("", None),
    ("a: no\nb: 1.10\nc: 2026-09-27\nd: ~", {"a": "no", "b": "1.10", "c": "2026-09-27", "d": "~"}),
    ("a: [b, {c: d}]", {"a": ["b", {"c": "d"}]}),
    ('a: "b\tc"', {"a": "b\tc"}),
    ("a: |\n  b\tc", {"a": "b\tc"}),
    ("a: 1\na: 2", {"a": "2"}),
    ("- a", ["a"]),
    ("a", "a"),
]


@pytest.mark.parametrize(("source", "expected"), READ)
def test_read(source: str, expected: object) -> None:
    assert yaml_reader.read_yaml(source) == expected


# source, the line of the file that YAML points at
NOT_YAML = [
    ("a: b: c", 2),
    ("x: y\na: `b`", 3),
    ('a: "b\nc: d', 2),
    ("a: b\tc", 2),
    ("x: y\na:\tb", 3),
    ("a: [b", 2),
    ("a: " + "[" * 3000, 2),
    ("a: " + "[" * 100_000, 2),
    ("\t" + "[" * 3000, 2),
    ("{{a}}: b", 2),
    ("x: y\na: \x00", 3),
    ("x: y\na: \x7f", 3),
    ("\na: \x00", 3),
    ("a: *b", 2),
    ("a: >#b\n  c", 2),
    ("x: y\na: |2-#b\n  c", 3),
    ("a: b\n---\nc: d", 3),
    ("? [a]\n: b", 2),
]


@pytest.mark.parametrize(("source", "line"), NOT_YAML)
def test_not_yaml(source: str, line: int) -> None:
    with pytest.raises(yaml_reader.YamlFault) as caught:
        yaml_reader.read_yaml(source)
    assert caught.value.line == line


# source, key, the line of the file on which YAML sees it
LINES = [
    ("a: b\n'c': d\ne: f", "c", 3),
    ("a: b\nc: d", "a", 2),
    ("a: 1\na: 2", "a", 3),
    ("a: b", "c", 1),
    ("- a", "a", 1),
]


@pytest.mark.parametrize(("source", "key", "line"), LINES)
def test_line_of(source: str, key: str, line: int) -> None:
    assert yaml_reader.line_of(source, key) == line


# text, what YAML reads for `a`, as text
TEXTS = [
    ("---\na: b\n---\n", "b"),
    ("---\na: [b, {c: d}, e]\n---\n", "b; e"),
    ("---\na: {b: c}\n---\n", ""),
    ("---\nb: c\n---\n", ""),
    ("---\n- a\n---\n", ""),
    ("---\na: b: c\n---\n", ""),
    ("a: b\n", ""),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_value_text(text: str, expected: str) -> None:
    assert yaml_reader.Reading(text).text("a") == expected


def test_without_libyaml_the_result_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CBaseLoader")
    for source, expected in READ:
        assert yaml_reader.read_yaml(source) == expected
    for source, _ in NOT_YAML:
        with pytest.raises(yaml_reader.YamlFault):
            yaml_reader.read_yaml(source)


@pytest.mark.parametrize("failure", [RecursionError(), ValueError(), yaml.YAMLError()])
def test_whatever_a_parser_fails_with_it_is_not_yaml(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr("frontmatter.default_handlers.YAMLHandler.load", fail)
    with pytest.raises(yaml_reader.YamlFault) as caught:
        yaml_reader.read_yaml("a: b")
    assert caught.value.line == 2
