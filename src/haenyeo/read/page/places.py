"""Where a block stands: its path as steps, and what the steps say by themselves."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import NamedTuple

import numpy as np

from haenyeo import native
from haenyeo.model.pages import Block
from haenyeo.read.names import KIND_OF, KINDS, kinds_named
from haenyeo.read.page.texts import Floats

COMPILED = native.load("reading")


def _words(names: str) -> tuple[str, ...]:
    return tuple(names.split())


TAGS = _words(
    "article main section nav header footer aside form table figure pre blockquote ul p li td h1 figcaption option dl"
)
"""Elements that say something about all that is inside them."""

_LEAVES = {
    tag: number
    for number, tag in enumerate(
        _words("p pre blockquote h1 h2 h3 h4 h5 h6 td figcaption dd dt li div section article main option th"), 1
    )
}
_INNER = frozenset(
    _words("blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre")
    + _words("table tbody td tfoot th thead tr ul")
)
_HEADINGS = frozenset(_words("h1 h2 h3 h4 h5 h6"))
_OF_DATA = frozenset(_words("caption dt h0 h1 h2 h3 h4 h5 h6 pre table td th"))
FAR = 9.0
"""As many steps as lie between a block and a name that is nowhere around it."""

_SENTENCE_HYPHENS = 3  # of an id
_LISTS = ("li", "ul", "ol")
_TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
_GOOD = frozenset({_KIND_NUMBERS[kind] for kind in ("facts", "article", "body")})
_BAD = frozenset(_KIND_NUMBERS.values()) - _GOOD

PLACE_FEATURES = (
    *(f"in {tag}" for tag in TAGS),
    *(f"steps to {kind}" for kind in KINDS),
    *("depth", "leaf", "lists", "hidden", "good names", "bad names", "steps to good", "steps to bad", "good - bad"),
)
"""Names of what `place_features` returns."""
TO_COMMENT = PLACE_FEATURES.index("steps to comment")


def tag_of(step: str) -> str:
    """The tag of a step such as `div.content`."""
    return step.partition(".")[0]


def is_within(path: str, container: str) -> bool:
    """Whether a path leads to or through this element; the body, an empty path, holds everything.

    >>> is_within("div.a>p", "div.a"), is_within("div.ab>p", "div.a")
    (True, False)
    """
    return path.startswith(container) and (not container or path[len(container) :][:1] in ("", ">"))


def is_heading(path: str) -> bool:
    """Whether a path leads to a heading.

    >>> is_heading("div>h1.title"), is_heading("h1>p"), is_heading("hr")
    (True, False, False)
    """
    start = path.rfind(">") + 1
    return path[start : start + 2] in _HEADINGS and path[start + 2 : start + 3] in ("", ".")


def introduces(path: str) -> bool:
    """Whether a path leads to a heading, a term, a listing or into a table; every digit in it may be 0.

    >>> introduces("div>h0"), introduces("table>tr>td>p"), introduces("div>p"), introduces("dl>dt.name")
    (True, True, False, True)
    """
    return any(tag_of(step) in _OF_DATA for step in path.split(">"))


@functools.lru_cache(maxsize=1 << 12)
def is_code(path: str) -> bool:
    """Whether a path leads to or through a listing.

    >>> is_code("div>pre.c"), is_code("div.pre>p")
    (True, False)
    """
    return any(tag_of(step) == "pre" for step in path.split(">"))


@functools.lru_cache(maxsize=1 << 14)
def may_contain(prefix: str) -> bool:
    """Whether this element can contain a page's text; a part of a text, such as a list or a table, cannot."""
    return tag_of(prefix.rpartition(">")[2]) not in _INNER


def features_of(blocks: tuple[Block, ...]) -> Floats:
    """What the places of blocks say: a row for each of `PLACE_FEATURES`, a column for each block."""
    if COMPILED is None:
        return features_in_python(blocks)
    columns = np.empty((len(PLACE_FEATURES), len(blocks)), np.float32)
    COMPILED.places(blocks, columns)
    return columns


