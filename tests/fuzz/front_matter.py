"""Fuzz the readers and the judge of front matter."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["nestwork_hooks"]):
    from tests import laws


def test_one_input(data: bytes) -> None:
    """Take the bytes as a topic, as what stands in its front matter, and as one value."""
    laws.topic_is_judged(data)
    laws.topic_is_judged(b"---\n" + data + b"\n---\n")
    laws.topic_is_judged(b"---\ndescription: " + data + b"\nupdated: 2026-09-27\n---\n")
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    laws.is_read_alike(text)
    laws.is_read_alike("key: " + text)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
