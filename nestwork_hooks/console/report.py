"""What a run has to say: findings, what was rewritten, and what could not be done."""

from __future__ import annotations

from nestwork_hooks.light import Frozen, MappingProxyType
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Mapping, Sequence

    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding

# The rules for memory that could be lost: in a short report they come first.
UNCOMMITTED, KEPT_OUT, HELD_BACK = "uncommitted", "kept-out", "held-back"
WAITING = (UNCOMMITTED, KEPT_OUT, HELD_BACK)


class Report(Frozen):
    """The findings, sorted, and what a fixer did.

    `written` says for each rewritten file what was wrong with its index, or what was done, `unstaged`
    are the files that are right on disk alone, `failures` what could not be done, a line each.
    `taken` are the topics and indexes that `git commit -- PATH` takes from disk, past the staging
    area. `view` is what was judged, None where nothing was; `outdated` says that a text of it has been
    replaced since. `moved` are the lines of a rewritten file that nobody generated. `strict` says that
    warnings fail too, `ok` that to have written is no failure. `dated` are the topics whose date is set
    on disk and not yet in what is staged.
    """

    request: Request
    findings: list[Finding]
    written: Mapping[str, str] = MappingProxyType({})
    unstaged: Collection[str] = ()
    dated: Collection[str] = ()
    failures: Sequence[str] = ()
    taken: Sequence[str] = ()
    view: View | None = None
    outdated: bool = False
    moved: Mapping[str, Sequence[int]] = MappingProxyType({})
    strict: bool = False
    ok: bool = False

    @property
    def stale(self) -> list[str]:
        """The files whose index is stale, and what is mended on disk; sorted."""
        unstaged = self.unstaged
        found = {f.path for f in self.findings if f.rule == "stale-index" or f.path in unstaged}
        return sorted({*found, *self.written})

    @property
    def reindexed(self) -> list[str]:
        """The files whose index will be stale once what is named is mended, sorted."""
        return sorted({layout.memory_of(f.reindexes) for f in self.findings if f.reindexes})

    @property
    def fails(self) -> bool:
        """Whether this is more than a warning, or a file was rewritten."""
        return bool(self.written and not self.ok) or any(map(self.is_grave, self.findings))

    def is_grave(self, finding: Finding) -> bool:
        """Whether this finding fails the run."""
        return finding.level == ERROR or self.strict

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.findings or self.written)


def narrowed(
    findings: list[Finding], exclude: re.Pattern[str] | None, warn_only: re.Pattern[str] | None
) -> list[Finding]:
    """The findings without those that `--exclude` names, and with those that only are to warn."""
    kept = [finding for finding in findings if not (exclude and exclude.search(finding.path))]
    if not warn_only:
        return kept
    return [
        finding.at(finding.path, WARNING) if warn_only.search(finding.path) else finding
        for finding in kept
    ]


def by_importance(findings: list[Finding]) -> list[Finding]:
    """The findings: memory that could be lost, errors, warnings."""
    return sorted(findings, key=lambda f: (f.rule not in WAITING, f.level != ERROR, f.order()))
