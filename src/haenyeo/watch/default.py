"""The default watcher: tells lost data from changed markup, and both from changed content.

Three things are looked at. How much of the text stood in regions that are gone: a redesign loses nearly all, other
content loses little, because regions are weighed by how many of the records have them. Whether the largest regions,
which hold the records, are gone. And whether texts that stand next to each other on both pages have other tags between
them now: that is markup, whatever became of the rest of the content.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from haenyeo.watch.classes import page_classes, varying_classes
from haenyeo.watch.layout import Layout, LayoutChange, PageLayout
from haenyeo.watch.structure import LayoutPlace, Places, Regions, Steps, places, regions
from haenyeo.watch.tokens import TEXT_MARK

Gap = tuple[str, ...]
"""The tags between two texts."""


class DefaultWatcher:
    """Compares layouts by lost regions (alarm) and by changed tags around the same texts (notice).

    `lost` and `core_lost` are the shares of the text, in all and in the largest regions, whose loss is an alarm;
    `repeats` is how often a change of tags must be seen.
    """

    def __init__(self, *, lost: float = 0.33, core_lost: float = 0.75, repeats: int = 10) -> None:
        self.lost = lost
        self.core_lost = core_lost
        self.repeats = repeats

    def compare(self, old: Layout, new: Layout) -> LayoutChange:
        """What changed from the old pages to the new ones; nothing when there are none on one side."""
        if not old.pages or not new.pages:
            return LayoutChange()
        ignored = _ignored(old.pages, new.pages)
        before = [places(page.paths, ignored) for page in old.pages]
        after = [places(page.paths, ignored) for page in new.pages]
        lost, core_lost, where = _losses([regions(found) for found in before], [regions(found) for found in after])
        alarm = lost >= self.lost or core_lost >= self.core_lost
        findings = [*_told(lost, core_lost, where)] if alarm else []
        markup = [*self._changed_tags(old.pages, new.pages), *self._changed_places(before, after)]
        score = max(lost, core_lost) if alarm else lost
        return LayoutChange(
            alarm=alarm, notice=bool(markup) and not alarm, score=round(score, 4), why=tuple(findings + markup)
        )

    def _changed_tags(self, old: Sequence[PageLayout], new: Sequence[PageLayout]) -> Iterator[str]:
        """Describe texts that follow each other on both sides with other tags between them."""
        changed = _different_gaps(_gaps(old), _gaps(new))
        if changed.total() >= self.repeats:
            (was, now), _ = changed.most_common(1)[0]
            yield f"{changed.total()} texts have other tags around them: {_shown(was)} became {_shown(now)}"

    def _changed_places(self, old: list[Places], new: list[Places]) -> Iterator[str]:
        """Describe repeated elements that are only on one side, although the place they stand in is on both."""
        for these, those, verb in ((old, new, "gone"), (new, old, "new")):
            for steps, place in _in_all(these).items():
                if self._is_missed(steps, place, these[0], those):
                    yield f"{' > '.join(steps)} is {verb}: {place.elements} on a page"

    def _is_missed(self, steps: Steps, place: LayoutPlace, here: Places, there: list[Places]) -> bool:
        if place.elements < self.repeats // 2 or any(steps in other for other in there):
            return False
        holder = steps[:-1]
        share = place.holders / max(here[holder].elements, 1)
        expected = [share * other[holder].elements for other in there if holder in other]
        return bool(expected) and min(expected) >= self.repeats


def _ignored(old: Sequence[PageLayout], new: Sequence[PageLayout]) -> frozenset[str]:
    """Classes that vary among like elements of a page or, as far as several old pages show, from page to page."""
    varying = frozenset(chain.from_iterable(varying_classes(page.paths) for page in (*old, *new)))
    if len(old) == 1:
        return varying
    vocabularies = [page_classes(page.paths) for page in (*old, *new)]
    return varying | (frozenset.union(*vocabularies) - frozenset.intersection(*vocabularies[: len(old)]))


def _losses(old: Sequence[Regions], new: Sequence[Regions]) -> tuple[float, float, Steps]:
    """The share of the old text whose region is gone, the same of the largest regions, and the largest one gone."""
    left = frozenset(chain.from_iterable(page.raw for page in new))
    shared = _joined([page.shared for page in old])
    raw = _joined([page.raw for page in old])
    core = _largest_half(raw)
    gone = [region for region in shared if region not in left]
    where = max(gone, key=lambda region: shared[region], default=())
    return _share(shared, left), _share(core, left), where


def _joined(pages: Sequence[Mapping[Steps, float]]) -> dict[Steps, float]:
    """Weights summed over the pages, of what is on all of them if anything is."""
    common = set.intersection(*(set(page) for page in pages)) or set(chain.from_iterable(pages))
    return {region: sum(page.get(region, 0) for page in pages) for region in common}


def _largest_half(weights: Mapping[Steps, float]) -> dict[Steps, float]:
    """The largest regions that together hold half of the text."""
    half = sum(weights.values()) / 2
    core: dict[Steps, float] = {}
    for region in sorted(weights, key=lambda region: (-weights[region], region)):
        if sum(core.values()) >= half:
            break
        core[region] = weights[region]
    return core


def _share(weights: Mapping[Steps, float], left: frozenset[Steps]) -> float:
    total = sum(weights.values())
    return sum(weight for region, weight in weights.items() if region not in left) / total if total else 0.0


def _told(lost: float, core_lost: float, where: Steps) -> Iterable[str]:
    yield f"{lost:.0%} of the text stood in regions that are gone, {core_lost:.0%} of the largest ones"
    if where:
        yield f"{' > '.join(where)} is gone"


def _gaps(pages: Sequence[PageLayout]) -> dict[tuple[str, str], Counter[Gap]]:
    """For each two texts that follow each other, the tags between them and how often."""
    found: defaultdict[tuple[str, str], Counter[Gap]] = defaultdict(Counter)
    for page in pages:
        before, start = "", 0
        for place, token in enumerate(page.tokens):
            if token[0] == TEXT_MARK:
                found[before, token][page.tokens[start:place]] += 1
                before, start = token, place + 1
    return found


def _different_gaps(
    old: Mapping[tuple[str, str], Counter[Gap]], new: Mapping[tuple[str, str], Counter[Gap]]
) -> Counter[tuple[Gap, Gap]]:
    """Pairs of gaps, old and new, between the same texts, and how often the texts are found with no gap in common."""
    changed: Counter[tuple[Gap, Gap]] = Counter()
    for texts in old.keys() & new.keys():
        was, now = old[texts], new[texts]
        times = min(was.total(), now.total()) - (was & now).total()
        if times > 0:
            changed[next(iter(was - now)), next(iter(now - was))] += times
    return changed


def _in_all(pages: list[Places]) -> Places:
    return {steps: place for steps, place in pages[0].items() if steps and all(steps in page for page in pages)}


def _shown(gap: Gap) -> str:
    return "".join(f"<{tag}>" for tag in gap) or "nothing"
