"""Line endings, git configuration and names: the same index and the same verdicts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.conftest import RULES, entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, OLD_LINE, OTHER, errors

if TYPE_CHECKING:
    from tests.conftest import Files
    from tests.situations.hooked import Hooked

HOSTS, PORTS = entry("hosts.md"), entry("ports.md")
HOSTS_GROWN = entry("hosts.md", size="2.1")
ENDINGS = {
    "core.autocrlf": ("", {"core.autocrlf": "true"}),
    "eol=crlf": ("*.md text eol=crlf\n", {}),
    "core.eol": ("*.md text\n", {"core.eol": "crlf"}),
}
CRLF_GROWN = GROWN.replace("\n", "\r\n")


@pytest.fixture(params=ENDINGS)
def crlf_nest(request: pytest.FixtureRequest, nest: Hooked) -> Hooked:
    """A nest whose files git checks out with CRLF, and holds with LF."""
    attributes, config = ENDINGS[request.param]
    if attributes:
        nest.commit({".gitattributes": attributes})
    for key, value in config.items():
        nest.git("config", key, value)
    nest.git("rm", "-q", "-r", "--cached", "shared")
    nest.git("reset", "-q", "--hard")
    assert "\r\n" in nest.read("shared/hosts.md")
    return nest


@pytest.mark.quick(1)
def test_crlf_on_disk(crlf_nest: Hooked) -> None:
    crlf_nest.stage({"shared/hosts.md": CRLF_GROWN})
    crlf_nest.stops(*COMMIT, stale=["shared"])
    assert "\n" not in crlf_nest.read("shared/memory.md").replace("\r\n", "")


def test_crlf_on_disk_with_its_index(crlf_nest: Hooked) -> None:
    index = crlf_nest.index(HOSTS_GROWN, PORTS, newline="\r\n")
    crlf_nest.stage({"shared/hosts.md": CRLF_GROWN, "shared/memory.md": index})
    crlf_nest.passes(*COMMIT)


@pytest.mark.quick(1)
def test_crlf_on_disk_with_commit_all(crlf_nest: Hooked) -> None:
    crlf_nest.write({"shared/hosts.md": CRLF_GROWN})
    crlf_nest.stops(*COMMIT, "-a", stale=["shared"])


def test_crlf_on_disk_judged_by_hand(crlf_nest: Hooked) -> None:
    assert crlf_nest.run(crlf_nest.commands[0], "shared", OTHER).out.count("[stale-index]") == 0


def test_crlf_in_the_blobs(nest: Hooked) -> None:
    index = nest.index(HOSTS_GROWN, PORTS, newline="\r\n")
    nest.stage({"shared/hosts.md": CRLF_GROWN, "shared/memory.md": index})
    nest.passes(*COMMIT)


def test_crlf_in_the_blobs_and_a_stale_index(nest: Hooked) -> None:
    nest.commit({"shared/memory.md": nest.index(HOSTS, PORTS, newline="\r\n")})
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])
    assert "\n" not in nest.read("shared/memory.md").replace("\r\n", "")


CONFIGURATIONS = {
    "core.quotePath": "true",
    "core.precomposeUnicode": "true",
    "core.ignoreCase": "true",
    "core.abbrev": "4",
    "core.fsmonitor": "true",
    "core.untrackedCache": "true",
    "core.splitIndex": "true",
    "core.pager": "false",
    "core.attributesFile": "/nowhere",
    "index.version": "4",
    "feature.manyFiles": "true",
    "diff.relative": "true",
    "diff.orderFile": ".git/order",
    "diff.renames": "copies",
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.external": "false",
    "diff.ignoreSubmodules": "all",
    "diff.algorithm": "patience",
    "color.ui": "always",
    "status.relativePaths": "false",
    "submodule.recurse": "true",
    "commit.verbose": "true",
    "commit.gpgSign": "false",
    "merge.renames": "false",
    "log.showSignature": "true",
}


@pytest.mark.slow
@pytest.mark.parametrize("key", CONFIGURATIONS)
def test_configuration(nest: Hooked, key: str) -> None:
    value = CONFIGURATIONS[key]
    if key == "core.fsmonitor":
        (nest.path / ".git/monitor").write_text("#!/bin/sh\nprintf 'token\\0/\\0'\n")
        (nest.path / ".git/monitor").chmod(0o755)
        value = ".git/monitor"
    (nest.path / ".git/order").write_text("*.txt\n*.md\n")
    nest.git("config", key, value)
    nest.git("mv", "shared/hosts.md", "shared/machines.md")
    nest.write({"shared/ü.md": topic()})
    nest.git("add", "-A")
    nest.stops(*COMMIT, stale=["shared"], cwd="shared")


NAMES = {
    "non-ASCII": "größe.md",
    "decomposed": "gro\u0308ße.md",
    "emoji": "\U0001f41d.md",
    "space": "two words.md",
    "quotes": 'it\'s "q".md',
    "dollar": "$HOME.md",
    "leading dash": "-n.md",
    "glob": "a*[b]?.md",
    "colon": ":(top)x.md",
    "backslash": "a\\b.md",
    "hash": "#x.md",
}
UNLISTED_NAMES = {
    "tab": "a\tb.md",
    "newline": "a\nb.md",
    "escape": "a\x1bb.md",
    "backtick": "a`b.md",
}


def _named(nest: Hooked, name: str) -> str:
    listed = {"hosts.md": HOSTS, "ports.md": PORTS, name: entry(name)}
    listed |= {"aged.md": OLD_LINE} if nest.old_faults else {}
    return memory(*(listed[key] for key in sorted(listed)))


@pytest.mark.quick(4)
@pytest.mark.parametrize("kind", NAMES)
def test_topic_whose_name_has(nest: Hooked, kind: str) -> None:
    nest.stage({f"shared/{NAMES[kind]}": topic()})
    done = nest.stops(*COMMIT, stale=["shared"], mends=False)
    nest.paste(done)
    nest.passes(*COMMIT)
    assert nest.git("show", "HEAD:shared/memory.md") == _named(nest, NAMES[kind])


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMES)
def test_scope_whose_name_has(nest: Hooked, kind: str) -> None:
    scope = f"agents/box/{NAMES[kind].removesuffix('.md')}"
    nest.stage({f"{scope}/memory.md": memory(), f"{scope}/notes.md": topic()})
    done = nest.stops(*COMMIT, stale=[scope], mends=False)
    nest.paste(done)
    nest.passes(*COMMIT)
    assert nest.git("show", f"HEAD:{scope}/memory.md") == memory(entry("notes.md"))


@pytest.mark.parametrize("kind", UNLISTED_NAMES)
def test_topic_whose_name_no_index_can_hold_has(nest: Hooked, kind: str) -> None:
    name = UNLISTED_NAMES[kind]
    nest.stage({f"shared/{name}": topic()})
    stale = ["shared"] if kind == "backtick" else []
    shown = name.replace("\t", "\\x09").replace("\n", "\\x0a").replace("\x1b", "\\x1b")
    nest.stops(*COMMIT, stale=stale, faults=[f"shared/{shown} topic-name"])


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\n", "a\x1bb", "a`b", "a##[b%\\'\x01"])
def test_scope_whose_name_is_not_printable(nest: Hooked, name: str) -> None:
    scope = f"agents/box/{name}"
    nest.stage({f"{scope}/memory.md": memory(), f"{scope}/notes.md": topic()})
    before = nest.head()
    done = nest.run("git", *COMMIT)
    assert nest.head() == before, done.text
    nest.paste(done)
    nest.passes(*COMMIT)
    assert nest.git("show", f"HEAD:{scope}/memory.md") == memory(entry("notes.md"))


def _add_bytes(nest: Hooked, name: bytes, content: bytes) -> None:
    path = os.path.join(os.fsencode(nest.path), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    nest.git("add", "-A")


def _refused_by_pre_commit(nest: Hooked) -> bool:
    """pre-commit ends in a traceback of its own, before any hook runs; prek does not."""
    if nest.runner != "pre-commit":
        return False
    assert "UnicodeDecodeError" in nest.run("git", *COMMIT).text
    return True


def test_topic_whose_name_is_not_utf_8(nest: Hooked) -> None:
    _add_bytes(nest, b"shared/\xff.md", topic().encode())
    fault = "shared/\\xff.md topic-name"
    if _refused_by_pre_commit(nest):
        assert errors(nest.run("nestwork-check", "--staged")) == {fault}
    else:
        nest.stops(*COMMIT, faults=[fault])


def test_scope_whose_name_is_not_utf_8(nest: Hooked) -> None:
    _add_bytes(nest, b"agents/box/\xff/notes.md", topic().encode())
    _add_bytes(nest, b"agents/box/\xff/memory.md", memory().encode())
    if _refused_by_pre_commit(nest):
        done = nest.run("nestwork-check", "--staged")
        assert errors(done) == {"agents/box/\\xff/memory.md stale-index"}
        return
    before = nest.head()
    done = nest.run("git", *COMMIT)
    assert nest.head() == before, done.text
    nest.paste(done)
    nest.passes(*COMMIT)


def test_topic_that_is_not_utf_8(nest: Hooked) -> None:
    nest.stage({"shared/latin.md": "---\ndescription: größe\n---\n".encode("latin-1")})
    nest.stops(*COMMIT, faults=["shared/latin.md unreadable"])


def test_names_that_differ_in_case_alone(empty_nest: Hooked) -> None:
    files: Files = {
        "shared/a.md": topic(),
        "shared/A.md": topic(),
        "shared/memory.md": memory(entry("A.md"), entry("a.md")),
    }
    empty_nest.stage({**RULES, **files})
    empty_nest.passes(*COMMIT)


@pytest.mark.quick(1)
@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_locale(nest: Hooked, locale: str) -> None:
    nest.stage({"agents/box/ü/memory.md": memory(), "agents/box/ü/ö.md": topic("Größe")})
    before = nest.head()
    env = {"LC_ALL": locale, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = nest.run("git", *COMMIT, **env)
    assert nest.head() == before, done.text
    assert "traceback" not in done.text.lower()
    nest.paste(done)
    nest.passes(*COMMIT, **env)
    assert errors(nest.run("nestwork-check", "agents/box/ü")) == set()
