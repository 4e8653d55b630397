"""What speaks for a column being a field that a rule has lost.

Values seen before speak for it, but a list of news has none of last month's. So the values' looks count (shapes,
recurring words, file suffixes), how often they are there, and what the markup calls them. The weights were fitted to
redesigns of real sites, in both directions: a softmax over all columns of the new page, the right one to be the most
probable. They are held small on purpose (a quadratic penalty of 0.2): left free they fit the known redesigns better and
unknown ones worse. `bench/repair_cv.py` fits them on half of the sites and judges the other half.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence

import msgspec

from haenyeo.watch.rules.fit import in_link, labels_of, words_in
from haenyeo.watch.rules.places.columns import ValueColumn
from haenyeo.watch.rules.places.groups import Group, in_navigation
from haenyeo.watch.rules.places.tree import Element, Tree
from haenyeo.watch.rules.profile import Profile, alike, common_words, overlap, profile_of
from haenyeo.watch.rules.rule import Field, is_of_kind
from haenyeo.watch.rules.values import DATE, essence, file_suffix, is_dated

_MOSTLY = 0.8
_LEAST_DATED = 0.4
_LOOKED_AT = 60
_FEW, _MANY = -3.0, 3.0


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What is seen of a column, each 0 to 1 (`suffix` from -1)."""

    seen: float  # values that the rule remembers
    shapes: float  # letters and numbers in the same arrangement
    words: float  # recurring words
    likeness: float  # values that fit in
    filled: float  # records that have a value
    more: float  # more different values than before, on a log scale
    fewer: float
    single: float  # all values the same, other than before
    labels: float  # words of markup and heading
    named: float  # markup or heading has the field's own name
    tag: float
    linked: float
    suffix: float  # files of the same kind
    anchors: float  # recurring words in the texts of links


WEIGHTS = Evidence(
    seen=0.56,
    shapes=0.86,
    words=0.82,
    likeness=0.58,
    filled=0.68,
    more=0.33,
    fewer=-1.42,
    single=-1.13,
    labels=0.76,
    named=0.6,
    tag=0.37,
    linked=0.32,
    suffix=0.56,
    anchors=0.34,
)


class Looks:
    """What columns of one page look like, each looked at once however many fields are compared with it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._profiles: dict[tuple[int, str], Profile] = {}
        self._anchors: dict[int, Profile] = {}
        self._labels: dict[int, set[str]] = {}
        self._kept: list[ValueColumn] = []

    def profile(self, column: ValueColumn, only: str, values: Sequence[str]) -> Profile:
        """The profile of the column's values of one kind."""
        key = (id(column), only)
        if key not in self._profiles:
            self._kept.append(column)  # so that its identity is not given to another
            self._profiles[key] = profile_of(values)
        return self._profiles[key]

    def anchors(self, column: ValueColumn) -> Profile:
        """The profile of the texts of the column's links."""
        key = id(column)
        if key not in self._anchors:
            self._kept.append(column)
            self._anchors[key] = profile_of([self._tree.text(node) for node in column.nodes])
        return self._anchors[key]

    def labels(self, node: Element) -> set[str]:
        """The words that markup and heading call the element by."""
        if node.number not in self._labels:
            self._labels[node.number] = labels_of(self._tree, node)
        return self._labels[node.number]


class FieldMemory:
    """What a rule remembers of a field, prepared for comparing many columns with it."""

    def __init__(self, field: Field, rows: int, weights: Evidence = WEIGHTS, *, name: str = "") -> None:
        self.field = field
        self._name = words_in(name)
        self._weights = weights
        self.rows = max(rows, 1)
        self.essences = self._essences_of(field.values)
        self.labels = set(field.labels)
        self.suffixes = suffix_shares(field.values)
        dated = sum(map(is_dated, field.values)) if not field.source else 0
        self.dated = dated >= _MOSTLY * max(len(field.values), 1)
        self._beside = _beside_dates(field.values) if self.dated else 0.0

    def only(self, values: Sequence[str]) -> str:
        """Which kind of values to keep of a column: dates where dates were, files where most still are files."""
        if self.dated:
            return "date"
        main = max(self.suffixes, key=lambda suffix: self.suffixes[suffix], default="")
        if main and self.suffixes[main] >= _MOSTLY:
            same = sum(file_suffix(value) == main for value in values)
            return f".{main}" if 2 * same >= len(values) > 0 else ""
        return ""

    def score(self, looks: Looks, column: ValueColumn, roots: int) -> float | None:
        """The weighed evidence for the column; None when it has nothing for this field."""
        evidence = self.evidence(looks, column, roots)
        return weighed(evidence, self._weights) if evidence else None

    def evidence(self, looks: Looks, column: ValueColumn, roots: int) -> Evidence | None:
        """What speaks for the column, found in `roots` elements."""
        filled = [value for value in column.values if value]
        only = self.only(filled)
        values = [value for value in filled if is_of_kind(value, only)]
        if not values or (self.dated and len(values) < _LEAST_DATED * roots):
            return None
        profile = looks.profile(column, only, values)
        field = self.field
        number = len(self._essences_of(values)) if self.dated else profile.values
        before = max(len(self.essences) if self.dated else field.profile.values, 1)
        more = max(_FEW, min(_MANY, math.log(max(number, 1) / before))) / _MANY
        node = column.nodes[0]
        return Evidence(
            seen=self._seen(values),
            shapes=overlap(field.profile.shapes, profile.shapes),
            words=common_words(field.profile, profile),
            likeness=_mean_likeness(field.profile, values),
            filled=len(values) / roots,
            more=max(more, 0.0),
            fewer=max(-more, 0.0),
            single=float(number == 1 and before > 2),  # noqa: PLR2004 - several
            labels=_common_share(looks.labels(node), self.labels),
            named=float(bool(self._name) and self._name <= looks.labels(node)),
            tag=float(node.tag == field.tag),
            linked=float(in_link(node) == field.linked),
            suffix=self._suffix(values) if field.source else 0.0,
            anchors=common_words(field.anchors, looks.anchors(column)) if field.source == "href" else 0.0,
        )

    def tightest(self, chosen: ValueColumn, columns: Sequence[ValueColumn]) -> ValueColumn:
        """Of the columns that have the same dates as the chosen one, that with as much beside them as there was."""
        if not self.dated:
            return chosen
        days = _days(chosen)
        same = [column for column in columns if column.source == self.field.source and _days(column) == days]
        return min(same, key=lambda column: abs(_beside_dates(column.values) - self._beside), default=chosen)

    def known(self, values: Sequence[str]) -> float:
        """The share of the different values that the rule remembers, 0 to 1."""
        essences = self._essences_of(values)
        return len(essences & self.essences) / max(1, len(essences))

    def _essences_of(self, values: Sequence[str]) -> set[str]:
        """What the values say; dates that are written differently, or with other words beside them, are one."""
        return {essence(value, self.field.source) for value in values} - {""}

    def _seen(self, values: Sequence[str]) -> float:
        essences = self._essences_of(values)
        seen = len(essences & self.essences)
        share = seen / max(1, min(len(essences), len(self.essences)))
        return share if seen > 1 else share / 2

    def _suffix(self, values: Sequence[str]) -> float:
        before, now = self.suffixes, suffix_shares(values)
        return overlap(before, now) - sum(abs(before.get(s, 0.0) - now.get(s, 0.0)) for s in {*before, *now}) / 2


