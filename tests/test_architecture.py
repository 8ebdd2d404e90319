"""The floors of the package: imports go down, in no circle, and each door has one floor.

The statements of every module are read, also those inside functions. What is imported for type
checkers alone does not run: it has to be ours, and may point anywhere.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKAGE = "nestwork_hooks"
# From top to bottom; each imports itself and what is below.
FLOORS = [
    "commands", "checkers", "console", "measuring", "writing", "nest", "git", "protocol", "light",
]  # fmt: skip
# Who touches the environment, beside the floor that starts git with one of its own.
READS_ENVIRONMENT = {"nest.request"}
# Keeps git's own variables true while the process stands in another folder.
SETS_ENVIRONMENT = {"console.root"}
# Modules of the standard library that look outside the process, or start another.
OUTSIDE = {
    "asyncio", "ctypes", "glob", "io", "multiprocessing", "os", "pathlib", "pty", "shutil",
    "signal", "socket", "subprocess", "sys", "tempfile", "threading",
}  # fmt: skip
STARTING = {"asyncio", "multiprocessing", "pty", "subprocess"}
STARTERS = {"fork", "forkpty", "popen", "posix_spawn", "posix_spawnp", "startfile", "system"}


class Source(NamedTuple):
    """A module: its name below the package (`""` for the package itself), and what it uses.

    `of_os` are the names of `os`, `called` the functions that it calls by a bare name.
    """

    name: str
    imports: list[Import]
    of_os: set[str]
    called: set[str]

    @property
    def floor(self) -> str:
        return self.name.partition(".")[0]


class Import(NamedTuple):
    """A name that a module imports, in full; whether only type checkers see it."""

    name: str
    for_types: bool


def _source(path: str, text: str) -> Source:
    parts = path.removesuffix(".py").removesuffix("__init__").strip("/").split("/")
    tree = ast.parse(text)
    return Source(".".join(parts), list(_imports(tree)), _of_os(tree), _called(tree))


@cache
def _package() -> list[Source]:
    """The modules; parsed when a test runs, for collecting is done by every worker."""
    folder = PROJECT / PACKAGE
    return [
        _source(path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
    ]


def _imports(node: ast.AST, for_types: bool = False) -> Iterator[Import]:
    """The imports in a tree; what `__import__` is called with counts, as far as it is written."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, for_types) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert not child.level, "no relative imports"
            yield from (Import(f"{child.module}.{a.name}", for_types) for a in child.names)
        elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            for statement in child.body:
                yield from _imports(ast.Module([statement], []), for_types=True)
            for statement in child.orelse:
                yield from _imports(ast.Module([statement], []), for_types)
        else:
            yield from _imports(child, for_types)


def _ours(source: Source, modules: set[str], *, types: bool = False) -> set[str]:
    """The modules of the package that a module imports when it runs, or `types` for checkers too."""
    found = set()
    for name, for_types in source.imports:
        if name.partition(".")[0] == PACKAGE and (types or not for_types):
            below = name.removeprefix(PACKAGE).removeprefix(".")
            # `from a.b import c` is the module a.b.c where there is one, else a name in a.b.
            found.add(below if below in modules else below.rpartition(".")[0])
    return found - {""}


def upwards(sources: Iterable[Source]) -> set[tuple[str, str]]:
    """The imports that go to a higher floor."""
    sources = list(sources)
    modules = {source.name for source in sources}
    return {
        (source.name, found)
        for source in sources
        for found in _ours(source, modules)
        if source.name and _height(found) < _height(source.name)
    }


def _height(module: str) -> int:
    return FLOORS.index(module.partition(".")[0])


def circles(sources: Iterable[Source]) -> set[str]:
    """The modules that import themselves by way of others."""
    sources = list(sources)
    modules = {source.name for source in sources}
    left = {source.name: _ours(source, modules) - {source.name} for source in sources}
    selves = {source.name for source in sources if source.name in _ours(source, modules)}
    while free := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in free:
            del left[name]
    return {*left, *selves}


def impure(sources: Iterable[Source]) -> set[tuple[str, str]]:
    """What the protocol imports that looks outside the process, or is not its own."""
    found = set()
    for source in sources:
        if source.floor != "protocol":
            continue
        for name, _ in source.imports:
            top, _, rest = name.partition(".")
            if top in OUTSIDE or (
                top == PACKAGE and rest.partition(".")[0] not in ("protocol", "light")
            ):
                found.add((source.name, name))
        opens = {"open", "input", "print", "__import__", "eval", "exec"} & source.called
        found.update((source.name, name) for name in opens)
    return found


