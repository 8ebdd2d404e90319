"""The other reader of front matter: YAML, as everything but the nest's own script reads it.

Importing a YAML parser costs more than the rest of a run, so it happens only where the two
readers could differ; `reads_alike` says where they cannot.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import yaml

_CLOSINGS = ("---", "...")
_BLANKS = " \t"
# What no plain scalar may start with (YAML 1.1, "Plain style"); a quote is no plain scalar.
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
# More levels of lists and mappings than front matter ever has, few enough for any stack.
DEEPEST = 32
# A key has to end within so many characters of its line (YAML 1.1, "Simple keys").
_LONGEST_KEY = 1024


class YamlFault(Exception):
    """The front matter is not YAML; `line` is the one in the file that YAML points at."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Reading:
    """A topic's front matter as YAML, parsed once.

    `source` is its text, None if there is none or it never closes; `fault` is the line of the file
    at which it is no valid YAML, 0 if it is valid; `keys` is its mapping, None if it is no mapping;
    `is_list` says that it is a list instead.
    """

    __slots__ = ("fault", "is_list", "keys", "source")

    def __init__(self, text: str) -> None:
        self.source = front_matter(text)
        self.fault = 0
        value: object = None
        try:
            value = read_yaml(self.source or "")
        except YamlFault as fault:
            self.fault = fault.line
        self.is_list = isinstance(value, list)
        self.keys: Mapping[str, object] | None = None
        if not self.fault:
            self.keys = {} if value in (None, "") else value if isinstance(value, dict) else None

    def text(self, key: str) -> str:
        """What YAML reads for `key`, as text; `""` for nothing, or where it reads no keys."""
        return as_text((self.keys or {}).get(key))


def opens(text: str) -> bool:
    """Whether YAML front matter begins with the first line (or would, if it were closed)."""
    first = text.removeprefix("\ufeff").split("\n", 1)[0]
    return first.rstrip(_BLANKS) == "---"


def front_matter(text: str) -> str | None:
    """What lies between a first line `---` and the next line `---` or `...`; None without."""
    if not opens(text):
        return None
    lines = text.split("\n")[1:]
    for number, line in enumerate(lines):
        if line.rstrip(_BLANKS) in _CLOSINGS:
            return "\n".join(lines[:number])
    return None


def read_yaml(source: str) -> object:
    """Parse a front matter as YAML, every scalar as a string.

    Raises YamlFault. A tab outside quotes, a byte order mark, or a comment right behind the head
    of a block, which libyaml accepts and other parsers do not, is not YAML here, on every machine:
    such text goes to the parser that refuses it. Nor is text that is nested more than `DEEPEST`
    levels: PyYAML up to 6.0.3 overflows the stack of the process on 30,000 of them.
    """
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    try:
        if sum(map(source.count, "[{-?:")) > DEEPEST:
            _refuse_depth(source, yaml.parse(source, Loader=_quick_loader()))
        return YAMLHandler().load(source, Loader=_loader(source))
    except yaml.MarkedYAMLError as error:
        scanning = (error.context or "").startswith("while scanning")
        mark = (error.context_mark if scanning else None) or error.problem_mark
        raise YamlFault(_file_line(source, mark.line if mark else 0)) from None
    except yaml.reader.ReaderError as error:
        line = source.count("\n", 0, getattr(error, "position", 0))
        raise YamlFault(_file_line(source, line)) from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise YamlFault(_file_line(source, 0)) from None


def _loader(source: str) -> type[yaml.BaseLoader]:
    import re

    import yaml

    printable = source.replace("\n", "").isprintable()
    strict = not printable or re.search(r"[>|][-+\d]*#", source)
    return yaml.BaseLoader if strict else _quick_loader()


def _quick_loader() -> type[yaml.BaseLoader]:
    import yaml

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _refuse_depth(source: str, events: Iterable[yaml.Event]) -> None:
    """Raise YamlFault where YAML is too deep; its events come without recursion."""
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name.endswith("StartEvent") - name.endswith("EndEvent")
        if depth > DEEPEST + 2:  # the stream and the document
            line = event.start_mark.line if event.start_mark else 0
            raise YamlFault(_file_line(source, line))


def _file_line(source: str, line: int) -> int:
    """YAML counts from 0 below the opening line, and further than there are lines at times."""
    return 2 + min(line, source.count("\n"))


def line_of(source: str, key: str) -> int:
    """The line in the file on which YAML sees a key of this front matter, which it can read."""
    import yaml

    root = yaml.compose(source, Loader=_loader(source))
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    lines = [name.start_mark.line for name, _ in pairs if name.value == key]
    return _file_line(source, lines[-1]) if lines else 1


def as_text(read: object) -> str:
    """A value that YAML read, as text: a list joined, a mapping left out."""
    if isinstance(read, list):
        return "; ".join(item for item in read if isinstance(item, str))
    return read if isinstance(read, str) else ""


def reads_alike(source: str) -> bool:
    """Whether the line reader and YAML provably read the same keys and values in `source`.

    Every line has to be empty or `key:` or `key: value`, where

    - all characters are printable in the sense of `str.isprintable`: so none is a tab, a line
      break of either reader, a byte order mark or a space but U+0020, and all are YAML's;
    - the key is an ASCII name (letters, digits, `_`, `-`), which is a plain scalar for YAML;
    - the value is plain: it starts with no indicator, holds neither `: ` nor ` #` and does not
      end with `:`, which is all that ends a plain scalar in a line (YAML 1.1, "Plain style"),
      and it does not end with a quote, which the line reader would take off;
    - or it is in double quotes with neither a double quote nor a backslash inside, so YAML
      takes it literally, and with no single quote at the inner ends.

    No line is indented, so no value goes on in the next line.
    """
    return source.replace("\n", "").isprintable() and all(map(_is_plain, source.split("\n")))


def _is_plain(line: str) -> bool:
    key, colon, rest = line.partition(":")
    if not colon:
        return not line
    name = key.replace("-", "_")
    if not (name.isascii() and name.isidentifier() and key[0] != "-" and len(key) < _LONGEST_KEY):
        return False
    value = rest.strip(" ")
    if not value:
        return True
    if rest[0] != " ":
        return False
    if value[0] == '"':
        return _is_literal(value)
    return not (value[0] in _INDICATORS or ": " in value or " #" in value or value[-1] in ":\"'")


def _is_literal(value: str) -> bool:
    inner = value[1:-1]
    return (
        len(value) > 1
        and value[-1] == '"'
        and '"' not in inner
        and "\\" not in inner
        and inner[:1] != "'"
        and inner[-1:] != "'"
    )
