"""Front matter as authors, programs and editors write it, from a seed, with what was meant."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

WORDS = [
    *("ports", "read before", "a release", "Hosts", "of the machine", "don't", "it's", "hosts'"),
    *("rock 'n' roll", "'tis", "the '90s", "O'Neill", '"proxy"', '"a b"', '13"', "5'", 'say "no"'),
    *("C:\\tmp\\new", "\\\\srv\\share", "\\d+\\.\\d+", "\\bword\\b", "a\\b", "%APPDATA%\\x"),
    *("#456", "# note", "PR #12", "key: value", "when: a", "ends:", "a:b", "http://x.y/z#a"),
    *("@team", "*", "&", "[a, b]", "{c}", "%", "!", "|", ">", "`code`", "-", "?", ",", "--- x"),
    *("...", "<x>", "~", "null", "1.10", "yes", "2026-10-04", "=", "(see “x”)", "‘y’", "—"),
    *("Größe", "à\xa0côté :", "«\xa0mot\xa0»", "хосты и порты", "ύλη", "مرحبا", "می\u200cخواهم"),
    *(
        "שלום",
        "क्\u200dष",
        "ไทย",
        "机器：端口",
        "端口\u3000路径",
        "読む前に",
        "호스트",
        "🧑\u200d💻",
        "🏳️\u200d🌈",
    ),
    *("👍🏽", "e\u0301", "🇫🇷", "1️⃣"),
]
NEIGHBOURS = [
    *("name: a", "tags: [a, b]", "tags:\n- a\n- b", "# a comment", "metadata:\n  kind: host"),
    *("n: 'it''s'", 'a-b: "x"', "long: >\n  folded\n  text", "empty:", "id: 7"),
]
BROKEN = [
    *('name: "x" tail', "version: @1", "when: a: b", "title: [draft] x: y", "cmd: `ls`", "\tk: v"),
    *("- item", "text alone", "q: 'don't'", "m: *", "tags: [a, b"),
]
_BLOCKS = [">", ">-", "|", "|-", ">+"]


_HEADS = ([">"], ["|"])


@dataclass
class Written:
    """A file's text, what its description was meant to say, and in which manner it was written."""

    data: bytes
    meant: str
    manner: str
    neighbours: bool


def text(rng: random.Random) -> str:
    """A description without a line break, as an author has it in mind."""
    many = rng.choice([1, 2, 3, 4, 5, 6, 8, 9, 12, 40])
    return " ".join(rng.choice(WORDS) for _ in range(many))


def _wrapped(rng: random.Random, one: str, indent: str = "  ", first: bool = True) -> str:
    """`one` over several lines, broken at its spaces."""
    out: list[str] = []
    line = [""]
    for number, part in enumerate(one.split(" ")):
        # A comment, a fence or a block's head would begin there.
        breaks = not part.startswith(("#", "---", "...")) and part and out + line[1:] not in _HEADS
        if number and breaks and rng.random() < 0.3:
            out.append(" ".join(line[1:]))
            line = [""]
        line.append(part)
    out.append(" ".join(line[1:]))
    return ("\n" + indent).join(out) if first else "\n".join(indent + part for part in out)


def _value(rng: random.Random, meant: str) -> tuple[str, str]:
    """What stands behind the colon for a text, and the manner."""
    dumped = json.dumps(meant, ensure_ascii=rng.random() < 0.3)
    doubled = "'" + meant.replace("'", "''") + "'"
    manners = {
        "plain": meant,
        "dumped": dumped,
        "single": doubled,
        "double as it is": f'"{meant}"',
        "single as it is": f"'{meant}'",
        "never closed": f'"{meant}',
        "wrapped": _wrapped(rng, meant),
        "wrapped single": _wrapped(rng, doubled),
        "wrapped double as it is": _wrapped(rng, f'"{meant}"'),
        "wrapped at the margin": _wrapped(rng, doubled, ""),
        "below": "\n" + _wrapped(rng, meant, first=False),
        "block": rng.choice(_BLOCKS) + "\n" + _wrapped(rng, meant, first=False),
        "commented": f"{doubled} # a comment",
    }
    manner = rng.choice(list(manners))
    # What starts as another manner does, or ends so, is nobody's to tell from it.
    quoted = meant[0] == meant[-1] and meant[0] in "\"'" and manner in ("plain", "wrapped", "below")
    closed = manner == "never closed" and meant[-1] == '"'
    listed = manner == "below" and meant.startswith("- ")
    if quoted or closed or listed or (manner == "wrapped" and meant[0] in "|>"):
        manner = "dumped"
    return manners[manner], manner


def written(rng: random.Random) -> Written:
    """A file whose front matter has a description, somehow."""
    meant = text(rng)
    value, manner = _value(rng, meant)
    key = rng.choice(["description"] * 12 + ['"description"', "descripton", "Description", "desc"])
    space = "" if value.startswith("\n") else " "
    lines = [f"{key}:{space}{value}"]
    if rng.random() < 0.05:
        lines = [f"metadata:\n  a: b\n  description: {json.dumps(meant)}"]
        manner = "nested"
    if rng.random() < 0.05:
        lines += lines
    if rng.random() < 0.5:
        date = ["2026-10-04", '"2026-10-04"', "2026-10-04 # checked", '"2026-10-04" # checked']
        lines.append("updated: " + rng.choice([*date, "'2026", "\n  2026-10-04"]))
    broken = rng.random() < 0.2
    for _ in range(rng.choice([0, 0, 1, 2])):
        lines.insert(rng.randint(0, len(lines)), rng.choice(NEIGHBOURS))
    if broken:
        lines.insert(rng.randint(0, len(lines)), rng.choice(BROKEN))
    opening = rng.choice(["---"] * 12 + ["--- ", "\ufeff---", "\n---", "\n\n---", "----"])
    closing = rng.choice(["---"] * 12 + ["--- ", "----", "...", "--- x", ""])
    body = rng.choice(["", "\n# Title\n\n- a fact\n", "\n"])
    if not closing and not body.startswith("\n"):
        body = "\n# T\n"
    head = "\n".join([opening, *lines, *filter(None, [closing])]) + "\n"
    whole = (head + body).replace("\n", rng.choice(["\n", "\n", "\r\n"]))
    return Written(whole.encode(), meant, manner, broken)
