"""Generated nests: small ones with a change of every kind under way, and a few large ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from tests.compare import texts
from tests.compare.comparing import Case
from tests.compare.lines import CHECK, COMMIT, FIX, MEASURE, MESSAGE, WITH_NAMES, drawn_lines
from tests.compare.sides import Line
from tests.compare.site import Site, scopes_of
from tests.conftest import MARKERS, Files, Repo

_BATCH = 500


def generated(count: int, seed: int, lines: int) -> Iterator[Case]:
    """So many small nests, each with so many lines; the same for the same seed."""
    for number in range(count):
        yield Case("nests", f"nest-{number:04}", partial(_build, number, seed, lines))


def _build(number: int, seed: int, lines: int, site: Site) -> Iterable[Line]:
    random = Random(f"{seed}/{number}")
    repo = site.begin()
    repo.write(_files(random))
    if random.random() < 0.95:
        _commit(site, random)
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        random.choice(_CHANGES)(random, site, site.listed())
    repo.git("repack", "-adq")
    return drawn_lines(random, site, lines)


def _files(random: Random) -> Files:
    files: Files = {}
    if random.random() < 0.95:
        files["queen/agent-rules.md"] = texts.resident(random, 4_096)
    for scope in texts.scopes(random):
        by_hand = random.random() < 0.3
        if random.random() < 0.95:
            files[f"{scope}/memory.md"] = texts.memory(random) if by_hand else MARKERS
        if random.random() < 0.5:
            files[f"{scope}/resident.md"] = texts.resident(
                random, 4_096 if scope == "shared" else 2_048
            )
        bad = random.random() < 0.15
        for _ in range(random.choice((0, 1, 3, 3, 6, 12))):
            is_bad = bad and random.random() < 0.3
            content = texts.unreadable(random) if is_bad else texts.topic(random)
            files[f"{scope}/{texts.topic_name(random)}"] = content
    for name in ("README.md", "projects/x.md", "agents/x.md", "agents/box/x.md", "workflow/w.md"):
        if random.random() < 0.1:
            files[name] = texts.topic(random)
    return _without_clashes(files)


def _without_clashes(files: Files) -> Files:
    """No file where another one needs a folder."""
    folders = {str(parent) for name in files for parent in Path(name).parents}
    return {name: content for name, content in files.items() if name not in folders}


def _commit(site: Site, random: Random) -> None:
    """Commit what is there, mostly with true indexes, some of which somebody edits then."""
    repo = site.repo
    repo.git("add", "-A")
    if random.random() < 0.8:
        site.fix("--all")
    for path in site.listed():
        if path.endswith("/memory.md") and random.random() < 0.3:
            file = repo.path / path
            file.write_bytes(texts.aged(random, file.read_bytes()))
    repo.commit()


def _write(random: Random, repo: Repo, paths: Sequence[str]) -> None:
    """Change a file or add a topic."""
    scopes = scopes_of(paths) or ["shared"]
    name = f"{random.choice(scopes)}/{texts.topic_name(random)}"
    changed = [path for path in paths if (repo.path / path).is_file()]
    if changed and random.random() < 0.5:
        name = random.choice(changed)
    content = texts.topic(random)
    if name.endswith("memory.md"):
        content = texts.memory(random) if random.random() < 0.5 else MARKERS.encode()
    elif name.endswith("resident.md"):
        content = texts.resident(random, 2_048)
    try:
        repo.write({name: content})
    except OSError:  # A file where a folder is needed, or the other way round.
        pass


def _stage_one(random: Random, site: Site, paths: Sequence[str]) -> None:
    _write(random, site.repo, paths)
    site.repo.git("add", "-A")


def _stage_fixed(random: Random, site: Site, paths: Sequence[str]) -> None:
    _stage_one(random, site, paths)
    site.fix()
    site.repo.git("add", "-A")


def _unstaged(random: Random, site: Site, paths: Sequence[str]) -> None:
    _write(random, site.repo, paths)


def _announced(random: Random, site: Site, paths: Sequence[str]) -> None:
    _write(random, site.repo, paths)
    site.repo.git("add", "-A", "-N")


def _deleted(random: Random, site: Site, paths: Sequence[str]) -> None:
    there = [path for path in paths if (site.repo.path / path).is_file()]
    for path in random.sample(there, min(len(there), 2)):
        how = random.choice((["rm", "-qf"], ["rm", "-qf", "--cached"], []))
        if how:
            site.repo.run("git", "--literal-pathspecs", *how, "--", path)
        else:
            (site.repo.path / path).unlink()


def _renamed(random: Random, site: Site, paths: Sequence[str]) -> None:
    there = [path for path in paths if (site.repo.path / path).is_file()]
    if there:
        path = random.choice(there)
        scope = random.choice([*scopes_of(paths), "projects", "shared/archive"])
        target = site.repo.path / scope / "renamed.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        site.repo.run("git", "mv", "-f", "--", path, str(target))


def _linked(random: Random, site: Site, paths: Sequence[str]) -> None:
    if paths:
        path = random.choice(paths)
        if (site.repo.path / path).is_file():
            site.repo.write({path: Path(random.choice(("ports.md", "../queen", "/etc/hostname")))})
            if random.random() < 0.5:
                site.repo.git("add", "-A")


def _merging(random: Random, site: Site, paths: Sequence[str]) -> None:
    """Begin a merge, a cherry-pick or a revert, which may stop in a conflict."""
    repo = site.repo
    if repo.run("git", "rev-parse", "-q", "--verify", "HEAD").code:
        return
    repo.commit(message="before")
    repo.git("switch", "-q", "-c", f"side{random.random()}")
    for _ in range(2):
        _stage_fixed(random, site, paths)
    repo.commit(message="side")
    repo.git("switch", "-q", "-C", "main", "HEAD~")
    for _ in range(2):
        _stage_fixed(random, site, paths)
    repo.commit(message="main")
    side = repo.git("for-each-ref", "--format=%(refname)", "refs/heads/side*").split()[-1]
    verb = random.choice((["merge", "--no-commit", "--no-ff"], ["merge"], ["cherry-pick", "-n"]))
    repo.run("git", *verb, side)
    if random.random() < 0.4:
        repo.run("git", "add", "-A")


_CHANGES = (
    *(_stage_one, _stage_one, _stage_one, _stage_fixed, _unstaged, _unstaged, _announced, _deleted),
    *(_deleted, _renamed, _linked, _merging),
)


def large(topics: int, seed: int) -> Iterator[Case]:
    """A few nests of so many topics each."""
    for shape, (scopes, bad) in {"one": (1, 0.0), "many": (40, 0.0), "bad": (400, 0.002)}.items():
        name = f"large-{shape}"
        yield Case(
            "large", name, partial(_build_large, topics, scopes, bad, Random(f"{seed}/{name}"))
        )


def _build_large(topics: int, count: int, bad: float, random: Random, site: Site) -> Iterable[Line]:
    repo = site.begin()
    scopes = ["shared", *(f"agents/box-{n % 10}/agent-{n}" for n in range(count - 1))]
    files: dict[bytes, bytes] = {b"queen/agent-rules.md": b"# Rules\n"}
    files |= {f"{scope}/memory.md".encode(): MARKERS.encode() for scope in scopes}
    names = []
    for number in range(topics):
        folder = random.choice(("", "", f"part-{number % 7}/"))
        names.append(f"{scopes[number % count]}/{folder}topic-{number:05}.md")
        is_bad = random.random() < bad
        content = texts.unreadable(random) if is_bad else texts.topic(random)
        files[names[-1].encode()] = content
    repo.stage_blobs(files)
    repo.git("checkout-index", "-a")
    repo.git("commit", "-q", "--no-verify", "-m", "nest")
    repo.git("repack", "-adq")
    return _lines_of_large(sorted(names), scopes)


def _lines_of_large(names: Sequence[str], scopes: Sequence[str]) -> Iterator[Line]:
    for form in ("json", "text", "github"):
        yield Line((CHECK, "--all", "--format", form))
    yield Line((CHECK, "--all", "--staged", "--strict", "--format", "json"))
    yield Line((CHECK, "--max-description", "20", "--max-bytes", "200", *scopes[:20]))
    for first in range(0, len(names), _BATCH):
        for command in WITH_NAMES:
            yield Line((command, "--format", "json", *names[first : first + _BATCH]))
    yield Line((MEASURE, "--json"))
    yield Line((FIX, "--all"), writes=True)
    yield Line((COMMIT, scopes[-1], *MESSAGE), writes=True)
