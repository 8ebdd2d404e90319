"""`nestwork-commit --push` past open edits, killed runs, quick neighbours and odd clones."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from nestwork_hooks.commands import pusher
from nestwork_hooks.git import GitError, acting, remote
from nestwork_hooks.writing import lock
from tests.commands.two_clones import (
    BOX,
    MILL,
    NAME,
    NOT_PUSHED,
    Two,
    assert_level,
    clone_of,
    left_behind,
    push,
    subjects,
    write_and_push,
)
from tests.conftest import BIN, Done, Repo, entry, memory, topic, with_slow

STRATEGY = "queen/strategy.md"


def push_from_mill(two: Two, number: int = 0) -> None:
    """Push a change to a file that no scope has, and to a scope of the other clone's machine."""
    if number:
        two.mill.git("pull", "-q", "--rebase")
    two.mill.write({STRATEGY: f"mill {number}\n", f"new/{number}.md": "new\n"})
    two.mill.commit(
        {"shared/hosts.md": topic(body="x\n" * 99 * (number + 1))}, f"strategy {number}"
    )
    two.mill.call("nestwork-fix-index", "shared")
    two.mill.git("commit", "-qam", f"index {number}")
    two.mill.git("push", "-q")


def _edit(box: Repo) -> None:
    box.write({STRATEGY: "box\n"})


def _stage(box: Repo) -> None:
    box.write({STRATEGY: "box\n"})
    box.git("add", STRATEGY)


def _put_in_the_way(box: Repo) -> None:
    box.write({"new/0.md": "box\n"})


def _put_an_ignored_file_in_the_way(box: Repo) -> None:
    (box.path / ".git/info/exclude").write_text("new/\n")
    box.write({"new/0.md": "box\n"})


def _delete(box: Repo) -> None:
    box.write({STRATEGY: None})


BEGUN = [_edit, _stage, _put_in_the_way, _put_an_ignored_file_in_the_way, _delete]


@pytest.mark.parametrize("begin", with_slow(BEGUN, _put_in_the_way))
def test_memory_arrives_past_open_work_which_stays(two: Two, begin: Callable[[Repo], None]) -> None:
    push_from_mill(two)
    begin(two.box)
    before = two.box.git("status", "--porcelain", "-uall", "--ignored")
    for number in range(3):
        write_and_push(two.box, {f"{BOX}/hosts.md": topic(body=f"{number}\n")}, f"{number}")
        assert two.box.git("status", "--porcelain", "-uall", "--ignored") == before
    assert subjects(two.remote) == ["strategy 0", "index 0", "0", "1", "2"]
    push_from_mill(two, 1)
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="3\n")}, "3")
    assert two.box.git("status", "--porcelain", "-uall", "--ignored") == before
    assert subjects(two.box) == ["0", "1", "2", "3"]
    # Once the open work is done, the next run brings the clone along.
    two.box.git("reset", "-q", "--", STRATEGY)
    two.box.git("checkout", "-q", "--", STRATEGY)
    two.box.write({"new/0.md": None})
    assert push(two.box, BOX) == (0, "", "")
    (two.box.path / ".git/info/exclude").unlink(missing_ok=True)
    assert_level(two.box, two.remote)
    assert subjects(two.box)[-3:] == ["strategy 1", "index 1", "3"]


def test_a_file_that_is_here_already_as_it_becomes_is_no_obstacle(two: Two) -> None:
    """As when one update was copied into both clones, or a checkout was killed halfway."""
    push_from_mill(two)
    two.box.write({STRATEGY: "mill 0\n", "new/0.md": "new\n"})
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="box\n")})
    assert_level(two.box, two.remote)


