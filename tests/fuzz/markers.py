"""Fuzz the search for the one block of a memory.md."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["nestwork_hooks"]):
    from nestwork_hooks.protocol import index, markers
    from tests import laws

_EMPTY = index.render([])


def test_one_input(data: bytes) -> None:
    """Take the bytes as a memory.md, and as what stands above, inside and below its markers."""
    laws.block_is_replaced(data, _EMPTY)
    third = len(data) // 3
    above, inside, below = data[:third], data[third : 2 * third], data[2 * third :]
    memory = b"\n".join((above, markers.BEGIN, inside, markers.END, below))
    laws.block_is_replaced(memory, _EMPTY)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
