"""The report as JSON, with everything that the text shows and every file."""

from __future__ import annotations

from typing import Any

from nestwork_hooks.measuring.figures import ROWS, WHOLE, Figures, Start, resident_changes
from nestwork_hooks.measuring.snapshot import File, Snapshot
from nestwork_hooks.protocol.resident import START_BYTES
from nestwork_hooks.protocol.text import decodable, json_text


def as_json(now: Figures, before: Figures | None, exact: bool, most: int | None) -> str:
    """The report on one line, in ASCII. `most` is the limit of tokens at a start, if any."""
    report: dict[str, Any] = {
        "version": 1,
        "place": _place(now.snapshot),
        "against": _place(before.snapshot) if before else None,
        "tokens": {"encoding": "o200k_base", "exact": exact},
        "max_start_tokens": most,
        "task": {"opens": [decodable(path) for path in now.opened], "by_default": now.by_default},
        "agents": [_start(start, before) for start in now.starts],
        "largest": _name(now.largest),
        "resident": [
            {**_file(bar.file), "budget": bar.budget, "committed": bar.file.committed}
            for bar in now.bars()
            if bar.file
        ],
        "topics": [_file(file) for file in now.topics()],
        "memories": [_file(file) for file in now.memories()],
        "without_topics": [decodable(file.path) for file in now.without_topics()],
        "files": [_file(file) for file in now.files()],
        "not_read": [
            {"path": decodable(file.path), "reason": file.reason}
            for file in now.files()
            if file.reason
        ],
        "broken_markers": [decodable(path) for path in now.snapshot.broken],
    }
    if before:
        report["resident_changes"] = [
            {"path": decodable(path), "before": was and _file(was), "now": now_is and _file(now_is)}
            for path, was, now_is in resident_changes(now, before)
        ]
    return json_text(report)


def _place(snapshot: Snapshot) -> dict[str, str]:
    place = snapshot.place
    return {"kind": place.kind, "revision": decodable(place.revision), "commit": place.commit}


def _start(start: Start, before: Figures | None) -> dict[str, Any]:
    return {
        "agent": _name(start),
        "start": {"bytes": start.budgeted_bytes(), "budget": START_BYTES},
        "rows": {key: _row(start, key, before) for key in ROWS},
    }


def _name(start: Start) -> str | None:
    return decodable(start.agent) if start.agent else None


def _row(start: Start, key: str, before: Figures | None) -> dict[str, Any]:
    row = start.rows[key]
    found: dict[str, Any] = {
        "files": len(row.files),
        "bytes": row.bytes,
        "tokens": row.tokens,
        "exact": row.exact,
        "ratio": start.ratio(key),
        "not_read": len(row.unread),
    }
    if before:
        change = row.since(before.start_of(start.agent).rows[key])
        found["change"] = dict(zip(("files", "bytes", "tokens"), change, strict=True))
    if key != WHOLE:
        found["paths"] = [decodable(file.path) for file in row.files]
    return found


def _file(file: File) -> dict[str, Any]:
    return {
        "path": decodable(file.path),
        "bytes": None if file.reason else file.bytes,
        "tokens": None if file.reason else file.tokens,
        "exact": file.exact,
    }
