"""What git can be in the middle of, each with and without old faults, and commits made there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from tests.compare.comparing import Case
from tests.compare.lines import (
    BY_RUNNER,
    CHECK,
    COMMIT,
    FIX,
    MESSAGE,
    drawn_lines,
    event_line,
    every_line,
    git_lines,
)
from tests.compare.sides import Line
from tests.compare.site import Site
from tests.conftest import BEGIN, END, MARKERS, RULES, Files, Repo, entry, memory, topic
from tests.situations.hooked import GROWN, LARGE, OLD_FAULTS, OTHER

HOSTS, PORTS, NOTES = entry("hosts.md"), entry("ports.md"), entry("notes.md")
SOUND: Files = {
    **RULES,
    "shared/memory.md": memory(HOSTS, PORTS),
    "shared/hosts.md": topic(),
    "shared/ports.md": topic(),
    f"{OTHER}/memory.md": memory(NOTES),
    f"{OTHER}/notes.md": topic(),
}
LOCKED = b"\0GITCRYPT\0" + bytes(range(64))
_NEW: Files = {"shared/new.md": topic()}
# A point in time far back, for what git and the fixer take for old.
_LONG_AGO = 1_700_000_000

# What a commit stages on top of the sound nest.
STAGED: dict[str, Files] = {
    "nothing": {},
    "topic-added": _NEW,
    "topic-added-and-indexed": {**_NEW, "shared/memory.md": memory(HOSTS, entry("new.md"), PORTS)},
    "topic-in-folder": {"shared/lamps/desk.md": topic()},
    "topic-grown": {"shared/hosts.md": GROWN},
    "topic-deleted": {"shared/hosts.md": None},
    "topic-deleted-and-its-entry": {"shared/hosts.md": None, "shared/memory.md": memory(PORTS)},
    "last-topic-deleted": {f"{OTHER}/notes.md": None},
    "topic-renamed": {"shared/hosts.md": None, "shared/machines.md": topic()},
    "topic-renamed-in-case": {"shared/hosts.md": None, "shared/Hosts.md": topic()},
    "topic-to-another-scope": {"shared/hosts.md": None, f"{OTHER}/hosts.md": topic()},
    "topic-out-of-every-scope": {"shared/hosts.md": None, "projects/hosts.md": topic()},
    "topic-into-reserved-folder": {"shared/hosts.md": None, "shared/archive/hosts.md": topic()},
    "topic-became-a-link": {"shared/hosts.md": Path("ports.md")},
    "topic-without-description": {"shared/plain.md": "# Plain\n"},
    "topic-at-odds-with-yaml": {"shared/hosts.md": topic("a: b"), "shared/ports.md": topic("a #b")},
    "topic-too-large": {"shared/hosts.md": LARGE},
    "topic-too-deep": {"shared/a/b/c.md": topic()},
    "topic-of-odd-name": {
        "shared/a`b.md": topic(),
        "shared/a (b).md": topic(),
        "shared/\udcff.md": "x",
    },
    "names-that-differ-in-case": {"shared/HOSTS.md": topic(), "shared/Ports.md": topic()},
    "names-that-look-like-options": {"shared/--all.md": topic(), "shared/-x.md": topic()},
    "two-scopes": {**_NEW, f"{OTHER}/new.md": topic()},
    "nothing-of-the-nest": {"README.md": "# Nest\n", "projects/x.md": "x\n"},
    "memory-deleted": {"shared/memory.md": None},
    "memory-edited-outside": {"shared/memory.md": memory(HOSTS, PORTS) + "\nmore\n"},
    "memory-edited-inside": {"shared/memory.md": memory(HOSTS, "by hand", PORTS)},
    "memory-became-a-link": {"shared/memory.md": Path("hosts.md")},
    "memory-with-crlf": {"shared/memory.md": memory(HOSTS, PORTS, newline="\r\n"), **_NEW},
    "memory-in-utf-16": {"shared/memory.md": memory(HOSTS, PORTS).encode("utf-16")},
    "memory-of-five-megabytes": {"shared/memory.md": MARKERS + "x\n" * 2_500_000},
    "markers-taken-away": {"shared/memory.md": "# Memory\n"},
    "markers-and-topics-taken-away": {
        "shared/memory.md": "# Memory\n",
        "shared/hosts.md": None,
        "shared/ports.md": None,
    },
    "begin-taken-away": {"shared/memory.md": memory(HOSTS, PORTS).replace(BEGIN, "")},
    "end-taken-away": {"shared/memory.md": memory(HOSTS, PORTS).replace(END, "")},
    "markers-twice": {"shared/memory.md": MARKERS * 2},
    "markers-in-a-fence": {"shared/memory.md": f"```\n{MARKERS}```\n"},
    "markers-in-an-open-fence": {"shared/memory.md": f"```\n{MARKERS}"},
    "conflict-in-the-block": {
        "shared/memory.md": memory("<<<<<<< a", HOSTS, "=======", PORTS, ">>>>>>> b")
    },
    "conflict-around-a-marker": {
        "shared/memory.md": f"<<<<<<< a\n{BEGIN}\n=======\n>>>>>>> b\n{END}\n"
    },
    "scope-without-memory": {"agents/lab/x/notes.md": topic()},
    "scope-of-its-first-topic": {"agents/lab/x/memory.md": MARKERS, "agents/lab/x/n.md": topic()},
    "scope-deleted": {f"{OTHER}/memory.md": None, f"{OTHER}/notes.md": None},
    "rules-deleted": {"queen/agent-rules.md": None},
    "rules-a-link": {"queen/agent-rules.md": Path("../README.md")},
    "rules-over-budget": {"queen/agent-rules.md": "x" * 4_097},
    "resident-over-budget": {f"{OTHER}/resident.md": "x" * 2_049},
    "resident-at-its-budget": {
        f"{OTHER}/resident.md": "x" * 2_048,
        "shared/resident.md": "y" * 4_096,
    },
    "start-over-budget": {
        "queen/agent-rules.md": "x" * 4_096,
        "shared/resident.md": "x" * 4_096,
        f"{OTHER}/resident.md": "x" * 2_049,
    },
    "resident-not-utf-8": {"shared/resident.md": b"\xff"},
    "locked-topic": {"shared/hosts.md": LOCKED},
    "locked-memory": {"shared/memory.md": LOCKED},
    "locked-everything": dict.fromkeys(SOUND, LOCKED),
    "topic-not-utf-8": {"shared/hosts.md": b"---\ndescription: caf\xe9\n---\n"},
}

Act = Callable[[Repo], None]


def fill(repo: Repo, files: Files | None = None) -> None:
    """Commit the sound nest, and stage these on top."""
    repo.commit(SOUND, "nest")
    repo.commit({"README.md": "# Sound\n"}, "readme")
    repo.stage(files or {})


def situations() -> Iterator[Case]:
    """Every situation, in a sound nest and in one with old faults."""
    states: tuple[tuple[str, Files], ...] = (("", {}), ("-old-faults", {**OLD_FAULTS}))
    for old, more in states:
        for name, files in STAGED.items():
            yield _case(f"staged-{name}{old}", more, partial(Repo.stage, files=files))
        for act in ACTS:
            yield _case(act.__name__.strip("_").replace("_", "-") + old, more, act)
    for special in SPECIAL:
        name = special.__name__.strip("_").replace("_", "-")
        yield Case("situations", f"situation-{name}", special)


def _case(name: str, more: Files, act: Act) -> Case:
    return Case("situations", f"situation-{name}", partial(_lines, more, act))


def _lines(more: Files, act: Act, site: Site) -> Iterator[Line]:
    repo = site.begin()
    fill(repo)
    if more:
        repo.commit(more)
    act(repo)
    if more:
        # What old faults change is seen by a few lines; which, is drawn for each situation.
        yield from drawn_lines(Random(site.folder.name), site, 16)
        yield from git_lines("commit", "-q", "-m", "change")
        return
    yield from every_line(site)
    yield from _commits()


def _commits() -> Iterator[Line]:
    yield from git_lines("commit", "-q", "-m", "change")
    yield from git_lines("commit", "-q", "-a", "-m", "change")
    yield from git_lines("commit", "-q", "-m", "change", "--", "shared")
    yield from git_lines("commit", "-q", "--amend", "--no-edit")
    yield Line((COMMIT, "shared", *MESSAGE), (("HOOK", CHECK),), writes=True, cold=True)
    yield Line((COMMIT, OTHER, *MESSAGE), (("HOOK", "false"),), writes=True, cold=True)
    yield Line((FIX, "--staged"), (BY_RUNNER,), writes=True, cold=True)


def _branches(repo: Repo, ours: Files, theirs: Files) -> None:
    repo.git("switch", "-q", "-c", "side")
    repo.commit(theirs, "theirs")
    repo.git("switch", "-q", "main")
    repo.commit(ours, "ours")


def _both_add(repo: Repo) -> None:
    _branches(
        repo,
        {**_NEW, "shared/memory.md": memory(HOSTS, entry("new.md"), PORTS)},
        {"shared/newer.md": topic(), "shared/memory.md": memory(HOSTS, entry("newer.md"), PORTS)},
    )


def _unstaged_edit(repo: Repo) -> None:
    repo.write({"shared/hosts.md": GROWN})


def _unstaged_deletion(repo: Repo) -> None:
    repo.write({"shared/hosts.md": None, f"{OTHER}/memory.md": None})


def _untracked_topic(repo: Repo) -> None:
    repo.write({**_NEW, f"{OTHER}/new.md": "x\n", "agents/lab/z/memory.md": MARKERS})


def _ignored_topic(repo: Repo) -> None:
    repo.write({**_NEW, ".gitignore": "new.md\n"})


def _intent_to_add(repo: Repo) -> None:
    repo.write(_NEW)
    repo.git("add", "-N", "shared/new.md")


def _staged_then_deleted_on_disk(repo: Repo) -> None:
    repo.stage({**_NEW, "shared/hosts.md": GROWN})
    repo.write({"shared/new.md": None, "shared/hosts.md": None})


def _deleted_and_kept_on_disk(repo: Repo) -> None:
    repo.git("rm", "-q", "--cached", "shared/hosts.md", f"{OTHER}/memory.md")


def _partly_staged(repo: Repo) -> None:
    repo.stage({"shared/hosts.md": topic("Staged")})
    repo.write({"shared/hosts.md": GROWN, "shared/memory.md": memory(HOSTS, PORTS) + "below\n"})


def _fault_on_disk_alone(repo: Repo) -> None:
    repo.stage({"shared/hosts.md": topic("Staged")})
    repo.write({"shared/hosts.md": "x\n", "queen/agent-rules.md": "x" * 5_000})


def _index_large_on_disk_alone(repo: Repo) -> None:
    repo.stage({"shared/ports.md": topic("Staged")})
    repo.write({"shared/hosts.md": topic("x" * 9_000)})


def _index_right_on_disk_alone(repo: Repo) -> None:
    repo.stage(_NEW)
    repo.write({"shared/memory.md": memory(HOSTS, entry("new.md"), PORTS)})


def _markers_gone_on_disk_alone(repo: Repo) -> None:
    repo.stage(_NEW)
    repo.write({"shared/memory.md": "# Memory\n"})


def _scope_gone_on_disk_alone(repo: Repo) -> None:
    repo.write({name: None for name in SOUND if name.startswith("shared/")})


def _scope_a_link_on_disk(repo: Repo) -> None:
    (repo.path / "shared").rename(repo.path / "elsewhere")
    (repo.path / "shared").symlink_to("elsewhere")


def _topic_a_folder_on_disk(repo: Repo) -> None:
    repo.write({"shared/hosts.md": None, "shared/hosts.md/x.md": topic()})


def _leftovers(repo: Repo) -> None:
    names = ("shared/.nestwork-fix-1-2", f"{OTHER}/.nestwork-fix-3-4", "shared/.#hosts.md")
    repo.stage(_NEW)
    repo.write(dict.fromkeys(names, "left\n"))
    for name in names:
        os.utime(repo.path / name, (_LONG_AGO, _LONG_AGO))


def _merge_in_conflict(repo: Repo) -> None:
    _both_add(repo)
    repo.run("git", "merge", "-q", "side")


def _merge_resolved(repo: Repo) -> None:
    _merge_in_conflict(repo)
    repo.stage({"shared/memory.md": memory(HOSTS, entry("new.md"), entry("newer.md"), PORTS)})


def _merge_taken_as_it_is(repo: Repo) -> None:
    _merge_in_conflict(repo)
    repo.git("add", "-A")


def _merge_with_one_side_taken(repo: Repo) -> None:
    _merge_in_conflict(repo)
    repo.git("checkout", "-q", "--ours", "shared/memory.md")
    repo.git("add", "-A")


def _merge_of_a_topic_in_conflict(repo: Repo) -> None:
    _branches(repo, {"shared/hosts.md": topic("Ours")}, {"shared/hosts.md": topic("Theirs")})
    repo.run("git", "merge", "-q", "side")


def _merge_of_a_topic_resolved(repo: Repo) -> None:
    _merge_of_a_topic_in_conflict(repo)
    repo.stage({"shared/hosts.md": topic("Both")})


def _merge_of_a_deletion(repo: Repo) -> None:
    _branches(repo, {"shared/hosts.md": None}, {"shared/hosts.md": GROWN})
    repo.run("git", "merge", "-q", "side")


def _clean_merge_not_committed(repo: Repo) -> None:
    _branches(repo, {"a.txt": "a"}, {**_NEW, f"{OTHER}/notes.md": "x\n"})
    repo.git("merge", "-q", "--no-commit", "--no-ff", "side")


def _clean_merge_that_makes_an_index_stale(repo: Repo) -> None:
    _branches(repo, {"shared/memory.md": MARKERS}, {"shared/hosts.md": GROWN})
    repo.git("merge", "-q", "--no-commit", "--no-ff", "side")


def _squash_merge(repo: Repo) -> None:
    _branches(repo, {"a.txt": "a"}, _NEW)
    repo.git("merge", "-q", "--squash", "side")


def _cherry_pick(repo: Repo) -> None:
    _both_add(repo)
    repo.run("git", "cherry-pick", "side")


def _revert(repo: Repo) -> None:
    repo.commit({"shared/hosts.md": GROWN})
    repo.commit({"shared/hosts.md": topic("Later")})
    repo.run("git", "revert", "--no-edit", "HEAD~")


def _rebase(repo: Repo) -> None:
    _both_add(repo)
    repo.run("git", "rebase", "-q", "side")


def _bisect(repo: Repo) -> None:
    repo.commit({"shared/hosts.md": GROWN})
    repo.git("bisect", "start", "HEAD", "HEAD~2")
    repo.stage(_NEW)


def _detached_head(repo: Repo) -> None:
    repo.git("switch", "-q", "--detach")
    repo.stage(_NEW)


def _sparse_checkout(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/queen/", "/shared/memory.md", "/agents/")
    repo.stage({f"{OTHER}/new.md": topic()})


def _skip_worktree(repo: Repo) -> None:
    repo.git("update-index", "--skip-worktree", "shared/hosts.md")
    repo.git("update-index", "--assume-unchanged", "shared/ports.md")
    repo.write({"shared/hosts.md": None, "shared/ports.md": "x\n"})


def _submodule(repo: Repo) -> None:
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},shared/module.md")


def _embedded_repository(repo: Repo) -> None:
    repo.run("git", "init", "-q", "shared/inner")
    repo.write({"shared/inner/x.md": topic(), **_NEW})


def _normalised_line_ends(repo: Repo) -> None:
    repo.commit({".gitattributes": "*.md text=auto eol=crlf\n"})
    repo.git("rm", "-rq", "--cached", ".")
    repo.git("reset", "-q", "--hard")
    repo.stage({"shared/hosts.md": GROWN.replace("\n", "\r\n")})


def _autocrlf(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write({"shared/memory.md": memory(HOSTS, PORTS, newline="\r\n")})
    repo.stage({"shared/hosts.md": GROWN.replace("\n", "\r\n")})


def _keywords_and_encodings(repo: Repo) -> None:
    attributes = "hosts.md ident\nports.md working-tree-encoding=UTF-16\n"
    repo.write({"shared/hosts.md": topic("$Id$"), "shared/ports.md": topic().encode("utf-16")})
    repo.stage({".gitattributes": attributes})


def _own_filter(repo: Repo) -> None:
    repo.git("config", "filter.upper.clean", "tr a-z A-Z")
    repo.git("config", "filter.upper.smudge", "tr A-Z a-z")
    repo.stage({".gitattributes": "ports.md filter=upper\nnotes.md filter=nobody\n", **_NEW})
    repo.stage({"shared/ports.md": GROWN})


def _filter_that_fails(repo: Repo) -> None:
    repo.git("config", "filter.git-crypt.smudge", "false")
    repo.git("config", "filter.git-crypt.clean", "false")
    repo.git("config", "filter.git-crypt.required", "true")
    repo.stage({"shared/hosts.md": LOCKED})
    repo.write({".gitattributes": "shared/** filter=git-crypt\n"})


def _configured_by_the_user(repo: Repo) -> None:
    for name, value in (
        *(("diff.noprefix", "true"), ("diff.relative", "true"), ("diff.renames", "copies")),
        *(("core.quotePath", "true"), ("color.ui", "always"), ("status.showUntrackedFiles", "no")),
        *(("diff.external", "false"), ("core.abbrev", "4"), ("commit.cleanup", "strip")),
        *(("index.version", "4"), ("core.splitIndex", "true"), ("commit.verbose", "true")),
    ):
        repo.git("config", name, value)
    repo.stage(_NEW)


def _order_file_missing(repo: Repo) -> None:
    repo.git("config", "diff.orderFile", "nowhere")
    repo.stage(_NEW)


def _hooks_of_others(repo: Repo) -> None:
    hook = repo.path / ".git/hooks/commit-msg"
    hook.write_text("#!/bin/sh\necho '##vso[x]no such message'; echo 'why' >&2; exit 1\n")
    hook.chmod(0o755)
    repo.stage(_NEW)


def _signing_that_fails(repo: Repo) -> None:
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.program", "false")
    repo.stage(_NEW)


def _index_locked(repo: Repo) -> None:
    repo.stage(_NEW)
    repo.write({".git/index.lock": ""})


def _index_corrupt(repo: Repo) -> None:
    repo.write({".git/index": "DIRC nonsense"})


def _head_corrupt(repo: Repo) -> None:
    repo.stage(_NEW)
    repo.write({".git/refs/heads/main": "nonsense\n"})


def _blob_missing(repo: Repo) -> None:
    repo.stage({"shared/hosts.md": GROWN})
    blob = repo.git("rev-parse", ":shared/hosts.md").strip()
    repo.write({f".git/objects/{blob[:2]}/{blob[2:]}": None})


def _replaced_blob(repo: Repo) -> None:
    blob = repo.git("rev-parse", ":shared/hosts.md").strip()
    other = repo.git("rev-parse", ":shared/memory.md").strip()
    repo.git("replace", blob, other)


def _partial_commit_under_way(repo: Repo) -> None:
    repo.stage({**_NEW, "README.md": "changed\n"})
    (repo.path / ".git/next-index-1.lock").write_bytes((repo.path / ".git/index").read_bytes())
    repo.write({f"{OTHER}/notes.md": GROWN})


def _executable_topic(repo: Repo) -> None:
    repo.git("update-index", "--chmod=+x", "shared/hosts.md")
    (repo.path / "shared/hosts.md").chmod(0o755)


ACTS: tuple[Callable[[Repo], None], ...] = (
    *(_unstaged_edit, _unstaged_deletion, _untracked_topic, _ignored_topic, _intent_to_add),
    *(
        _staged_then_deleted_on_disk,
        _deleted_and_kept_on_disk,
        _partly_staged,
        _fault_on_disk_alone,
    ),
    *(
        _index_large_on_disk_alone,
        _index_right_on_disk_alone,
        _markers_gone_on_disk_alone,
        _scope_gone_on_disk_alone,
    ),
    *(_scope_a_link_on_disk, _topic_a_folder_on_disk, _leftovers, _merge_in_conflict),
    *(_merge_resolved, _merge_taken_as_it_is, _merge_with_one_side_taken, _merge_of_a_deletion),
    *(_merge_of_a_topic_in_conflict, _merge_of_a_topic_resolved, _clean_merge_not_committed),
    *(
        _clean_merge_that_makes_an_index_stale,
        _squash_merge,
        _cherry_pick,
        _revert,
        _rebase,
        _bisect,
    ),
    *(_detached_head, _sparse_checkout, _skip_worktree, _submodule, _embedded_repository),
    *(_normalised_line_ends, _autocrlf, _keywords_and_encodings, _own_filter, _filter_that_fails),
    *(_configured_by_the_user, _order_file_missing, _hooks_of_others, _signing_that_fails),
    *(_index_locked, _index_corrupt, _head_corrupt, _blob_missing, _replaced_blob),
    *(_partial_commit_under_way, _executable_topic),
)


def _unborn_branch(site: Site) -> Iterator[Line]:
    site.begin().stage({**SOUND, **_NEW})
    yield from every_line(site)
    yield from _commits()


def _linked_worktree(site: Site) -> Iterator[Line]:
    repo = site.begin()
    fill(repo)
    repo.git("worktree", "add", "-q", "-b", "other", "../linked")
    # A copy has to find its own repository.
    (site.folder / "linked/.git").write_text("gitdir: ../nest/.git/worktrees/linked\n")
    Repo(site.folder / "linked", site.env).stage(_NEW)
    for line in (*every_line(site), *_commits()):
        if line.cwd == "nest":
            yield line._replace(cwd="linked")


def _partial_index(site: Site) -> Iterator[Line]:
    repo = site.begin()
    fill(repo)
    _partial_commit_under_way(repo)
    env = (("GIT_INDEX_FILE", ".git/next-index-1.lock"),)
    for line in every_line(site):
        if not line.env:
            yield line._replace(env=env)


def _merge_by_git(site: Site) -> Iterator[Line]:
    repo = site.begin()
    fill(repo)
    _branches(repo, {**_NEW, "a.txt": "a"}, {f"{OTHER}/notes.md": GROWN})
    yield from git_lines("merge", "-q", "--no-edit", "side")
    yield from git_lines("rebase", "-q", "side")
    yield from git_lines("cherry-pick", "side")


def _shallow_clone(site: Site) -> Iterator[Line]:
    repo = site.begin()
    fill(repo)
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", "../clone")
    Repo(site.folder / "clone", site.env).stage(_NEW)
    for line in every_line(site):
        yield line._replace(cwd=line.cwd.replace("nest", "clone", 1))


def _agents_of_this_machine(site: Site) -> Iterator[Line]:
    fill(site.begin(), {f"agents/lab/{n}/memory.md": MARKERS for n in "xyz"})
    home = site.folder / "home"
    home.mkdir()
    (home / ".nestwork_host").write_text("lab\n")
    (home / ".nestwork_id_claude").write_text("x\n")
    (home / ".nestwork_id_codex").write_bytes(b"\xefz\xff")
    site.repo.write({"local/recent.md": "recent\n"})
    for line in every_line(site):
        yield line._replace(env=(*line.env, ("HOME", "{case}/home")))


def _pushing(theirs: Files, site: Site) -> Iterator[Line]:
    """A clone whose remote has got a commit of another clone in the meantime."""
    repo = site.begin()
    fill(repo)
    repo.git("clone", "-q", "--bare", ".", "../remote.git")
    repo.git("remote", "add", "origin", "../remote.git")
    repo.git("fetch", "-q", "origin")
    repo.git("branch", "-q", "-u", "origin/main")
    if theirs:
        repo.git("clone", "-q", "../remote.git", "../other")
        other = Repo(site.folder / "other", site.env)
        other.commit(theirs, "theirs")
        other.git("push", "-q", "origin", "main")
    repo.commit({"README.md": "# Ours\n"}, "ours")
    repo.write({**_NEW, f"{OTHER}/notes.md": GROWN, f"{OTHER}/new.md": topic()})
    for scope in ("shared", OTHER, "agents/nobody/x"):
        for more in ((), ("--exclude", "new"), ("--today", "--retries", "1")):
            yield Line((COMMIT, scope, *MESSAGE, "--push", *more), writes=True)
    yield Line((COMMIT, "shared", *MESSAGE, "--push"), (("HOOK", "false"),), writes=True)
    yield Line((COMMIT, "shared", *MESSAGE, "--push"), (("HOOK", CHECK),), writes=True)
    yield event_line({"file_path": f"{OTHER}/notes.md"}, "--push")
    yield event_line({"file_path": "shared/new.md"}, "--push")


def _nothing_pushed_meanwhile(site: Site) -> Iterator[Line]:
    yield from _pushing({}, site)


def _another_topic_pushed_meanwhile(site: Site) -> Iterator[Line]:
    theirs = {"shared/theirs.md": topic(), "shared/memory.md": memory(HOSTS, entry("theirs.md"))}
    yield from _pushing({**theirs, f"{OTHER}/memory.md": MARKERS}, site)


def _the_same_topic_pushed_meanwhile(site: Site) -> Iterator[Line]:
    yield from _pushing({"shared/new.md": "# Theirs\n", f"{OTHER}/notes.md": "# Theirs\n"}, site)


def _exact_tokens(site: Site) -> Iterator[Line]:
    fill(site.begin(), {"shared/hosts.md": topic("部署 🦊"), f"{OTHER}/resident.md": "x" * 900})
    for line in every_line(site):
        if line.words[0] == "nestwork-measure":
            yield line._replace(env=(*line.env, ("PYTHONPATH", "{side}/tokens")), cold=True)


SPECIAL: tuple[Callable[[Site], Iterator[Line]], ...] = (
    *(_unborn_branch, _linked_worktree, _partial_index, _merge_by_git, _shallow_clone),
    *(_agents_of_this_machine, _exact_tokens, _nothing_pushed_meanwhile),
    *(_another_topic_pushed_meanwhile, _the_same_topic_pushed_meanwhile),
)
