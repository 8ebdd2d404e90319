"""What holds for every input, as assertions that property tests and fuzzers share."""

from __future__ import annotations

import re

import yaml

from nestwork_hooks.checkers import missing_description, nesting_depth
from nestwork_hooks.protocol import (
    alike,
    handwritten,
    index,
    layout,
    markers,
    unpaired,
    yaml_reader,
)
from nestwork_hooks.protocol.content import CHUNK, Unread
from nestwork_hooks.protocol.difference import difference
from nestwork_hooks.protocol.finding import ERROR, FILE, WARNING, Fault, Replace
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.mending import mendings
from nestwork_hooks.protocol.naming import Siblings
from nestwork_hooks.protocol.soundness import PLACEHOLDER
from nestwork_hooks.protocol.text import could_forge
from nestwork_hooks.protocol.topic import Topic, read_topic
from nestwork_hooks.protocol.value import NOUNS, line_of

_REMEDY = re.compile(r"(?:^|\W)write ((description|updated): .*?)(?=; and on line \d+: |$)")
_OBEYED = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0001]"
    "|##[A-Za-z]*\\[|[ -~][\u200c\u200d\ufe00-\ufe0f\U000e0020-\U000e01ef](?!\u20e3)"
)


def head_with(fields: dict[str, str]) -> Head:
    """The first lines of a topic with these keys and values, whatever characters they hold."""
    head = Head("")
    head.fields = fields
    return head


def chunks(data: bytes, size: int = CHUNK) -> list[bytes]:
    """The bytes of a file as `read_topic` wants them."""
    return [data[at : at + size] for at in range(0, len(data) + 1, size)]


def is_safe_to_print(text: str) -> None:
    """One line that UTF-8 can hold, and that neither a terminal nor a log viewer obeys."""
    assert not _OBEYED.search(text), ascii(text)


def topic_is_judged(data: bytes) -> None:
    """Any bytes are a topic or unread; any topic is judged, and a remedy mends what it is for."""
    topic = read_topic("t.md", chunks(data))
    if isinstance(topic, Unread):
        fault_is_sound(topic.fault, data.count(b"\n") + 1)
        return
    assert topic.size == len(data.replace(b"\r\n", b"\n"))
    is_judged(topic.head.text)
    entry = index.entry(topic)
    if index.lists(topic):
        assert "\n" not in entry
        found = handwritten.link(entry)
        assert found
        assert found[0] == "t.md"


def unlisted_has_an_error(name: str, data: bytes) -> None:
    """A topic that no index lists has an error of its own, from what judges one topic."""
    topic = read_topic(name, chunks(data))
    if isinstance(topic, Unread):
        assert topic.fault.level == ERROR
        return
    bad_name = nesting_depth.judge(name, Siblings("shared", [name]), "shared/")
    found = [*missing_description.faults(topic), *([bad_name] if bad_name else [])]
    if not index.lists(topic):
        has_error = layout.is_too_deep(name) or any(fault.level == ERROR for fault in found)
        assert has_error, (name, data)
    else:
        assert not could_forge(index.entry(topic)), (name, data)


def is_judged(head: str) -> None:
    """Front matter is judged without an exception; without a fault both readers see the same."""
    parsed = Head(head)
    faults, fields = mendings(parsed), parsed.fields
    assert line_of("description", parsed) <= head.count("\n") + 1
    assert len({fault.rule for fault in faults}) == len(faults)
    for fault in faults:
        fault_is_sound(fault, head.count("\n") + 2)
        remedies_mend(fault)
    if all(fault.level == WARNING for fault in faults):
        assert fields["description"]
    if not faults:
        source = yaml_reader.front_matter(head)
        assert source is not None
        keys = all_yaml_reads(source)
        assert keys["description"] == fields["description"]
        assert (keys.get("updated") or "") == fields.get("updated", "")
    elif all(fault.fix for fault in faults):
        edits_mend(head, faults)


def edits_mend(head: str, faults: list[Fault]) -> None:
    """All edits together, from the last to the first, leave no fault, and warnings no trace."""
    fixes = [fault.fix for fault in faults if isinstance(fault.fix, Replace)]
    mended = head
    for fix in sorted(fixes, key=lambda fix: fix.first, reverse=True):
        assert fix.text.endswith("\n") or not fix.text
        lines = mended.split("\n")
        lines[fix.first - 1 : fix.last] = fix.text.split("\n")[:-1]
        mended = "\n".join(lines)
    assert not mendings(Head(mended)), (head, mended)
    if all(fault.level == WARNING for fault in faults):
        before, after = Head(head).fields, Head(mended).fields
        assert all(before.get(key) == after.get(key) for key in ("description", "updated"))


