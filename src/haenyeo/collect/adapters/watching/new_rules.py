"""A new rule for a list page that is stored: its name, where it holds, and the records it takes at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from haenyeo.collect.adapters.watching.saved_rules import SavedRule, Version, key_field
from haenyeo.collect.adapters.watching.sheets import Sheet, Taken
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.html.parse import parse_html
from haenyeo.html.urls import resolve, site_of
from haenyeo.model.pages import Url
from haenyeo.watch.address_patterns import QUERY, list_patterns, patterns_of
from haenyeo.watch.paging import next_page
from haenyeo.watch.rules.rule import Row, Rule


class NewRule(NamedTuple):
    """A rule put on the shelf, and what is to be stored of it."""

    saved: SavedRule
    taken: Taken


def put_new_rule(shelf: Shelf, rule: Rule, sheet: Sheet, *, pattern: str = "", why: str = "learned") -> NewRule:
    """The rule on the shelf with the records of the page; a rule of the same list gets it as its next version.

    `pattern` is the address of a result list with its query left open; without it the rule is of the page itself.
    """
    rows = rule.extract(sheet.html)
    saved = _saved(shelf, rule, rows, sheet, pattern=pattern or sheet.url, why=why)
    return NewRule(saved, Taken(rows=saved.rows_of(rows, sheet.url), states=[shelf.put(saved)]))


def _saved(shelf: Shelf, rule: Rule, rows: Sequence[Row], sheet: Sheet, *, pattern: str, why: str) -> SavedRule:
    further = next_page(parse_html(sheet.html, sheet.url), sheet.url)
    name = rule_name(pattern)
    known = shelf.get(name)
    return SavedRule(
        name=name,
        url=pattern,
        lists=list_patterns(pattern, [further] if further else ()),
        items=patterns_of(links_in(rule, rows, sheet.url)),
        key=key_field(rule, rows, known.key if known else ""),
        versions=(*(known.versions if known else ()), _version(rule, known, sheet.url, sheet.at, why)),
    )


def _version(rule: Rule, known: SavedRule | None, url: Url, at: datetime, why: str) -> Version:
    numbered = msgspec.structs.replace(rule, version=known.rule.version + 1) if known else rule
    return Version(rule=numbered, at=at, url=url, why=why)


def rule_name(url: str) -> str:
    """A short name for the rule of a list: its site and the words of its address."""
    words = re.findall(r"\w+", url.partition("://")[2].partition("/")[2].replace(QUERY, ""))
    site = site_of(Url(url.replace(QUERY, ""))).partition(":")[0]
    return "-".join([site, *words])[:80]


def links_in(rule: Rule, rows: Sequence[Row], url: Url) -> list[str]:
    """The addresses on the page's own site that the records name."""
    names = [name for name, field in rule.fields.items() if field.source == "href"]
    found = (resolve(url, row[name]) for row in rows for name in names if row.get(name))
    return [address.partition("#")[0] for address in found if address and site_of(address) == site_of(url)]
