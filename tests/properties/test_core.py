"""Laws of the pure core, on random and on hostile input."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.checkers import nesting_depth
from nestwork_hooks.protocol import index, markers, naming, topic
from nestwork_hooks.protocol.content import ByteCount, Unread, holds
from nestwork_hooks.protocol.text import escaped, named
from nestwork_hooks.protocol.topic import Topic, read_topic
from tests import laws
from tests.conftest import with_slow
from tests.properties import texts
from tests.properties.conftest import examples


@given(texts.topic_bytes)
@examples(100)
def test_every_topic_is_judged(data: bytes) -> None:
    laws.topic_is_judged(data)


@given(st.one_of(texts.names, texts.forging_names), texts.topic_bytes | texts.forging_topics)
@examples(100)
def test_a_topic_that_no_index_lists_has_an_error(name: str, data: bytes) -> None:
    laws.unlisted_has_an_error(name, data)


_VALUES = [shape.format(text) for shape in texts.SHAPES[:3] for text in texts.FORGING]
_MEETING = {
    "some": list(zip(_VALUES, reversed(_VALUES), strict=True)),
    "all": list(product(_VALUES, _VALUES)),
}


@pytest.mark.parametrize("which", with_slow(_MEETING, "some"))
def test_a_topic_that_no_index_lists_has_an_error_whatever_meets_in_its_fields(which: str) -> None:
    for description, updated in _MEETING[which]:
        text = f"---\ndescription: {description}\nupdated: {updated}\n---\n"
        laws.unlisted_has_an_error("->.md", text.encode())


@given(texts.front_matters)
@examples(100)
def test_every_front_matter_is_judged(head: str) -> None:
    laws.is_judged(head.replace("\r\n", "\n").replace("\r", "\n"))


@given(texts.front_matter_sources)
@examples(150)
def test_what_the_shortcut_takes_is_read_alike(source: str) -> None:
    laws.is_read_alike(source)


_PLAIN = st.text(st.sampled_from("ab1 :#'\"\\-?,[]{}&*!|>%@`~=.<é\U0001f4bb"), max_size=12)


@given(st.lists(_PLAIN, max_size=4))
@examples(150)
def test_what_the_shortcut_takes_of_likely_lines_is_read_alike(values: list[str]) -> None:
    laws.is_read_alike("\n".join(f"k{number}: {value}" for number, value in enumerate(values)))


@given(st.characters(), st.characters(), st.sampled_from(["{}a", "a{}", "a{}b", '"{}"', "{}"]))
@examples(150)
def test_no_single_character_is_taken_and_read_otherwise(one: str, other: str, shape: str) -> None:
    for char in (one, other, one + other):
        laws.is_read_alike("k: " + shape.format(char))
        laws.is_read_alike(char + ": v")


_PIECES = st.sampled_from([b"<", b"<<", b"<<<FILE ", b"FILE ", b"\r", b"<<<FILE", b"a", b"\n"])


@given(
    st.lists(_PIECES, max_size=9).map(b"".join),
    st.sampled_from([b"", b"a" * 70_000, b"<" * 200 + b"a" * 70_000]),
    st.none() | st.integers(0, 70_000),
)
@examples(100)
def test_a_sign_is_found_wherever_it_is(data: bytes, more: bytes, stop: int | None) -> None:
    for text in (data + more, more + data):
        assert holds(text, b"<<<FILE ", stop) == (b"<<<FILE " in text[:stop])
        assert holds(text, b"<<<FILE ", len(data)) == (b"<<<FILE " in text[: len(data)])


_PARTS = st.sampled_from(
    ["a", "A-1", "_", "b_c", "-d", "con", "NUL", "e.f", ".", "g ", "", "9", "\xe9"]
)


@given(
    st.lists(_PARTS, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["shared", "agents/h/i"]),
)
@examples(150)
def test_nothing_is_wrong_with_a_plain_name(stem: str, scope: str) -> None:
    name = f"{stem}.md"
    if naming.are_plain([name], scope):
        siblings = naming.Siblings(scope, [name])
        assert nesting_depth.judge(name, siblings, f"{scope}/") is None


@given(st.one_of(texts.memories, texts.opted_in_memories))
@examples(150)
def test_a_block_is_the_same_where_every_line_is_looked_at(memory: bytes) -> None:
    block = markers.plain_block(memory, memory.rfind(markers.BEGIN), memory.rfind(markers.END))
    if block:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(markers, "plain_block", lambda *_: None)
            found = markers.find_block(memory)
        assert isinstance(found, markers.Block)
        assert vars(found) == vars(block)


@given(st.one_of(texts.memories, texts.opted_in_memories, st.binary()), texts.topics)
@examples(60)
def test_only_the_block_is_replaced(memory: bytes, topics: list[Topic]) -> None:
    laws.block_is_replaced(memory, index.render(topics))


@given(texts.topics, st.randoms(use_true_random=False))
@examples(75)
def test_an_index_parses_back_whatever_the_order(topics: list[Topic], order: random.Random) -> None:
    text = laws.index_parses_back(topics)
    order.shuffle(topics)
    assert index.render(topics) == text


@given(st.one_of(st.text(), texts.memories.map(lambda data: data.decode("utf-8", "replace"))))
@examples(50)
def test_a_difference_is_said(actual: str) -> None:
    laws.difference_is_said(actual, index.render([]))


@given(texts.topics, texts.topics)
@examples(50)
def test_a_difference_of_two_indexes_is_said(old: list[Topic], new: list[Topic]) -> None:
    laws.difference_is_said(index.render(old), index.render(new))


@given(st.text(st.characters()), st.integers(4, 60))
@examples(75)
def test_what_is_shown_is_safe(text: str, limit: int) -> None:
    laws.is_safe_to_print(escaped(text, limit))
    laws.is_safe_to_print(named([text] * 5))


@given(st.lists(st.sampled_from([b"\r", b"\n", b"a", b"\r\n"]), max_size=12))
@examples(50)
def test_bytes_are_counted_alike_however_they_are_cut(cuts: list[bytes]) -> None:
    count = ByteCount()
    for chunk in cuts:
        count.add(chunk)
    assert count.total == len(b"".join(cuts).replace(b"\r\n", b"\n"))


@given(data=st.one_of(st.binary(max_size=60), texts.topic_bytes), size=st.integers(10, 20))
@examples(75)
def test_a_topic_is_the_same_in_chunks_of_any_size(data: bytes, size: int) -> None:
    whole = read_topic("t.md", laws.chunks(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topic, "CHUNK", size)
        cut = read_topic("t.md", laws.chunks(data, size))
    if isinstance(whole, Unread):
        assert isinstance(cut, Unread)
        assert cut.size == whole.size
    elif isinstance(cut, Topic):
        assert cut.size == whole.size
