"""What `nestwork-commit` is asked for on its command line."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.writing.lock import RETRIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

NAME = "nestwork-commit"
# What the line begins with if nothing was committed, whatever the reason.
FAILED = "not committed"


class Words(Frozen):
    """What the command line asks for."""

    scope: str = ""
    message: str = ""
    retries: int = RETRIES
    exclude: re.Pattern[str] | None = None
    root: str = ""
    push: bool = False
    tool_hook: bool = False
    today: bool = False
