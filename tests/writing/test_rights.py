"""A rewritten memory.md has the rights that it had: never wider, and set only where they differ."""

from __future__ import annotations

import errno
import os
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nestwork_hooks.writing import rights
from nestwork_hooks.writing.replacement import NotRewritten, rewrite
from tests.conftest import MARKERS, entry, memory
from tests.writing.test_replacement import INDEX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

MEMORY = Path("shared/memory.md")
NEW = memory(entry("t.md"))
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
ACL, DEFAULT_ACL = "system.posix_acl_access", "system.posix_acl_default"
# Tags of acl(5): the owner, a user, the owning group, the mask, others.
_OWNER, _USER, _GROUP, _MASK, _OTHERS = 0x01, 0x02, 0x04, 0x10, 0x20


def acl(owner: int, user: int, group: int, others: int) -> bytes:
    """An ACL, as the system stores it, that gives the user 12345 the rights `user`."""
    entries = [
        *((_OWNER, owner, -1), (_USER, user, 12345), (_GROUP, group, -1)),
        *((_MASK, user | group, -1), (_OTHERS, others, -1)),
    ]
    lines = (struct.pack("<HHI", tag, may, who & 0xFFFFFFFF) for tag, may, who in entries)
    return struct.pack("<I", 2) + b"".join(lines)


# What `chmod g+r` would open to the group: the group bits of the mode are the mask.
HIDDEN_FROM_GROUP = acl(6, 4, 0, 0)


@pytest.fixture(autouse=True)
def stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    MEMORY.parent.mkdir()
    MEMORY.write_text(MARKERS)
    MEMORY.chmod(0o644)
    before = os.umask(0o022)
    yield
    os.umask(before)


def _set(path: Path, name: str, value: bytes) -> None:
    try:
        os.setxattr(path, name, value)
    except (AttributeError, OSError) as error:
        pytest.skip(f"no {name} here: {error}")


def _rights() -> tuple[int, int, int, dict[str, bytes]]:
    status = MEMORY.stat()
    names = os.listxattr(MEMORY) if hasattr(os, "listxattr") else []
    attributes = {name: os.getxattr(MEMORY, name) for name in names}
    return status.st_mode, status.st_uid, status.st_gid, attributes


def _rewritten() -> None:
    assert rewrite(str(MEMORY), INDEX)
    assert MEMORY.read_text() == NEW
    assert os.listdir("shared") == ["memory.md"]


def _refused(reason: str) -> None:
    before = _rights()
    with pytest.raises(NotRewritten) as refusal:
        rewrite(str(MEMORY), INDEX)
    assert str(refusal.value) == reason
    assert MEMORY.read_text() == MARKERS
    assert os.listdir("shared") == ["memory.md"]
    assert _rights() == before


def _refuse(number: int = errno.EPERM) -> Callable[..., None]:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


# Mode


def test_no_right_is_set_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    MEMORY.chmod(0o600)
    for name in ("chmod", "chown", "setxattr", "removexattr"):
        monkeypatch.setattr(os, name, pytest.fail, raising=False)
    _rewritten()


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o640, 0o444, 0o755])
@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EACCES])
def test_where_modes_cannot_be_set_a_file_is_created_with_its_mode(
    monkeypatch: pytest.MonkeyPatch, mode: int, number: int
) -> None:
    MEMORY.chmod(mode)
    monkeypatch.setattr(os, "chmod", _refuse(number))
    _rewritten()
    assert MEMORY.stat().st_mode & 0o7777 == mode


def test_a_mode_that_cannot_be_had_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    MEMORY.chmod(0o664)
    monkeypatch.setattr(os, "chmod", _refuse())
    _refused("its mode 0664 cannot be kept: Operation not permitted")


def test_a_mode_that_is_not_set_although_nothing_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    MEMORY.chmod(0o664)
    monkeypatch.setattr(os, "chmod", lambda *_: None)
    _refused("its mode 0664 cannot be kept: the file system has another")


# Group and owner


@AS_ROOT
@pytest.mark.parametrize(
    ("mode", "without_group"),
    [
        (0o600, 0o600),
        (0o644, 0o644),
        (0o664, 0o644),
        (0o666, 0o666),
        (0o646, 0o644),
        (0o755, 0o755),
        (0o640, None),
        (0o660, None),
        (0o604, None),
    ],
)
def test_a_group_that_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch, mode: int, without_group: int | None
) -> None:
    os.chown(MEMORY, -1, 4321)
    MEMORY.chmod(mode)
    monkeypatch.setattr(os, "chown", _refuse())
    if without_group is None:
        _refused("its group cannot be kept, and others may not read it")
    else:
        _rewritten()
        assert MEMORY.stat().st_mode & 0o7777 == without_group
        assert MEMORY.stat().st_gid == os.getegid()


