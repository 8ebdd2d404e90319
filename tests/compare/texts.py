"""Generated topics, memory.md files and names, of every kind that decides something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.conftest import BEGIN, END, NOTE

_WORDS = [
    *(
        "When",
        "to",
        "read",
        "it",
        "before",
        "after",
        "hosts",
        "ports",
        "the",
        "of",
        "release",
        "deploy",
    ),
    *(
        "mail",
        "never",
        "nginx",
        "path",
        "index",
        "#1",
        "PR",
        "v1.2",
        "2026-09-27",
        "8080",
        "部署",
        "之前",
    ),
    *("цель", "сервер", "größer", "déjà", "مرحبا", "עברית", "नमस्ते", "💻", "👨\u200d👩\u200d👧"),
]
_SIGNS = list("-?:,[]{}#&*!|>'\"%@`~=<>\\ \t.$;()")
_CONTROLS = list("\x00\x01\x07\x08\x0b\x0c\x1b\x1c\x1d\x1e\x7f\x85\x9b")
_INVISIBLE = list(
    "\xa0\xad\u061c\u115f\u200b\u200d\u200e\u2028\u2029\u202e\u2066\u2800\u3000\u3164"
)
_ODD = list("\ufeff\ufffd\ufffe\ud7ff\ue000\U000e0001\U0010ffff\u0301")
_NULLS = ("~", "null", "Null", "NULL", "nULL", '""', "''", "", " ", "[]", "{}", "yes", "no", "1.10")
_FORGERIES = ("<!--", "-->", "--", ">", BEGIN, END, NOTE, "- [`a.md`](a.md) — b (0.1 KB)", " KB)")
_LOGS = ("::error::x", "##[error]", "##vso[task.x]", "##teamcity[x]", "%0A::warning::", "\x1b[31m")
_STARTS = ("*a", "@a", "`a`", "[a", "{a", "%a", "!a", "&a", "? a", "- a", "= a", "<<: *a", "| a")
_NEAR_KEYS = (
    *(
        "Description",
        "DESCRIPTION",
        "descriptiom",
        "descriptions",
        "desc",
        "summary",
        '"description"',
    ),
    *("'description'", "description ", " description", "\tdescription", "de scription", "title"),
    *("description\xa0", "\u200bdescription", "dеscription", "- description", "? description"),
    *("metadata", "name", "&a description", "!!str description", "updated ", "Updated", "date"),
)
_OTHERS = (
    *(
        "name: x",
        "tags: [a, b]",
        "tags:\n  - a\n  - b",
        "metadata:\n  description: inner",
        "a: {b: c}",
    ),
    *(
        "bad: [a",
        "bad: 'x",
        "bad: a: b",
        "k: |\n  text\n  more",
        "k: &a v\nl: *a",
        "l: *nobody",
        "- a",
    ),
    *(
        "# comment",
        "#",
        "  indented",
        "\tindented",
        "",
        " ",
        "no colon",
        ":",
        ": x",
        "k:",
        "k: !!int x",
    ),
    *(
        "{{x}}",
        "[" * 60,
        "? complex\n: value",
        "%YAML 1.1",
        "...",
        "k: 'a''b'",
        "k: >-\n  a\n\n  b",
    ),
    *("<<<<<<< HEAD\nk: 1\n=======\nk: 2\n>>>>>>> side", "x" * 2_000, "description", "updated"),
)
_DATES = (
    *("2026-09-27", '"2026-09-27"', "'2026-09-27'", "2026-9-7", "2026-02-30", "20260927", "today"),
    *(
        "2026-09-27 # note",
        "2026-09-27T10:00:00Z",
        "27.09.2026",
        "",
        "~",
        "[2026]",
        "2026-09-27 10:00",
    ),
    *(">\n  2026-09-27", "\n  2026-09-27", "2026-09-27\n  more", "-->", "\x1b", '"2026', "x" * 400),
)
_ENDS = ("\n", "\n", "\n", "\n", "\n", "\r\n", "\r\n", "\r")
_SIZES = (16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 40_000)


def words(random: Random, most: int = 9) -> str:
    """Some plain words."""
    return " ".join(random.choices(_WORDS, k=random.randint(1, most)))


def _soup(random: Random) -> str:
    every = [_SIGNS, _CONTROLS, _INVISIBLE, _ODD, _WORDS, _FORGERIES, _LOGS, _NULLS]
    return "".join(random.choice(random.choice(every)) for _ in range(random.randint(1, 7)))


def _spiced(random: Random) -> str:
    """Words with one thing in them that is none."""
    parts = words(random).split(" ")
    spice = random.choice(
        [_CONTROLS, _INVISIBLE, _ODD, _FORGERIES, _LOGS, [": ", " #x", ' "', " '"]]
    )
    parts.insert(random.randint(0, len(parts)), random.choice(spice))
    return random.choice(("", " ")).join(parts)


def _quoted(random: Random) -> str:
    quote = random.choice("\"'")
    inside = random.choice((words, _spiced, _soup))(random)
    if random.random() < 0.2:
        inside = random.choice(
            (f"a {quote}b{quote} c", f"a {quote * 2}b", "a \\n \\x41 \\q", "a\\")
        )
    end = random.choice(
        (quote, quote, quote, "", quote * 2, f"{quote} # c", f"{quote} x", "\\" + quote)
    )
    return f"{quote}{inside}{end}"


def _block(random: Random) -> str:
    indicator = random.choice(">|") + random.choice(
        ("", "", "-", "+", "2", "2-", "9", " # c", " x", "--")
    )
    indent = random.choice(("  ", "  ", " ", "\t", "    ", ""))
    lines = [indent + words(random) for _ in range(random.randint(0, 3))]
    if lines and random.random() < 0.3:
        lines.insert(random.randint(0, len(lines)), "")
    return "\n".join([indicator, *lines])


def _continued(random: Random) -> str:
    first = random.choice(
        ("", words(random), f'"{words(random)}', f"'{words(random)}", "# c", "[a,")
    )
    following = random.choice(
        ("  " + words(random), "\t# c", "   # comment", "  ", " x: y", "  - a")
    )
    return f"{first}\n{following}"


def _collection(random: Random) -> str:
    inside = ", ".join(words(random, 3) for _ in range(random.randint(0, 3)))
    forms = (
        f"[{inside}]",
        f"{{a: {inside}}}",
        f"\n  - {inside}\n  - b",
        f"\n  a: {inside}",
        "\n- a",
    )
    return random.choice(forms)


def _tagged(random: Random) -> str:
    return random.choice(("&a ", "*a ", "!!str ", "!x ", "!!binary ", "!<tag:x> ", "*")) + words(
        random
    )


def _long(random: Random) -> str:
    size = random.choice((298, 299, 300, 301, 302, 1_024, 1_030, 5_000, 33_000))
    return (words(random) * size)[:size]


def _started(random: Random) -> str:
    return random.choice(_STARTS) + random.choice(("", " ")) + words(random)


def _null(random: Random) -> str:
    return random.choice(_NULLS)


_VALUES: tuple[Callable[[Random], str], ...] = (
    *(words, words, words, words, _quoted, _quoted, _spiced, _spiced, _soup, _block, _block),
    *(_continued, _collection, _tagged, _long, _started, _null),
)


def value(random: Random) -> str:
    """What may follow `description:`."""
    return random.choice(_VALUES)(random)


def _pair(random: Random, key: str, text: str) -> str:
    colon = random.choice((": ", ": ", ": ", ": ", ":", ":  ", ":\t", " : ", ":\xa0"))
    return f"{key}{colon}{text}" + random.choice(("", "", "", " ", " # note", "\t"))


def front_matter(random: Random) -> str:
    """The lines between the fences."""
    lines = [_pair(random, "description", value(random))] if random.random() < 0.93 else []
    if random.random() < 0.7:
        lines.append(_pair(random, "updated", random.choice((*_DATES, *_DATES[:1] * 20))))
    for _ in range(random.choice((0, 0, 0, 1, 2, 4))):
        lines.append(random.choice(_OTHERS))
    if random.random() < 0.1:
        lines.append(_pair(random, random.choice(_NEAR_KEYS), words(random)))
    if random.random() < 0.06:
        lines.append(_pair(random, random.choice(("description", "updated")), value(random)))
    if random.random() < 0.4:
        random.shuffle(lines)
    return "\n".join(lines)


def _fence(random: Random, odd: Sequence[str]) -> str:
    return random.choice(odd) if random.random() < 0.12 else "---"


def topic(random: Random) -> bytes:
    """A topic that can be read."""
    text = random.random()
    if text < 0.04:
        odd = (
            "",
            "\n",
            "---",
            "---\n",
            "---\n---\n",
            "----\n",
            "# T\n",
            "\n---\ndescription: a\n---\n",
        )
        return random.choice((*odd, "description: a\n", "+++\ndescription = 'a'\n+++\n")).encode()
    opening = _fence(
        random, ("----", "--- ", "---\t", "--- x", " ---", "\ufeff---", "***", "", "\n---")
    )
    closing = _fence(random, ("...", "----", "--- ", "--- text", " ---", "", "---x", "-- -"))
    body = random.choice(
        ("# T\n", "", "\n# T\n\ntext\n", "---\ndescription: second\n---\n", "``` \n")
    )
    lines = [opening, front_matter(random), closing, body]
    data = _joined(random, lines)
    if random.random() < 0.05:
        data = _grown(data, random.choice(_SIZES))
    return data


def _joined(random: Random, lines: list[str]) -> bytes:
    data = "\n".join(lines).encode("utf-8", "surrogateescape")
    if random.random() < 0.03:  # A line end of its own for each line.
        return b"".join(part + random.choice(_ENDS).encode() for part in data.split(b"\n"))
    return data.replace(b"\n", random.choice(_ENDS).encode())


def _grown(data: bytes, size: int) -> bytes:
    """The same with text below, so that it has `size` bytes after CRLF became LF, or just so many."""
    return data + b"x" * max(0, size - len(data.replace(b"\r\n", b"\n")))


def unreadable(random: Random) -> bytes:
    """A topic that is no text, or not to be read here."""
    head = b"---\ndescription: "
    return random.choice(
        (
            *(b"\0GITCRYPT\0" + random.randbytes(40), b"\0GITCRYPT", b"\0GITCRYPT\0"),
            *(head + b"caf\xe9\n---\n", head + b"\xed\xa0\x80\n---\n", head + b"\xff\xfe\n---\n"),
            *("---\ndescription: a\n---\n".encode("utf-16"), head + b"a\n---\n\n\xc3", b"\x80"),
            *(random.randbytes(60), head + b"a\n---\n" + b"x" * 70_000 + b"\xff"),
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        )
    )


_NAMES = (
    *("hosts", "ports", "mail", "release", "Hosts", "HOSTS", "a", "b", "a-b", "a.b", "tooling-x"),
    *("tooling", "2026", "memory", "resident", "README", "with space", "(x)", "[x]", "<x>", "a`b"),
    *(
        "ü",
        "u\u0308",
        "中文",
        "🦊",
        "\u202ertl",
        "a\u200bb",
        "a\tb",
        "a\nb",
        "a\x1bb",
        "a\x7f",
        "-dash",
    ),
    *(
        "--all",
        "'q'",
        '"q"',
        "$HOME",
        "a;b",
        "a&b",
        "*",
        "?",
        "<!--",
        "-->",
        "con",
        "a:b",
        "a\\b",
        "x" * 200,
    ),
    *(
        "_hidden",
        ".hidden",
        "\udcff",
        "caf\udce9",
        "##vso[x]",
        "::error",
        "%0A",
        " lead",
        "trail ",
        "~",
    ),
)
_FOLDERS = (
    *(
        "tooling",
        "net",
        "ü",
        "with space",
        "outbox",
        "local",
        "carryover",
        "comms",
        "inbox",
        "archive",
    ),
    *("Archive", "_x", ".x", "a/b", "a/b/c/d/e", "deep/er", "notes.md", "\udcff", "memory.md"),
)


def topic_name(random: Random) -> str:
    """A file's name below its scope."""
    name = random.choice(_NAMES[:12]) if random.random() < 0.6 else random.choice(_NAMES)
    if random.random() < 0.2:
        name += str(random.randint(0, 30))
    folder = f"{random.choice(_FOLDERS)}/" if random.random() < 0.3 else ""
    return f"{folder}{name}{random.choice(('.md', '.md', '.md', '.md', '.md', '.MD', '.txt', ''))}"


