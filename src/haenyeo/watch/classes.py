"""Which classes of an element belong to the layout, and which to its content or to the moment."""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from haenyeo.watch.paths import Path

_STATES = "active current hidden first last odd even selected open closed collapsed expanded middle leaf alt sticky"
STATES = frozenset(_STATES.split())
"""Classes that say where an element stands among its like, or what is being done with it."""

_MACHINE_MADE = re.compile(r"[0-9a-f]{16,}|\d+")
# Prefixes of classes that content systems make from what the content is about (WordPress's post_class and its kin).
_FROM_CONTENT = re.compile(r"(?:category|cat|tag|author|format|label|topic|term|has|is|no)-")


@functools.lru_cache(maxsize=1 << 13)
def layout_classes(classes: str) -> frozenset[str]:
    """The classes of an attribute's value, numbers and hashes as 0, without those made from content and states.

    >>> sorted(layout_classes("post post-172 tag-corals odd"))
    ['post', 'post-0']
    """
    lowered = (name for name in classes.lower().split() if not _FROM_CONTENT.match(name))
    return frozenset(_MACHINE_MADE.sub("0", name) for name in lowered) - STATES


def varying_classes(paths: Sequence[Path]) -> frozenset[str]:
    """Classes that tell an element from its like in the same place, as `sold-out` among all `product`s.

    Of an element's classes those count as the layout's that most of its like have.
    """
    alike: defaultdict[tuple[int, str], list[Path]] = defaultdict(list)
    for path in paths:
        if path.classes:
            alike[path.around, path.tag].append(path)
    return frozenset(name for group in alike.values() if len(group) > 1 for name in _rarer(group))


def _rarer(group: Iterable[Path]) -> Iterable[str]:
    elements: Counter[str] = Counter()
    for path in group:
        for name in layout_classes(path.classes):
            elements[name] += path.elements
    for path in group:
        names = layout_classes(path.classes)
        most = max((elements[name] for name in names), default=0)
        yield from (name for name in names if elements[name] < most)


def page_classes(paths: Iterable[Path]) -> frozenset[str]:
    """All layout classes of a page."""
    return frozenset(name for path in paths for name in layout_classes(path.classes))