def test_open_edits_of_the_scope_itself_stay(two: Two) -> None:
    """What is written between the commit and the move is nobody's to replace."""
    push_from_mill(two)
    two.box.write({f"{BOX}/hosts.md": topic(body="1\n")})
    moved = pusher.Pusher._bring_along

    def write_first(self: pusher.Pusher, there: str) -> None:
        two.box.write({f"{BOX}/hosts.md": topic(body="2\n"), f"{BOX}/new.md": topic()})
        moved(self, there)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pusher.Pusher, "_bring_along", write_first)
        assert push(two.box, BOX, "1") == (0, "", "")
    assert two.box.git("rev-parse", "HEAD") == two.remote.git("rev-parse", "main")
    assert two.box.git("status", "--porcelain").splitlines() == [
        f" M {BOX}/hosts.md",
        f"?? {BOX}/new.md",
    ]
    assert push(two.box, BOX, "2") == (0, "", "")
    assert_level(two.box, two.remote)


def killed_in(two: Two, where: str, scope: str = BOX) -> None:
    """Run the command, and end it at once where a method of the pusher begins."""
    script = (
        "import os, sys\n"
        "from nestwork_hooks.commands import pusher\n"
        "from nestwork_hooks.commands.commit import main\n"
        f"pusher.{where} = lambda *_, **__: os._exit(9)\n"
        f"main([{scope!r}, '-m', 'killed', '--push'])\n"
    )
    assert two.box.run(sys.executable, "-c", script).code == 9


ENDS = ["Destination.push", "Pusher._bring_along", "Pusher._follow", "Records.add"]
OTHERS = ["nobody", "mill", "a plain commit"]


@pytest.mark.parametrize(
    ("others", "where"),
    with_slow(
        product(OTHERS, ENDS),
        ("mill", "Pusher._bring_along"),
        ("a plain commit", "Pusher._follow"),
    ),
)
def test_what_a_killed_run_has_begun_is_brought_to_an_end(
    two: Two, where: str, others: str
) -> None:
    push_from_mill(two)
    two.box.write({f"{BOX}/hosts.md": topic(body="1\n" * 40)})
    killed_in(two, where)
    for folder in (two.box.path / ".git").glob("nestwork-push-*"):
        os.utime(folder, (0, 0))
    if others == "mill":
        push_from_mill(two, 1)
    if others == "a plain commit":
        two.box.write({f"{BOX}/ports.md": topic(body="plain\n")})
        two.box.git("commit", "-qm", "plain", "--", f"{BOX}/ports.md")
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="2\n" * 40)}, "2")
    assert_level(two.box, two.remote)
    assert two.box.read(f"{BOX}/hosts.md") == topic(body="2\n" * 40)
    found = subjects(two.remote)
    assert found.count("killed") == found.count("2") == 1


@pytest.mark.parametrize("again", with_slow([1, 9], 1))
def test_a_commit_made_while_the_clone_is_moved(
    two: Two, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    push_from_mill(two)
    follow = pusher.Pusher._follow
    made: list[int] = []

    def commit_first(self: pusher.Pusher, head: str, end: str) -> bool:
        if len(made) < again:
            made.append(len(made))
            two.box.write({f"{MILL}/ports.md": topic(body=f"{len(made)}\n")})
            two.box.git("commit", "-qm", "quick", "--", MILL)
        return follow(self, head, end)

    monkeypatch.setattr(pusher.Pusher, "_follow", commit_first)
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="box\n")}, "slow")
    monkeypatch.undo()
    assert subjects(two.remote) == ["strategy 0", "index 0", "slow"]
    assert two.box.git("status", "--porcelain", "-uall") == ""
    assert two.box.read(f"{MILL}/ports.md") == topic(body=f"{len(made)}\n")
    write_and_push(two.box, {f"{BOX}/ports.md": topic(body="box\n")}, "last")
    assert_level(two.box, two.remote)
    assert subjects(two.remote).count("quick") == len(made)


