"""Takes a command line apart by the flags that a command declares; `help` prints the same flags.

It decides and speaks as `argparse` does, which takes too long to load for a run that is in order.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any, NoReturn


class Flag(Frozen):
    """A flag, or by a name without dashes the place of words that are none.

    `kind` makes a value of a text, and raises ValueError to say why it can't; a flag without it
    takes no value. Where values are lists they add up, else the last one counts. A `free` value may
    begin with a dash. `apart` is the key of a flag that this one goes without.
    """

    name: str
    meaning: str
    kind: Callable[[str], object] | None = None
    metavar: str = ""
    short: str = ""
    choices: Collection[object] = ()
    required: bool = False
    free: bool = False
    apart: str = ""

    @property
    def is_place(self) -> bool:
        """Whether it is no flag."""
        return not self.name.startswith("-")

    @property
    def key(self) -> str:
        """The name of its value."""
        return self.name.lstrip("-").replace("-", "_")

    @property
    def shown(self) -> str:
        """What errors call it."""
        if self.is_place:
            return self.metavar
        return f"{self.short}/{self.name}" if self.short else self.name


class Parser:
    """The command line of a command, by its name and its module's text.

    `failed` is what the line of an error begins with, after the command's name. `alone` is the key
    of a flag beside which nothing is required.
    """

    def __init__(
        self, name: str, about: str | None, flags: Sequence[Flag], failed: str = "", alone: str = ""
    ) -> None:
        usual = Flag("--help", "show this help message and exit", short="-h")
        self.name, self.about = name, about
        self.flags = [usual, *flags, Flag("--version", "print the version")]
        self._failed, self._alone = failed, alone
        self._place = next((flag for flag in flags if flag.is_place), None)
        self._by_name = {flag.name: flag for flag in self.flags}
        self._by_name |= {flag.short: flag for flag in self.flags if flag.short}

    def parse(self, args: Sequence[str]) -> dict[str, Any]:
        """What was given, by key. Ends the process at --help, at --version and at an error."""
        found: dict[str, Any] = {}
        unknown: list[str] = []
        full = None
        for flag, text in self._split(args):
            if flag and flag is not full:
                self._take(flag, text, found)
                if flag.is_place and not isinstance(found[flag.key], list):
                    full = flag
            else:
                unknown.append(text)
                # What follows an unknown flag could be its value.
                if self._place and self._place.key in found:
                    full = self._place
        missing = [flag.shown for flag in self.flags if flag.required and flag.key not in found]
        if missing and self._alone not in found:
            self.error(f"the following arguments are required: {', '.join(missing)}")
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found

    def error(self, message: str) -> NoReturn:
        """Exit with 2 and one line."""
        from nestwork_hooks.console.streams import say_if_heard
        from nestwork_hooks.protocol.text import escaped

        said = escaped(f"{self._failed}{message}", 2_000)
        say_if_heard([f"{self.name}: {said} (see {self.name} --help)"])
        raise SystemExit(2)

    def _split(self, args: Sequence[str]) -> Iterator[tuple[Flag | None, str]]:
        """Each flag or place with the text of its value, and unknown flags with None."""
        words = [*reversed(args)]
        while words:
            word = words.pop()
            flag, text = self._flag(word)
            if flag:
                yield flag, self._value(flag, text, words)
            elif word == "--":
                if not self._place:
                    yield None, word
                break
            else:
                yield self._place if self._is_name(word) else None, word
        yield from ((self._place, word) for word in reversed(words))

    def _flag(self, word: str) -> tuple[Flag | None, str | None]:
        """The flag that a word is, and the value in the same word."""
        if word[:1] != "-":
            return None, None
        name, equals, value = word.partition("=")
        if name in self._by_name:
            return self._by_name[name], value if equals else None
        return self._by_name.get(word[:2]), word[2:]

    def _is_name(self, word: str) -> bool:
        """Whether a word is no flag: no name of one is a negative number, or has a blank in it."""
        if word[:1] != "-" or word == "-":
            return True
        digits = word[1:].replace(".", "", 1)
        is_negative = digits.isdecimal() and not word.endswith(".")
        return (is_negative or " " in word) and not self._flag(word)[0]

    def _value(self, flag: Flag, text: str | None, words: list[str]) -> str:
        """The text of a flag's value: in its own word, or the next one, which stands last."""
        if text is not None:
            if not flag.kind:
                self._refuse(flag, f"ignored explicit argument {text!r}")
            return text
        if not flag.kind:
            return ""
        if not words or not (flag.free or self._is_name(words[-1])):
            self._refuse(flag, "expected one argument")
        return words.pop()

    def _take(self, flag: Flag, text: str, found: dict[str, Any]) -> None:
        try:
            value = flag.kind(text) if flag.kind else True
        except ValueError as error:
            self._refuse(flag, str(error))
        if flag.choices and value not in flag.choices:
            choices = ", ".join(map(repr, flag.choices))
            self._refuse(flag, f"invalid choice: {value!r} (choose from {choices})")
        if flag.apart in found:
            self._refuse(flag, f"not allowed with argument --{flag.apart}")
        if flag.key in ("help", "version"):
            from nestwork_hooks.console.help import print_help, print_version

            (print_help if flag.key == "help" else print_version)(self)
            raise SystemExit(0)
        if isinstance(value, list):
            found.setdefault(flag.key, []).extend(value)
        else:
            found[flag.key] = value

    def _refuse(self, flag: Flag, why: str) -> NoReturn:
        self.error(f"argument {flag.shown}: {why}")


def given(text: str) -> str:
    """A value that is not empty, as a variable is that nobody set."""
    if not text:
        raise ValueError("it is empty")
    return text


def each(text: str) -> list[str]:
    """One of several values."""
    return [text]


def comma_separated(text: str) -> list[str]:
    """Names between commas."""
    names = text.split(",")
    if not all(names):
        raise ValueError(f"expected names with commas between them, got {text!r}")
    return names


def whole(text: str, least: int = 0, what: str = "a whole number") -> int:
    """A whole number, `least` or more."""
    try:
        number = int(text) if text.isascii() and text.isdigit() else -1
    except ValueError:  # Python takes only so many digits.
        number = -1
    if number < least:
        raise ValueError(f"expected {what}, got {text!r}")
    return number


def positive(text: str) -> int:
    """A positive whole number."""
    return whole(text, 1, "a positive whole number")


class _Plain:
    """A regular expression in which each character but a `^` in front stands for itself."""

    def __init__(self, text: str) -> None:
        self.pattern = text
        self._text = text.removeprefix("^")
        self._at_start = text.startswith("^")

    def search(self, path: str) -> bool:
        """Whether it is found in a path."""
        return path.startswith(self._text) if self._at_start else self._text in path


def regex(text: str) -> re.Pattern[str]:
    """A regular expression, of which only `search` is asked."""
    if all(char.isalnum() or char in "/_-" for char in text.removeprefix("^")):
        return _Plain(text)  # type: ignore[return-value]  # loading `re` takes longer than git
    import re

    try:
        return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from None


FORMATS = ("text", "json", "github")
FORMAT = Flag("--format", "default: text", str, choices=FORMATS)
ROOT = Flag("--root", "the nest is this folder of the repository", given, "DIR")
STRICT = Flag("--strict", "warnings fail too")
WARN_ONLY = Flag("--warn-only", "errors in these paths only warn", regex, "REGEX")
