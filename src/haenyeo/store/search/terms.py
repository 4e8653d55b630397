"""How texts and queries become the terms of the index.

Words of alphabets are terms as they are, in lower case. Chinese, Japanese and Korean have no blanks where a word
ends or a particle begins, so their runs become overlapping pairs of characters: 제주해녀 is 제주, 주해, 해녀.
A query for 해녀 then finds 해녀가 and 제주해녀 without a dictionary; longer runs are found by their pairs in a row.
Single characters are words too (섬, 굴): which of them a page has is noted in a column of its own.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from itertools import pairwise

import msgspec

CJK = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
RUN = re.compile(rf"[{CJK}]+|(?:(?![{CJK}])[^\W_])+")
IS_CJK = re.compile(f"[{CJK}]")
CJK_RUN = re.compile(f"[{CJK}]+")
PART = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')
SHORTEST_BEGINNING = 3  # letters before a *; of fewer, half of all words would have to be looked through
MOST_PARTS = 32  # of one query; more only costs time


class QueryPart(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a query asks for: words in a row; `unwanted` leaves pages with them out."""

    words: tuple[str, ...]
    prefix: bool = False
    unwanted: bool = False


def normal(text: str) -> str:
    """The text in one spelling: compatibility forms and upper case gone."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def index_terms(text: str) -> str:
    """The text as the index takes it in: pairs in place of runs of CJK characters.

    All else keeps its punctuation: the index itself finds the words of alphabets, in half the time.
    """
    if text.isascii():
        return text.lower()
    return CJK_RUN.sub(_pairs_of_match, normal(text))


def _pairs_of_match(run: re.Match[str]) -> str:
    return _pairs(run[0])


@functools.lru_cache(maxsize=1 << 14)
def _pairs(run: str) -> str:
    """A run as overlapping pairs of characters, or the one that it is, with blanks around."""
    pairs = [one + other for one, other in pairwise(run)] or [run]
    return f" {' '.join(pairs)} "


def index_characters(text: str) -> str:
    """The Chinese, Japanese and Korean characters a text has, each once."""
    if text.isascii():
        return ""
    return " ".join(sorted(set(IS_CJK.findall("".join(set(normal(text)))))))


def parse_query(query: str) -> list[QueryPart]:
    """What a query asks for: words, "words in a row", beginnings* and -unwanted ones."""
    parts = []
    for minus, quoted, bare in PART.findall(query)[:MOST_PARTS]:
        words = tuple(RUN.findall(normal(quoted or bare)))
        if words:
            begins = bare.endswith("*") and (len(words[-1]) >= SHORTEST_BEGINNING or bool(IS_CJK.match(words[-1])))
            parts.append(QueryPart(words=words, prefix=begins, unwanted=bool(minus)))
    return parts


def match_expression(parts: list[QueryPart]) -> str:
    """The parts in the index's own query language; empty when nothing is wanted."""
    wanted = [_phrase(part) for part in parts if not part.unwanted]
    if not wanted:
        return ""
    unwanted = "".join(f" NOT {_phrase(part)}" for part in parts if part.unwanted)
    return f"({' AND '.join(wanted)}){unwanted}"


def _phrase(part: QueryPart) -> str:
    """Runs beside each other form one phrase; a single CJK character is looked for in its own column."""
    if len(part.words) == 1 and len(part.words[0]) == 1 and IS_CJK.match(part.words[0]):
        return f'characters : "{part.words[0]}"'
    terms = " ".join(index_terms(" ".join(part.words)).split())
    return f'{{title text}} : "{terms}"{"*" if part.prefix else ""}'