def _called(tree: ast.AST) -> set[str]:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def _of_os(tree: ast.AST) -> set[str]:
    """The names of `os` that a module uses."""
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    used = {node.attr for node in attributes if ast.unparse(node.value) == "os"}
    return used | {name[3:] for name, _ in _imports(tree) if name.startswith("os.")}


def environment_users(sources: Iterable[Source]) -> set[str]:
    """The modules beside `git` that use the environment's variables."""
    variables = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv"}
    return {s.name for s in sources if s.floor != "git" and variables & s.of_os}


def process_starters(sources: Iterable[Source]) -> set[str]:
    """The modules beside `git` that could start a process."""
    found = set()
    for source in sources:
        imported = {name.partition(".")[0] for name, _ in source.imports}
        words = source.of_os
        starts = imported & STARTING or words & STARTERS
        if starts or any(word.startswith(("exec", "spawn")) for word in words):
            found.add(source.name)
    return found


def test_every_module_is_on_a_floor() -> None:
    assert {source.floor for source in _package()} == {*FLOORS, ""}
    assert not next(source.imports for source in _package() if not source.name)


def test_imports_go_down() -> None:
    assert upwards(_package()) == set()


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles(_package()) == set()


def test_the_protocol_is_pure() -> None:
    assert impure(_package()) == set()


def test_the_environment_is_read_in_one_place() -> None:
    assert environment_users(_package()) == READS_ENVIRONMENT | SETS_ENVIRONMENT


def test_only_git_starts_processes() -> None:
    found = process_starters(_package())
    assert found
    assert {name.partition(".")[0] for name in found} == {"git"}


def test_a_checker_knows_no_other_and_nothing_of_git() -> None:
    modules = {source.name for source in _package()}
    for source in _package():
        if source.floor == "checkers" and source.name != "checkers":
            floors = {name.partition(".")[0] for name in _ours(source, modules)}
            assert floors <= {"console", "nest", "protocol"}, source.name


BREAKS = [
    (upwards, "protocol/text.py", "import nestwork_hooks.git"),
    (upwards, "nest/view.py", "from nestwork_hooks.console import run"),
    (upwards, "nest/view.py", "def f():\n    from nestwork_hooks.console.run import check"),
    (upwards, "git/blobs.py", "try:\n    from nestwork_hooks import nest\nfinally:\n    pass"),
    (upwards, "console/run.py", "from nestwork_hooks.checkers import topic_size"),
    (upwards, "light.py", "from nestwork_hooks.protocol.text import shown"),
    (circles, "protocol/text.py", "def f():\n    from nestwork_hooks.protocol import finding"),
    (circles, "light.py", "import nestwork_hooks.light"),
    (impure, "protocol/text.py", "import os"),
    (impure, "protocol/text.py", "import os.path as p"),
    (impure, "protocol/text.py", "def f():\n    from subprocess import run"),
    (impure, "protocol/text.py", "import sys"),
    (impure, "protocol/text.py", "from nestwork_hooks.nest.reads import NAMES"),
    (impure, "protocol/text.py", "if TYPE_CHECKING:\n    from nestwork_hooks.nest.view import View"),
    (impure, "protocol/text.py", "open('x')"),
    (environment_users, "console/report.py", "import os\nos.environ.get('CI')"),
    (environment_users, "nest/listing.py", "from os import environ"),
    (environment_users, "console/report.py", "import os\nos.getenv('CI')"),
    (process_starters, "console/report.py", "def f():\n    import subprocess"),
    (process_starters, "console/report.py", "import os\nos.system('x')"),
    (process_starters, "writing/lock.py", "import os\nos.execvp('x', [])"),
]  # fmt: skip


@pytest.mark.parametrize(("law", "path", "lines"), BREAKS)
def test_a_module_that_breaks_a_law_is_found(law: object, path: str, lines: str) -> None:
    """Each law is broken by a few lines at the end of one module."""
    assert callable(law)
    text = (PROJECT / PACKAGE / path).read_text(encoding="utf-8")
    broken = _source(path, f"{text}\n{lines}\n")
    others = [source for source in _package() if source.name != broken.name]
    assert len(others) == len(_package()) - 1
    assert set(law([*others, broken])) > set(law(_package()))
