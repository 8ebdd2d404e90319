"""The fixer on file systems, as users and with capabilities that this machine really has."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.conftest import BIN, MARKERS, RULES, Done, Repo, entry, memory, topic

NEW = memory(entry("t.md"))
FIX = ("nestwork-fix-index", "--all")
NO_ROOT = os.geteuid() != 0
# git works in no folder of somebody else unless it is told to.
ANY_OWNER = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}
AS_ROOT = pytest.mark.skipif(NO_ROOT, reason="only root can mount, give away and take on rights")


@pytest.fixture
def stale(repo: Repo) -> Repo:
    repo.commit({**RULES, "shared/memory.md": MARKERS, "shared/t.md": topic()})
    return repo


def _needs(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")


def _status(repo: Repo) -> tuple[int, int, int]:
    status = (repo.path / "shared/memory.md").stat()
    return stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid


def _was_rewritten(repo: Repo, done: Done) -> None:
    assert done.code == 1, done.text
    assert repo.read("shared/memory.md") == NEW
    assert sorted(os.listdir(repo.path / "shared")) == ["memory.md", "t.md"]


def _was_refused(repo: Repo, done: Done, reason: str) -> None:
    said = f"nestwork-fix-index: shared/memory.md: not rewritten: {reason}\n"
    assert done == (2, "", said)
    assert repo.read("shared/memory.md") == MARKERS
    assert sorted(os.listdir(repo.path / "shared")) == ["memory.md", "t.md"]


# File systems that refuse to set a mode or an owner, or have none of their own


@AS_ROOT
@pytest.mark.slow
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o640, 0o755])
@pytest.mark.parametrize(
    "options",
    [
        ["--chmod-deny"],
        ["--chmod-deny", "--chown-deny", "--chgrp-deny"],
        ["--chmod-deny", "--xattr-none"],
        ["--chmod-ignore"],
        ["--perms=0644:a+X", "--chmod-deny"],
        ["--perms=0600:u+X", "--chmod-deny", "--chown-deny"],
        ["--force-user=4321", "--force-group=4321", "--chmod-deny"],
    ],
    ids=" ".join,
)
def test_a_mount_that_refuses_rights(stale: Repo, options: list[str], mode: int) -> None:
    _needs("bindfs", "unshare")
    (stale.path / "shared/memory.md").chmod(mode)
    before = _status(stale)
    where = stale.path.parent / "mount"
    where.mkdir()
    script = f"""
        bindfs {" ".join(options)} {stale.path} {where} || exit 99
        cd {where}
        stat -c %a shared/memory.md >{where.parent}/before
        {BIN}/nestwork-fix-index --all; code=$?
        stat -c %a shared/memory.md >{where.parent}/after
        cd /; umount {where}
        exit $code
    """
    done = _in_namespace(stale, script)
    _was_rewritten(stale, done)
    assert (where.parent / "before").read_text() == (where.parent / "after").read_text()
    if not any(option.startswith("--perms") for option in options):
        assert _status(stale) == before


def _in_namespace(repo: Repo, script: str) -> Done:
    # A user namespace would not do: it refuses what is tried here on its own account.
    done = repo.run("unshare", "-m", "sh", "-c", script, **ANY_OWNER)
    if done.code == 99 or done.err.startswith("unshare: "):
        pytest.skip(f"nothing can be mounted here: {done.err}")
    return done


@AS_ROOT
@pytest.mark.slow
def test_a_read_only_mount(stale: Repo) -> None:
    _needs("unshare")
    path = stale.path
    script = f"""
        mount --bind {path} {path} && mount -o remount,ro,bind {path} || exit 99
        cd {path}; {BIN}/nestwork-fix-index --all; code=$?
        cd /; umount {path}
        exit $code
    """
    _was_refused(stale, _in_namespace(stale, script), "Read-only file system")


@AS_ROOT
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ext4", "vfat"])
def test_a_file_system_of_its_own(stale: Repo, kind: str) -> None:
    _needs("unshare", f"mkfs.{kind}")
    where, image = stale.path.parent / "mount", stale.path.parent / "image"
    where.mkdir()
    with image.open("wb") as file:
        file.truncate(16 << 20)
    subprocess.run([f"mkfs.{kind}", str(image)], check=True, capture_output=True)
    script = f"""
        mount -o loop {image} {where} || exit 99
        cp -r {stale.path}/. {where}; cd {where}
        {BIN}/nestwork-fix-index --all; code=$?
        cp shared/memory.md {where.parent}/memory.md; ls -A shared >{where.parent}/names
        cd /; umount {where}
        exit $code
    """
    done = _in_namespace(stale, script)
    assert done.code == 1, done.text
    assert (where.parent / "memory.md").read_text() == NEW
    assert (where.parent / "names").read_text() == "memory.md\nt.md\n"


@AS_ROOT
@pytest.mark.slow
def test_an_overlay(stale: Repo) -> None:
    _needs("unshare", "setfacl", "getfacl")
    where = stale.path.parent / "mount"
    where.mkdir()
    script = f"""
        mount -t tmpfs none {where} && cd {where} && mkdir up work all || exit 99
        setfacl -m u:12345:r,g::-,o::- {stale.path}/shared/memory.md || exit 99
        mount -t overlay none -o lowerdir={stale.path},upperdir=up,workdir=work all || exit 99
        cd all; {BIN}/nestwork-fix-index --all; code=$?
        cat shared/memory.md >{where.parent}/memory.md
        getfacl -cn shared/memory.md >{where.parent}/acl
        cd /; umount {where}/all; umount {where}
        exit $code
    """
    done = _in_namespace(stale, script)
    assert done.code == 1, done.text
    assert (where.parent / "memory.md").read_text() == NEW
    assert (where.parent / "acl").read_text() == (
        "user::rw-\nuser:12345:r--\ngroup::---\nmask::r--\nother::---\n\n"
    )


@pytest.mark.parametrize("mask", [(), ("-m", "m::r")])
def test_what_setfacl_set_is_what_getfacl_shows(stale: Repo, mask: tuple[str, ...]) -> None:
    _needs("setfacl", "getfacl")
    path = "shared/memory.md"
    if stale.run("setfacl", "-m", "u:12345:rw,g::-,o::-", *mask, path).code:
        pytest.skip("no ACLs on this file system")
    stale.git("config", "core.fileMode", "false")
    before = stale.run("getfacl", "-cn", path)
    _was_rewritten(stale, stale.run(*FIX))
    assert stale.run("getfacl", "-cn", path) == before


# Users and capabilities


def _as(repo: Repo, *options: str) -> Done:
    _needs("setpriv")
    return repo.run("setpriv", *options, *FIX, **ANY_OWNER)


GROUP = "its group cannot be kept, and others may not read it"


@pytest.mark.quick(3)
@AS_ROOT
@pytest.mark.parametrize(
    ("capabilities", "mode", "refused"),
    [
        ("-fowner", 0o640, ""),
        ("-fowner,-fsetid", 0o444, ""),
        ("-chown", 0o644, ""),
        ("-chown", 0o640, GROUP),
        ("-chown,-fowner", 0o644, ""),
        ("-chown,-fowner", 0o660, GROUP),
        ("-all", 0o644, "Permission denied"),
    ],
)
def test_root_without_some_capabilities(
    stale: Repo, capabilities: str, mode: int, refused: str
) -> None:
    file = stale.path / "shared/memory.md"
    os.chown(file, 1234, 4321)
    os.chown(file.parent, 1234, 4321)
    file.chmod(mode)
    before = _status(stale)
    done = _as(stale, f"--bounding-set={capabilities}", "--inh-caps=-all")
    if refused:
        _was_refused(stale, done, refused)
        assert _status(stale) == before
    else:
        _was_rewritten(stale, done)
        assert _status(stale)[0] == mode
        if "chown" not in capabilities:
            assert _status(stale) == before


@pytest.fixture
def open_to_all(stale: Repo) -> Iterator[Repo]:
    """The nest in a folder that every user can reach and write to."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        nest = shutil.copytree(stale.path, Path(folder, "nest"))
        for path in (nest, nest / "shared"):
            path.chmod(0o777)
        yield Repo(nest, stale.env)


@pytest.mark.quick(2)
@AS_ROOT
@pytest.mark.parametrize(
    ("mode", "groups", "then"),
    [
        (0o644, "--clear-groups", (0o644, 2345, 2345)),
        (0o664, "--clear-groups", (0o644, 2345, 2345)),
        (0o646, "--clear-groups", (0o644, 2345, 2345)),
        (0o664, "--groups=4321", (0o664, 2345, 4321)),
        (0o660, "--groups=4321", (0o660, 2345, 4321)),
    ],
)
def test_another_user(
    open_to_all: Repo, mode: int, groups: str, then: tuple[int, int, int]
) -> None:
    file = open_to_all.path / "shared/memory.md"
    os.chown(file, 1234, 4321)
    file.chmod(mode)
    who = ("--reuid=2345", "--regid=2345", groups)
    _needs("setpriv")
    if open_to_all.run("setpriv", *who, FIX[0], "--version").code:
        pytest.skip("another user cannot run what is installed here")
    done = _as(open_to_all, *who)
    _was_rewritten(open_to_all, done)
    assert _status(open_to_all) == then
