"""The posts of a thread, each with who wrote it and when, told from how a page repeats itself.

Forums give each post an element whose id is numbered (`#post-17`). Where they do not, the lines with dates part them.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from haenyeo.model.pages import Block, Markup, Outlink
from haenyeo.read.dates import LONGEST_LINE, date_in, without_date

MOST_POSTS = 2_000
"""Posts of a page that are told apart."""

_FEWEST = 2
_MOSTLY = 0.5  # of the posts: at how many a place must have a name for its lines to be their authors'
_NEARLY_ALL = 0.9  # of the text that the elements of one form of id have: what the outer ones of others must have
_LONGEST_NAME = 40  # characters
_LINKED = 0.3  # how much links speak for a place of names; being named for it, or having different ones, is 1
_NEWEST_FIRST = 0.9  # how much dates in this order speak for a place of dates; the other order is 1
_NEVER = -9.0
_NUMBER = re.compile(r"\d+")
_FOR_NAMES = re.compile(r"author|user|poster|creator|member|nick|byline|writer|name", re.IGNORECASE)
_FOR_OTHERS = re.compile(
    r"title|rank|stat|join|count|avatar|badge|extra|role|group|signature|date|time|quote|content|body|(?<![a-z])menu|button",
    re.IGNORECASE,
)
_FEW_WORDS = 3
_LONGEST_LABEL = 20  # characters
_NEAR = 4  # steps of a path that tell places in posts apart
_JOINED = re.compile(
    r"\b(?:join|register|registri|registra|member since|mitglied seit|inscri|iscritt|miembro|на форуме)|가입",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_AROUND = " \t,;|·•-\u2013\u2014()[]»«\u203a"  # a name
_NO_NAME = re.compile(r"[:@\n]|https?|\.\.\.|^\d+ \w+$")
_CLOCK = re.compile(
    r"\b\d{1,2}:\d\d(?::\d\d)?\b|\b(?:am|pm|utc|gmt|at|on|am|um|le|el)\b|(?:오전|오후)"
    r"|\b(?:over |about )?(?:an?|\d+) (?:minute|hour|day|week|month|year)s?(?: ago)?$"
    r"|\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"^\W*(?:(?:re\W+)?(?:posted|written|asked|answered|started|edited|post(?:by)?|author|von|par|por|da|door|от|автор|작성자|글쓴이)\b\W*)?"
    r"(?:\bby\b\W*)?|\s+(?:wrote|says|said|schrieb|a écrit)\b\W*$",
    re.IGNORECASE,
)


class _Line(NamedTuple):
    """The number of a block, and what it says."""

    block: int
    said: str


_NOWHERE = _Line(-1, "")


class FoundPost(NamedTuple):
    """Who wrote a post, on which day (ISO 8601), both empty where nothing tells; and the numbers of its blocks."""

    author: str
    published: str
    blocks: tuple[int, ...]


def posts_of(markup: Markup, kept: Sequence[bool]) -> list[FoundPost]:
    """The posts of a page that is a thread and whose text are the `kept` blocks; none if they cannot be told apart."""
    texts = {number for number, keep in enumerate(kept) if keep}
    numbered = _numbered(markup.blocks, texts)
    parts = numbered or _dated(markup.blocks, texts)
    if len(parts) < _FEWEST:
        return []
    lines = _Lines(markup, parts[:MOST_POSTS], texts, around=_steps_around(markup.blocks, numbered))
    posts = []
    for part, day, name in zip(parts, lines.days(), lines.names(), strict=False):
        heads = [line.block for line in (day, name) if _is_head(markup.blocks[line.block].text, name.said)]
        if spoken := tuple([number for number in part if number in texts and number not in heads]):
            posts.append(FoundPost(name.said, day.said, spoken))
    return posts if len(posts) >= _FEWEST else []


def _is_head(line: str, author: str) -> bool:
    """Whether a line says hardly more than who wrote a post and when."""
    rest = without_date(line.replace(author, " ", 1)) if author else without_date(line)
    return len(_WORDS.findall(_CLOCK.sub(" ", rest))) <= _FEW_WORDS


def _numbered(blocks: Sequence[Block], texts: set[int]) -> list[list[int]]:
    """The blocks of each element with an id of the form that most of the text stands in, outer elements first."""
    by_form: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, block in enumerate(blocks):
        if "#" in block.signs:
            ids = [sign for sign in block.signs.split() if sign[0] == "#" and _NUMBER.search(sign)]
            for form, sign in {_NUMBER.sub("0", sign): sign for sign in ids}.items():  # the innermost of each form
                by_form[form][sign].append(number)
    characters = {
        form: sum([len(blocks[number].text) for part in parts.values() for number in part if number in texts])
        for form, parts in by_form.items()
        if sum([not texts.isdisjoint(part) for part in parts.values()]) >= _FEWEST
    }
    most = max(characters.values(), default=0)
    if not most or 2 * most < sum([len(blocks[number].text) for number in texts]):
        return []
    as_good = [form for form, size in characters.items() if size >= _NEARLY_ALL * most]
    form = max(as_good, key=lambda form: sum(map(len, by_form[form].values())))
    return [part for part in by_form[form].values() if not texts.isdisjoint(part)]


def _dated(blocks: Sequence[Block], texts: set[int]) -> list[list[int]]:
    """The blocks from one line with a date to the next at the same place, if there is text between most of them."""
    at: dict[str, list[int]] = defaultdict(list)
    for number, block in enumerate(blocks):
        if len(block.text) <= LONGEST_LINE and date_in(block.text):
            at[block.path].append(number)
    ways = [parts for marks in at.values() if len(marks) >= _FEWEST for parts in _between(texts, marks)]
    return max(ways, key=lambda parts: _text_in(blocks, texts, parts), default=[])


def _text_in(blocks: Sequence[Block], texts: set[int], parts: Sequence[Sequence[int]]) -> int:
    return sum([len(blocks[number].text) for part in parts for number in part if number in texts])


def _between(texts: set[int], marks: Sequence[int]) -> Iterator[list[list[int]]]:
    """The parts that lines at these places begin, and those that they end, if most of them have text."""
    spoken = texts.difference(marks)
    if not spoken:
        return
    before = [-1, *marks]
    beginning = [*marks, max(*spoken, marks[-1]) + 1]
    for ways in (
        [list(range(start, end)) for start, end in zip(marks, beginning[1:], strict=True)],
        [list(range(start + 1, end + 1)) for start, end in zip(before, marks, strict=False)],
    ):
        full = [part for part in ways if not spoken.isdisjoint(part)]
        if len(full) >= max(_FEWEST, _MOSTLY * len(ways)):
            yield full


class _Lines:
    """The short lines of the parts of a thread, by their places."""

    def __init__(
        self,
        markup: Markup,
        parts: Sequence[Sequence[int]],
        texts: Collection[int],
        around: int,
    ) -> None:
        self._blocks, self._texts, self._count = markup.blocks, texts, len(parts)
        self._around = around
        self._parts = [[number for number in part if len(self._blocks[number].text) <= LONGEST_LINE] for part in parts]
        self._linked: dict[int, str] = {}
        for link in markup.links:
            if link.block >= 0 and link.block not in self._linked and (name := name_in(_words(self._blocks, link))):
                self._linked[link.block] = name

    def days(self) -> list[_Line]:
        """Of each part the line with its date: at the place where most have one, and where they are in order."""

        def day(number: int) -> str:
            found = date_in(self._blocks[number].text)
            return found.isoformat() if found and not self._tells_of_members(number) else ""

        def in_order(_path: str, values: Mapping[int, str]) -> float:
            pairs = list(itertools.pairwise(values.values()))
            later, earlier = sum([a <= b for a, b in pairs]), sum([a >= b for a, b in pairs])
            return max(later, _NEWEST_FIRST * earlier) / max(len(pairs), 1)

        return self._best(day, in_order)

    def names(self) -> list[_Line]:
        """Of each part the line with its author: at a place that is named for it or has links, where names differ."""

        def speaks(path: str, values: Mapping[int, str]) -> float:
            named, differ = self._is_named(path, values), _differ(values.values())
            if not named and not differ:
                return _NEVER  # `Reply` stands in every post
            linked = sum([self._blocks[number].linked > 0 for number in values]) / len(values)
            return named + differ + _LINKED * linked - bool(_FOR_OTHERS.search(path.rpartition(">")[2]))

        return self._best(self._author, speaks, at_least=_MOSTLY)

    def _tells_of_members(self, number: int) -> bool:
        """Whether a line with a date says when somebody joined, by itself or by the label before it."""
        label = self._blocks[number - 1].text if number else ""
        return bool(_JOINED.search(self._blocks[number].text) or _JOINED.match(label[:_LONGEST_LABEL]))

    def _are_links(self, values: Mapping[int, str]) -> bool:
        """Whether lines lead to as many people as they name: true of authors even at a place that few parts have."""
        return _differ(values.values()) and all(self._blocks[number].linked for number in values)

    def _is_named(self, path: str, numbers: Iterable[int]) -> bool:
        """Whether a place is said to be that of authors."""
        return _names_writers(path) or any(
            "@author" in (signs := self._blocks[number].signs) and "@author" in signs.split()[-2:] for number in numbers
        )

    def _author(self, number: int) -> str:
        """The name in a line; text that was kept has one only beside a date or at a place that is named for it."""
        block = self._blocks[number]
        if number in self._texts and not date_in(block.text) and not self._is_named(block.path, (number,)):
            return ""
        if number in self._linked:
            return self._linked[number]
        before, behind = block.text[: block.linked], block.text[block.linked :]
        if before and (not behind or behind[0].isspace()):  # the words of a link that is not to be followed
            return name_in(before)
        return name_in(without_date(block.text))

    def _place(self, number: int) -> str:
        """The last steps to a block, none to the post itself: every other post has a class for its colour there."""
        steps = self._blocks[number].path.split(">")
        return ">".join(steps[max(self._around, len(steps) - _NEAR) :])

    def _best(
        self, value: Callable[[int], str], speaks: Callable[[str, Mapping[int, str]], float], at_least: float = 0.0
    ) -> list[_Line]:
        """Of each part, the first line with a value at the best place that it has."""
        by_place: dict[str, dict[int, str]] = defaultdict(dict)
        firsts: list[dict[str, _Line]] = []
        for part in self._parts:
            first: dict[str, _Line] = {}
            for number in part:
                path = self._place(number)
                if path not in first and (said := value(number)):
                    first[path] = _Line(number, said)
                    by_place[path][number] = said
            firsts.append(first)
        worth = {
            path: len(values) / self._count + speaks(path, values)
            for path, values in by_place.items()
            if len(values) >= at_least * self._count or self._is_named(path, values) or self._are_links(values)
        }
        ranked = sorted([path for path in worth if worth[path] > 0], key=lambda path: -worth[path])
        return [next((first[path] for path in ranked if path in first), _NOWHERE) for first in firsts]


def _steps_around(blocks: Sequence[Block], parts: Sequence[Sequence[int]]) -> int:
    """How many steps all blocks of each of these parts have in common; of the part that has the fewest."""
    paths = [[blocks[number].path.split(">") for number in part] for part in parts]
    return min([sum(1 for _ in itertools.takewhile(_are_one, zip(*part, strict=False))) for part in paths], default=0)


def _are_one(steps: Iterable[str]) -> bool:
    return len(set(steps)) == 1


@functools.lru_cache(maxsize=1 << 12)
def _names_writers(path: str) -> bool:
    """Whether one of the last two steps of a path has a name as the places of authors have."""
    return any(map(_FOR_NAMES.search, path.split(">")[-2:]))


def _differ(names: Iterable[str]) -> bool:
    """Whether there are several names, apart from numbers in them."""
    return len({_NUMBER.sub("", name) for name in names}) > 1


def _words(blocks: Sequence[Block], link: Outlink) -> str:
    return blocks[link.block].text[link.start : link.end]


def name_in(said: str) -> str:
    """The name in a line that has hardly more; empty if it is no name."""
    if len(said) > LONGEST_LINE:
        return ""
    name = _SAYS.sub("", _CLOCK.sub(" ", said)).strip(_AROUND)
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST_NAME or not _LETTER.search(name) or _NO_NAME.search(name):
        return ""
    return "" if date_in(name) else name