@AS_ROOT
def test_a_file_for_another_group_is_not_created_open(monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(MEMORY, -1, 4321)
    MEMORY.chmod(0o640)
    monkeypatch.setattr(os, "chmod", _refuse())
    _refused("its mode 0640 cannot be kept: Operation not permitted")


@AS_ROOT
def test_the_group_is_kept_where_the_owner_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(MEMORY, 1234, 4321)
    chown = os.chown

    def refuse(file: int, owner: int, group: int) -> None:
        if owner != -1:
            raise PermissionError
        chown(file, owner, group)

    monkeypatch.setattr(os, "chown", refuse)
    _rewritten()
    assert (MEMORY.stat().st_uid, MEMORY.stat().st_gid) == (0, 4321)


@AS_ROOT
@pytest.mark.parametrize("number", [errno.EPERM, errno.EINVAL])
def test_an_owner_that_cannot_be_kept(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """EINVAL is what a user namespace says that does not know the owner."""
    os.chown(MEMORY, 1234, -1)
    monkeypatch.setattr(os, "chown", _refuse(number))
    _rewritten()
    assert MEMORY.stat().st_uid == 0


# ACLs and other attributes


@pytest.mark.parametrize("value", [HIDDEN_FROM_GROUP, acl(6, 6, 4, 4), acl(6, 0, 4, 4)])
def test_an_acl_is_kept(value: bytes) -> None:
    _set(MEMORY, ACL, value)
    before = _rights()
    _rewritten()
    assert _rights() == before


def test_an_acl_that_is_inherited_is_not_added() -> None:
    _set(MEMORY.parent, DEFAULT_ACL, acl(7, 7, 7, 5))
    before = _rights()
    _rewritten()
    assert _rights() == before


def test_an_acl_is_kept_where_another_is_inherited() -> None:
    _set(MEMORY, ACL, HIDDEN_FROM_GROUP)
    _set(MEMORY.parent, DEFAULT_ACL, acl(7, 7, 7, 5))
    before = _rights()
    _rewritten()
    assert _rights() == before


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSPC])
def test_an_acl_that_cannot_be_kept(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    _set(MEMORY, ACL, HIDDEN_FROM_GROUP)
    monkeypatch.setattr(os, "setxattr", _refuse(number))
    monkeypatch.setattr(os, "chmod", pytest.fail)
    _refused(f"its ACL cannot be kept: {os.strerror(number)}")


def test_an_inherited_acl_that_cannot_be_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(MEMORY.parent, DEFAULT_ACL, acl(7, 7, 7, 5))
    monkeypatch.setattr(os, "removexattr", _refuse())
    monkeypatch.setattr(os, "chmod", pytest.fail)
    _refused("its ACL cannot be kept: Operation not permitted")


@AS_ROOT
def test_an_acl_speaks_of_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(MEMORY, -1, 4321)
    _set(MEMORY, ACL, acl(6, 4, 4, 4))
    monkeypatch.setattr(os, "chown", _refuse())
    _refused("its group cannot be kept, and others may not read it")


def test_an_acl_that_cannot_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getxattr", _refuse(errno.EIO), raising=False)
    _refused("Input/output error")


@pytest.mark.parametrize("number", [errno.ENODATA, errno.ENOTSUP, errno.ENOSYS])
def test_a_file_system_without_acls(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    for name in ("getxattr", "listxattr"):
        monkeypatch.setattr(os, name, _refuse(number), raising=False)
    _rewritten()


def test_a_system_without_acls(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("getxattr", "setxattr", "listxattr", "removexattr"):
        monkeypatch.delattr(os, name, raising=False)
    _rewritten()


@pytest.mark.parametrize("mode", [0o644, 0o444])
def test_attributes_of_users_are_kept(mode: int) -> None:
    _set(MEMORY, "user.from", b"claude-mem\0\xff")
    MEMORY.chmod(mode)
    _rewritten()
    assert os.getxattr(MEMORY, "user.from") == b"claude-mem\0\xff"


def test_attributes_that_cannot_be_kept_are_no_reason_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _set(MEMORY, "user.from", b"claude-mem")
    monkeypatch.setattr(os, "setxattr", _refuse(errno.ENOSPC))
    _rewritten()


# At no moment


def _open_to_more(file: int, source: int) -> bool:
    """Whether somebody may do with `file` now what they may not do with `source`."""
    now, then = os.fstat(file), os.fstat(source)
    if now.st_mode & 0o077 == 0:
        return False
    same = _acl_of(file) == _acl_of(source) and now.st_gid == then.st_gid
    return not same or bool(now.st_mode & ~then.st_mode & 0o777)


def _acl_of(file: int) -> bytes | None:
    try:
        return os.getxattr(file, ACL)
    except OSError:
        return None


@AS_ROOT
@pytest.mark.parametrize("value", [None, HIDDEN_FROM_GROUP, acl(6, 6, 4, 4)])
@pytest.mark.parametrize("inherited", [None, acl(7, 7, 7, 5)])
def test_at_no_line_are_the_rights_wider(
    monkeypatch: pytest.MonkeyPatch, value: bytes | None, inherited: bytes | None
) -> None:
    MEMORY.chmod(0o640)
    os.chown(MEMORY, 1234, 4321)
    if value:
        _set(MEMORY, ACL, value)
    if inherited:
        _set(MEMORY.parent, DEFAULT_ACL, inherited)
    files: list[tuple[int, int]] = []
    lines: list[bool] = []

    def on_line(*_: object) -> object:
        lines.append(_open_to_more(*files[0]))
        return on_line

    def on_call(frame: FrameType, *_: object) -> object:
        return on_line if frame.f_code.co_filename == rights.__file__ and files else None

    def traced(source: int, target: int, copy: Callable[[int, int], None] = rights.copy) -> None:
        files.append((target, source))
        before = sys.gettrace()
        sys.settrace(on_call)  # type: ignore[arg-type]
        try:
            copy(source, target)
        finally:
            sys.settrace(before)

    monkeypatch.setattr(rights, "copy", traced)
    before = _rights()
    _rewritten()
    assert len(lines) > 20
    assert not any(lines)
    assert _rights() == before
