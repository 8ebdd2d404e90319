"""Text that comes from a nest is untrusted: how to check it and how to escape it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Unicode's Default_Ignorable_Code_Point, as first and last code point: what shows as nothing,
# direction controls and blank Hangul letters among it (DerivedCoreProperties.txt).
IGNORABLE = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
# What else a terminal, a log viewer or a reader's eye could take for something else, or not see:
# line separators, the blank Braille cell, annotations, surrogates (which stand for bytes).
_DECEPTIVE = (
    *IGNORABLE,
    *((0x2028, 0x2029), (0x2800, 0x2800), (0xD800, 0xDFFF), (0xFFF9, 0xFFFB)),
)
# Where a run of such code points begins or ends: of those up to a deceptive one, an odd number.
_BOUNDS = sorted(bound for first, last in _DECEPTIVE for bound in (first, last + 1))
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def is_control(char: str) -> bool:
    """Whether `char` is of Unicode's category Cc."""
    return char < " " or "\x7f" <= char <= "\x9f"


def could_forge(text: str) -> bool:
    """Whether `text`, put into an index, could pass for a marker or break its line.

    `<!--`, `-->` and control characters stay out of every index
    (docs/protocol.md, "What is left out").
    """
    if "<!--" in text or "-->" in text:
        return True
    return not text.isprintable() and any(map(is_control, text))


def forging(text: str) -> str:
    """The first thing in `text` for which `could_forge` is true, in words; `""` for nothing."""
    for sign in ("<!--", "-->"):
        if sign in text:
            return sign
    found = next(filter(is_control, text), "")
    return f"a control character ({_escape(found)})" if found else ""


def has_surrogate(text: str) -> bool:
    """Whether `text` holds bytes that were not UTF-8 (as `os.fsdecode` keeps them)."""
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def _escape(char: str) -> str:
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    code = ord(char)
    if is_control(char):
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _visible(text: str) -> str:
    """Escape every character that is invisible, or that a terminal would act on."""
    from bisect import bisect_right

    odd = {char for char in set(text) if is_control(char) or bisect_right(_BOUNDS, ord(char)) % 2}
    places = [at for at, char in enumerate(text) if char in odd]
    chars = list(text)
    for at in places if text.isascii() else _unneeded(text, places):
        chars[at] = _escape(chars[at])
    return "".join(chars)


def _unneeded(text: str, places: list[int]) -> Iterable[int]:
    if not places:
        return ()
    from nestwork_hooks.protocol.joining import needed

    return set(places) - needed(text, places)


def escaped(text: str, limit: int = 200) -> str:
    r"""Escape text from a nest: one line, with nothing that a terminal or a log viewer would obey.

    Control and deceptive characters become `\x1b` or `\u202e`, bytes that were not UTF-8 `\xff`.
    Text of more than `limit` characters is truncated and ends with `...`.
    """
    if len(text) > limit:
        text = text[: limit - 3] + "..."
    if not (text.isascii() and text.isprintable()):
        text = _visible(text)
    return without_commands(text)


def without_commands(text: str, sign: str = "\\x23") -> str:
    """`text` with `sign` for one `#` of whatever CI services search a line for.

    `##[`, `##vso[` and `##teamcity[` begin commands of GitHub Actions, Azure Pipelines and
    TeamCity, the first two anywhere in a line.
    """
    if "##" not in text or "[" not in text:
        return text
    *before, last = text.split("[")
    for number, part in enumerate(before):
        head = part.rstrip(_LETTERS)
        if head.endswith("##"):
            before[number] = f"{head[:-1]}{sign}{part[len(head) :]}"
    return "[".join([*before, last])


def escaped_line(line: str) -> str:
    """Escape the CI commands in a line of output, whatever it was put together from.

    GitHub Actions reads a command where `::` starts a line, also behind white space.
    """
    line = without_commands(line)
    if line.lstrip().startswith("::"):
        line = line.replace("::", "\\x3a:", 1)
    return line


def json_text(value: object) -> str:
    """`value` as JSON on one line, in ASCII, with CI commands escaped."""
    import json

    return without_commands(json.dumps(value), "\\u0023")


def decodable(text: str) -> str:
    r"""`text` with bytes that were not UTF-8 as `\xff`: JSON has no other way to hold them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def named(names: list[str], most: int = 3) -> str:
    """The first `most` names of a list, escaped, and how many more there are."""
    few = ", ".join(escaped(name) for name in names[:most])
    return few if len(names) <= most else f"{few} and {len(names) - most} more"


def numbered(lines: Sequence[int], most: int = 4) -> str:
    """Line numbers in words, as in `lines 2, 4 to 6 and 9`; `most` is how many runs are named."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    pairs = [[run] if len(run) != 2 else [[line] for line in run] for run in runs]
    runs = [run for pair in pairs for run in pair]
    words = [f"{run[0]} to {run[-1]}" if run[1:] else f"{run[0]}" for run in runs]
    if len(runs) > most:
        words[most:] = [f"{sum(map(len, runs[most:]))} more"]
    last = words.pop()
    return f"line{'s' * bool(lines[1:])} {', '.join(words)}{' and ' * bool(words)}{last}"
