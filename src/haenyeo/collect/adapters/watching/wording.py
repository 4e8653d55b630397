"""Changes in words: the same in the terminal, in feeds and in messages."""

from __future__ import annotations

from haenyeo.collect.adapters.watching.changes import (
    Change,
    ContentChanged,
    LayoutChanged,
    PageBack,
    PageTrouble,
    ReadingRelearned,
    RecordsChanged,
    RuleBroken,
    RuleProposed,
    RuleRepaired,
    RuleRolledBack,
    RuleWorks,
    TitleChanged,
)
from haenyeo.html.urls import readable
from haenyeo.watch.differences import marked

LINES = 3
_TOLD_SHARE, _ROUND_SHARE = 0.001, 0.095


def headline(change: Change) -> str:  # noqa: C901 - a line for each kind of change
    """The change in one line."""
    match change:
        case ContentChanged():
            moved = f" moved, {_lines(change.moves)}, and nothing else is different"
            what = f", {_lines(change.lines)}" if change.lines else moved
            line = f"content  {readable(change.url)}  {_share(change.share)} of the text{what}"
        case TitleChanged():
            line = f"title  {readable(change.url)}"
        case RecordsChanged():
            line = f"records  {readable(change.url)}  {change.new} new, {change.gone} gone, {change.changed} changed"
        case LayoutChanged():
            line = f"layout {change.grade}  {readable(change.url)}  {change.score:.0%} of the layout is gone"
        case RuleRepaired():
            line = f"rule {change.rule} repaired, now version {change.version}, confidence {change.confidence:.2f}"
        case RuleBroken():
            line = f"rule {change.rule} is broken and could not be repaired for sure: {'; '.join(change.broken)}"
        case RuleProposed():
            line = f"rule {change.rule} is broken, repair proposed: {'; '.join(change.broken)}"
        case RuleRolledBack():
            line = f"rule {change.rule} rolled back to version {change.version}: {'; '.join(change.why)}"
        case RuleWorks():
            since = f", broken since {change.since:%Y-%m-%d %H:%M}" if change.since else ""
            line = f"rule {change.rule} works again{since}"
        case ReadingRelearned():
            line = f"{change.site} was redesigned; how to read it is learned anew"
        case PageTrouble():
            status = "" if not change.status or str(change.status) in change.reason else f"{change.status} "
            line = f"trouble  {readable(change.url)}  {status}{change.reason}"
        case PageBack():
            line = f"back  {readable(change.url)}  answers again"
    return line


def details(change: Change) -> list[str]:  # noqa: PLR0911 - one for each kind of change
    """What it is about, a line each: - gone, + new, ~ edited, > moved."""
    match change:
        case ContentChanged():
            edited = [f"~ {_around(edit.marked)}" for edit in change.edited[:LINES]]
            lines = [*(f"- {line}" for line in change.removed[:LINES]), *(f"+ {line}" for line in change.added[:LINES])]
            moved = [f"> {line}" for line in change.moved[:LINES]]
            more = change.lines - len(edited) - len(lines)
            further = [f"and {_lines(more)} more"] if more > 0 else []
            return [*edited, *(_cut(line, 110) for line in (*lines, *moved)), *further]
        case TitleChanged():
            return [f"~ {marked(change.before, change.after)}"]
        case RecordsChanged():
            rows = [*(("-", row) for row in change.removed[:LINES]), *(("+", row) for row in change.added[:LINES])]
            edited = [f"~ {edit.record}: {edit.field} {marked(edit.before, edit.after)}" for edit in change.edited]
            return [_cut(line, 110) for line in (*edited[:LINES], *(f"{sign} {_row(row)}" for sign, row in rows))]
        case LayoutChanged():
            return [_cut(line, 110) for line in change.why[:LINES]]
        case ReadingRelearned():
            return [f"its texts stood in {container}" for container in change.containers[:LINES]]
        case RuleRepaired():
            without = [f"goes on without: {', '.join(change.dropped)}"] if change.dropped else []
            return [f"checked on {', '.join(change.checked_on)}", *without]
        case _:
            return []


def _share(share: float) -> str:
    """A share in per cent; small ones with a decimal, so that a change is never 0 %.

    >>> _share(0.0014), _share(0.234), _share(0.00001)
    ('0.1%', '23%', 'under 0.1%')
    """
    if share < _TOLD_SHARE:
        return f"under {_TOLD_SHARE:.1%}"
    return f"{share:.0%}" if share >= _ROUND_SHARE else f"{share:.1%}"


def _lines(count: int) -> str:
    return f"{count:,} line" if count == 1 else f"{count:,} lines"


def _row(fields: dict[str, str]) -> str:
    """A record in one line."""
    return ", ".join(fields.values())


def _around(line: str) -> str:
    """An edited line, from a little before its first mark."""
    first = min((place for mark in ("[-", "{+") if (place := line.find(mark)) >= 0), default=0)
    start = max(0, first - 40)
    return _cut(("…" if start else "") + line[start:], 160)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