def test_interrupted_between_files_and_branch(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    push_from_mill(two)

    def interrupt(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(pusher.Pusher, "_follow", interrupt)
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    assert push(two.box, BOX) == (
        1,
        "",
        f"{NAME}: committed and pushed, but this clone does not follow: interrupted\n",
    )
    assert two.box.git("status", "--porcelain", "-uall") == ""
    assert subjects(two.box) == ["memory"]


def _slow(two: Two) -> None:
    hook = two.remote.path / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nsleep 60\n")
    hook.chmod(0o755)


def test_a_remote_that_gives_no_answer(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    _slow(two)
    monkeypatch.setattr(pusher, "LIMIT", 1)
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    start = time.monotonic()
    done = push(two.box, BOX)
    assert time.monotonic() - start < 20
    said = "git push, or what it runs or asks, gave no answer for 1 seconds, and was ended"
    assert (done.code, done.err) == (1, f"{NOT_PUSHED}git says:\n> {said}\n")
    assert left_behind(two.box) == []


def test_nobody_is_asked_for_a_password(two: Two, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    helper = tmp_path / "askpass"
    helper.write_text(f"#!/bin/sh\necho asked >>{asked}\n")
    helper.chmod(0o755)
    ssh = tmp_path / "ssh"
    ssh.write_text(
        '#!/bin/sh\necho "terminal $GIT_TERMINAL_PROMPT, askpass $GIT_ASKPASS." >&2\nexit 1\n'
    )
    ssh.chmod(0o755)
    two.box.git("remote", "set-url", "origin", "ssh://nobody@localhost/nest.git")
    two.box.git("config", "core.askPass", str(helper))
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    done = push(two.box, BOX, GIT_SSH=str(ssh), SSH_ASKPASS=str(helper))
    assert "> terminal 0, askpass .\n" in done.err
    assert not asked.exists()


@pytest.mark.slow
def test_a_push_in_a_subfolder_nest(repo: Repo, two: Two) -> None:
    bare = repo.path.parent / "mono.git"
    for name in ("queen", "agents", "shared"):
        (repo.path / "nest" / name).parent.mkdir(exist_ok=True)
        shutil.copytree(two.box.path / name, repo.path / "nest" / name)
    repo.commit({"code.py": "1\n"})
    repo.git("clone", "-q", "--bare", ".", str(bare))
    mono = Repo(bare, repo.env)
    one, other = clone_of(mono, "one"), clone_of(mono, "other")
    for clone, name in ((one, "hosts"), (other, "ports")):
        clone.write({f"nest/shared/{name}.md": topic(body="x" * 999)})
        done = clone.call(NAME, "shared", "-m", name, "--push", "--root", "nest")
        assert done == (0, "", "")
    assert subjects(mono) == ["hosts", "ports"]
    assert other.git("status", "--porcelain", "-uall") == ""
    lines = entry("hosts.md", size="1.0"), entry("ports.md", size="1.0")
    assert other.read("nest/shared/memory.md") == memory(*lines)


def _sparse(two: Two) -> None:
    two.box.git("sparse-checkout", "set", "agents", "queen")


def _with_autocrlf(two: Two) -> None:
    two.box.git("config", "core.autocrlf", "true")
    two.box.git("rm", "-rqf", "--cached", ".")
    two.box.git("reset", "-q", "--hard")


def _with_split_index(two: Two) -> None:
    two.box.git("config", "core.splitIndex", "true")


def _signing(two: Two) -> None:
    gpg = two.box.path.parent / "gpg"
    gpg.write_text(
        "#!/bin/sh\ncat >/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\necho signed\n"
    )
    gpg.chmod(0o755)
    two.box.git("config", "gpg.program", str(gpg))
    two.box.git("config", "commit.gpgSign", "true")


def _with_a_hostile_configuration(two: Two) -> None:
    for name, value in {
        "push.default": "nothing",
        "push.followTags": "true",
        "fetch.prune": "true",
        "pull.rebase": "true",
        "merge.conflictStyle": "diff3",
        "diff.relative": "true",
        "diff.noprefix": "true",
        "core.quotePath": "true",
        "submodule.recurse": "true",
        "i18n.commitEncoding": "ISO-8859-1",
        "branch.autoSetupRebase": "always",
        "receive.fsckObjects": "true",
    }.items():
        two.box.git("config", name, value)


def _in_a_linked_worktree(two: Two) -> None:
    linked = two.box.path.parent / "linked"
    two.box.git("switch", "-qc", "other")
    two.box.git("worktree", "add", "-q", str(linked), "main")
    two.box.path = linked


def _on_another_branch(two: Two) -> None:
    two.box.git("switch", "-qc", "mine", "--track", "origin/main")
    two.box.git("config", "push.default", "upstream")


def _to_an_address(two: Two) -> None:
    two.box.git("config", "branch.main.remote", str(two.remote.path))


def _to_another_remote(two: Two) -> None:
    two.box.git("remote", "add", "copy", "/nowhere.git")
    two.box.git("config", "branch.main.remote", "copy")
    two.box.git("config", "remote.pushDefault", "origin")


def _shallow(two: Two) -> None:
    shutil.rmtree(two.box.path)
    two.remote.git("clone", "-q", "--depth", "1", f"file://{two.remote.path}", str(two.box.path))


def _partial(two: Two) -> None:
    shutil.rmtree(two.box.path)
    two.remote.git("config", "uploadpack.allowFilter", "true")
    words = ("clone", "-q", "--filter=blob:none", f"file://{two.remote.path}")
    two.remote.git(*words, str(two.box.path))


ODD: list[Callable[[Two], None]] = [
    _sparse,
    _with_autocrlf,
    _with_split_index,
    _signing,
    _with_a_hostile_configuration,
    _in_a_linked_worktree,
    _on_another_branch,
    _to_an_address,
    _to_another_remote,
    _shallow,
    _partial,
]


@pytest.mark.parametrize("arrange", with_slow(ODD, _in_a_linked_worktree))
def test_in_clones_of_every_kind(two: Two, arrange: Callable[[Two], None]) -> None:
    arrange(two)
    two.mill.write({STRATEGY: "mill\n"})
    two.mill.git("commit", "-qam", "strategy")
    for number in range(2):
        two.mill.write({f"{BOX}/hosts.md": topic(body="x" * 999 * (number + 1))})
        assert push(two.mill, BOX, "theirs").code == 0
        two.box.write({f"{BOX}/ports.md": topic(body="y" * 1999 * (number + 1))})
        assert push(two.box, BOX, "ours") == (0, "", "")
    assert subjects(two.remote) == ["strategy", "theirs", "ours", "theirs", "ours"]
    assert two.box.git("rev-parse", "HEAD") == two.remote.git("rev-parse", "main")
    assert two.box.git("status", "--porcelain", "-uall") == ""
    assert two.box.git("stash", "list") == ""
    lines = entry("hosts.md", size="2.0"), entry("ports.md", size="4.0")
    assert two.remote.git("show", f"main:{BOX}/memory.md") == memory(*lines)
    signed = "gpgsig signed" in two.remote.git("cat-file", "commit", "main")
    assert signed == (arrange is _signing)


@pytest.mark.skipif(not shutil.which("git-crypt"), reason="git-crypt is not installed")
def test_encrypted_memory_merges_and_stays_encrypted(two: Two) -> None:
    two.box.git("crypt", "init")
    two.box.write({".gitattributes": "*.md filter=git-crypt diff=git-crypt\n"})
    two.box.git("rm", "-qr", "--cached", ".")
    two.box.commit(message="encrypt")
    two.box.git("push", "-q")
    key = two.box.path.parent / "key"
    two.box.git("crypt", "export-key", str(key))
    two.mill.git("pull", "-q")
    two.mill.git("crypt", "unlock", str(key))
    write_and_push(two.mill, {"shared/hosts.md": topic(body="x" * 330)}, "theirs")
    write_and_push(two.box, {"shared/ports.md": topic(body="y" * 560)}, "ours")
    lines = entry("hosts.md", size="0.4"), entry("ports.md", size="0.6")
    assert two.box.read("shared/memory.md") == memory(*lines)
    assert two.remote.run("git", "show", "main:shared/memory.md").out.startswith("\0GITCRYPT\0")
    assert subjects(two.remote) == ["encrypt", "theirs", "ours"]
    assert two.box.git("status", "--porcelain", "-uall") == ""


@pytest.mark.slow
def test_files_that_become_folders_and_folders_that_become_files(two: Two) -> None:
    two.mill.commit({STRATEGY: None, f"{STRATEGY}/a.md": "a\n"}, "folder")
    two.mill.git("push", "-q")
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="1\n")}, "1")
    two.mill.git("pull", "-q", "--rebase")
    two.mill.git("rm", "-q", f"{STRATEGY}/a.md")
    two.mill.commit({STRATEGY: "file\n"}, "file")
    two.mill.git("push", "-q")
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="2\n")}, "2")
    assert_level(two.box, two.remote)


