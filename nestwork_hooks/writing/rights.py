"""Give a new file the permissions of the file that it is to replace: never wider ones."""

from __future__ import annotations

import errno
import os

# The mode in which a file has to be created before it is given any permissions.
PRIVATE = 0o600
_ACL = "system.posix_acl_access"
_NO_ACL = frozenset({errno.ENODATA, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})


class ModeRefused(OSError):
    """The system does not let this process set `mode`; a file created with it may have it."""

    def __init__(self, error: OSError, mode: int) -> None:
        super().__init__(error.errno, f"its mode {mode:04o} cannot be kept: {error.strerror}")
        self.mode = mode


def copy(source: int, target: int) -> None:
    """Copy permissions and `user.*` attributes from the open file `source` to `target`.

    `target` was created by this process, as `PRIVATE` or in the mode of a `ModeRefused`. Only what
    differs is set, since some file systems refuse even to set what is there already. At no time
    may anybody do with `target` what they may not do with `source`. The owner is kept where this
    process may give files away. Set-id bits are dropped, as by any write.

    Raises OSError where mode or ACL cannot be kept, or where the group cannot be and either the
    group or everybody else would no longer be able to read; of that, ModeRefused where a file that
    is created with the right mode would do.
    """
    wanted, given = os.fstat(source), os.fstat(target)
    mode, acl = wanted.st_mode & 0o777, _acl(source)
    # The group first, since mode and ACL are about it; the owner last, since only it may set them.
    if wanted.st_gid != given.st_gid and not _give_away(target, -1, wanted.st_gid):
        mode = _without_group(mode, acl)
    _copy_attributes(source, target)
    _set_acl(target, acl)
    _set_mode(target, mode, may_be_created=wanted.st_gid == given.st_gid)
    if wanted.st_uid != given.st_uid:
        _give_away(target, wanted.st_uid, -1)


def _give_away(file: int, owner: int, group: int) -> bool:
    try:
        os.chown(file, owner, group)
    except OSError:  # Also for an id that this user namespace does not know.
        return False
    return True


def _without_group(mode: int, acl: bytes | None) -> int:
    """The widest mode that suits any group: group and others get what both had.

    Raises OSError where that would keep somebody from reading.
    """
    group, others = mode >> 3 & 0o7, mode & 0o7
    both = group & others
    if acl or (group | others) & ~both & 0o4:
        raise PermissionError(errno.EPERM, "its group cannot be kept, and others may not read it")
    return mode & 0o700 | both << 3 | both


def _acl(file: int) -> bytes | None:
    """The ACL beyond the mode, as the system stores it; None where there is none."""
    if not hasattr(os, "getxattr"):
        return None
    try:
        return os.getxattr(file, _ACL)
    except OSError as error:
        if error.errno in _NO_ACL:
            return None
        raise


def _set_acl(file: int, acl: bytes | None) -> None:
    """Set the ACL; None removes one that was inherited from the folder."""
    if _acl(file) == acl:
        return
    try:
        if acl is None:
            os.removexattr(file, _ACL)
        else:
            os.setxattr(file, _ACL, acl)
    except OSError as error:
        raise OSError(error.errno, f"its ACL cannot be kept: {error.strerror}") from error


def _set_mode(file: int, mode: int, *, may_be_created: bool) -> None:
    if os.fstat(file).st_mode & 0o777 == mode:
        return
    try:
        os.chmod(file, mode)
        if os.fstat(file).st_mode & 0o777 != mode:
            raise OSError(errno.ENOTSUP, "the file system has another")
    except OSError as error:
        refused = ModeRefused(error, mode)
        # With another group at first, a file created like this would be open to that group.
        raise refused if may_be_created else OSError(refused.errno, refused.strerror) from error


def _copy_attributes(source: int, target: int) -> None:
    try:
        names = os.listxattr(source) if hasattr(os, "listxattr") else []
    except OSError:
        return
    for name in names:
        try:
            if name.startswith("user."):
                os.setxattr(target, name, os.getxattr(source, name))
        except OSError:
            pass
