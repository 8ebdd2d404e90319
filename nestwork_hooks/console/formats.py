"""A report as text, as JSON, or as annotations of GitHub Actions."""

from __future__ import annotations

import sys

from nestwork_hooks.console.remedy import before, remedy
from nestwork_hooks.console.report import by_importance
from nestwork_hooks.console.streams import print_lines, prints_unicode, shortened
from nestwork_hooks.protocol import shell
from nestwork_hooks.protocol.finding import FILE, Run
from nestwork_hooks.protocol.layout import is_memory
from nestwork_hooks.protocol.text import (
    decodable,
    escaped,
    has_surrogate,
    json_text,
    named,
    numbered,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from nestwork_hooks.console.report import Report
    from nestwork_hooks.protocol.finding import Finding, Fix


def print_report(report: Report, form: str, brief: bool = False, verbose: bool = False) -> None:
    """Write the report to standard output; nothing at all, as text, where all is well.

    `brief` keeps a text short enough for an agent's context, and `verbose` says what was looked at
    too. Programs that read another format have no use for either.
    """
    forms = {"json": _as_json, "github": _as_github}
    lines = forms[form](report) if form in forms else _as_text(report, brief, verbose)
    print_lines(lines, sys.stdout, commands=form == "github")


def _findings(report: Report) -> list[Finding]:
    """The findings, with the paths that the reader has, in their commands too."""
    root = report.request.root
    found = [finding.at(f"{root}{finding.path}") for finding in report.findings]
    word = shell.quoted if prints_unicode() else shell.quoted_in_ascii
    for finding in found:
        if FILE in finding.message:
            finding.message = finding.message.replace(FILE, word(finding.path))
    return found


def _written(report: Report) -> list[tuple[str, str]]:
    """The files that were rewritten, and what is to be said of that."""
    return [
        (f"{report.request.root}{path}", _state(report, path)) for path in sorted(report.written)
    ]


def _state(report: Report, path: str) -> str:
    if is_memory(path):
        return f"rewrote the topic index, {_index(report, path)}"
    return report.written[path]


def _index(report: Report, path: str) -> str:
    if not report.ok:
        return f"which was stale: {report.written[path]}"
    lines = report.moved.get(path)
    if not lines:
        return "which is right now"
    what = f"{numbered(lines)}, which nobody generated, {'is' if len(lines) == 1 else 'are'}"
    return f"which is right now; {what} right below the end marker"


def _written_lines(report: Report) -> Iterable[str]:
    for path, reason in _written(report):
        yield f"{escaped(path, 4096)}: {reason}"


def _last_lines(report: Report) -> list[str]:
    """The command that mends, and what comes before it."""
    line = remedy(report, unicode=prints_unicode())
    return [*filter(None, [before(report)]), f"to fix: {line}"] if line else []


def _as_text(report: Report, brief: bool, verbose: bool) -> Iterable[str]:
    findings = _findings(report)
    lines = [*map(str, by_importance(findings) if brief else findings), *_written_lines(report)]
    if verbose:
        from nestwork_hooks.console.looked import looked_at

        lines.append(looked_at(report))
    last = _last_lines(report)
    if brief:
        return shortened(lines, "\n".join(last))
    if last and report.request.environment.is_partial_commit:
        own = {*report.stale, *report.reindexed}.difference(report.taken)
        names = [f"{report.request.root}{path}" for path in sorted(own)]
        if names:
            files = f"name {named(names)} too, unless PATH is the folder"
            lines.append(f"git commit -- PATH takes nothing else: {files}")
    return [*lines, *last]


def _as_json(report: Report) -> Iterable[str]:
    from nestwork_hooks.console.fixes import fixes_of

    keys = ("path", "line", "level", "rule", "message")
    findings = [
        {key: _text(getattr(finding, key)) for key in keys} | _fix(fix)
        for finding, fix in zip(_findings(report), fixes_of(report), strict=True)
    ]
    written = [_text(path) for path, _ in _written(report)]
    said = {"findings": findings, "written": written, "remedy": _text(remedy(report, unicode=True))}
    yield json_text({"version": 1, **said})


def _fix(fix: Fix | None) -> dict[str, object]:
    """The key `fix`, where the edit is certain, and JSON can hold its paths."""
    if fix is None or (isinstance(fix, Run) and any(map(has_surrogate, fix.argv))):
        return {}
    if isinstance(fix, Run):
        return {"fix": {"kind": "run", "argv": list(map(_text, fix.argv))}}
    return {"fix": {"kind": "replace", **{key: _text(value) for key, value in vars(fix).items()}}}


def _text(value: object) -> object:
    return decodable(value) if isinstance(value, str) else value


def _as_github(report: Report) -> Iterable[str]:
    for finding in _findings(report):
        place = f"file={_property(finding.path)},line={finding.line},title={finding.rule}"
        yield f"::{finding.level} {place}::{_data(finding.message)}"
    for path, reason in _written(report):
        yield f"::notice file={_property(path)}::{_data(reason)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(path: str) -> str:
    return _data(escaped(path, 4096)).replace(":", "%3A").replace(",", "%2C")
