"""Where a link of a Markdown file leads: the path, the anchor, and how to write one to a file."""

from __future__ import annotations

import re
from urllib.parse import unquote

from nestwork_hooks.light import Frozen

# What is no path of the repository: a scheme, a path of a machine or a site, a gap to be filled in.
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/~?]|\\\\|.*(?:\{[^{}]*\}|\$\(|<[^<>]*>)")
_BARE_GAPS = frozenset({"", "...", "…", "url", "URL", "link", "path", "href"})
# Pages that GitHub has beside the files of a repository, which links from a file reach with `../`.
_GITHUB = re.compile(
    r"(?:\.\./)+(?:[\w.-]+/)?(?:[\w.-]+/)?"
    r"(?:actions|commits?|compare|discussions|fork|graphs|issues|labels|milestones?|projects|pulls?"
    r"|releases|search|security|settings|stargazers|tags|tree|blob|wiki)(?:/.*)?"
)
_LINE_NUMBER = re.compile(r":\d+(?:[-:]\d+)?\Z")
# A host's name or an address without its scheme.
_HOST = re.compile(
    r"(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|im|ly|co|edu|gov)(?:/.*)?\Z|([^\s/@]+@[^\s/@]+\.\w+\Z)"
)
# Anchors of no heading: none at all, the top, lines on GitHub, pieces of text, footnotes, queries.
_NO_HEADING = re.compile(r"(?:top|readme|L\d+\S*)?\Z|:~:|[!/?=]|\^|fn", re.IGNORECASE)
# What may be a name in double brackets: no list of numbers, no test of a shell, no TOML, no C++.
_NAME = re.compile(
    r"(?![\d\s.,-]+\Z|\w+(?:\.(?!md\Z)[A-Za-z_-]+)+\Z)[^\W_][^\"'=<>{}$;,()*?!&@:]*\Z"
)
_NO_NAMES = frozenset(
    {"nodiscard", "maybe_unused", "likely", "unlikely", "noreturn", "deprecated", "fallthrough"}
)
_ENCODED = {char: f"%{ord(char):02X}" for char in '%#?()<> "\\'}


class Destination(Frozen):
    """Where a link leads: `path` below the nest's root (above it: `../`), `anchor` without its `#`.

    `is_folder` says that it is written with a `/` at its end, `is_line` that its anchor is none of a
    heading: a line's number, the top, a piece of text. `others` are further paths that it
    may be meant for: a `#`, `?` or `%` of a file's name taken as it is, a line's number left out;
    `guesses` are where it leads if its backslashes are slashes, or if it begins at the nest's root.
    """

    path: str
    anchor: str
    is_folder: bool
    is_line: bool
    others: tuple[str, ...]
    guesses: tuple[str, ...]


def destination(target: str, of: str) -> Destination | None:
    """Where `target` leads in the file at the path `of`; None where no file of a repository is meant.

    A target that is only an anchor leads to the file itself.
    """
    if target.startswith("#"):
        return _made(of, target[1:], ends_in_slash=False)
    if _ELSEWHERE.match(target) or target in _BARE_GAPS:
        return None
    written, _, anchor = target.partition("#")
    written = written.partition("?")[0]
    folder, decoded = of.rpartition("/")[0], _decoded(written)
    path = _joined(folder, decoded)
    if _GITHUB.fullmatch(path):
        return None
    as_written = (_decoded(target), target, written, _LINE_NUMBER.sub("", decoded))
    others = tuple(dict.fromkeys(_joined(folder, other) for other in as_written))
    guesses = (_joined(folder, decoded.replace("\\", "/")), _joined("", decoded))
    return _made(path, anchor, others, guesses, ends_in_slash=decoded.endswith("/"))


def _made(
    path: str,
    anchor: str,
    others: tuple[str, ...] = (),
    guesses: tuple[str, ...] = (),
    *,
    ends_in_slash: bool,
) -> Destination:
    anchor = _decoded(anchor)
    is_line = _NO_HEADING.match(anchor) is not None
    return Destination(path, anchor, ends_in_slash, is_line, others, guesses)


def with_scheme(target: str) -> str:
    """The URL that a target may be meant for that lacks its scheme; `""` for none."""
    match = _HOST.match(target)
    return "" if match is None else f"mailto:{target}" if match[1] else f"https://{target}"


def is_name(text: str) -> bool:
    """Whether what stands in double brackets can be a name, and not code."""
    return text not in _NO_NAMES and _NAME.match(text) is not None


def mentions(text: str, words: set[str]) -> bool:
    """Whether a text holds one of these words, which are casefolded, as a target may spell them."""
    plain = _decoded(text.replace("\\", "")).casefold()
    return any(word in plain for word in words)


def _decoded(text: str) -> str:
    return unquote(text, errors="surrogateescape") if "%" in text else text


def _joined(folder: str, path: str) -> str:
    """A path from a folder, without `.`, doubled `/`, and `..` but at its start."""
    parts: list[str] = []
    for part in (*folder.split("/"), *path.split("/")):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def link_to(path: str, of: str) -> str:
    """How a link in the file at `of` is written that leads to `path`."""
    here, there = of.split("/")[:-1], path.split("/")
    alike = 0
    while alike < min(len(here), len(there) - 1) and here[alike] == there[alike]:
        alike += 1
    relative = "/".join([".."] * (len(here) - alike) + there[alike:])
    return "".join(_ENCODED.get(char, char) for char in relative)
