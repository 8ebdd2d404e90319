"""Fuzz the index: made of topics, put into a memory.md, compared, parsed back."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["nestwork_hooks"]):
    from nestwork_hooks.protocol import index, markers
    from nestwork_hooks.protocol.topic import Topic
    from tests import laws


def test_one_input(data: bytes) -> None:
    """Take the bytes as the names and fields of some topics, and the rest as a memory.md."""
    source = atheris.FuzzedDataProvider(data)
    topics: dict[str, Topic] = {}
    for _ in range(source.ConsumeIntInRange(0, 4)):
        name = source.ConsumeUnicode(12).replace("`", "'").replace("\0", "") + ".md"
        fields = {key: source.ConsumeUnicode(20) for key in ("description", "updated")}
        if not any(laws.has_lone_surrogate(text) for text in fields.values()):
            topics[name] = Topic(name, source.ConsumeIntInRange(0, 1 << 20), laws.head_with(fields))
    text = laws.index_parses_back(list(topics.values()))
    rest = source.ConsumeBytes(1 << 12)
    laws.block_is_replaced(rest, text)
    laws.block_is_replaced(b"\r\n".join((b"#", markers.BEGIN, rest, markers.END, rest)), text)
    laws.difference_is_said(rest.decode("utf-8", "surrogateescape"), text)
    laws.difference_is_said(text + rest.decode("utf-8", "surrogateescape"), index.render([]))


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
