"""The names of topics: what is wrong with one, and a free name that is not.

A name is a topic's path below its scope. docs/protocol.md has what an index and a distillation take;
what Windows takes is in Microsoft's "Naming Files, Paths, and Namespaces".
"""

from __future__ import annotations

from nestwork_hooks.protocol.layout import MEMORY, RESERVED_FOLDERS, RESIDENT, SHARED, is_too_deep
from nestwork_hooks.protocol.text import forging, has_surrogate, is_control

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ENDS_A_LINK = " ()[]<>"
_NOT_ON_WINDOWS = ':*?"|\\<>'
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"}
)
_DISTILLED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def breaks_an_index(name: str) -> str:
    """What of the name no index can hold, as the end of a sentence; `""` if nothing."""
    if has_surrogate(name):
        return "is not UTF-8"
    if found := forging(name):
        return f"has {found}"
    return "has a backtick" if "`" in name else ""


def is_distilled(name: str) -> bool:
    """Whether a distillation takes a topic of this name in `shared/`."""
    parts = name.removesuffix(".md").split("/")
    return all(part and part[0] != "-" and _DISTILLED.issuperset(part) for part in parts)


def are_plain(names: Iterable[str], scope: str) -> bool:
    """Whether all topics of the scope are called so that nothing below finds fault with them.

    Their parts are of ASCII letters, digits, `-` and `_` (what a distillation takes, in `shared/`),
    none is a device, and no topic lies too deep.
    """
    stems = [name.removesuffix(".md") for name in names]
    if any(map(is_too_deep, stems)):
        return False
    text = "/".join(stems)
    if not (text.isascii() and f"_{text.replace('-', '_').replace('/', '_')}".isidentifier()):
        return False
    is_taken = scope != SHARED or is_distilled(text)
    return is_taken and _DEVICES.isdisjoint(text.lower().split("/"))


def not_on_windows(name: str) -> str:
    """Why Windows cannot hold the name, as the end of a sentence; `""` if it can."""
    for char in name:
        if char in _NOT_ON_WINDOWS:
            return f"has {char}"
    for part in name.split("/"):
        if part.endswith((".", " ")):
            return f"has a folder that ends with a {'dot' if part[-1] == '.' else 'space'}"
        if is_device(part):
            return f"has {part.split('.')[0].rstrip()}, the name of a device"
    return ""


def is_device(part: str) -> bool:
    """Whether Windows takes a file or folder of this name for a device."""
    return part.partition(".")[0].rstrip(" ").lower() in _DEVICES


def folded(names: Iterable[str]) -> list[str]:
    """Each name as a system knows it that tells neither case nor Unicode forms apart."""
    text = "\0".join(names)
    if text.isascii():
        return text.lower().split("\0")
    from unicodedata import normalize

    # Only what stays one character: no system takes the German sz for two letters.
    table = {ord(c): f for c in set(normalize("NFC", text)) if len(f := c.casefold()) == 1}
    return normalize("NFC", normalize("NFC", text).translate(table)).split("\0")


class Siblings:
    """The names in one scope, of which no two should be one on any system."""

    def __init__(self, scope: str, names: Iterable[str]) -> None:
        names = list(names)
        self.scope = scope
        # Those two are no topics, but stand in a scope's folder too.
        self._names = [*names, MEMORY, RESIDENT]
        self._keys = folded(self._names)
        self._has_twins = len(set(self._keys)) < len(self._keys)
        self._are_plain = are_plain(names, scope)

    def is_fine(self, name: str) -> bool:
        """Whether provably nothing is wrong with one of the names."""
        return not self._has_twins and (self._are_plain or are_plain([name], self.scope))

    def take(self, name: str) -> None:
        """Let nothing else be moved to this name."""
        self._names.append(name)
        self._keys += folded([name])

    def _alike(self, name: str) -> list[str]:
        """The names that are this one on some system."""
        (wanted,) = folded([name])
        return [n for n, key in zip(self._names, self._keys, strict=True) if key == wanted]

    def twin_of(self, name: str) -> str:
        """Another name that is the same one on some systems; `""` if there is none."""
        return next((n for n in self._alike(name) if n != name), "") if self._has_twins else ""

    def moves(self, name: str) -> list[tuple[str, str]]:
        """The renames, in order, after which nothing is wrong with the name.

        Empty where only the author can find one. A folder moves whole.
        """
        folder, _, last = name.rpartition("/")
        better, stem = self._better(folder), self._better(last.removesuffix(".md"))
        if not stem or (folder and not better):
            return []
        found = []
        if better != folder:
            better = self._free(better, "", folder)
            found.append((folder, better))
        above = f"{better}/" if folder else ""
        old, new = f"{above}{last}", f"{above}{stem}"
        if stem != last.removesuffix(".md") or (not found and self.twin_of(name)):
            found.append((old, self._free(new, ".md", name)))
        return found

    def place_above(self, name: str) -> str:
        """A free name for a topic that lies too deep: in its first folder."""
        first, *between, last = name.split("/")
        stem = last.removesuffix(".md")
        stem = self._better(stem) or stem
        for wanted in (stem, "-".join([*between, stem])):
            if self._is_free(f"{first}/{wanted}.md", name):
                return f"{first}/{wanted}.md"
        return self._free(f"{first}/{stem}", ".md", name)

    def _is_free(self, name: str, old: str) -> bool:
        """Whether what is called `old`, a file or a folder, can get this name on every system."""
        (wanted,) = folded([name])
        folders = {n.rpartition("/")[0] for n in self._names} - {old}
        others = [n for n in self._alike(name) if n != old]
        return not others and wanted not in folded(folders)

    def _free(self, stem: str, end: str, old: str) -> str:
        """The first free name of this stem and ending; twins get different ones."""
        alike = self._alike(old)
        number = alike.index(old) + 1 if len(alike) > 1 else 0
        wanted = stem
        while not self._is_free(f"{wanted}{end}", old):
            number += 1
            wanted = f"{stem}-{max(number, 2)}"
        return f"{wanted}{end}"

    def _better(self, part: str) -> str:
        """A folder's name, or a file's without its ending, with nothing wrong.

        `""` if none is known: letters that a distillation does not take are not left out.
        """
        made = "".join(_spelled(part)) if self.scope == SHARED else part
        made = "".join("-" if _is_bad(char) else char for char in made)
        if self.scope == SHARED:
            if any(char.isalnum() and not char.isascii() for char in made):
                return ""
            made = "".join(char if char in _DISTILLED else "-" for char in made)
        is_taken = self.scope != SHARED or is_distilled(part)
        if made == part and is_taken and not is_device(part) and not part.endswith("."):
            return part
        made = "-".join(filter(None, made.replace("--", "-").split("-"))).strip(". ")
        if not made or made.startswith(("_", ".")) or made in RESERVED_FOLDERS:
            return ""
        return f"{made}-topic" if is_device(made) else made


def _is_bad(char: str) -> bool:
    return (
        char in ENDS_A_LINK
        or char in _NOT_ON_WINDOWS
        or char == "`"
        or is_control(char)
        or has_surrogate(char)
    )


def _spelled(part: str) -> Iterator[str]:
    """Small letters without their accents."""
    part = part.casefold()
    if part.isascii():
        return iter(part)
    from unicodedata import combining, normalize

    return (char for char in normalize("NFKD", part) if not combining(char))