def features_in_python(blocks: tuple[Block, ...]) -> Floats:
    """The same as `features_of`, without compiled code."""
    numbers: dict[tuple[str, str], int] = {}
    where = [numbers.setdefault((block.path, block.signs), len(numbers)) for block in blocks]
    rows = np.array([place_features(*place) for place in numbers], np.float32).reshape(-1, len(PLACE_FEATURES))
    columns: Floats = rows.T[:, where]
    return columns


@functools.lru_cache(maxsize=1 << 14)
def place_features(path: str, signs: str) -> list[float]:
    """What a block's place says: elements and names around it, and how near they are; see `PLACE_FEATURES`."""
    way = _way(path)
    good, bad = way.good, way.bad
    nearest = [FAR if place < 0 else way.steps - 1.0 - place for place in way.named]
    for distance, sign in enumerate(reversed(signs.split()) if signs else ()):
        if _is_sentence(sign):
            continue
        _, kinds, good_names = _step(sign)
        good += good_names
        bad += len(kinds) - good_names
        for kind in kinds:
            nearest[kind] = min(nearest[kind], distance)
    to_good, to_bad = min(map(nearest.__getitem__, _GOOD)), min(map(nearest.__getitem__, _BAD))
    hidden = signs.split().count("!hidden") if signs else 0
    rest = (way.steps, way.leaf, way.lists, hidden, good, bad, to_good, to_bad, good - bad)
    return [*way.tags[:-1], *nearest, *rest]


def _is_sentence(sign: str) -> bool:
    """Whether this is an id made of a whole sentence: it names a chapter, whatever words are in it.

    >>> _is_sentence("#respond-to-review-comments"), _is_sentence("#post-comments")
    (True, False)
    """
    return sign[0] == "#" and sign.count("-") >= _SENTENCE_HYPHENS


class _Way(NamedTuple):
    """A path as the sum of its steps; `named` has for each kind the number of the innermost step that names it."""

    tags: list[float]
    named: list[int]
    good: int = 0
    bad: int = 0
    steps: int = 0
    leaf: int = 0
    lists: int = 0


_BODY = _Way([0.0] * (len(TAGS) + 1), [-1] * len(KINDS))


@functools.lru_cache(maxsize=1 << 14)
def _way(path: str) -> _Way:
    """The way to an element: the way to the element around it, which is cached, and one step more."""
    if not path:
        return _BODY
    outer, _, step = path.rpartition(">")
    around = _way(outer)
    tag, kinds, good = _step(step)
    tags, named = around.tags, around.named
    if not tags[tag]:
        tags = tags.copy()
        tags[tag] = 1.0
    if kinds:
        named = named.copy()
        for kind in kinds:
            named[kind] = around.steps
    name = tag_of(step)
    return _Way(
        tags,
        named,
        around.good + good,
        around.bad + len(kinds) - good,
        around.steps + 1,
        _LEAVES.get(name, 0),
        around.lists + (bool(outer) and name.startswith(_LISTS)),
    )


@functools.lru_cache(maxsize=1 << 14)
def _step(step: str) -> tuple[int, tuple[int, ...], int]:
    """The number of a step's tag (the last for none of `TAGS`), the kinds that it names, and how many are good."""
    kinds = tuple([_KIND_NUMBERS[kind] for kind in kinds_named(step)])
    return _TAG_NUMBERS.get(tag_of(step), len(TAGS)), kinds, sum([kind in _GOOD for kind in kinds])


def configure(compiled: ModuleType) -> None:
    """Tell compiled code what names mean."""
    compiled.configure_places(
        {word: _KIND_NUMBERS[kind] for word, kind in KIND_OF.items()},
        len(KINDS),
        _TAG_NUMBERS,
        len(TAGS),
        _LEAVES,
        dict.fromkeys(_INNER, 1),
        sum(1 << number for number in _GOOD),
        place_features,
    )


if COMPILED is not None:
    configure(COMPILED)
