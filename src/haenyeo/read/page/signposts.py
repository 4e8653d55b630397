"""Which blocks show the way to the pages before and after? Bars of links such as `Prev · Up · Next` with titles beside.

Manuals put them above and below every page. Their titles differ from page to page, so that they look like text of the
page's own; what gives them away is the company they keep. GNU's manuals have both in one: `[ < Tides ]` in brackets, or
a line `Next: Tides, Up: Sea`.
"""

from __future__ import annotations

from collections.abc import Sequence

from haenyeo import native
from haenyeo.model.pages import Block
from haenyeo.read.page.places import is_within

COMPILED = native.load("reading")

_MOST_APART = 4  # blocks between two links of a bar
_MOST_BLOCKS = 16
_LONGEST_TITLE = 160  # characters of a block in a bar
_DIRECTIONS = (
    "prev previous next 이전 다음 zurück weiter précédent suivant anterior siguiente próximo próxima indietro avanti"
    " precedente successivo vorige volgende föregående nästa назад вперёд вперед пред. след. 前へ 次へ 戻る 進む"
    " 上一页 下一页 上一頁 下一頁 后退 前进"
)
_OTHER_WAYS = (
    "up home top contents index back 위로 처음 처음으로 목차 차례 홈 hoch oben anfang inhalt sommaire début accueil"
    " subir inicio arriba índice acima principal início risali partenza omhoog begin inhoud upp hem наверх начало"
    " ホーム 目次 起始页 上一级"
)
_ARROWS = ("«", "»", "\u2039", "\u203a", "←", "→", "<", ">", "<<", ">>", "<<<", ">>>", "▲", "↑")


def _spelled(words: str) -> frozenset[str]:
    """The words as they stand on pages: small and large."""
    return frozenset(way for word in words.split() for way in (word, word.capitalize(), word.upper()))


def _of_pages(words: str, kinds: Sequence[str]) -> frozenset[str]:
    return frozenset(f"{word} {kind}" for word in words.split() for kind in kinds)


_SPELLED_DIRECTIONS = _spelled(_DIRECTIONS)
_SPELLED_WAYS = _SPELLED_DIRECTIONS | _spelled(_OTHER_WAYS)
_TO_NEIGHBOURS = (
    _SPELLED_DIRECTIONS
    | _of_pages("Prev Previous Next previous next", ("page", "chapter", "section", "Page", "Chapter", "Section"))
    | _of_pages("이전 다음", ("페이지", "장", "글"))
)
_WAYS = _TO_NEIGHBOURS | _SPELLED_WAYS
_TO_NEIGHBOURS |= frozenset(_ARROWS)
_ARROW_SIGNS = frozenset(sign for arrow in _ARROWS for sign in arrow)
_LABELS = ("Next", "Previous", "Prev", "Up")  # by which a line of GNU's manuals names its ways
_LINE_STARTS = tuple(f"{label}: " for label in _LABELS)
# The letters that those begin with which are no mere words.
_FIRST_LETTERS = frozenset(["[", *_ARROW_SIGNS, *(label[0] for label in _LABELS)])
_BEGINNINGS, _ENDS = "".join(sorted(_FIRST_LETTERS)), "".join(sorted(_ARROW_SIGNS))
_LONGEST_WAY = max(map(len, _WAYS))


def signposts(blocks: Sequence[Block]) -> list[int]:
    """The numbers of the blocks that belong to such bars."""
    ways = [number for number in perhaps_ways(blocks) if _way((block := blocks[number]).text) and _is_link(block)]
    if not ways:
        return []
    lines = [number for number in ways if _is_line(blocks[number].text)]
    return sorted({*lines, *(number for bar in _bars(blocks, ways) for number in bar)})


def perhaps_ways(blocks: Sequence[Block]) -> list[int]:
    """The numbers of the blocks with links that may say where they lead."""
    if COMPILED is None:
        return perhaps_ways_in_python(blocks)
    found: list[int] = COMPILED.perhaps_ways(blocks, _WAYS, _LONGEST_WAY, _BEGINNINGS, _ENDS)
    return found


