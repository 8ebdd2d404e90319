"""Print how time grows with adversarial text: n bytes against 4 n; about 4 is linear.

python -m tests.growth
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from nestwork_hooks.protocol import (
    front_matter,
    handwritten,
    line_reader,
    markers,
    yaml_reader,
)
from nestwork_hooks.protocol.content import CHUNK
from nestwork_hooks.protocol.difference import difference
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.topic import FRONT, read_topic

_ENTRY = "- [`a.md`](a.md) — b (0.1 KB)\n"
HEADS = {
    "short lines": "a:\n",
    "near misses": "descr\n",
    "keys that are near misses": "descriptiom: x\n",
    "colons": "a: b: ",
    "comments": "a #",
    "flow": "[a, ",
    "balanced flow": "[" * 60 + "]" * 60 + ",\n",
    "mappings": "{a: ",
    "dashes": "- ",
    "questions": "? ",
    "quotes": "'\"",
    "backslashes": "\\",
    "repeated keys": "description: a\nupdated: b\n",
    "blank lines": "\n",
    "spaces": " ",
    "tabs": "\t:",
    "line separators": "description:\u2028",
    "anchors": "a: &a b\n",
    "aliases": "&a a: *a\n",
}
MEMORIES = {
    "line ends": b"\n",
    "returns": b"\r",
    "short lines": b"a\n",
    "spaces": b" ",
    "fences": b"```\n",
    "growing fences": b"````````",
    "list fences": b"- ```\n  x\n",
    "tabs before fences": b"\t\t\t```\n",
    "markers in text": b"> " + markers.BEGIN + b"\n",
    "conflicts": b"<<<<<<< a\n=======\n>>>>>>> b\n",
    "open conflicts": b"<<<<<<< a\n",
}


def _front(kind: str, size: int, prefix: str = "") -> str:
    return f"---\n{prefix}{(HEADS[kind] * size)[:size]}\n---\n"


def _memory(kind: str, size: int) -> bytes:
    return (MEMORIES[kind] * size)[:size] + b"\n" + markers.BEGIN + b"\n" + markers.END


def _index(size: int) -> str:
    return "".join(_ENTRY.replace("a.md", f"{number}.md") for number in range(size // 50))


def _seconds(work: Callable[[], object]) -> float:
    return min(_once(work) for _ in range(3))


def _once(work: Callable[[], object]) -> float:
    start = time.process_time()
    try:
        work()
    except yaml_reader.YamlFault:
        pass
    return time.process_time() - start


def _print(name: str, of: Callable[[int], Callable[[], object]], size: int) -> None:
    small, large = _seconds(of(size)), _seconds(of(4 * size))
    print(
        f"{name:45} {size:>9,} B {small:8.4f} s {4 * size:>9,} B {large:8.4f} s {large / small:5.1f}"
    )


def main() -> None:
    """Measure everything that looks at text whose author may be hostile."""
    small = FRONT // 4
    for kind in HEADS:
        for prefix in ("", "description: a\n", "description: "):
            _print(f"judge {kind} after {prefix!r}", partial(_work_judge, kind, prefix), small)
        _print(f"YAML {kind}", partial(_work_yaml, kind), small)
    for kind in MEMORIES:
        _print(f"markers {kind}", partial(_work_block, kind), markers.MOST_BYTES // 16)
    _print("difference", _work_difference, 1 << 18)
    _print("entry", lambda n: lambda: handwritten.link("- [`" + "`](" * (n // 3)), 1 << 18)
    _print("entry as found", _work_entry, 1 << 18)
    _print("escaped", lambda n: lambda: escaped("\u202e" * n, n), 1 << 14)
    _print("topic", lambda n: lambda: read_topic("t.md", [b"\r\n" * (n // 2)]), CHUNK // 8)


def _work_judge(kind: str, prefix: str, size: int) -> Callable[[], object]:
    head = _front(kind, size, prefix)
    return lambda: front_matter.judge(line_reader.Head(head))


def _work_yaml(kind: str, size: int) -> Callable[[], object]:
    source = (HEADS[kind] * size)[:size]
    return lambda: (yaml_reader.read_yaml(source), line_reader.Head(source))


def _work_block(kind: str, size: int) -> Callable[[], object]:
    data = _memory(kind, size)
    return lambda: markers.find_block(data)


def _work_difference(size: int) -> Callable[[], object]:
    old, new = _index(size), _index(size)[: size // 2]
    return lambda: difference(old, new)


def _work_entry(size: int) -> Callable[[], object]:
    line = "- [`" + "`](" * (size // 6) + ") — xx" * (size // 12)
    return lambda: handwritten.link(line)


if __name__ == "__main__":
    main()
