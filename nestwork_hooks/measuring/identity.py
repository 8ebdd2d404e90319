"""Which agents work on this machine, by the files that a nest's installer leaves at home."""

from __future__ import annotations

import os

HOST = ".nestwork_host"
ID = ".nestwork_id_"
# A name in such a file is one short line; of anything longer no more is read, in bytes.
_LONGEST = 1_024


def local_agents(tool: str = "") -> list[str]:
    """The scopes of this machine's agents (`agents/<host>/<id>`), sorted; often there are none.

    Only those of tools whose name begins with `tool`.
    """
    home = os.path.expanduser("~")
    host = _name(os.path.join(home, HOST))
    try:
        files = (
            [file for file in os.listdir(home) if file.startswith(f"{ID}{tool}")] if host else []
        )
    except OSError:
        files = []
    ids = {_name(os.path.join(home, file)) for file in files}
    return [f"agents/{host}/{name}" for name in sorted(ids - {""})]


def _name(path: str) -> str:
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            return file.read(_LONGEST).strip()
    except OSError:
        return ""