_AGENTS = (
    *("agents/box/a1", "agents/box/old", "agents/lab-1/claude-a7k2", "agents/lab-1/codex"),
    *("agents/ü/é", "agents/with space/[x]", "agents/Box/A1", "agents/*/a?", "agents/-h/-a"),
)


def scopes(random: Random) -> list[str]:
    """The scopes of a nest, mostly few."""
    count = random.choice((0, 1, 1, 2, 2, 3, 8))
    agents = random.sample(_AGENTS, count) if random.random() < 0.4 else list(_AGENTS[:count])
    return [*(["shared"] if random.random() < 0.9 else []), *agents]


def resident(random: Random, budget: int) -> bytes:
    """A resident file, often at its budget."""
    size = random.choice((10, 500, budget - 1, budget, budget + 1, budget * 2, budget * 5 // 6))
    line = random.choice(("fact\n", "fact\r\n", "é中🦊\n")).encode()
    return (line * (size // 5 + 1))[:size] if random.random() < 0.95 else b"\xff" * size


_ABOVE = (
    *(
        "# Memory\n\n",
        "",
        "\ufeff# M\n\n",
        "# M\r\n\r\n",
        "```\ncode\n```\n",
        "```\nopen\n",
        "text\n" * 50,
    ),
    *(
        f"```\n{BEGIN}\n{END}\n```\n",
        f"~~~\n{BEGIN}\n~~~\n",
        f"> {BEGIN}\n",
        f"see {BEGIN} / {END}\n",
    ),
    *(
        "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n",
        f"    {BEGIN}\n",
        "- ```\n  x\n",
        "<<<<<<< a\n",
    ),
)
_LINES = (
    *("", NOTE, "_No topic files yet._", "- [`a.md`](a.md) — b (0.1 KB)", "* [a](a.md)", "by hand"),
    *(
        "- [`gone.md`](gone.md) — gone (2026-01-01, 1.0 KB)",
        "<<<<<<< a",
        "=======",
        ">>>>>>> b",
        "```",
    ),
    *(
        "- [`x](y) — z",
        "  continued",
        "<!-- comment -->",
        "-",
        "- [`memory.md`](memory.md) — m (0.0 KB)",
    ),
)


def memory(random: Random) -> bytes:
    """A memory.md as somebody wrote it: with markers in every state, or without."""
    shape = random.random()
    inside = "".join(random.choice(_LINES) + "\n" for _ in range(random.choice((0, 0, 1, 3, 8))))
    block = f"{BEGIN}\n{inside}{END}\n"
    if shape < 0.3:
        odd = (
            "",
            BEGIN + "\n",
            END + "\n",
            f"{END}\n{BEGIN}\n",
            block * 2,
            f"{BEGIN}\n{block}",
            f"{BEGIN} {END}",
        )
        block = random.choice((*odd, f" {BEGIN} \n\t{END}", block.upper(), block.replace("\n", "")))
    above = random.choice(_ABOVE) if random.random() < 0.4 else _ABOVE[0]
    below = random.choice(("", "\nbelow\n", "below", "=======\n>>>>>>> b\n", "```\n", "x" * 9_000))
    text = above + block + below
    if random.random() < 0.05:
        return random.choice(
            (text.encode("utf-16"), text.encode() + b"\xff\n", b"\0GITCRYPT\0" + b"x" * 9)
        )
    return _joined(random, text.split("\n"))


def aged(random: Random, data: bytes) -> bytes:
    """A memory.md with a true index, as it is after somebody's edit."""
    lines = data.splitlines(keepends=True)
    act = random.randint(0, 8)
    entries = [n for n, line in enumerate(lines) if line.startswith(b"- [")]
    if act <= 4 and entries:
        return b"".join(_with_entry_changed(random, lines, random.choice(entries), act))
    if act == 5:
        return data.replace(b"\n", b"\r\n")
    if act == 6:
        lines.insert(random.randint(0, len(lines)), random.choice(_LINES).encode() + b"\n")
        return b"".join(lines)
    return data if act == 7 else data.removesuffix(b"\n")


def _with_entry_changed(random: Random, lines: list[bytes], at: int, act: int) -> list[bytes]:
    line = lines[at]
    new: tuple[list[bytes], ...] = (
        [],
        [line, line],
        [line.replace(b" KB)", b"9 KB)")],
        [line.replace(b"- [", b"* [").replace(b"`", b"")],
        [line, random.choice(_LINES).encode() + b"\n"],
    )
    return [*lines[:at], *new[act], *lines[at + 1 :]]
