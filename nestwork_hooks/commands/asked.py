"""What `nestwork-commit` is asked for on its command line."""

from __future__ import annotations

from nestwork_hooks.console.parser import ROOT, Flag, Parser, regex, whole
from nestwork_hooks.light import Frozen
from nestwork_hooks.nest.request import as_listed
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.writing.lock import RETRIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

NAME = "nestwork-commit"
# What the line begins with if nothing was committed, whatever the reason.
FAILED = "not committed"

_FLAGS = (
    Flag("scope", "shared or agents/<host>/<agent-id>", str, "SCOPE", required=True),
    Flag("--message", "the message of the commit", str, short="-m", required=True, free=True),
    Flag(
        "--tool-hook",
        "read the event of an agent's tool on standard input, in place of SCOPE and MESSAGE",
    ),
    Flag("--push", "then push, and bring this clone along where another one was quicker"),
    Flag(
        "--retries",
        f"how often a lock of another process is tried again (default {RETRIES}: some seconds)",
        whole,
        "N",
    ),
    Flag("--exclude", "say and write nothing of paths that match", regex, "REGEX"),
    Flag(
        "--today",
        "set updated of the topics whose text changes, and bad dates, to today's (UTC)",
    ),
    ROOT,
)


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


def asked(args: Sequence[str], about: str) -> Words:
    """Take the command line apart; `about` is what `--help` begins with. Exits with 2 on a usage error."""
    parser = Parser(NAME, about, _FLAGS, failed=f"{FAILED}: ", alone="tool_hook")
    found = parser.parse(args)
    words = Words(**found)
    if words.tool_hook:
        if found.keys() & {"scope", "message", "root"}:
            parser.error("--tool-hook goes without SCOPE, --message and --root")
        return words
    if not words.message.strip():
        parser.error("the message is empty")
    scope = as_listed(words.scope)
    if words.root:
        scope = scope.removeprefix(f"{as_listed(words.root)}/")
    if not layout.is_scope(scope):
        parser.error(f"{escaped(words.scope)} is no scope: name shared or agents/<host>/<agent-id>")
    return words.replace(scope=scope)
