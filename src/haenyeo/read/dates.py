"""Dates that readers see on a page, such as `Published on 3 March 2025` or `2025년 3월 3일`; and those in addresses."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from haenyeo.model.pages import Block

LONGEST_LINE = 160
"""Characters of a block that may be the line with the page's date."""
MOST_LINES = 400
"""Blocks that are looked at."""

_EARLIEST, _LATEST = 1990, 2099
# Month by month, how twelve languages write them, long and short.
_NAMES = """
january jan januar jänner janvier janv enero ene gennaio gen janeiro januari января янв ledna stycznia sty
february feb febr februar février févr fév febrero febbraio fevereiro fev februari февраля фев února lutego lut
march mar mrt mrz märz mars marzo março maart марта мар března marca
april apr avril avr abril abr aprile апреля апр dubna kwietnia kwi
may mai mayo maggio mag maio mei maj мая května maja
june jun juni juin junio giugno giu junho июня июн června czerwca cze
july jul juli juillet juil julio luglio lug julho июля июл července lipca lip
august aug août aou agosto ago augustus augusti августа авг srpna sierpnia sie
september sep sept septembre septiembre settembre set setembro сентября сен září września wrz
october oct oktober okt octobre octubre ottobre ott outubro out октября окт října października paź
november nov novembre noviembre novembro ноября ноя listopadu listopada lis
december dec dezember dez décembre déc diciembre dic dicembre dezembro декабря дек prosince grudnia gru
"""
_MONTHS = {name: number for number, names in enumerate(_NAMES.strip().split("\n"), 1) for name in names.split()}
MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
"""A pattern of all their names."""
_FORMS = (
    r"(?<!\d)(?P<y>\d{4})\s?[-/.年년]\s?(?P<m>\d{1,2})\s?[-/.月월]\s?(?P<d>\d{1,2})(?!\d)",
    rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?\s(?:de\s|of\s)?(?P<n>{MONTH})\b\.?,?\s(?:de[l]?\s)?(?P<y>\d{{4}})(?!\d)",
    rf"\b(?P<n>{MONTH})\b\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})(?!\d)",
    r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
    r"(?<!\d)(?P<d>1[3-9]|2\d|3[01])/(?P<m>\d{1,2})/(?P<y>\d{4})(?!\d)",
    r"(?<!\d)(?P<m>\d{1,2})/(?P<d>1[3-9]|2\d|3[01])/(?P<y>\d{4})(?!\d)",
)
_YEAR = re.compile(r"\d{4}")  # all of them have one
_SIGNS = ("", "", "", ".", "/", "/")  # without which a line has no date of that form, where there is such a sign
_MOST_LINES_KNOWN = 1 << 11
_IN_ADDRESS = re.compile(r"/(?P<y>(?:19|20)\d\d)[/-](?P<m>[01]?\d)[/-](?P<d>[0-3]?\d)(?=[/\-_.]|$)")
_CHANGED = re.compile(
    "updat|modif|revis|edited|changed|geändert|aktualisiert|mis à jour|mise à jour|actualiz|aggiornat|atualizad"
    "|bijgewerkt|обновлен|изменен|aktualizov|zaktualiz|수정|업데이트|更新|修改|改訂",
    re.IGNORECASE,
)


class SeenDates(NamedTuple):
    """The dates that the lines of a page name, in ISO 8601; empty where none does."""

    published: str = ""
    modified: str = ""


@functools.lru_cache(maxsize=_MOST_LINES_KNOWN)  # all who tell posts apart ask of the same lines
def date_in(text: str) -> date | None:
    """The first date that a line names, in any of the forms known; one that could be read in two ways is none.

    >>> date_in("Veröffentlicht am 3. März 2025"), date_in("03/04/2025")
    (datetime.date(2025, 3, 3), None)
    """
    if not _YEAR.search(text):  # as most lines
        return None
    line = text.lower()
    found = [match for form in _forms_in(line) if (match := form.search(line))]
    for match in sorted(found, key=re.Match.start):
        if (day := _day(match)) is not None:
            return day
    return None


@functools.lru_cache(maxsize=_MOST_LINES_KNOWN)
def without_date(text: str) -> str:
    """The line without the dates in it.

    >>> without_date("anna, 3 March 2025")
    'anna, '
    """
    line = text.lower()
    forms = _forms_in(line) if len(line) == len(text) else []
    spans = [match.span() for form in forms for match in form.finditer(line)]
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _forms_in(line: str) -> list[re.Pattern[str]]:
    """The forms that may stand in a line."""
    if not _YEAR.search(line):
        return []
    return [form for form, sign in zip(_forms(), _SIGNS, strict=True) if sign in line]


@functools.cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """The forms as patterns; made when a line may name a date, for with all names of months that takes its time."""
    return tuple(map(re.compile, _FORMS))


def date_in_address(url: str) -> date | None:
    """The date that an address names by year, month and day.

    >>> date_in_address("https://reef.example/2025/03/03/low-tide")
    datetime.date(2025, 3, 3)
    """
    match = _IN_ADDRESS.search(url)
    return _day(match) if match else None


def seen_dates(blocks: Sequence[Block], kept: Sequence[bool], today: date | None = None) -> SeenDates:
    """The dates that lines about the text name: near its beginning or right behind its end, none that is to come."""
    published = modified = ""
    for line in _lines(blocks, kept):
        day = date_in(line) if any(map(str.isdigit, line)) else None
        if day is None or (today and day > today):
            continue
        if tells_of_change(line):
            modified = modified or day.isoformat()
        else:
            published = published or day.isoformat()
        if published and modified:
            break
    return SeenDates(published, modified)


def tells_of_change(line: str) -> bool:
    """Whether a line speaks of a change, as that before or around the day of one does.

    >>> tells_of_change("Last updated on"), tells_of_change("Posted on")
    (True, False)
    """
    return _CHANGED.search(line) is not None


def names_many_days(blocks: Sequence[Block]) -> bool:
    """Whether the short lines of a page name more than one day, as those of a list of posts do."""
    lines = (block.text for block in blocks if len(block.text) <= LONGEST_LINE and any(map(str.isdigit, block.text)))
    days = filter(None, map(date_in, lines))
    first = next(days, None)
    return any(day != first for day in days)


def _lines(blocks: Sequence[Block], kept: Sequence[bool]) -> Iterator[str]:
    """Short lines, those nearest to the beginning of the text first."""
    places = [number for number, keep in enumerate(kept) if keep]
    first, last = (places[0], places[-1]) if places else (0, 0)
    near = [
        *range(first, min(first + 6, len(blocks))),
        *range(first - 1, max(-1, first - 10), -1),
        *range(last, last + 5),
    ]
    for number in [number for number in dict.fromkeys(near) if number < len(blocks)][:MOST_LINES]:
        if len(blocks[number].text) <= LONGEST_LINE:
            yield blocks[number].text


def _day(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    month = _MONTHS.get(parts.get("n") or "", 0) or int(parts.get("m") or 0)
    try:
        day = date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return None
    return day if _EARLIEST <= day.year <= _LATEST else None
