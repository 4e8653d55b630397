"""A page's structure in a form that can be compared with another page's: paths named, alike ones joined, weighed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from haenyeo.watch.classes import layout_classes
from haenyeo.watch.paths import Path

Steps = tuple[str, ...]
"""A path from the body, each step a tag with its layout classes, such as `div.post`."""

_CONTENT_TAGS = """
    p ul ol li dl dt dd blockquote strong em b i u s tt big small strike font a code pre h1 h2 h3 h4 h5 h6 br span
    sup sub img hr center table tbody thead tfoot tr td th cite q kbd var samp del ins abbr mark address figure
    figcaption nobr
"""
_CONTENT = frozenset(_CONTENT_TAGS.split())


class LayoutPlace(msgspec.Struct):
    """All elements of a page with the same steps; `share` is how much of their like around them have them.

    An element in every record has a share of 1, one in a single article of ten a share of a tenth.
    """

    elements: int = 0
    holders: int = 0
    texts: int = 0
    weight: int = 0
    share: float = 1.0


Places = dict[Steps, LayoutPlace]
"""The places of a page by their steps."""


def places(paths: Sequence[Path], ignored: AbstractSet[str]) -> Places:
    """The places of a page by their steps; `ignored` classes do not tell places apart."""
    steps: list[Steps] = []
    found: Places = {}
    for path in paths:
        here = (*steps[path.around], _step(path, ignored)) if path.around >= 0 else ()
        steps.append(here)
        place = found.setdefault(here, LayoutPlace())
        place.elements += path.elements
        place.holders += path.holders
        place.texts += path.texts
        place.weight += path.weight
    for here in sorted(found, key=len)[1:]:
        around = found[here[:-1]]
        found[here].share = around.share * min(1.0, found[here].holders / max(around.elements, 1))
    return found


def _step(path: Path, ignored: AbstractSet[str]) -> str:
    names = sorted(layout_classes(path.classes) - ignored) if path.classes else ()
    return ".".join((path.tag, *names))


class Regions(msgspec.Struct):
    """How much text each region of a page holds: `shared` counts what all records have, `raw` counts everything."""

    shared: Counter[Steps]
    raw: Counter[Steps]


def regions(found: Places) -> Regions:
    """The page's text by region: what an author writes inside an element with classes belongs to that element."""
    shared: Counter[Steps] = Counter()
    raw: Counter[Steps] = Counter()
    for steps, place in found.items():
        if place.texts:
            region = _region(steps)
            shared[region] += place.weight * place.share  # type: ignore[assignment]
            raw[region] += place.weight
    return Regions(shared, raw)


def _region(steps: Steps) -> Steps:
    """The steps without plain content elements inside an element that has classes."""
    kept = []
    classed = False
    for step in steps:
        if "." in step:
            classed = True
        elif classed and step in _CONTENT:
            continue
        kept.append(step)
    return tuple(kept)
