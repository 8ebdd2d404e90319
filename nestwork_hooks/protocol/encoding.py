"""What a file is encoded in that is not UTF-8, and the command that makes UTF-8 of it."""

from __future__ import annotations

from nestwork_hooks.protocol.finding import FILE

_MARKS = ((b"\xff\xfe", "UTF-16LE"), (b"\xfe\xff", "UTF-16BE"))
# Bytes around the first that is not UTF-8 that are enough to tell.
_AROUND = 400


def not_utf_8(data: bytes, at: int) -> str:
    """The reason why these bytes, of which the one at `at` is not UTF-8, can't be read."""
    fact = f"byte 0x{data[at]:02x} is not UTF-8, so no tool can be sure to read it"
    encoding = _likely(data, at)
    if not encoding:
        return f"{fact}: the rest is UTF-8, so type that character anew"
    command = f"iconv -f {encoding} -t UTF-8 {FILE} > utf-8.tmp && mv utf-8.tmp {FILE}"
    return f"{fact} (likely {encoding}): {command}"


def _likely(data: bytes, at: int) -> str:
    """The likely encoding; `""` where other text of the file is UTF-8."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    near = data[at : at + _AROUND]
    high = sum(byte > 127 for byte in near)
    if marked or not data[:at].isascii() or _utf_8_in(near) * 3 > high:
        return marked
    if near.count(0x82) + near.count(0x83) > max(high // 4, 1):
        return "SHIFT_JIS"
    together = sum(byte > 127 and near[at - 1] > 127 for at, byte in enumerate(near) if at)
    if together * 3 < high * 2:
        return "WINDOWS-1252"
    return "WINDOWS-1251" if sum(byte > 0xDF for byte in near) * 3 > high * 2 else "GB18030"


def _utf_8_in(data: bytes) -> int:
    """How many characters beyond ASCII are UTF-8 all the same."""
    return sum(char > "\x7f" for char in data.decode("utf-8", "ignore"))
