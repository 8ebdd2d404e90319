"""Which commit may change what, as its subject says.

Source of every rule here: docs/protocol.md, "Who writes what".
"""

from __future__ import annotations

from nestwork_hooks.protocol import layout

MEMORY = "memory:"
DISTILLATION = "memory: distill shared"
_UPDATE = "memory: update "
# Commits that git or the nest's own scripts make, or that go into another one before it counts.
_FREE = (
    *('Revert "', 'Reapply "', "fixup! ", "squash! ", "amend! "),
    *("chore: update nestwork protocol from upstream", "chore: sync "),
)


def is_free(subject: str) -> bool:
    """Whether a commit with this subject may change anything; an empty one git refuses by itself."""
    return not subject or subject.startswith(_FREE)


def is_distillation(subject: str) -> bool:
    """Whether the subject is that of a distillation, alone or with words behind it."""
    return subject == DISTILLATION or subject.startswith((f"{DISTILLATION} ", f"{DISTILLATION}:"))


def updated_scope(subject: str) -> str:
    """The scope that `memory: update <host>/<agent-id>` names; `""` where it names none."""
    if not subject.startswith(_UPDATE):
        return ""
    host, _, rest = subject.removeprefix(_UPDATE).strip().removeprefix("agents/").partition("/")
    agent = (rest.split() or [""])[0].rstrip("/:,;.")
    scope = f"agents/{host}/{agent}"
    return scope if layout.is_scope(scope) else ""


def is_foreign(path: str, subject: str) -> bool:
    """Whether a commit with this subject leaves the file at `path` alone."""
    scope = updated_scope(subject)
    if scope:
        return not path.startswith(f"{scope}/")
    return subject.startswith(MEMORY) and path.startswith(f"{layout.QUEEN}/")


def is_shared(path: str) -> bool:
    """Whether only a distillation changes the file at `path`."""
    return path.startswith(f"{layout.SHARED}/")


def is_structure(path: str, *, edited: bool) -> bool:
    """Whether a change of `shared/` is one of its topics: no edit of a text, and no other file."""
    return not edited and layout.topic_name(path) is not None
