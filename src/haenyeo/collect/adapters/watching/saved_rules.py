"""Rules as the store keeps them: every version with its date, where it holds, and a repair that is not sure yet."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

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


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """A repair that has been seen on one page only."""

    rule: Rule
    url: Url
    at: datetime
    broken: tuple[str, ...] = ()


class SavedRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule and where it holds.

    `lists` and `items` are patterns of the addresses of list pages and of what they list. `key` is the field that tells
    records apart; without one, all values together do. `broken` is what was told when it stopped working.
    """

    name: str
    url: str
    lists: tuple[str, ...]
    items: tuple[str, ...] = ()
    key: str = ""
    versions: tuple[Version, ...]
    pending: Pending | None = None
    broken: tuple[str, ...] = ()

    @property
    def rule(self) -> Rule:
        """The version in force."""
        return self.versions[-1].rule

    @property
    def site(self) -> str:
        """The site it belongs to."""
        return site_of(Url(self.url.replace(QUERY, "")))

    @property
    def state(self) -> str:
        """How it is, in a few words."""
        if self.pending is not None:
            return "repair waits for a second page"
        return f"broken: {'; '.join(self.broken)}" if self.broken else "works"

    def reverted(self) -> SavedRule | None:
        """The rule with the version before the last one in force; None when there is none."""
        if len(self.versions) == 1:
            return None
        return msgspec.structs.replace(self, versions=self.versions[:-1], pending=None, broken=())

    def holds_on(self, url: str) -> bool:
        """Whether it is a rule for this page."""
        return matches(self.lists, url)

    def to_json(self) -> bytes:
        """All of it as readable JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)

    def with_version(self, version: Version) -> SavedRule:
        """The rule with a further version in force."""
        kept = (*self.versions, version)[-VERSIONS:]
        return msgspec.structs.replace(self, versions=kept, pending=None, broken=())

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


def key_field(rule: Rule, rows: Sequence[Row]) -> str:
    """The field that tells records apart: an address that every record has another of, else such a text, else none."""
    by_source = sorted(rule.fields, key=lambda name: rule.fields[name].source != "href")
    for name in by_source:
        field = rule.fields[name]
        values = Counter(row.get(name, "") for row in rows)
        if not field.shared and field.source in ("href", "") and "" not in values and len(values) == len(rows) > 0:
            return name
    return ""
