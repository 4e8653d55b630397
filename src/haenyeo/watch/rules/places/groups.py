"""Groups of elements that may be records: those in like places of a page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Literal

import msgspec

from haenyeo.watch.classes import layout_classes
from haenyeo.watch.rules.places.selector import Selector, Step, common_steps
from haenyeo.watch.rules.places.tree import Element, Tree

LARGEST_RECORD = 250
"""Elements of a record, on average."""
_STATE_SUFFIX = re.compile(r"[-_](?:odd|even|first|last|alt)$")
_NAVIGATION_TAGS = frozenset(("nav", "footer", "aside", "select"))
_NAVIGATION = re.compile(
    r"(?<![a-z])(?:nav|navbar|menu|footer|header|sidebar|breadcrumbs?|social|topbar|toolbar|widget)(?![a-z])"
)
_SUFFIX_STEPS = 3
_LEAST_IN_ONE_PLACE = 3

How = Literal["path", "place", "tag", "suffix"]


class Group(msgspec.Struct, frozen=True, eq=False):
    """Elements that may be records, and what they have in common.

    `path`: tags and classes all the way from the body; `place`: also the element around them; `tag`: the same, whatever
    their own classes; `suffix`: the last steps, at any depth.
    """

    how: How
    roots: Sequence[Element]

    def selector(self, tree: Tree) -> Selector:
        """A short selector of the group's elements; it may find a few more when nothing tells them apart."""
        ancestries = [root.ancestry() for root in self.roots]
        if self.how == "suffix":
            return Selector(common_steps([ancestry[-_SUFFIX_STEPS:] for ancestry in ancestries]), anywhere=True)
        by_class, by_position = (common_steps(ancestries, positions=positions) for positions in (False, True))
        exact = {root.number for root in self.roots}
        for steps in (by_class, by_position):
            last_class = max((place for place, step in enumerate(steps) if step.classes), default=len(steps))
            for start in range(min(len(steps) - 2, last_class), -1, -1):
                short = Selector(steps[start:], anywhere=start > 0)
                if {element.number for element in short.select(tree)} == exact:
                    return short
        return Selector(by_position)


class Labels:
    """The label of each element, its tag and layout classes, and a key for the labels from the body to it.

    Of an element's classes those are in its label that most of its like around have.
    """

    def __init__(self, tree: Tree) -> None:
        self.label: dict[int, str] = {0: "body"}
        self.key: dict[int, int] = {0: 0}
        self._keys: dict[tuple[int, str], int] = {}
        level = tree.elements[:1]
        while level:
            level = self._name_children(level)

    def _name_children(self, level: Sequence[Element]) -> list[Element]:
        alike: defaultdict[tuple[int, str], list[Element]] = defaultdict(list)
        for element in level:
            for child in element.children:
                alike[self.key[element.number], child.tag].append(child)
        for (around, _), children in alike.items():
            self._name(around, children)
        return [child for children in alike.values() for child in children]

    def _name(self, around: int, children: Sequence[Element]) -> None:
        names = [_layout_names(child) for child in children]
        times = Counter(name for each in names for name in each)
        for child, own in zip(children, names, strict=True):
            most = max((times[name] for name in own), default=0)
            label = ".".join((child.tag, *sorted(name for name in own if times[name] == most)))
            self.label[child.number] = label
            self.key[child.number] = self._keys.setdefault((around, label), len(self._keys) + 1)

    def ends(self, element: Element) -> tuple[str, ...]:
        """The labels of the last steps to the element; none when it is not that deep."""
        steps = [self.label[each.number] for each, _ in zip(element.around(), range(_SUFFIX_STEPS), strict=False)]
        return tuple(steps) if len(steps) == _SUFFIX_STEPS else ()


def _layout_names(element: Element) -> frozenset[str]:
    if not element.classes:
        return frozenset()
    return frozenset(name for name in layout_classes(" ".join(element.classes)) if not _STATE_SUFFIX.search(name))


def record_groups(tree: Tree, labels: Labels) -> list[Group]:
    """All groups of a page, of two elements or more, that have text and are not too large for records."""
    return [group for group in _groups(tree, labels) if _may_be_records(group.roots)]


def _groups(tree: Tree, labels: Labels) -> Iterator[Group]:
    elements = tree.elements[1:]
    for roots in _gathered(elements, [labels.key[element.number] for element in elements]):
        yield Group("path", roots)
        places = _gathered(roots, [_parent(root).number for root in roots])
        if len(places) > 1:
            yield from (Group("place", place) for place in places if len(place) >= _LEAST_IN_ONE_PLACE)
    by_tag = [(labels.key[_parent(element).number], element.tag) for element in elements]
    for roots in _gathered(elements, by_tag):
        if len({labels.label[root.number] for root in roots}) > 1:
            yield Group("tag", roots)
    for roots in _gathered(elements, [labels.ends(element) for element in elements]):
        if labels.ends(roots[0]) and len({labels.key[root.number] for root in roots}) > 1:
            yield Group("suffix", roots)


def _gathered(elements: Sequence[Element], keys: Sequence[Hashable]) -> list[list[Element]]:
    """The elements by their keys, in the order of the first of each."""
    found: defaultdict[Hashable, list[Element]] = defaultdict(list)
    for element, key in zip(elements, keys, strict=True):
        found[key].append(element)
    return list(found.values())


def _parent(element: Element) -> Element:
    assert element.parent is not None
    return element.parent


def _may_be_records(roots: Sequence[Element]) -> bool:
    size = sum(root.end - root.number for root in roots)
    return len(roots) > 1 and size <= LARGEST_RECORD * len(roots) and any(root.last > root.first for root in roots)


def same_places(tree: Tree, labels: Labels) -> list[list[Element]]:
    """Elements by the labels of all steps to them, and by those of the last ones; also where there is only one."""
    elements = tree.elements[1:]
    whole = _gathered(elements, [labels.key[element.number] for element in elements])
    ends = _gathered(elements, [labels.ends(element) for element in elements])
    several = [group for group in ends if labels.ends(group[0]) and len({labels.key[e.number] for e in group}) > 1]
    return whole + several


def in_navigation(element: Element) -> bool:
    """Whether the element is part of a menu, a side bar, a footer or their like."""
    return any(
        each.tag in _NAVIGATION_TAGS
        or _NAVIGATION.search(f"{each.attributes.get('class') or ''} {each.attributes.get('id') or ''}".lower())
        for each in element.around()
    )


def step_to(element: Element) -> Step:
    """The step from an element's parent to it, by position alone."""
    return Step(element.tag, (), element.nth)
