from __future__ import annotations

from collections.abc import Iterable

import pytest

from nestwork_hooks.protocol.content import CHUNK, Unread
from nestwork_hooks.protocol.finding import FILE
from nestwork_hooks.protocol.topic import BELOW, FRONT, Topic, read_topic

HEAD = b"---\ndescription: x\nupdated: 2026\n---\n"


def _read(data: bytes) -> Topic | Unread:
    chunks = [data[at : at + CHUNK] for at in range(0, len(data) + 1, CHUNK)]
    return read_topic("a.md", chunks)


def _topic(data: bytes) -> Topic:
    topic = _read(data)
    assert isinstance(topic, Topic)
    return topic


@pytest.mark.parametrize(
    ("data", "size", "description", "updated"),
    [
        (b"", 0, "", ""),
        (HEAD, len(HEAD), "x", "2026"),
        (HEAD.replace(b"\n", b"\r\n"), len(HEAD), "x", "2026"),
        (HEAD.replace(b"\n", b"\r"), len(HEAD), "x", "2026"),
        (HEAD + b"\r\r\n\n\r", len(HEAD) + 4, "x", "2026"),
        (b"---\ndescription: \xe5\xad\x97\n---", 24, "字", ""),
        (b"\0", 1, "", ""),
        (b"\n", 1, "", ""),
    ],
)
def test_size_and_fields(data: bytes, size: int, description: str, updated: str) -> None:
    topic = _topic(data)
    assert (topic.size, topic.description, topic.updated) == (size, description, updated)


@pytest.mark.parametrize("more", [-1, 0, 1, CHUNK])
def test_a_file_in_chunks_is_the_file_as_a_whole(more: int) -> None:
    body = "é\r\n".encode() * CHUNK
    data = (HEAD + body)[: CHUNK + more]
    data = data.decode(errors="ignore").encode()
    topic = _topic(data)
    assert topic.size == len(data.replace(b"\r\n", b"\n"))
    assert topic.description == "x"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"\xff", 1),
        (b"a\r\nb\r\nc\xe9", 3),
        (HEAD + b"\xe9t\xe9", 5),
        (HEAD + b"\n" * CHUNK + b"\xff", CHUNK + 5),
        (b"a\n" * (CHUNK // 2) + b"b\n\xe5", CHUNK // 2 + 2),
    ],
)
def test_not_utf_8(data: bytes, line: int) -> None:
    found = _read(data)
    assert isinstance(found, Unread)
    assert (found.fault.rule, found.fault.line, found.size) == (
        "unreadable",
        line,
        len(data.replace(b"\r\n", b"\n")),
    )
    assert " is not UTF-8, so no tool can be sure to read it (likely " in found.fault.message


_NOT = "byte 0x{:02x} is not UTF-8, so no tool can be sure to read it"


@pytest.mark.parametrize(
    ("data", "byte", "encoding"),
    [
        ("Ports du café".encode("latin-1"), 0xE9, "WINDOWS-1252"),
        ("“Größe” – naïve".encode("cp1252"), 0x93, "WINDOWS-1252"),
        ("机器的端口和路径，先读这里".encode("gbk"), 0xBB, "GB18030"),
        ("Порты и пути машин".encode("cp1251"), 0xCF, "WINDOWS-1251"),
        ("このファイルを読む".encode("shift_jis"), 0x82, "SHIFT_JIS"),
        ("\ufeffports".encode("utf-16-le"), 0xFF, "UTF-16LE"),
        ("\ufeffports".encode("utf-16-be"), 0xFE, "UTF-16BE"),
        ("café".encode() + b" na\xefve", 0xEF, ""),
        (b"na\xefve and " + "café, thé".encode(), 0xEF, ""),
    ],
)
def test_the_likely_encoding(data: bytes, byte: int, encoding: str) -> None:
    found = _read(data)
    assert isinstance(found, Unread)
    if not encoding:
        assert found.fault.message == (
            f"{_NOT.format(byte)}: the rest is UTF-8, so type that character anew"
        )
        return
    assert found.fault.message == (
        f"{_NOT.format(byte)} (likely {encoding}): iconv -f {encoding} -t UTF-8 {FILE} > utf-8.tmp"
        f" && mv utf-8.tmp {FILE}"
    )


def test_locked() -> None:
    found = _read(b"\0GITCRYPT\0\x01\x02")
    assert isinstance(found, Unread)
    assert (found.fault.rule, found.size) == ("locked", None)


@pytest.mark.parametrize(
    "data",
    [
        b"---\nk: " + b"x" * CHUNK,
        b"---\nk: " + b"x" * FRONT + b"\n---\n",
        b"---\nk: x\n\n" + b"text\n" * FRONT + b"---\n",
    ],
    ids=["no end", "one line", "many lines"],
)
def test_a_front_matter_is_not_read_on_and_on(data: bytes) -> None:
    found = _read(data)
    assert isinstance(found, Unread)
    assert found.fault.message == (
        "the front matter does not end in 32,768 characters: end it with a line --- below line 2"
    )


def test_the_longest_front_matter() -> None:
    head = "---\ndescription: x\nk: "
    head = head.ljust(FRONT, "y") + "\n---\n"
    assert _topic(head.encode()).description == "x"


def test_a_large_file_without_front_matter_is_only_counted() -> None:
    topic = _topic(b"x" * 2 * CHUNK)
    assert topic.size == 2 * CHUNK
    assert topic.head.text == "x" * BELOW


def test_chunks_are_read_one_at_a_time() -> None:
    def chunks() -> Iterable[bytes]:
        yield HEAD + b"x" * (CHUNK - len(HEAD))
        yield b"y" * CHUNK
        yield b""

    topic = read_topic("a.md", chunks())
    assert isinstance(topic, Topic)
    assert topic.size == 2 * CHUNK
    assert len(topic.head.text) < len(HEAD) + BELOW


@pytest.mark.parametrize("closing", ["----\n", "--- x\n", "--- \n"])
def test_a_head_goes_on_where_yaml_could_see_another_end(closing: str) -> None:
    data = f"---\ndescription: x\n{closing}" + "y\n" * 1000 + "---\n"
    assert _topic(data.encode()).head.text == data


@pytest.mark.parametrize(
    ("data", "newline"),
    [(b"---\r\na: b\n---\n", "\r\n"), (b"---\na: b\r\n---\n", "\n"), (b"---\ra: b\n", "")],
)
def test_the_line_ending_is_that_of_the_first_line(data: bytes, newline: str) -> None:
    assert _topic(data).head.newline == newline
