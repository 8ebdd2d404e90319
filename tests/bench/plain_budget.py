"""Check the resident files of a nest against their budgets.

The other plain script that the commands are compared with; see plain.py.

    python plain_budget.py [--root DIR]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

RULES, SHARED, AGENT, START = 4096, 4096, 2048, 10240


def main() -> int:
    """Name what is over its budget; 1 if anything is."""
    parser = argparse.ArgumentParser(description="Check the resident files of a nest.")
    parser.add_argument("--root", type=Path, default=Path())
    root = parser.parse_args().root
    rules, shared = root / "queen/agent-rules.md", root / "shared/resident.md"
    agents = sorted(root.glob("agents/*/*/resident.md"))
    over = [
        f"{path}: {size(path):,} bytes, over {budget:,}"
        for path, budget in [(rules, RULES), (shared, SHARED), *((path, AGENT) for path in agents)]
        if size(path) > budget
    ]
    base = size(rules) + size(shared)
    over += [f"{path}: a start over {START:,}" for path in agents if base + size(path) > START]
    for line in over:
        print(line, file=sys.stderr)
    return 1 if over else 0


def size(path: Path) -> int:
    """The bytes of a file with LF line ends; 0 if there is none."""
    return len(path.read_bytes().replace(b"\r\n", b"\n")) if path.is_file() else 0


if __name__ == "__main__":
    raise SystemExit(main())
