"""The report as one SVG picture for a README: the four tiers, and the budgets.

It has a background of its own, light or dark as the reader's system prefers, so it can be read on
any page. It holds no script and loads nothing.
"""

from __future__ import annotations

from html import escape
from math import ceil
from unicodedata import east_asian_width

from nestwork_hooks.measuring.figures import (
    FULL,
    RESIDENT,
    ROWS,
    TASK,
    TITLES,
    WHOLE,
    Bar,
    Figures,
    Start,
)
from nestwork_hooks.measuring.text import percent, tokens
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# All in user units: the picture, its margin, where bars begin, how long they get, how high a
# line is, and how wide a letter is in a wide one of the usual fonts.
_WIDTH, _MARGIN, _BARS, _LENGTH, _LINE, _LETTER = 840, 28, 288, 220, 30, 7.0
_GAP = 14
_VALUES = _BARS + _LENGTH + _GAP
# Characters of a label in front of a bar.
_LABEL = 32
# More agents than this are not drawn one by one.
_AGENTS = 4
_COLOURS = {FULL: "much", RESIDENT: "little", TASK: "some", WHOLE: "much"}
_STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif;
  fill: #1f2328; font-variant-numeric: tabular-nums }
.ground { fill: #ffffff; stroke: #d1d9e0 } .track { fill: #eaeef2 }
.title { font-size: 22px; font-weight: 600 } .head { font-weight: 600 } .aside { fill: #59636e }
.much { fill: #818b98 } .some { fill: #0969da } .little { fill: #1a7f37 } .over { fill: #cf222e }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .aside { fill: #9198a1 }
  .ground { fill: #0d1117; stroke: #3d444d } .track { fill: #2a313c }
  .much { fill: #7d8590 } .some { fill: #4493f8 } .little { fill: #3fb950 } .over { fill: #f85149 }
}
"""


def svg(now: Figures, exact: bool) -> str:
    """The picture, in UTF-8 and with an LF at its end."""
    start = now.largest
    bars, left_out = _chosen(now.bars())
    tiers_at, budgets_at = 112, 112 + _LINE * (len(ROWS) + 1)
    height = budgets_at + _LINE * (len(bars) + 1) + (20 if left_out else 0)
    title = _title(start)
    size = f'width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}"'
    named = 'role="img" aria-labelledby="title summary"'
    ground = f'x="0.5" y="0.5" width="{_WIDTH - 1}" height="{height - 1}" rx="8"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named}>',
        f'<title id="title">{_safe(title)}</title>',
        f'<desc id="summary">{_safe(_summary(now))}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" {ground}/>',
        _text(_MARGIN, 42, title, "title"),
        _text(_MARGIN, 66, _subtitle(now, exact), "aside"),
        *_tiers(start, tiers_at),
        _text(_MARGIN, budgets_at, "Read at every start, against the budget", "head"),
        *_budgets(bars, budgets_at + _LINE),
    ]
    if left_out:
        most = ceil(100 * max(bar.share for bar in left_out))
        aside = f"and {len(left_out):,} agents more, none over {most:,} % of its budget"
        parts.append(_text(_BARS, height - 24, aside, "aside"))
    return "\n".join([*parts, "</svg>\n"])


def _title(start: Start) -> str:
    full, resident = start.rows[FULL], start.resident
    least = "at least " if resident.unread else ""
    instead = f" instead of {tokens(full)}" if full.tokens else ""
    return f"A start reads {least}{tokens(resident)} tokens{instead}"


def _subtitle(now: Figures, exact: bool) -> str:
    whose = _short(now.largest.agent or "no agent", 60)
    if len(now.starts) > 1:
        whose += f", the largest of {len(now.starts):,} starts"
    return f"{whose} \u00b7 o200k_base tokens, {'exact' if exact else 'estimated (~)'}"


def _summary(now: Figures) -> str:
    rows = now.largest.rows
    return "; ".join(f"{TITLES[key]}: {tokens(rows[key])} tokens" for key in ROWS)


def _tiers(start: Start, y: int) -> Iterator[str]:
    most = max(row.tokens for row in start.rows.values()) or 1
    for number, key in enumerate(ROWS):
        row = start.rows[key]
        at = y + number * _LINE
        yield from _bar(at, TITLES[key], row.tokens / most, _COLOURS[key])
        files = f"{len(row.files):,} file{'s' * (len(row.files) != 1)}"
        share = "" if key == FULL else f" \u00b7 {_percent(start.ratio(key))}"
        not_read = f" \u00b7 {len(row.unread):,} not read" if row.unread else ""
        value = f"{tokens(row)} tokens \u00b7 {files} \u00b7 {_size(row.bytes)}"
        yield _value(at, f"{value}{share}{not_read}")


def _budgets(bars: list[Bar], y: int) -> Iterator[str]:
    for number, bar in enumerate(bars):
        at = y + number * _LINE
        name = bar.name + (" (not committed)" if bar.file and not bar.file.committed else "")
        yield from _bar(at, name, bar.share, "over" if bar.over else "little")
        remark = f"{bar.over:,} over" if bar.over else f"{bar.share * 100:.0f} %"
        if bar.file and bar.file.reason:
            remark = "not read"
        yield _value(at, f"{bar.bytes:,} of {bar.budget:,} bytes \u00b7 {remark}")


def _chosen(bars: list[Bar]) -> tuple[list[Bar], list[Bar]]:
    """The bars to draw, in order, and those of the agents with most room left, where many are."""
    agents = [bar for bar in bars if layout.is_agent_resident(bar.name)]
    left_out = sorted(agents, key=lambda bar: (-bar.share, bar.name))[_AGENTS:]
    return [bar for bar in bars if bar not in left_out], left_out


def _bar(y: int, label: str, share: float, colour: str) -> Iterator[str]:
    """A label and a bar, whose text stands on the line `y`; anything at all is 2 wide."""
    yield _text(_BARS - _GAP, y, _short(label, _LABEL), room=_BARS - 2 * _GAP, end=True)
    place = f'x="{_BARS}" y="{y - 12}" height="16" rx="3"'
    yield f'<rect class="track" {place} width="{_LENGTH}"/>'
    width = min(max(share * _LENGTH, 2.0), float(_LENGTH)) if share else 0.0
    yield f'<rect class="{colour}" {place} width="{width:.1f}"/>'


def _value(y: int, text: str) -> str:
    return _text(_VALUES, y, text, room=_WIDTH - _VALUES - _GAP)


def _text(
    x: int, y: int, text: str, kind: str = "", *, room: int = _WIDTH, end: bool = False
) -> str:
    """One line of text that begins, or ends, at `x`; narrowed where it would need more room."""
    style = f' class="{kind}"' if kind else ""
    style += ' text-anchor="end"' if end else ""
    if sum(_LETTER * (1 + (east_asian_width(char) in "FW")) for char in text) > room:
        style += f' textLength="{room}" lengthAdjust="spacingAndGlyphs"'
    return f'<text{style} x="{x}" y="{y}">{_safe(text)}</text>'


def _percent(share: float | None) -> str:
    return f"{share:,.0%}".replace("%", " %") if share and share >= 1 else percent(share)


def _size(size: int) -> str:
    return f"{size / 1024:,.1f} KB" if size < 1024**2 else f"{size / 1024**2:,.1f} MB"


def _short(text: str, limit: int) -> str:
    """`text` without its middle, where it is longer than `limit` characters."""
    text = escaped(text, 4096)
    if len(text) <= limit:
        return text
    end = limit // 2
    return f"{text[: limit - end - 1]}\u2026{text[-end:]}"


def _safe(text: str) -> str:
    """Text as XML can hold it: escaped, and without what no XML may contain."""
    return escape(escaped(text, 4096)).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
