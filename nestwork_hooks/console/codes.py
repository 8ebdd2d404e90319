"""The exit codes: docs/design.md says what each of them promises."""

from __future__ import annotations

OK, FOUND, UNABLE = 0, 1, 2