@pytest.mark.slow
def test_far_behind(two: Two) -> None:
    for number in range(0, 2000, 500):
        files = {f"projects/{n}.md": "x\n" for n in range(number, number + 500)}
        two.mill.commit({**files, STRATEGY: f"{number}\n"}, f"{number}")
    two.mill.git("push", "-q")
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="2\n")}, "2")
    assert_level(two.box, two.remote)


EMPTY_COMMIT = """\
commit refs/heads/main
committer t <t@example.org> 1 +0000
data <<END
{number}
END

"""


def test_far_ahead(two: Two) -> None:
    push_from_mill(two)
    head = two.box.git("rev-parse", "HEAD").strip()
    commits = "".join(EMPTY_COMMIT.format(number=number) for number in range(101))
    first, rest = commits.split("\n\n", 1)
    two.box.feed(f"{first}\nfrom {head}\n\n{rest}".encode(), "fast-import", "--quiet")
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="2\n")}, "2")
    assert_level(two.box, two.remote)
    assert subjects(two.remote)[-1] == "Merge what another clone of the nest has pushed"


def test_two_at_once_in_one_clone(two: Two) -> None:
    """One waits for the other, and finds its own commit pushed."""
    _slow(two)
    hook = two.remote.path / "hooks/pre-receive"
    hook.write_text(f"#!/bin/sh\nsleep 0.5\necho once >>{two.remote.path}/pushes\n")
    from threading import Thread

    done: list[Done] = []

    def work(scope: str) -> None:
        two.box.write({f"{scope}/hosts.md": topic(body="x\n")})
        done.append(two.box.run(NAME, scope, "-m", scope, "--push"))

    threads = [Thread(target=work, args=(scope,)) for scope in (BOX, MILL, "shared")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [(0, "", "")] * 3
    assert_level(two.box, two.remote)
    assert sorted(subjects(two.remote)) == sorted([BOX, MILL, "shared"])
    assert (two.remote.path / "pushes").read_text().count("once") <= 3


@pytest.mark.slow
def test_in_a_repository_of_long_ids(repo: Repo, two: Two) -> None:
    bare, source = repo.path.parent / "long.git", repo.path.parent / "source"
    repo.git("init", "-q", "-b", "main", "--object-format=sha256", str(source))
    shutil.copytree(two.box.path, source, ignore=shutil.ignore_patterns(".git"), dirs_exist_ok=True)
    nest = Repo(source, repo.env)
    nest.commit()
    nest.git("clone", "-q", "--bare", ".", str(bare))
    two = Two(Repo(bare, repo.env), *(clone_of(Repo(bare, repo.env), name) for name in ("b", "m")))
    push_from_mill(two)
    two.box.write({STRATEGY: "mill 0\n"})
    for number in range(2):
        write_and_push(two.box, {"shared/ports.md": topic(body="y" * 999 * (number + 1))})
    assert_level(two.box, two.remote)


def test_a_hook_of_the_push_that_pushes(two: Two) -> None:
    hook = two.box.path / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{NAME} {MILL} -m inner --push >&2\n")
    hook.chmod(0o755)
    start = time.monotonic()
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="2\n")}, "2")
    assert time.monotonic() - start < 20
    assert subjects(two.remote) == ["2"]


