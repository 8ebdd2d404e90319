"""A nest of real text: front matter and bodies as people and programs write them.

The shares are those of 15,985 public Markdown files with a description.

    python -m tests.bench.real_text FOLDER
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from tests.bench.nests import commit, scopes
from tests.conftest import MARKERS

SCOPES, TOPICS = 30, 5_000
# How a description is written, and how often in a thousand files.
_DESCRIPTIONS = {"plain": 547, "block": 229, "double": 115, "single": 79, "odd": 30}
# What bodies are written in: of ten files, seven in the first language.
_LANGUAGES = [
    [
        "The proxy listens on port 8443, and the health check on 8444.",
        "A restart takes about forty seconds; wait for it before the next step.",
        "We tried the other library first, and it lost messages under load.",
        "Never run this against the production database without a dump.",
        "The cache is keyed by branch -> a new branch starts cold.",
    ],
    [
        "Der Dienst läuft auf dem kleinen Rechner und schreibt sein Protokoll täglich neu.",
        "Nach einem Stromausfall muss die Platte von Hand eingehängt werden.",
        "Le service démarre après la base de données, sinon il échoue sans message.",
        "El certificado caduca en marzo; renovarlo tarda unos cinco minutos — sin cortes.",
    ],
    [
        "服务器的端口映射写在配置文件里，修改之前先备份。",
        "部署脚本会先停止旧进程，再启动新进程。",
        "設定を変えたら必ず再起動すること。",
    ],
    ["Сервер обновляется по ночам, и утром нужно проверить журнал."],
]
_SHARES = [7, 1, 1, 1]
_WORDS = (
    "read before touching the build cache deploy of a host when it fails ports paths and quirks"
)
_CODE = [
    "systemctl restart proxy\njournalctl -u proxy -n 50",
    "def read(path):\n    with open(path) as file:\n        return file.read() < limit",
    '{"port": 8443, "hosts": ["a", "b"], "retry": true}',
    "git log --oneline | head -20 > /tmp/log",
    "cat <<EOF > config\nkey=value\nEOF",
]
_TITLES = ["Ports", "What went wrong", "Einrichten", "Étapes", "部署", "Checks", "Decisions"]


def main() -> int:
    """Build the nest in the folder that is named."""
    build(Path(sys.argv[1]))
    return 0


def build(root: Path) -> None:
    """Make a committed nest at `root`, with true indexes where its front matter allows them."""
    rng = random.Random(20_261_201)
    folders = scopes(SCOPES)
    for folder in folders:
        _write(
            root / folder / "memory.md",
            f"# Memory\n\n{_paragraph(rng, _LANGUAGES[0])}\n\n{MARKERS}",
        )
    _write(root / "queen/agent-rules.md", "# Rules\n\n" + "- Write down what you learn.\n" * 40)
    _write(root / "shared/resident.md", "# Resident\n\n" + _paragraph(rng, _LANGUAGES[0]) + "\n")
    for number in range(TOPICS):
        sub = "tooling/" if number % 9 == 0 else ""
        path = root / folders[number % SCOPES] / f"{sub}subject-{number:04}.md"
        _write(path, topic(rng, number))
    commit(root)


def topic(rng: random.Random, number: int) -> str:
    """A topic of 1 to 12 KB."""
    (language,) = rng.choices(_LANGUAGES, _SHARES)
    body, size = [f"# Subject {number}"], rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 12]) * 1_000
    while size > 0:
        part = rng.choice(_PARTS)(rng, language)
        size -= len(part.encode()) + 2
        body.append(part)
    return f"---\n{_front_matter(rng)}---\n\n" + "\n\n".join(body) + "\n"


def _front_matter(rng: random.Random) -> str:
    lines = [_description(rng)]
    if rng.random() < 0.5:
        lines.insert(0, f"name: {rng.choice(_WORDS.split())}-{rng.randint(1, 99)}")
    if rng.random() < 0.4:
        lines.append(f"updated: 2026-{rng.randint(1, 9):02}-{rng.randint(1, 28):02}")
    if rng.random() < 0.191:
        lines.append(f"metadata:\n  kind: {_words(rng, 1)}\n  owner: {_words(rng, 2)}")
    if rng.random() < 0.14:
        lines.append(f"tags: [{', '.join(_words(rng, 1) for _ in range(rng.randint(1, 5)))}]")
    if rng.random() < 0.122:
        indent = rng.choice(["", "  "])
        items = (f"\n{indent}- {_words(rng, 2)}" for _ in range(rng.randint(1, 5)))
        lines.append(f"tools:{''.join(items)}")
    if rng.random() < 0.036:
        lines.append(f"title: '{_words(rng, 4)}'")
    return "\n".join(lines) + "\n"


def _description(rng: random.Random) -> str:
    text = f"{_words(rng, rng.randint(4, 14)).capitalize()}, {_words(rng, 4)}"
    (kind,) = rng.choices(list(_DESCRIPTIONS), list(_DESCRIPTIONS.values()))
    if kind == "block":
        lines = (_words(rng, 10) for _ in range(rng.randint(1, 4)))
        return f"description: {rng.choice(['>', '>-', '|', '|-'])}\n  {text}" + "".join(
            f"\n  {line}" for line in lines
        )
    shapes = {"plain": "{}", "double": '"{}"', "single": "'{}'"}
    odd = rng.choice(['"{} \\"now\\""', "{}: see below", "'it''s {}'", "*{}*"])
    return f"description: {shapes.get(kind, odd).format(text)}"


def _words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(_WORDS.split(), k=count))


def _paragraph(rng: random.Random, language: list[str]) -> str:
    return " ".join(rng.choices(language, k=rng.randint(1, 5)))


def _heading(rng: random.Random, _: list[str]) -> str:
    return f"{'#' * rng.randint(2, 4)} {rng.choice(_TITLES)}"


def _list(rng: random.Random, language: list[str]) -> str:
    sign = rng.choice(["- ", "* ", "1. ", "- [ ] "])
    return "\n".join(f"{sign}{rng.choice(language)}" for _ in range(rng.randint(2, 7)))


def _fence(rng: random.Random, _: list[str]) -> str:
    return f"```{rng.choice(['sh', 'python', 'json', ''])}\n{rng.choice(_CODE)}\n```"


def _table(rng: random.Random, _: list[str]) -> str:
    rows = (f"| {_words(rng, 2)} | `{rng.randint(1, 9999)}` |" for _ in range(rng.randint(2, 6)))
    return "| what | port |\n|---|---|\n" + "\n".join(rows)


def _quote(rng: random.Random, language: list[str]) -> str:
    return f"> {rng.choice(language)} See <https://example.org/{rng.randint(1, 999)}> -> next"


_PARTS = [
    _paragraph,
    _paragraph,
    _paragraph,
    _heading,
    _heading,
    _list,
    _list,
    _fence,
    _table,
    _quote,
]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
