"""Say what was found: as text, as JSON, or as annotations of GitHub Actions."""

from __future__ import annotations

import os
import sys

from nestwork_hooks import git
from nestwork_hooks.git import to_bytes, to_path
from nestwork_hooks.protocol.finding import ERROR, WARNING
from nestwork_hooks.protocol.layout import scope_of
from nestwork_hooks.protocol.text import decodable, json_text, named, shown, shown_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import TextIO

    from nestwork_hooks.protocol.finding import Finding

FORMATS = ("text", "json", "github")
FIXER = "nestwork-fix-index"
# The rule for memory that could be lost: in a short report it comes first.
UNCOMMITTED = "uncommitted"
# A short report is put into the context of an agent: bytes in all, and characters of one line.
_BRIEF, _BRIEF_LINE = 2_048, 320


class Report:
    """Findings, in order and at most one of a rule per file, and the files that were rewritten.

    `written` gives for each rewritten file what was wrong with its index, `unstaged` the files whose
    index is right on disk alone, `failures` what could not be done, a line each. `staged` says that
    the staging area was judged and not the working tree. `taken` are the topics that
    `git commit -- PATH` takes from disk, past the staging area.
    """

    def __init__(
        self,
        findings: Iterable[Finding],
        staged: bool = False,
        taken: Iterable[str] = (),
    ) -> None:
        first: dict[tuple[str, str], Finding] = {}
        for finding in sorted(findings, key=lambda f: (f.level != ERROR, f.order())):
            first.setdefault((finding.path, finding.rule), finding)
        self.findings = sorted(first.values(), key=lambda finding: finding.order())
        self.written: dict[str, str] = {}
        self.unstaged: set[str] = set()
        self.failures: list[str] = []
        self.staged = staged
        self.taken = taken

    def narrow(self, exclude: re.Pattern[str] | None, warn_only: re.Pattern[str] | None) -> None:
        """Drop the findings that `--exclude` names, and lower those that `--warn-only` names."""
        if exclude:
            self.findings = [f for f in self.findings if not exclude.search(f.path)]
        for finding in self.findings if warn_only else ():
            if warn_only and warn_only.search(finding.path):
                finding.level = WARNING

    def fails(self, strict: bool) -> bool:
        """Whether this is more than a warning, or a file was rewritten."""
        levels = {finding.level for finding in self.findings}
        return bool(self.written) or ERROR in levels or (strict and WARNING in levels)

    def memories(self) -> list[str]:
        """The files whose index is stale or was, sorted."""
        stale = {f.path for f in self.findings if f.rule == "stale-index"}
        return sorted({*stale, *self.written})

    def remedy(self) -> str:
        """The command line that mends what a command can mend; `""` where there is none."""
        changed = self.memories()
        to_write = [path for path in changed if path not in {*self.unstaged, *self.written}]
        steps = []
        if to_write:
            steps += self._stage_taken(to_write)
            staged = " --staged" if self._stays_staged() else ""
            scopes = " ".join(_quoted(os.path.dirname(path)) for path in to_write)
            steps.append(f"{_fixer()}{staged} {scopes}")
        if changed:
            steps.append(f"git add -- {' '.join(map(_quoted, changed))}")
        if steps and _in_hook():
            steps.insert(0, f"cd {_quoted(_named(os.getcwd()))}")
        return "; ".join(steps)

    def _stage_taken(self, memories: Iterable[str]) -> list[str]:
        scopes = {scope_of(path) for path in memories}
        topics = [_quoted(path) for path in self.taken if scope_of(path) in scopes]
        return [f"git update-index --add --remove -- {' '.join(topics)}"] if topics else []

    def _stays_staged(self) -> bool:
        """Whether what was judged is staged when the line is read.

        `git commit -a` and `git commit -i` hand hooks an index file that is gone by then; what it
        held lies on disk. So does `git commit -- PATH`, whose topics the line itself stages.
        """
        gone = os.path.basename(os.environ.get("GIT_INDEX_FILE", "")) == "index.lock"
        return (self.staged or _in_hook()) and not gone


def _in_hook() -> bool:
    return "GIT_INDEX_FILE" in os.environ or "PRE_COMMIT" in os.environ


def _fixer() -> str:
    """The fixer as the reader's shell will find it: by name on their PATH, else by full path."""
    linked = os.path.abspath(sys.argv[0])
    for command in (linked, os.path.realpath(linked)):
        folder = os.path.dirname(command)
        script = os.path.join(folder, FIXER)
        if os.path.exists(script):
            found = folder in os.get_exec_path() and not _in_hook()
            return FIXER if found else _quoted(_named(script))
    # Without -P, Python 3.11 and newer would look for modules in the nest first.
    safe = "-P " if sys.version_info >= (3, 11) else ""
    return f"{_quoted(_named(sys.executable))} {safe}-m nestwork_hooks.commands.fix_index"