@pytest.mark.slow
def test_a_file_that_somebody_takes_out_while_a_move_waits(two: Two) -> None:
    """What was put on top earlier has no such file yet; this makes no move of its removal."""
    push_from_mill(two)
    _edit(two.box)
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="1\n")}, "1")
    write_and_push(two.box, {f"{BOX}/later.md": topic()}, "later")
    two.box.git("rm", "-q", f"{BOX}/later.md")
    write_and_push(two.box, {f"{MILL}/hosts.md": topic(body="1\n")}, "2")
    assert two.box.git("status", "--porcelain").splitlines() == [
        f"D  {BOX}/later.md",
        f" M {STRATEGY}",
    ]


class Racing:
    """Lets the other clone push first, so many times."""

    def __init__(self, two: Two, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
        self.number = 0
        pushed = remote.Destination.push

        def push_after_mill(self_: remote.Destination, *args: str, **kwargs: str) -> None:
            if self.number < times:
                self.number += 1
                two.mill.write({f"{MILL}/hosts.md": topic(body=f"{self.number}\n")})
                two.mill.git("commit", "-qam", f"mill {self.number}")
                two.mill.git("push", "-q")
            pushed(self_, *args, **kwargs)  # type: ignore[arg-type]

        monkeypatch.setattr(remote.Destination, "push", push_after_mill)


@pytest.mark.parametrize(("times", "at_once"), with_slow([(3, False), (4, True)], 4))
def test_others_are_quicker_again_and_again(
    two: Two, monkeypatch: pytest.MonkeyPatch, times: int, at_once: bool
) -> None:
    two.box.commit({STRATEGY: "box\n"}, "strategy")
    Racing(two, monkeypatch, times)
    write_and_push(two.box, {f"{BOX}/ports.md": topic(body="box\n")}, "ports")
    assert_level(two.box, two.remote)
    expected = {"strategy", "ports", *(f"mill {number + 1}" for number in range(times))}
    merge = "Merge what another clone of the nest has pushed"
    assert set(subjects(two.remote)) == expected | ({merge} if at_once else set())


def test_without_locks_another_run_of_the_clone_pushes_the_same_commits(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has brought the clone along and forgotten what it made of them, before this one compares."""
    two.mill.commit({f"{MILL}/hosts.md": topic(body="mill\n")}, "mill")
    two.mill.git("push", "-q")
    two.box.git("fetch", "-q")
    two.box.commit({f"{BOX}/hosts.md": topic(body="one\n")}, "one")
    known, raced = remote.Destination.known, list[bool]()

    def known_after_the_other(self_: remote.Destination) -> str:
        if not raced:
            raced.append(True)
            two.box.write({f"{BOX}/hosts.md": topic(body="two\n")})
            done = two.box.run(str(BIN / NAME), BOX, "-m", "two", "--push")
            assert done == (0, "", ""), done.err
        return known(self_)

    monkeypatch.setattr(remote.Destination, "known", known_after_the_other)
    monkeypatch.setattr(lock, "fcntl", None)
    two.box.write({f"{BOX}/ports.md": topic(body="x" * 330)})
    assert push(two.box, BOX, "three") == (0, "", "")
    assert_level(two.box, two.remote)
    assert subjects(two.remote) == ["mill", "one", "three", "two"]


def test_another_process_of_the_clone_asks_the_remote_a_little_later(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was told comes after what this one is told: for git that is no fast-forward."""
    fetch, raced = remote.Destination.fetch, list[bool]()

    def mill_pushes(number: int) -> None:
        two.mill.commit({f"{MILL}/hosts.md": topic(body=f"{number}\n")}, f"mill {number}")
        two.mill.git("push", "-q")

    def fetched_too_early(self_: remote.Destination, limit: float) -> None:
        fetch(self_, limit)
        if not raced:
            raced.append(True)
            mill_pushes(2)
            two.box.git("fetch", "-q")
            said = " ! [rejected] main -> origin/main (non-fast-forward)"
            raise acting.Refused(1, f"From the remote\n{said}\n")

    monkeypatch.setattr(remote.Destination, "fetch", fetched_too_early)
    mill_pushes(1)
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    assert push(two.box, BOX, "box") == (0, "", "")
    assert_level(two.box, two.remote)
    assert subjects(two.remote) == ["mill 1", "mill 2", "box"]


@pytest.mark.parametrize("merges", [BOX, "shared"], ids=["an index", "a text"])
def test_encrypted_memory_is_not_pushed_in_plain_text(two: Two, merges: str) -> None:
    """By a clone that has lost what encrypts, and still can read."""
    key = "filter.git-crypt"
    for clone in (two.box, two.mill):
        clone.git("config", f"{key}.clean", r"printf '\0GITCRYPT\0'; cat")
        clone.git("config", f"{key}.smudge", "tail -c +11")
    two.box.write({".gitattributes": "*.md filter=git-crypt\n"})
    two.box.git("rm", "-qr", "--cached", ".")
    two.box.commit(message="encrypt")
    two.box.git("push", "-q")
    two.mill.git("pull", "-q")
    name = f"{merges}/hosts.md"
    write_and_push(two.mill, {name: topic(body="x\n" * 330)}, "theirs")
    other = f"{merges}/ports.md" if merges == BOX else name
    body = "y\n" * 560 if merges == BOX else "# T\n"
    two.box.write({other: topic("Ours", body)})
    assert two.box.call(NAME, merges, "-m", "ours").code == 0
    two.box.git("config", "--unset", f"{key}.clean")
    reason = "encrypted, and this clone would push it in plain text"
    done = push(two.box, merges)
    assert (done.code, reason in done.err) == (1, True), done.err
    assert subjects(two.remote) == ["encrypt", "theirs"]


def test_a_remote_that_goes_away_between_the_push_and_the_question(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        asked.append(1)
        raise acting.Refused(128, "fatal: unable to access the remote")

    asked: list[int] = []
    monkeypatch.setattr(remote.Destination, "fetch", gone)
    two.mill.commit({f"{MILL}/hosts.md": topic(body="mill\n")}, "mill")
    two.mill.git("push", "-q")
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    done = push(two.box, BOX, "box")
    assert (done.code, done.err.startswith(f"{NOT_PUSHED}git says:\n> ")) == (1, True), done.err
    assert asked == [1]
    monkeypatch.undo()
    assert push(two.box, BOX) == (0, "", "")
    assert_level(two.box, two.remote)


@pytest.mark.parametrize(
    ("error", "said", "pushes"),
    [
        (GitError("broken"), "broken", True),
        (KeyboardInterrupt(), "interrupted", False),
    ],
)
def test_what_could_not_be_judged_is_pushed_unless_it_was_interrupted(
    two: Two, monkeypatch: pytest.MonkeyPatch, error: BaseException, said: str, pushes: bool
) -> None:
    def fail(*_: object) -> object:
        raise error

    monkeypatch.setattr("nestwork_hooks.git.trees.committed", fail)
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    assert push(two.box, BOX, "box") == (1, "", f"{NAME}: committed, but not judged: {said}\n")
    assert (subjects(two.remote) == ["box"]) is pushes


def test_only_what_killed_runs_have_left_is_cleared_away(two: Two) -> None:
    git_folder = two.box.path / ".git"
    left, new = git_folder / "nestwork-push-1", git_folder / "nestwork-push-2"
    for folder in (left, new):
        folder.mkdir()
        (folder / "index").write_text("")
    (git_folder / "kept").write_text("somebody's\n")
    for path in (left, git_folder / "kept", git_folder / "config"):
        os.utime(path, (1, 1))
    two.mill.commit({f"{MILL}/hosts.md": topic(body="mill\n")}, "mill")
    two.mill.git("push", "-q")
    write_and_push(two.box, {f"{BOX}/hosts.md": topic(body="box\n")}, "box")
    assert not left.exists()
    assert new.exists()
    assert (git_folder / "kept").read_text() == "somebody's\n"
    assert (git_folder / "config").exists()
    assert subjects(two.remote) == ["mill", "box"]


@pytest.mark.slow
def test_others_are_quicker_all_the_time(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    Racing(two, monkeypatch, 1_000)
    monkeypatch.setattr(pusher, "LIMIT", 2)
    two.box.write({f"{BOX}/hosts.md": topic(body="box\n")})
    said = "other clones were quicker all the time; the next write tries again\n"
    assert push(two.box, BOX) == (1, "", f"{NOT_PUSHED}{said}")
    monkeypatch.undo()
    assert push(two.box, BOX) == (0, "", "")
    assert_level(two.box, two.remote)


def test_lines_between_the_markers_that_nobody_generated_stay(two: Two) -> None:
    two.mill.commit({f"{BOX}/memory.md": memory(entry("hosts.md"), "By mill.")}, "by hand")
    two.mill.git("push", "-q")
    write_and_push(two.box, {f"{BOX}/ports.md": topic(body="x" * 330)})
    lines = entry("hosts.md"), entry("ports.md", size="0.4")
    assert two.box.read(f"{BOX}/memory.md") == memory(*lines) + "By mill.\n"
    assert_level(two.box, two.remote)


def test_a_branch_of_its_own(two: Two) -> None:
    two.box.git("switch", "-qc", "mine", "--track", "origin/main")
    two.box.git("config", "push.default", "current")
    push_from_mill(two)
    for number in range(2):
        two.box.write({f"{BOX}/hosts.md": topic(body=f"{number}\n")})
        assert push(two.box, BOX, f"{number}") == (0, "", "")
    assert subjects(two.remote, "mine") == ["0", "1"]


DYING = """\
import os, sys
from nestwork_hooks.git import process
number, after, start = int(sys.argv.pop(1)), sys.argv.pop(1) == "after", process.start

def dying(*args, **kwargs):
    global number
    number -= 1
    if not (number or after):
        os._exit(9)
    started = start(*args, **kwargs)
    if not number:
        os._exit(9)
    return started

process.start = dying
from nestwork_hooks.commands.commit import main
raise SystemExit(main())
"""


@pytest.mark.simulation
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_each_of_its_git_processes(two: Two, when: str) -> None:
    """The next run brings to an end what was begun, whichever process was the last."""
    body, killed = "", 0
    for number in range(1, 100):
        two.mill.git("pull", "-q", "--ff-only")
        two.mill.write({"queen/strategy.md": f"{number}\n"})
        write_and_push(two.mill, {f"{BOX}/ports.md": topic(body="x\n" * 60 * number)}, "mill")
        two.mill.git("commit", "-qam", "strategy")
        two.mill.git("push", "-q")
        body = body[-2_000:] + f"{number}\n" * 40
        two.box.write({f"{BOX}/hosts.md": topic(body=body)})
        words = (str(number), when, BOX, "-m", f"killed {number}", "--push")
        code = two.box.run(sys.executable, "-c", DYING, *words).code
        killed += code == 9
        time.sleep(0.3 * (code == 9))  # A git that was started goes on.
        body += f"{number} again\n" * 40
        write_and_push(two.box, {f"{BOX}/hosts.md": topic(body=body)}, f"{number}")
        for folder in (two.box.path / ".git").glob("nestwork-push-*"):
            shutil.rmtree(folder)
        assert_level(two.box, two.remote)
        assert two.box.read(f"{BOX}/hosts.md") == topic(body=body)
        if code == 0:
            break
    assert killed > 30
    expected = [f"{number + 1}" for number in range(killed + 1)]
    assert [subject for subject in subjects(two.remote) if subject.isdigit()] == expected