def fault_is_sound(fault: Fault, lines: int) -> None:
    """A fault has a place in the file, and a message that is safe to print."""
    assert 1 <= fault.line <= lines, (fault.line, lines)
    assert fault.level in (ERROR, WARNING)
    is_safe_to_print(fault.message.replace(FILE, "t.md"))


def remedies_mend(fault: Fault) -> None:
    """The lines that a message says to write make front matter without a fault."""
    for line, key in _REMEDY.findall(fault.message):
        if PLACEHOLDER in line:
            continue
        other = "" if key == "description" else 'description: "When to read this file"\n'
        head = f"---\n{other}{line}\n---\n"
        again = mendings(Head(head))
        assert not again, (line, again[0].message)
        assert index.lists(Topic("t.md", 0, Head(head)))


def all_yaml_reads(source: str) -> dict[str, object]:
    """The keys that YAML reads, the same ones with libyaml and without."""
    read = yaml.load(source, Loader=yaml.BaseLoader) or {}
    if source.replace("\n", "").isprintable():
        assert (yaml.load(source, Loader=yaml.CBaseLoader) or {}) == read
    assert isinstance(read, dict)
    return read


def is_read_alike(source: str, *, by_both: bool = True) -> bool:
    """Whether the shortcut takes this front matter; if it does, both readers read the same texts.

    `by_both` asks the parser in Python too, which takes ten times as long.
    """
    if not alike.reads_alike(source):
        return False
    head = f"---\n{source}\n---\n"
    assert yaml_reader.front_matter(head) == source
    read = all_yaml_reads(source) if by_both else yaml_reader.read_yaml(source) or {}
    assert isinstance(read, dict), source
    fields = Head(head).fields
    assert all(fields[key] == text for key, text in read.items() if isinstance(text, str)), source
    for key in NOUNS:
        assert isinstance(read.get(key, ""), str), source
        assert read.get(key) == fields.get(key), source
    return True


def block_is_replaced(memory: bytes, text: str) -> None:
    """An index goes into its block, nothing else changes, and a second time changes nothing."""
    block = markers.find_block(memory)
    if isinstance(block, markers.Broken):
        broken = unpaired.fault(memory, block)
        assert 1 <= broken.line <= len(memory.splitlines())
        is_safe_to_print(broken.message)
    if not isinstance(block, markers.Block):
        return
    start, stop = block.start, block.stop
    assert memory[start:].startswith(markers.BEGIN)
    assert memory[:stop].endswith(markers.END)
    after, moved = handwritten.splice(memory, block, text)
    assert after.startswith(memory[:start])
    if not moved:
        assert after[start:] == text.encode().replace(b"\n", block.newline) + memory[stop:]
    no_line_is_lost(memory, text)


def no_line_is_lost(memory: bytes, text: str) -> None:
    """What nobody generated is there afterwards, in order; a second time changes nothing.

    Or the markers would be none any more, which whoever writes the file has to refuse.
    """
    block = markers.find_block(memory)
    if not isinstance(block, markers.Block):
        return
    after, moved = handwritten.splice(memory, block, text)
    lines = [line for line in after.splitlines() if line.strip()]
    for number in moved:
        line = memory.splitlines()[number - 1]
        assert not line.strip() or line in lines
    kept = iter(memory[block.stop :].splitlines())
    assert all(line in after.splitlines() for line in kept if line.strip())
    again = markers.find_block(after)
    if not isinstance(again, markers.Block):
        assert moved
        return
    assert (again.start, again.line, again.newline) == (block.start, block.line, block.newline)
    assert index.current(after, again) == text
    assert handwritten.splice(after, again, text) == (after, [])


def index_parses_back(topics: list[Topic]) -> str:
    """The index names exactly the topics it can list, once each, whatever order they come in."""
    text = index.render(topics)
    assert index.render(topics[::-1]) == text
    names = {found[0] for found in map(handwritten.link, text.split("\n")) if found}
    listed = [topic.name for topic in topics if index.lists(topic)]
    assert names == set(listed)
    assert text.count("\n- ") == len(listed)
    assert difference(text, text) is None
    return text


def difference_is_said(actual: str, expected: str) -> None:
    """Two indexes are called equal if and only if they are; how they differ is safe to print."""
    found = difference(actual, expected)
    assert bool(found) == (actual != expected)
    if found:
        assert found.said(1, {})
        is_safe_to_print(found.said(1, {}))


def has_lone_surrogate(text: str) -> bool:
    """Whether no bytes could have been decoded to this text."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