def weighed(evidence: Evidence, weights: Evidence) -> float:
    """The sum of the evidence, by its weights."""
    pairs = zip(msgspec.structs.astuple(evidence), msgspec.structs.astuple(weights), strict=True)
    return float(sum(seen * weight for seen, weight in pairs))


def suffix_shares(addresses: Collection[str]) -> dict[str, float]:
    """The shares of addresses that are files, by suffix."""
    counts = Counter(file_suffix(address) for address in addresses)
    return {suffix: count / len(addresses) for suffix, count in counts.items() if suffix}


def _mean_likeness(profile: Profile, values: Sequence[str]) -> float:
    looked_at = list(dict.fromkeys(values))[:_LOOKED_AT]
    return sum(alike(profile, value) for value in looked_at) / len(looked_at)


def _days(column: ValueColumn) -> list[tuple[int, str]]:
    """The record and the day of each date in a column."""
    found = zip(column.roots, column.values, strict=True)
    return [(root, essence(value, "")) for root, value in found if value and is_dated(value)]


def _beside_dates(values: Sequence[str]) -> float:
    """How many characters stand beside the dates, on average."""
    looked_at = list(dict.fromkeys(values))[:_LOOKED_AT]
    dates = ((value, DATE.search(value)) for value in looked_at)
    return sum(len(value) - len(date[0] if date else "") for value, date in dates) / max(len(looked_at), 1)


def _common_share(these: set[str], those: set[str]) -> float:
    return len(these & those) / max(1, min(len(these), len(those))) if these else 0.0


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What is seen of a group apart from its columns, each 0 to 1."""

    fit: float  # the sum of its fields' scores below the best on the page, a third of it; told apart from the rest
    navigation: float
    more: float  # more records than before, on a log scale
    fewer: float
    columns: float  # number of columns, on a log scale


ALONE = Surroundings(fit=0.0, navigation=0.0, more=0.0, fewer=0.0, columns=0.0)
GROUP_WEIGHTS = Surroundings(fit=2.57, navigation=-1.15, more=0.28, fewer=-0.58, columns=-0.52)


def surroundings(group: Group, rows: int, columns: int) -> Surroundings:
    """What speaks for the group itself; `rows` were found before the redesign."""
    more = max(_FEW, min(_MANY, math.log(len(group.roots) / max(rows, 1)))) / _MANY
    return Surroundings(
        fit=0.0,
        navigation=float(in_navigation(group.roots[0])),
        more=max(more, 0.0),
        fewer=max(-more, 0.0),
        columns=math.log1p(columns) / 4,
    )


def weighed_group(seen: Surroundings, fit: float, weights: Surroundings) -> float:
    """The group's score, its fields' fit included."""
    pairs = zip(msgspec.structs.astuple(seen), msgspec.structs.astuple(weights), strict=True)
    return float(sum(value * weight for value, weight in pairs)) + weights.fit * fit


class Least(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence below which a field is left out; dates and links are told by their kind, other texts need more."""

    date: float = -0.5
    link: float = 0.9
    text: float = 1.42

    def of(self, memory: FieldMemory) -> float:
        """That of a field."""
        return self.date if memory.dated else self.link if memory.field.source else self.text


class Weighing(msgspec.Struct, frozen=True, kw_only=True):
    """All numbers by which a repair is judged that were chosen on redesigns of real sites."""

    evidence: Evidence = WEIGHTS
    group: Surroundings = GROUP_WEIGHTS
    least: Least = Least()


WEIGHING = Weighing()
