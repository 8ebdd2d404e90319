"""The nest's tree: scopes, topics, reserved paths, resident files (docs/protocol.md).

A path is below the nest's root, with `/`; bytes that are not UTF-8 stand in it as
surrogates, the way `os.fsdecode` leaves them.
"""

from __future__ import annotations

QUEEN = "queen"
SHARED = "shared"
TOP_FOLDERS = (QUEEN, SHARED, "agents")
# Those that hold memory, and the folders in them that do not
# (docs/protocol.md, "What a start and a task read").
FOLDERS = (QUEEN, SHARED, "projects", "workflow", "agents")
_IN_FOLDERS = tuple(f"{folder}/" for folder in FOLDERS)
_NO_MEMORY = frozenset({"outbox", "local", "comms", "archive", ".git"})
RULES = f"{QUEEN}/agent-rules.md"
# The nest's own line limits, where it has any.
LIMITS = f"{QUEEN}/limits.md"
SHARED_RESIDENT = "shared/resident.md"
MEMORY = "memory.md"
RESIDENT = "resident.md"
# Whatever gives this path an attribute, though no agent is called so, gives it to every agent's.
ANY_MEMORY = f"agents/*/*/{MEMORY}"
RESERVED_FOLDERS = frozenset({"outbox", "local", "carryover", "comms", "inbox", "archive"})
DEEPEST = 2
# What is never tracked: session histories, names to redact, what was read already.
_PRIVATE_FOLDER = "local"
PRIVATE = (_PRIVATE_FOLDER, "nestwork.config.json", "comms/seen.txt")
# The instructions for agents in the nest's root; the second mirrors the first.
GUIDES = ("AGENTS.md", "CLAUDE.md")
# What the fixer writes first: never a topic, and left behind only by a run that was killed.
TEMPORARY = ".nestwork-fix-"


def scope_of(path: str) -> str | None:
    """The scope that `path` lies in (`shared`, `agents/<host>/<id>`), or None."""
    if path.startswith("shared/"):
        return SHARED
    if path.startswith("agents/"):
        host = path.find("/", 7)
        end = path.find("/", host + 1)
        if 7 < host < end - 1:
            return path[:end]
    return None


def is_scope(folder: str) -> bool:
    """Whether `folder`, without a `/` at its end, is where a scope lives."""
    return scope_of(f"{folder}/{MEMORY}") == folder


def is_temporary(path: str) -> bool:
    """Whether the file at `path` is one that a fixer writes into and then renames."""
    return path[path.rfind("/") + 1 :].startswith(TEMPORARY)


def topic_name(path: str) -> str | None:
    """The name below its scope of the topic at `path`; None where no topic can be.

    A topic is a topic at any depth: that it is too deep to be listed is a finding.
    """
    scope = scope_of(path)
    if scope is None or not path.endswith(".md"):
        return None
    name = path[len(scope) + 1 :]
    if name in (MEMORY, RESIDENT):
        return None
    below = f"/{name}"
    if "/_" in below or "/." in below:
        return None
    return name if RESERVED_FOLDERS.isdisjoint(name.split("/")) else None


def is_private(path: str) -> bool:
    """Whether the file at `path` stays on one machine.

    docs/protocol.md, "What the nest's scripts expect".
    """
    if f"{_PRIVATE_FOLDER}/" not in path:
        return path in PRIVATE and path != _PRIVATE_FOLDER
    parts = path.split("/")
    below = parts[3:] if parts[0] == "agents" else parts
    return len(below) > 1 and below[0] == _PRIVATE_FOLDER


def ignore_line(path: str) -> str:
    """The line of the nest's `.gitignore` that keeps a private path out of git."""
    if path.startswith("agents/"):
        return f"agents/*/*/{_PRIVATE_FOLDER}/"
    return f"/{path}" if path in PRIVATE else f"/{_PRIVATE_FOLDER}/"


def is_misplaced(path: str) -> bool:
    """Whether `path` is Markdown beside the scopes of agents (docs/protocol.md, "Scopes")."""
    among_agents = path.startswith("agents/") and path.count("/") < 3
    return among_agents and path.endswith(".md") and not path.endswith("/README.md")


def is_out_of_place(path: str) -> bool:
    """Whether a nest has no file at `path`: it is private, or in no scope."""
    return is_private(path) or is_misplaced(path)


def may_be_memory(path: str) -> bool:
    """Whether memory lies at `path` or below it: in a scope, or in a folder that holds scopes."""
    parts = path.split("/")
    if parts[0] == "agents" and 1 < len(parts) < 4 and path.endswith(".md"):
        return False
    return parts[0] in (SHARED, "agents") and not is_private(path)


def memory_of(scope: str) -> str:
    """The file that holds the scope's index."""
    return f"{scope}/{MEMORY}"


def is_memory(path: str) -> bool:
    """Whether `path` is the `memory.md` of a scope."""
    scope = scope_of(path)
    return scope is not None and path == memory_of(scope)


def is_agent_resident(path: str) -> bool:
    """Whether `path` is the resident file of one agent."""
    return path.endswith(f"/{RESIDENT}") and path.count("/") == 3 and path.startswith("agents/")


def is_resident(path: str) -> bool:
    """Whether `path` is read whole at a start: the rules, or a resident file."""
    return path in (RULES, SHARED_RESIDENT) or is_agent_resident(path)


def holds_memory(path: str) -> bool:
    """Whether the file at `path` is a topic, a resident file or the `memory.md` of a scope."""
    return is_memory(path) or is_resident(path) or topic_name(path) is not None


def is_too_deep(name: str) -> bool:
    """Whether a topic of this name lies deeper than `<topic>/<subtopic>.md`."""
    return name.count("/") >= DEEPEST


def is_memory_file(path: str) -> bool:
    """Whether `path` is Markdown that counts as memory: a part of the whole nest."""
    is_in_nest = path.endswith(".md") and path.startswith(_IN_FOLDERS)
    return is_in_nest and _NO_MEMORY.isdisjoint(path.split("/"))