def _named(path: str) -> str:
    """A path of the system as git has it, whatever the locale."""
    return to_path(os.fsencode(path))


def _quoted(text: str) -> str:
    """`text` as one word for any POSIX shell, in characters that are safe to print."""
    from shlex import quote

    if shown(text, len(text)) == text and (text.isascii() or prints_unicode()):
        return quote(text)
    if text.endswith("\n"):
        text += "/."  # a shell takes line ends off what a command prints
    return f"\"$(printf '{''.join(map(_escaped, to_bytes(text)))}')\""


def _escaped(byte: int) -> str:
    char = chr(byte)
    return char if char.isascii() and (char.isalnum() or char in "/._-+@=:, ") else f"\\{byte:03o}"


def prints_unicode() -> bool:
    """Whether every character can be printed, as it is, on standard output."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    return encoding.lower().replace("-", "") == "utf8"


def print_report(report: Report, form: str, brief: bool = False) -> None:
    """Write the report to standard output; nothing at all, as text, where all is well.

    `brief` keeps a text short enough for an agent's context.
    """
    forms = {"text": _as_brief if brief else _as_text, "json": _as_json, "github": _as_github}
    print_lines(forms[form](report), sys.stdout, commands=form == "github")


def print_lines(lines: Iterable[str], stream: TextIO | None, commands: bool = False) -> None:
    """Write these lines, whatever characters the stream can take.

    Unless they are meant to be `commands`, no CI service takes them for any.
    """
    if stream is None:
        return
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure:
        reconfigure(errors="backslashreplace")
    for line in lines:
        print(line if commands else shown_line(line), file=stream)
    stream.flush()


def shortened(lines: Iterable[str], last: str = "") -> list[str]:
    """As many of the lines as an agent's context takes, most important first, and `last`.

    Long lines are cut, and those that are left out are counted. `last` is a command to paste:
    it is there whole or not at all.
    """
    lines = [shown(line, _BRIEF_LINE) for line in lines]
    ends = [last] if 0 < _bytes(last) <= _BRIEF // 4 else []
    if _bytes(*lines, *ends) <= _BRIEF:
        return [*lines, *ends]
    room = _BRIEF - _bytes(*ends, _rest(len(lines)))
    kept = 0
    while _bytes(lines[kept]) <= room:
        room -= _bytes(lines[kept])
        kept += 1
    return [*lines[:kept], *ends, _rest(len(lines) - kept)]


def _rest(count: int) -> str:
    return f"... and {count} more"


def _bytes(*lines: str) -> int:
    encoding = "utf-8" if prints_unicode() else "ascii"
    return sum(len(line.encode(encoding, "backslashreplace")) + 1 for line in lines if line)


def by_importance(report: Report) -> list[Finding]:
    """The findings: memory that is not committed, errors, warnings."""
    return sorted(
        report.findings, key=lambda f: (f.rule != UNCOMMITTED, f.level != ERROR, f.order())
    )


def _as_brief(report: Report) -> Iterable[str]:
    return shortened(map(str, by_importance(report)), _remedy_line(report))


def _remedy_line(report: Report) -> str:
    remedy = report.remedy()
    return f"to fix: {remedy}" if remedy else ""


def _as_text(report: Report) -> Iterable[str]:
    yield from map(str, report.findings)
    for path, reason in sorted(report.written.items()):
        yield f"{shown(path, 4096)}: rewrote the topic index, which was stale: {reason}"
    if git.is_partial_commit() and report.memories():
        names = named(report.memories())
        yield f"git commit -- PATH takes nothing else: name {names} (or its folder) in it too"
    yield from filter(None, [_remedy_line(report)])


def _as_json(report: Report) -> Iterable[str]:
    keys = ("path", "line", "level", "rule", "message")
    findings = [{key: _text(getattr(f, key)) for key in keys} for f in report.findings]
    written = [_text(path) for path in sorted(report.written)]
    yield json_text({"version": 1, "findings": findings, "written": written})


def _text(value: object) -> object:
    return decodable(value) if isinstance(value, str) else value


def _as_github(report: Report) -> Iterable[str]:
    for finding in report.findings:
        place = f"file={_property(finding.path)},line={finding.line},title={finding.rule}"
        yield f"::{finding.level} {place}::{_data(finding.message)}"
    for path, reason in sorted(report.written.items()):
        message = f"rewrote the topic index, which was stale: {reason}"
        yield f"::notice file={_property(path)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(path: str) -> str:
    return _data(shown(path, 4096)).replace(":", "%3A").replace(",", "%2C")
