"""What a page says about itself for machines: meta tags, OpenGraph, JSON-LD and microdata.

Only start tags and scripts are looked at, by patterns that take time linear in the page; no tree is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from html import unescape
from typing import Any

import msgspec

MAX_TAGS = 2_000
"""Meta and itemprop tags that are looked at."""
MAX_SCRIPTS = 50
MAX_SCRIPT_CHARACTERS = 1_000_000
"""JSON-LD that is looked at."""

_META = re.compile(r"<meta\s([^<>]*+)>?", re.IGNORECASE)
_ITEM = re.compile(r"<(?:time|link|span|a|div|p|h1)\s([^<>]*?itemprop=[^<>]*+)>?", re.IGNORECASE)
_TIME = re.compile(r"<time\s([^<>]*?datetime=[^<>]*+)>?", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++))""")
_JSON_SCRIPT = re.compile(r"""<script\s[^<>]*?application/ld\+json[^<>]*+>""", re.IGNORECASE)
_SCRIPT_END = re.compile("</script", re.IGNORECASE)
_ARTICLES = ("Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "Recipe", "Product", "WebPage")
_MOST_NESTED = 6


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the page says of itself; `all` has everything as it was found, by its source."""

    title: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    description: str = ""
    site_name: str = ""
    image: str = ""
    all: dict[str, Any] = {}


def facts_of(html: str) -> Facts:
    """The facts in a page's markup; JSON-LD is believed first, then OpenGraph, plain meta tags and microdata."""
    metas = dict(_metas(html))
    items = dict(_items(html))
    linked = list(_json_ld(html))
    article = _main_node(linked)

    def meta(*names: str) -> str:
        return next((metas[name] for name in names if metas.get(name)), "")

    found = {"json-ld": linked, "opengraph": {name: value for name, value in metas.items() if ":" in name}}
    return Facts(
        title=meta("og:title", "twitter:title"),
        author=_name(article.get("author"))
        or meta("author", "article:author", "dc.creator")
        or items.get("author", ""),
        published=_date(article.get("datePublished"), meta("article:published_time", "date", "dc.date"))
        or _date(items.get("datepublished"), _first_time(html)),
        modified=_date(article.get("dateModified"), meta("article:modified_time", "og:updated_time", "last-modified"))
        or _date(items.get("datemodified"), None),
        description=meta("description", "og:description", "twitter:description") or _text(article.get("description")),
        site_name=meta("og:site_name", "application-name") or _name(article.get("publisher")),
        image=meta("og:image", "twitter:image"),
        all={source: values for source, values in {**found, "microdata": items}.items() if values},
    )


def _metas(html: str) -> Iterator[tuple[str, str]]:
    """Names and contents of meta tags, the last first, so that in a dict the first of a name counts."""
    tags = [found[1] for _, found in zip(range(MAX_TAGS), _META.finditer(html), strict=False)]
    for tag in reversed(tags):
        attributes = _attributes(tag)
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
        if name and attributes.get("content"):
            yield name.strip().lower(), " ".join(attributes["content"].split())


def _items(html: str) -> Iterator[tuple[str, str]]:
    if "itemprop" not in html:
        return
    tags = [found[1] for _, found in zip(range(MAX_TAGS), _ITEM.finditer(html), strict=False)]
    for tag in reversed(tags):
        attributes = _attributes(tag)
        value = attributes.get("content") or attributes.get("datetime")
        if value and attributes.get("itemprop"):
            yield attributes["itemprop"].strip().lower(), value.strip()


def _attributes(tag: str) -> dict[str, str]:
    return {
        name.lower(): unescape(double or single or bare)
        for name, double, single, bare in reversed(_ATTRIBUTE.findall(tag))
    }


def _json_ld(html: str) -> Iterator[dict[str, Any]]:
    """The objects of all JSON-LD scripts; those that are not JSON are passed over."""
    if "ld+json" not in html:
        return
    for _, script in zip(range(MAX_SCRIPTS), _JSON_SCRIPT.finditer(html), strict=False):
        end = _SCRIPT_END.search(html, script.end())
        if end is None:
            return
        if end.start() - script.end() <= MAX_SCRIPT_CHARACTERS:
            yield from _objects(_decoded(html[script.end() : end.start()]))


def _decoded(text: str) -> object:
    try:
        return msgspec.json.decode(text.strip().encode("utf-8", "replace"), strict=False)
    except (msgspec.DecodeError, RecursionError):
        return None


def _objects(value: object, nested: int = 0) -> Iterator[dict[str, Any]]:
    if nested > _MOST_NESTED:
        return
    if isinstance(value, list):
        for part in value:
            yield from _objects(part, nested + 1)
    elif isinstance(value, dict):
        if "@graph" in value:
            yield from _objects(value["@graph"], nested + 1)
        else:
            yield value


def _main_node(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """The node that describes the page itself."""

    def rank(node: dict[str, Any]) -> int:
        kinds = node.get("@type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        return min((_ARTICLES.index(kind) for kind in kinds if kind in _ARTICLES), default=len(_ARTICLES))

    best = min(nodes, key=rank, default={})
    return best if best and rank(best) < len(_ARTICLES) else {}


def _name(value: object) -> str:
    """The name of a person or organisation, or the names of several."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_name, value[:10])))
    return _text(value.get("name")) if isinstance(value, dict) else _text(value)


def _text(value: object) -> str:
    return " ".join(unescape(value).split()) if isinstance(value, str) else ""


def _date(*values: object) -> str:
    """The first value that is a date, in ISO 8601."""
    for value in values:
        if isinstance(value, str) and value.strip():
            try:
                date = datetime.fromisoformat(value.strip())
            except ValueError:
                continue
            return date.date().isoformat() if len(value.strip()) <= len("2000-01-01") else date.isoformat()
    return ""


def _first_time(html: str) -> str:
    found = _TIME.search(html)
    return _attributes(found[1]).get("datetime", "") if found else ""
