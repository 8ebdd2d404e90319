"""A nest like its author's: 180 memory files, 1.2 MB, 30 agents on ten machines, made up.

`python -m tests.author_nest FOLDER` writes one and stages it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

from tests.conftest import END, Files, memory

AGENT = "agents/host0/claude-a7k2"
FILES, BYTES = 180, 1_200_000
_WORDS = (
    "the a of to and in is for that when it on with are as not be this by an or from at if which only "
    "host port service deploy restart nginx config path agent memory index topic commit branch server "
    "token budget review release before after never always because `git pull --rebase` `systemctl` "
    "https://example.org/runbook/4711 /etc/nginx/sites-enabled/default 2026-09-27 v3.2.1 8080 0x1f "
    "部署 服务器 重启 之前 先备份 цель сервер порт перезапуск Übertragung größer Schlüssel déjà réseau "
)


def author_nest() -> Files:
    """Its files by path; a few have CRLF, which no count may see."""
    random = Random(20260927)
    sizes = {"queen/agent-rules.md": 1_400, "queen/strategy.md": 5_200}
    sizes |= {f"workflow/{name}.md": 3_100 for name in ("release", "review", "backup", "incident")}
    sizes |= {f"projects/project{n}.md": 4_700 for n in range(10)}
    sizes |= {"shared/memory.md": 700, "shared/resident.md": 750}
    sizes |= {f"shared/topic{n:02}.md": random.randint(2_000, 12_000) for n in range(22)}
    ids = ("claude-a7k2", "codex", "gemini")
    agents = [f"agents/host{n}/{name}" for n in range(10) for name in ids]
    for agent in agents:
        sizes |= {f"{agent}/memory.md": 700, f"{agent}/resident.md": random.randint(300, 1_900)}
    sizes[f"{AGENT}/resident.md"] = 450
    for number in range(80):
        agent = agents[number % 30 if number >= 7 else 0]
        sizes[f"{agent}/notes/topic{number:02}.md"] = random.randint(4_000, 21_000)
    return {path: _file(path, size, random) for path, size in _scaled(sizes).items()}


def _scaled(sizes: dict[str, int]) -> dict[str, int]:
    """The same sizes, with the topics of agents stretched so that all come to `BYTES`."""
    notes = {path: size for path, size in sizes.items() if "/notes/" in path}
    rest = sum(sizes.values()) - sum(notes.values())
    factor = (BYTES - rest) / sum(notes.values())
    return sizes | {path: round(size * factor) for path, size in notes.items()}


def _file(path: str, size: int, random: Random) -> bytes:
    if path.endswith("/memory.md"):
        text = memory()
        return text.replace(END, END + "\n" + _prose(size - len(text.encode()), random)).encode()
    head = f"---\ndescription: When it is about {Path(path).stem}\nupdated: 2026-09-27\n---\n\n"
    if "resident" in path or "agent-rules" in path:
        head = "# Read at every start\n\n"
    data = (head + _prose(size - len(head), random)).encode()
    return data.replace(b"\n", b"\r\n") if random.random() < 0.1 else data


def _prose(size: int, random: Random) -> str:
    lines, vocabulary = [], _WORDS.split()
    while size > 0:
        words = " ".join(random.choices(vocabulary, k=random.randint(4, 18)))
        line = random.choice(("- ", "", "", "## ", "1. ")) + words + random.choice((".", ":", ""))
        size -= len(line.encode()) + 1
        lines.append(line)
    return "\n".join(lines) + "\n"


def _write(folder: Path) -> None:
    for name, content in author_nest().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert isinstance(content, bytes)
        path.write_bytes(content)
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
