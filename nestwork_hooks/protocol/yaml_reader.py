"""The other reader of front matter: YAML, as everything but the nest's own script reads it.

Importing a YAML parser costs more than the rest of a run, so it happens only where the two
readers could differ; `alike` says where they cannot.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import yaml

_CLOSINGS = ("---", "...")
_BLANKS = " \t"
# More levels of lists and mappings than front matter ever has, few enough for any stack.
DEEPEST = 32


class YamlFault(Exception):
    """The front matter is not YAML; `line` is the one in the file that YAML points at."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Reading:
    """A topic's front matter as YAML, parsed once, when somebody asks.

    `source` is its text, None if there is none or it never closes.
    """

    def __init__(self, text: str) -> None:
        self.source = front_matter(text)
        self._read: tuple[object, int] | None = None

    def _parsed(self) -> tuple[object, int]:
        if self._read is None:
            try:
                self._read = read_yaml(self.source or ""), 0
            except YamlFault as fault:
                self._read = None, fault.line
        return self._read

    @property
    def fault(self) -> int:
        """The line of the file at which it is no valid YAML, 0 if it is valid."""
        return self._parsed()[1]

    @property
    def is_list(self) -> bool:
        """Whether it is a list instead of a mapping."""
        return isinstance(self._parsed()[0], list)

    @property
    def keys(self) -> Mapping[str, object] | None:
        """Its mapping, None if it is no mapping."""
        value, fault = self._parsed()
        if fault:
            return None
        return {} if value in (None, "") else value if isinstance(value, dict) else None

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
