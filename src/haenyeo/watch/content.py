"""Did the text of a page change, or only its dates, counters and advertisements, or only what is read of it?

Texts are compared line by line. A line counts as gone only if the whole new page has it less often than the old one,
and as new only if it has it more often: what is taken for the main text may differ from one reading to the next. A line
that went and one that came are the same but for noise when they differ only in dates, times and ages, or in the numbers
of a counter. Prices and all other numbers are content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher, unified_diff

import msgspec

from haenyeo.watch.differences import LineEdit, line_differences, moved_lines

Ignored = Callable[[str], bool]
"""Whether a line that came or went does not count."""
MOST_LINES = 5_000
"""Lines of a text that are compared."""
SHOWN = 5
"""Lines of each side that a change remembers."""

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_UNIT = r"(?:seconds?|sec|min(?:ute)?|hour|hr|day|week|month|year)s?"
_MOMENT = re.compile(
    rf"""(?ix)
    \d{{4}}\s?[-/.년年]\s?\d{{1,2}}\s?[-/.월月]\s?\d{{1,2}}\s?[일日.]? | \d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}
    | \b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?(?:\s+\d{{4}})? | \b\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?(?:\s+\d{{4}})?
    | \b\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s?[ap]\.?m\.?)? | (?:오전|오후)\s?\d{{1,2}}시(?:\s?\d{{1,2}}분)?
    | \b(?:\d{{1,4}}|an?|one|few)\s+{_UNIT}\s+ago | \bjust\s+now\b | \b(?:yesterday|today)\b
    | \d{{1,4}}\s?(?:초|분|시간|일|주|개월|달|년)\s?전 | 방금(?:\s?전)? | 어제 | 오늘
    | \b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b,? | [월화수목금토일]요일
    """
)
_COUNTED = re.compile(
    r"(?i)\b(?:views?|reads?|hits?|likes?|shares?|comments?|repl(?:y|ies)|votes?|downloads?|visitors?|members?|users?"
    r"|followers?|online|points?|claps?)\b|조회|추천|댓글|공감|방문자?|회원|좋아요|스크랩|접속"
)
_NUMBER = re.compile(r"\d[\d.,]*[kKmM천만]?")
_ADVERTISED = re.compile(r"(?i)\b(?:advertisements?|sponsored|promoted|ad choices|buy now)\b|광고|협찬|후원")
_COUNTER_WORDS = 12
_LONGEST_LINE = 2_000  # a longer line is content, whatever dates are in it


class TwoVersions(msgspec.Struct, frozen=True, kw_only=True):
    """A page before and after: what it says, read in the same way, and all texts of each, whether read or not."""

    old: str
    new: str
    old_page: str = ""
    new_page: str = ""


class ContentChange(msgspec.Struct, frozen=True, kw_only=True):
    """What is different in a page's text.

    `changed` is False when all that differs is noise, or the order; `noise` counts those lines. `added` and `removed`
    are the first lines that came and went, `edited` those that were edited, word by word, `lines` how many all of them
    are; `moved` are the first of `moves` lines that stand elsewhere now. `share` is the part of the text that is not
    the same or, where nothing else differs, that has moved.
    """

    changed: bool = False
    noise: int = 0
    lines: int = 0
    share: float = 0.0
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    edited: tuple[LineEdit, ...] = ()
    moved: tuple[str, ...] = ()
    moves: int = 0


def compare_texts(old: str, new: str) -> ContentChange:
    """What changed from the old text of a page to the new one."""
    return compare_versions(TwoVersions(old=old, new=new))


def compare_versions(page: TwoVersions, ignored: Ignored = lambda _line: False) -> ContentChange:
    """What changed from one version of a page to the next; lines that are `ignored` do not count."""
    if page.old == page.new:
        return ContentChange()
    before, after = _lines(page.old), _lines(page.new)
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    gone_left, come_left = _without_noise(gone), _without_noise(come)
    same = Counter(map(_quiet, gone_left.elements())) & Counter(map(_quiet, come_left.elements()))
    old_page, new_page = Counter(_lines(page.old_page)), Counter(_lines(page.new_page))
    removed = [line for line in _unmatched(gone_left, same) if _fewer(line, old_page, new_page) and not ignored(line)]
    added = [line for line in _unmatched(come_left, same) if _fewer(line, new_page, old_page) and not ignored(line)]
    different = line_differences(removed, added)
    moved = [line for line in moved_lines(before, after) if not (_is_noise(line) or ignored(line))]
    noise = max(gone.total(), come.total()) - max(len(removed), len(added))
    letters = sum(map(len, before)) + sum(map(len, after))
    others = (*added, *removed) or (*moved, *moved)
    return ContentChange(
        changed=bool(added or removed),
        noise=max(noise, 0),
        lines=len(different.gone) + len(different.new) + len(different.edited),
        share=round(sum(map(len, others)) / letters, 4) if letters else 0.0,
        added=different.new[:SHOWN],
        removed=different.gone[:SHOWN],
        edited=different.edited[:SHOWN],
        moved=tuple(moved[:SHOWN]),
        moves=len(moved),
    )


def is_other(old: str, new: str) -> bool:
    """Whether two short texts, such as titles, differ in more than moments and counts.

    >>> is_other("Reefs", "Reefs today"), is_other("Reefs (3 comments)", "Reefs (4 comments)")
    (False, False)
    """
    return _NUMBER.sub("#", _quiet(old)).strip(" ·") != _NUMBER.sub("#", _quiet(new)).strip(" ·")


def text_diff(old: str, new: str, names: tuple[str, str] = ("old", "new"), around: int = 1) -> list[str]:
    """The difference of two texts as a unified diff, a line each."""
    return list(unified_diff(_lines(old), _lines(new), *names, lineterm="", n=around))


def likeness(old: str, new: str) -> float:
    """The share of lines that two texts have in common, in order, 0 to 1."""
    return SequenceMatcher(None, _lines(old), _lines(new), autojunk=False).ratio()


def _fewer(line: str, here: Counter[str], there: Counter[str]) -> bool:
    """Whether the other version of the page has the line less often, or not at all, wherever it stands."""
    return not there[line] or there[line] < here[line]


def _lines(text: str) -> list[str]:
    squeezed = (" ".join(line.split()) for line in text.splitlines()[:MOST_LINES])
    return [line for line in squeezed if line]


def _without_noise(lines: Counter[str]) -> Counter[str]:
    """The lines that are not an advertisement or a moment alone."""
    return Counter({line: times for line, times in lines.items() if not _is_noise(line)})


def _is_noise(line: str) -> bool:
    if len(line) > _LONGEST_LINE:
        return False
    short = len(line.split()) <= _COUNTER_WORDS
    return (short and _ADVERTISED.search(line) is not None) or not re.search(r"\w", _MOMENT.sub("", line))


def _quiet(line: str) -> str:
    """The line without moments and, where it counts something, without its numbers."""
    if len(line) > _LONGEST_LINE:
        return line
    quiet = _MOMENT.sub("·", line)
    if len(quiet.split()) <= _COUNTER_WORDS and _COUNTED.search(quiet):
        quiet = _NUMBER.sub("#", quiet)
    return quiet


def _unmatched(lines: Counter[str], same: Counter[str]) -> Sequence[str]:
    """The lines that have no partner on the other side."""
    left = same.copy()
    found = []
    for line in lines.elements():
        quiet = _quiet(line)
        if left[quiet] > 0:
            left[quiet] -= 1
        else:
            found.append(line)
    return found