def perhaps_ways_in_python(blocks: Sequence[Block]) -> list[int]:
    """The same without compiled code."""
    return [
        number
        for number, block in enumerate(blocks)
        if block.linked and ((text := block.text) in _WAYS or text[:1] in _FIRST_LETTERS or text[-1:] in _ARROW_SIGNS)
    ]


def _way(text: str) -> str:
    """The word or arrow by which a link says where it leads; empty if it does not."""
    if text in _WAYS or _plain(text) in _SPELLED_WAYS:
        return text
    if text[:1] == "[" and text[-1] == "]":
        inside = text[1:-1].strip()
        word = inside.partition("]")[0].partition(":")[0].strip()
        arrow = next((arrow for arrow in _ARROWS if inside.startswith(f"{arrow} ") or inside.endswith(f" {arrow}")), "")
        return word if word in _WAYS or _plain(word) in _SPELLED_WAYS else arrow
    label = text.partition(":")[0] if _is_line(text) else ""
    return label if label in _WAYS else ""


def _plain(text: str) -> str:
    """The text without an arrow before or behind it; empty if it has none.

    >>> _plain("« Prev"), _plain("Next >>"), _plain("Next")
    ('Prev', 'Next', '')
    """
    if text[:1] in _ARROW_SIGNS:
        arrow, _, word = text.partition(" ")
    elif text[-1:] in _ARROW_SIGNS:
        word, _, arrow = text.rpartition(" ")
    else:
        return ""
    return word if arrow in _ARROWS else ""


def _is_line(text: str) -> bool:
    """Whether this is a whole bar: at least two ways and where they lead."""
    return text.startswith(_LINE_STARTS) and sum(f"{label}: " in text for label in _LABELS) > 1


def _is_link(block: Block) -> bool:
    return block.linked * 2 > len(block.text)


def _bars(blocks: Sequence[Block], ways: list[int]) -> list[range]:
    """The bars that links belong to, each with two ways at least, one of which leads to the page before or after."""
    groups: list[list[int]] = [[ways[0]]]
    for way in ways[1:]:
        if _stand_together(blocks, groups[-1][-1], way):
            groups[-1].append(way)
        else:
            groups.append([way])
    bars = [_bar(blocks, group) for group in groups if len({blocks[way].text for way in group}) > 1]
    return [bar for bar in bars if any(_leads_beside(_way(blocks[number].text)) for number in bar)]


def _leads_beside(way: str) -> bool:
    """Whether a way leads to the page before or after."""
    return way in _TO_NEIGHBOURS or _plain(way) in _SPELLED_DIRECTIONS


def _stand_together(blocks: Sequence[Block], one: int, other: int) -> bool:
    """Whether what stands between two links stands in the same element as they do, or nothing does."""
    element = _element_of([blocks[one].path, blocks[other].path])
    between = range(one + 1, other)
    return not between or (
        len(between) < _MOST_APART
        and bool(element)
        and all(is_within(blocks[number].path, element) for number in between)
    )


def _bar(blocks: Sequence[Block], ways: list[int]) -> range:
    """The blocks in the element that holds all these; those from the first to the last if it holds more than a bar."""
    element = _element_of([blocks[way].path for way in ways])
    first, last = ways[0], ways[-1]
    while element and first > 0 and is_within(blocks[first - 1].path, element):
        first -= 1
    while element and last + 1 < len(blocks) and is_within(blocks[last + 1].path, element):
        last += 1
    for found in (range(first, last + 1), range(ways[0], ways[-1] + 1)):
        if len(found) <= _MOST_BLOCKS and all(len(blocks[number].text) <= _LONGEST_TITLE for number in found):
            return found
    return range(0)


def _element_of(paths: Sequence[str]) -> str:
    """The path of the smallest element that holds blocks of these paths."""
    split = [path.split(">") for path in paths]
    depth = min(map(len, split)) - 1
    while depth and any(steps[:depth] != split[0][:depth] for steps in split):
        depth -= 1
    return ">".join(split[0][:depth])
