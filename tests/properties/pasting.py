"""What has to hold for every edit that is offered, judged without the package's own readers.

`python -m tests.properties.pasting COUNT [SEED]` tries that many files and counts what it saw.
"""

from __future__ import annotations

import collections
import random
import re
import sys

import pytest
import yaml

from nestwork_hooks.checkers import missing_description
from nestwork_hooks.protocol import yaml_reader as module
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.finding import ERROR, Fault, Replace
from nestwork_hooks.protocol.topic import read_topic
from tests import laws
from tests.properties.written import Written, written

LINE = re.compile(r"(?:^|\W)write ((description|updated): .*?)(?=; and on line \d+: |$)")
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
STRAIGHT = str.maketrans("“”″‘’", '"""\'\'')


def line_reader(text: str) -> dict[str, str]:
    """The nest's script, as docs/protocol.md describes it."""
    fields: dict[str, str] = {}
    end = text.find("\n---", 4)
    if not text.startswith("---\n") or end < 0:
        return fields
    for line in text[4:end].splitlines():
        key, colon, value = line.partition(":")
        if colon and line[0] not in " \t" and key.strip():
            fields[key.strip()] = value.strip().strip('"').strip("'")
    return fields


def yaml_reader(text: str) -> dict[str, object] | None:
    """The front matter as YAML; None where it can't be read."""
    found = re.match(
        r"\ufeff?---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$", text, re.DOTALL | re.MULTILINE
    )
    try:
        read = yaml.load(found[1] if found else "", Loader=LOADER)
    except (yaml.YAMLError, ValueError):
        return None
    return read if isinstance(read, dict) else None


def unix(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n")


def applied(data: bytes, faults: list[Fault]) -> bytes:
    """The file after the edits of these faults, from the last to the first."""
    lines = re.findall(r".*?\n|.+$", data.decode(), re.DOTALL)
    fixes = [fault.fix for fault in faults if isinstance(fault.fix, Replace)]
    for fix in sorted(fixes, key=lambda fix: fix.first, reverse=True):
        assert fix.text.endswith("\r\n" if b"\r\n" in data else "\n") or not fix.text
        lines[fix.first - 1 : fix.last] = [fix.text]
    return "".join(lines).encode()


def said(data: bytes) -> list[Fault]:
    """What is said of a file's front matter."""
    topic = read_topic("t.md", laws.chunks(data))
    assert not isinstance(topic, Unread)
    faults = list(missing_description.faults(topic))
    return [fault for fault in faults if fault.rule != "long-description"]


def signs(text: object) -> list[str]:
    """The letters, digits, apostrophes, quotation marks and backslashes of a text, in order."""
    plain = str(text).translate(STRAIGHT)
    return [char for char in plain if char.isalnum() or char in "'\"\\"]


def holds(case: Written) -> str:
    """Assert all of it for one file; what was offered for it, in a word."""
    before, faults = unix(case.data), said(case.data)
    if not faults:
        return "sound"
    for fault in faults:
        laws.is_safe_to_print(fault.message.replace("\0", ""))
        for line, key in LINE.findall(fault.message):
            pasted_line_holds(case, line, key, fault, before)
    warnings = [fault for fault in faults if fault.level != ERROR]
    index = line_reader(before)
    after = line_reader(unix(applied(case.data, warnings)))
    if index.get("description"):
        for key in ("description", "updated"):
            assert index.get(key) == after.get(key), "a warning changes the index"
    if not all(fault.fix for fault in faults):
        return "no edit" if not any(LINE.search(fault.message) for fault in faults) else "a line"
    mended = applied(case.data, faults)
    assert not said(mended), (said(mended)[0].message, mended.decode())
    both_read(case, unix(mended), index if faults == warnings else {})
    return "an edit"


def pasted_line_holds(case: Written, line: str, key: str, fault: Fault, before: str) -> None:
    """A line to paste is read alike by both readers, and loses nothing of what was meant."""
    if "<what it holds" in line:
        return
    read = line_reader(f"---\n{line}\n---\n")
    if key == "updated":
        return
    assert read == yaml_reader(f"---\n{line}\n---\n"), line
    index = line_reader(before).get(key)
    if fault.level != ERROR and index:
        assert read[key] == index, "a warning changes the index"
    elif not any(signs(read[key]) == signs(meant) for meant in meanings(case, before)):
        raise AssertionError(f"lost: {line}")


def meanings(case: Written, before: str) -> list[str]:
    """The author's text: what was meant, and what else its manner lets a reader take it for.

    Of backslashes that nobody escaped that is what YAML reads, and of text whose first quotation a
    comment seems to follow, that quotation.
    """
    meant = [case.meant]
    if case.manner == "never closed":  # where other quotes follow, the first may be one of them
        meant.append(f'"{case.meant}')
    read = (yaml_reader(before) or {}).get("description")
    if isinstance(read, str) and "as it is" in case.manner and "\\" in case.meant:
        meant.append(read)
    shown = case.meant if case.manner in ("plain", "wrapped") else f"'\"{case.meant}"
    for quote in "'\"":
        text, closing, rest = shown.partition(quote)[2].partition(f"{quote} # ")
        if closing and quote not in rest:
            meant.append(text)
    return meant


def both_read(case: Written, mended: str, index: dict[str, str]) -> None:
    """After all edits both readers read the author's text, and other keys are what they were."""
    by_line, by_yaml = line_reader(mended), yaml_reader(mended)
    assert by_yaml is not None
    assert by_line["description"] == by_yaml["description"]
    assert (by_line.get("updated") or "") == (by_yaml.get("updated") or "")
    before = unix(case.data)
    meant = [index["description"]] if "description" in index else meanings(case, before)
    squeezed = [" ".join(re.split("[ \n\t]+", text)).strip(" \n\t") for text in meant]
    assert by_line["description"] in squeezed, (by_line["description"], squeezed)
    known = yaml_reader(before)
    for key, value in (known or {}).items():
        if key.lower()[:4] != "desc" and key != "updated":
            assert by_yaml[key] == value, key
    assert mended.endswith("\n- a fact\n") == before.endswith("\n- a fact\n")


def hasten() -> None:
    """Parse what is asked again only once, and letters that libyaml reads alike with libyaml."""
    loader, read = module._loader, module.read_yaml
    spaces = str.maketrans("", "", "\xa0\u3000\u200c\u200d")
    known: dict[str, object] = {}

    def again(source: str) -> object:
        if len(known) > 200:
            known.clear()
        if source not in known:
            try:
                known[source] = read(source)
            except module.YamlFault as fault:
                known[source] = fault
        found = known[source]
        if isinstance(found, module.YamlFault):
            raise module.YamlFault(found.line)
        return found

    patch = pytest.MonkeyPatch()
    patch.setattr(module, "_loader", lambda source: loader(source.translate(spaces)))
    patch.setattr(module, "read_yaml", again)


def main() -> None:
    """Try many files; print the ones that fail."""
    hasten()
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng, seen = random.Random(seed), collections.Counter[str]()
    for _ in range(count):
        case = written(rng)
        try:
            seen[holds(case)] += 1
        except AssertionError as error:
            seen["FAILED"] += 1
            print(case.manner, repr(case.meant), str(error), unix(case.data), sep="\n")
    print(f"{count:,} files, seed {seed}:", dict(seen))


if __name__ == "__main__":
    main()
