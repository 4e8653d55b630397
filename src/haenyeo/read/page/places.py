"""Where a block stands: its path as steps, and what the steps say by themselves."""

from __future__ import annotations

import functools

from haenyeo.read.page.names import KINDS, kinds_named


def _words(names: str) -> tuple[str, ...]:
    return tuple(names.split())


TAGS = _words(
    "article main section nav header footer aside form table figure pre blockquote ul p li td h1 figcaption option dl"
)
"""Elements that say something about all that is inside them."""

_LEAVES = {
    tag: number
    for number, tag in enumerate(
        _words("p pre blockquote h1 h2 h3 h4 h5 h6 td figcaption dd dt li div section article main option"), 1
    )
}
_INNER = frozenset(
    _words("blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre")
    + _words("table tbody td tfoot th thead tr ul")
)
_FAR = 9.0
_TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
_GOOD = frozenset({_KIND_NUMBERS["article"], _KIND_NUMBERS["body"]})
_BAD = frozenset(_KIND_NUMBERS.values()) - _GOOD

PLACE_FEATURES = (
    *(f"in {tag}" for tag in TAGS),
    *(f"steps to {kind}" for kind in KINDS),
    *("depth", "leaf", "lists", "hidden", "good names", "bad names", "steps to good", "steps to bad", "good - bad"),
)
"""Names of what `place_features` returns."""


def tag_of(step: str) -> str:
    """The tag of a step such as `div.content`."""
    return step.partition(".")[0]


@functools.lru_cache(maxsize=1 << 14)
def prefixes(path: str) -> tuple[str, ...]:
    """The paths to all elements around a block, from the body (an empty path) to the innermost.

    >>> prefixes("div.a>p")
    ('', 'div.a', 'div.a>p')
    """
    steps = path.split(">") if path else []
    return tuple(">".join(steps[:length]) for length in range(len(steps) + 1))


def may_contain(prefix: str) -> bool:
    """Can this element be the container of a page's text, or is it a part of a text, such as a list or a table?"""
    return tag_of(prefix.rpartition(">")[2]) not in _INNER


@functools.lru_cache(maxsize=1 << 13)
def is_comment(path: str, signs: str) -> bool:
    """Is this the place of what readers have written below a page?"""
    number = _KIND_NUMBERS["comment"]
    return any(number in _step(names)[1] for names in (*path.split(">"), *signs.split()))


@functools.lru_cache(maxsize=1 << 14)
def place_features(path: str, signs: str) -> list[float]:
    """What a block's place says: elements and names around it, and how near they are; see `PLACE_FEATURES`."""
    tags = [0.0] * (len(TAGS) + 1)
    nearest = [_FAR] * len(KINDS)
    good = bad = 0
    steps = path.split(">") if path else []
    for distance, step in zip(range(len(steps) - 1, -1, -1), steps, strict=True):
        tag, kinds, good_names = _step(step)
        tags[tag] = 1.0
        good += good_names
        bad += len(kinds) - good_names
        for kind in kinds:
            nearest[kind] = distance
    for distance, sign in enumerate(reversed(signs.split())):
        _, kinds, good_names = _step(sign)
        good += good_names
        bad += len(kinds) - good_names
        for kind in kinds:
            nearest[kind] = min(nearest[kind], distance)
    return [
        *tags[:-1],
        *nearest,
        len(steps),
        _LEAVES.get(tag_of(steps[-1]), 0) if steps else 0,
        path.count(">li") + path.count(">ul") + path.count(">ol"),
        signs.count("!hidden"),
        good,
        bad,
        min(nearest[number] for number in _GOOD),
        min(nearest[number] for number in _BAD),
        good - bad,
    ]


@functools.lru_cache(maxsize=1 << 14)
def _step(step: str) -> tuple[int, tuple[int, ...], int]:
    """The number of a step's tag (the last for none of `TAGS`), the kinds that it names, and how many are good."""
    kinds = tuple(_KIND_NUMBERS[kind] for kind in kinds_named(step))
    return _TAG_NUMBERS.get(tag_of(step), len(TAGS)), kinds, sum(kind in _GOOD for kind in kinds)
