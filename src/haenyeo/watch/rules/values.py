"""What kind of thing a value is: a date, a price, a number, a code, a text; and when two values say the same."""

from __future__ import annotations

import functools
import re
from urllib.parse import urljoin, urlsplit

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
DATE = re.compile(
    rf"""(?ix)
    \d{{4}} \s?[-/.년年]\s? \d{{1,2}} \s?[-/.월月]\s? \d{{1,2}} (?:\s?[일日])?
    | \d{{1,2}} [-/.] \d{{1,2}} [-/.] \d{{2,4}}
    | {_MONTH} \s* \d{{1,2}} (?!\d) (?:st|nd|rd|th)? ,? \s* (?:\d{{4}})?
    | \d{{1,2}} (?:st|nd|rd|th)? [\s-]* {_MONTH} ,? [\s-]* (?:\d{{4}})?
    """
)
_PRICE = re.compile(r"^(?:us)?\s?[$€£¥₩]\s?\d[\d.,]*|^\d[\d.,]*\s?(?:원|円|元|usd|eur|krw|[$€£¥₩])$", re.IGNORECASE)
_NUMBER = re.compile(r"^\d[\d.,\s]*$")
_CODE = re.compile(r"^[#(]?(?=\S*\d)[\w./:#&-]{2,30}[):]?$")
_SUFFIX = re.compile(r"\.([a-z][a-z0-9]{1,4})$")
_PAGES = "html htm php asp aspx jsp cfm cgi do com org net gov edu"
_PAGE_SUFFIXES = frozenset(_PAGES.split())
_WORD = re.compile(r"\w+")
_BESIDES_DATE = 60
_LONG = 200

ValueKind = str
"""`date`, `dated` (a date with some words), `price`, `number`, `code`, `text` or `long`."""


@functools.lru_cache(maxsize=1 << 14)
def value_kind(value: str) -> ValueKind:
    """What kind of thing the value is.

    >>> [value_kind(value) for value in ("2024년 3월 5일", "Filed Feb 23, 2018", "12,000원", "SC-1947", "In re Kostiv")]
    ['date', 'dated', 'price', 'code', 'text']
    """
    if _PRICE.search(value):
        return "price"
    date = DATE.search(value)
    if date:
        rest = value[: date.start()] + value[date.end() :]
        if not _WORD.search(rest):
            return "date"
        if len(rest) <= _BESIDES_DATE:
            return "dated"
    if _NUMBER.match(value):
        return "number"
    if _CODE.match(value):
        return "code"
    return "long" if len(value) > _LONG else "text"


def is_dated(value: str) -> bool:
    """Whether the value is a date, alone or with a few words."""
    return value_kind(value) in ("date", "dated")


def file_suffix(address: str) -> str:
    """The suffix of a document's address, such as `pdf`; nothing for a page's."""
    found = _SUFFIX.search(address.partition("#")[0].partition("?")[0].lower())
    return found[1] if found and found[1] not in _PAGE_SUFFIXES else ""


def comparable(value: str, source: str) -> str:
    """The value in the form in which values are compared: addresses made absolute, texts without white space."""
    if not source:
        return "".join(value.split())
    try:
        return urljoin("https://site.example/", value.strip())
    except ValueError:  # not an address, such as a bracketed host that is no number
        return value.strip()


@functools.lru_cache(maxsize=1 << 14)
def essence(value: str, source: str) -> str:
    """What two sites' ways of writing one thing have in common: a date's day, an address's last part, a text's words.

    >>> essence("June 12, 2020", "") == essence("2020-06-12", "")
    True
    """
    if source:
        return _last_part(value)
    date = DATE.search(value)
    if date and is_dated(value):
        return _day(date[0]) or value
    return " ".join(_WORD.findall(value.lower()))


def _last_part(address: str) -> str:
    try:
        path = urlsplit(address).path
    except ValueError:
        path = address
    return path.rstrip("/").rpartition("/")[2].lower()


def _day(date: str) -> str:
    """Year (two digits), month and day; months come first where numbers leave it open."""
    numbers = re.findall(r"\d+", date)
    month = next((name for name in _MONTHS if re.search(rf"\b{name}", date.lower())), "")
    if month:
        year = next((number[-2:] for number in numbers if len(number) > 2), "")  # noqa: PLR2004 - days have two digits
        day = next((number for number in numbers if len(number) <= 2), "0")  # noqa: PLR2004
        return f"{year}-{_MONTHS.index(month) + 1}-{int(day)}"
    if len(numbers) != 3:  # noqa: PLR2004 - year, month, day
        return ""
    first, second, third = numbers
    if len(first) > 2:  # noqa: PLR2004
        return f"{first[-2:]}-{int(second)}-{int(third)}"
    return f"{third[-2:]}-{int(first)}-{int(second)}"
