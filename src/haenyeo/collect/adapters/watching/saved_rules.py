"""Rules as the store keeps them: every version with its date, where it holds, and a repair that is not sure yet."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from haenyeo.html.urls import canonical, resolve, site_of
from haenyeo.model.pages import Url
from haenyeo.store import NewRow
from haenyeo.watch.address_patterns import QUERY, matches
from haenyeo.watch.rules.rule import Row, Rule

PART = "rules"
VERSIONS = 20
"""Versions of a rule that are kept."""
ADDRESSES = ("href", "src")


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A rule as it was from a time on, and the page it was fitted to."""

    rule: Rule
    at: datetime
    url: Url
    why: str


class Pending(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A repair that has been seen on one page only; `likely` if it finds enough of the records known before."""

    rule: Rule
    url: Url
    at: datetime
    broken: tuple[str, ...] = ()
    likely: bool = False


Condition = Literal["works", "broken", "proposed", "probation"]


class SavedRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule and where it holds.

    `lists` and `items` are patterns of the addresses of list pages and of what they list. `key` is the field that tells
    records apart; without one, all values together do. `broken` is what was told when it stopped working, `since` when
    that was. A repaired rule is on `probation` for so many visits: its values must stay like those known before the
    repair. `refused` are repairs that did not, by their selectors; none of them is tried again.
    """

    name: str
    url: str
    lists: tuple[str, ...]
    items: tuple[str, ...] = ()
    key: str = ""
    versions: tuple[Version, ...]
    pending: Pending | None = None
    broken: tuple[str, ...] = ()
    since: datetime | None = None
    probation: int = 0
    refused: tuple[str, ...] = ()

    @property
    def rule(self) -> Rule:
        """The version in force."""
        return self.versions[-1].rule

    @property
    def site(self) -> str:
        """The site it belongs to."""
        return site_of(Url(self.url.replace(QUERY, "")))

    @property
    def condition(self) -> Condition:
        """How it is, in a word."""
        if self.pending is not None:
            return "proposed"
        return "broken" if self.broken else "probation" if self.probation else "works"

    @property
    def state(self) -> str:
        """How it is, in a few words; the same wherever it is told."""
        since = f" since {self.since:%Y-%m-%d %H:%M}" if self.since else ""
        match self.condition:
            case "proposed":
                return f"broken{since}, repair proposed: {'; '.join(self.broken)}"
            case "broken":
                return f"broken{since}: {'; '.join(self.broken)}"
            case "probation":
                visits = f"{self.probation} more visits" if self.probation > 1 else "one more visit"
                return f"repaired{since}, on probation for {visits}"
            case _:
                return "works"

    @property
    def remembered(self) -> Rule:
        """The version in force with the fields that earlier repairs left out, so that they can be found again."""
        lost = {name: field for version in self.versions for name, field in version.rule.fields.items()}
        return msgspec.structs.replace(self.rule, fields={**lost, **self.rule.fields})

    def reverted(self) -> SavedRule | None:
        """The rule with the version before the last one in force; None when there is none."""
        if len(self.versions) == 1:
            return None
        return self.settled(versions=self.versions[:-1])

    def settled(self, **changes: object) -> SavedRule:
        """The rule with these changes, and nothing pending, broken or on probation."""
        calm: dict[str, object] = {"pending": None, "broken": (), "since": None, "probation": 0}
        return msgspec.structs.replace(self, **(calm | changes))

    def holds_on(self, url: str) -> bool:
        """Whether it is a rule for this page."""
        return matches(self.lists, url)

    def to_json(self) -> bytes:
        """All of it as readable JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)

    def with_version(self, version: Version, **changes: object) -> SavedRule:
        """The rule with a further version in force."""
        return self.settled(versions=(*self.versions, version)[-VERSIONS:], **changes)

    def rows_of(self, rows: Sequence[Row], url: Url) -> list[NewRow]:
        """The rows of a page, addresses made absolute, each with its key."""
        found = []
        for row in rows:
            fields = {name: self._absolute(name, value, url) for name, value in row.items()}
            found.append(NewRow(rule=self.name, key=self._key(fields), page=url, fields=fields))
        return found

    def _absolute(self, name: str, value: str, url: Url) -> str:
        field = self.rule.fields.get(name)
        if field is None or field.source not in ADDRESSES:
            return value
        return resolve(url, value) or value

    def _key(self, fields: Row) -> str:
        own = fields.get(self.key, "")
        if own:
            return canonical(own) or own
        together = "\x1f".join(f"{name}={value}" for name, value in sorted(fields.items()))
        return hashlib.blake2b(together.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def decoded(data: bytes) -> SavedRule:
    """The rule that `to_json` wrote."""
    return msgspec.json.decode(data, type=SavedRule)


def key_field(rule: Rule, rows: Sequence[Row], before: str = "") -> str:
    """The field that tells records apart: an address that every record has another of, else such a text, else none.

    The one that did so `before` stays it as long as it does.
    """
    by_source = sorted(rule.fields, key=lambda name: (name != before, rule.fields[name].source != "href"))
    return next((name for name in by_source if _tells_apart(rule, rows, name)), "")


def _tells_apart(rule: Rule, rows: Sequence[Row], name: str) -> bool:
    """Whether all rows have this field, each another; addresses that differ in fragments alone are of one page."""
    field = rule.fields[name]
    if field.shared or field.source not in ("href", ""):
        return False
    told = [row.get(name, "") for row in rows]
    values = {value.partition("#")[0] for value in told} if field.source else set(told)
    return "" not in values and len(values) == len(rows) > 0
