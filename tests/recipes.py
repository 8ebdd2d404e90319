"""The scripts for tool hooks, as they stand in docs/agents.md."""

from __future__ import annotations

import re

from tests.conftest import PROJECT


def _scripts() -> list[str]:
    text = (PROJECT / "docs/agents.md").read_text(encoding="utf-8")
    section = text.split("\n## In a tool hook\n")[1].split("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


KEEP_MEMORY, WITHOUT, CALL, FUNCTION, EXPORTS = _scripts()
