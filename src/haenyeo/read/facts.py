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

from haenyeo.html.dates import moment
from haenyeo.read.dates import tells_of_change
from haenyeo.read.tags import attributes_at, inside, tags_named, tags_with

MAX_TAGS = 2_000
"""Meta and itemprop tags that are looked at."""
MAX_AUTHORS = 200
"""Places that speak of an author, of which the first that names one counts."""
LONGEST_NAMING, LONGEST_NAME = 400, 80
"""Characters behind such a place in which the name is looked for, and of the name."""
MAX_SCRIPTS = 50
MAX_SCRIPT_CHARACTERS = 1_000_000
"""JSON-LD that is looked at."""

_FIRST_TEXT = re.compile(r">\s*+([^<>]*[^\s<>])\s*+<")
_TAG = re.compile(r"^[^<>]*+>|<[^<>]*+>?")
_BEFORE_TIME, _LABEL = 200, 40  # characters in which the words before a date stand, tags and all, and of these words
_SCRIPT_END = re.compile("</script", re.IGNORECASE)
_PUBLISHED = (
    *(
        "article:published_time",
        "og:published_time",
        "datepublished",
        "date",
        "dc.date",
        "dc.date.issued",
        "dcterms.date",
    ),
    *("dcterms.created", "pubdate", "publishdate", "publish-date", "publish_date", "sailthru.date", "parsely-pub-date"),
)
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified", "revised")
_ARTICLES = ("Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "Recipe", "Product", "WebPage")
_MOST_NESTED = 6


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the page says of itself; `all` has everything as it was found, by its source.

    `published_by` and `modified_by` name the sources of the dates: json-ld, meta, microdata or time.
    """

    title: str = ""
    author: str = ""
    published: str = ""
    published_by: str = ""
    modified: str = ""
    modified_by: str = ""
    licence: str = ""
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

    time, changed = _first_time(html)
    published = _dated(
        ("json-ld", article.get("datePublished")),
        *[("meta", metas.get(name)) for name in _PUBLISHED],
        ("microdata", items.get("datepublished")),
        ("time", "" if changed else time),
    )
    modified = _dated(
        ("json-ld", article.get("dateModified")),
        *[("meta", metas.get(name)) for name in _MODIFIED],
        ("microdata", items.get("datemodified")),
        ("time", time if changed else ""),
    )
    found = {"json-ld": linked, "opengraph": {name: value for name, value in metas.items() if ":" in name}}
    return Facts(
        title=meta("og:title", "twitter:title"),
        author=name_of(article.get("author"))
        or meta("author", "article:author", "dc.creator")
        or items.get("author")
        or _named_author(html),
        published=published[0],
        published_by=published[1],
        modified=modified[0],
        modified_by=modified[1],
        licence=_licence(html) or text_in(article.get("license")),
        description=meta("description", "og:description", "twitter:description") or text_in(article.get("description")),
        site_name=meta("og:site_name", "application-name") or name_of(article.get("publisher")),
        image=meta("og:image", "twitter:image"),
        all={source: values for source, values in {**found, "microdata": items}.items() if values},
    )


def _metas(html: str) -> Iterator[tuple[str, str]]:
    """Names and contents of meta tags, the last first, so that in a dict the first of a name counts."""
    for tag in reversed(attributes_at(html, tags_named(html, "meta", MAX_TAGS), len("<meta "))):
        name = tag.get("property") or tag.get("name") or tag.get("itemprop")
        if name and (content := unescape(tag.get("content", ""))):
            yield unescape(name).strip().lower(), " ".join(content.split())


def _items(html: str) -> Iterator[tuple[str, str]]:
    for tag in reversed(attributes_at(html, tags_with(html, "itemprop=", MAX_TAGS))):
        value = unescape(tag.get("content", "")) or unescape(tag.get("datetime", ""))
        if value and tag.get("itemprop"):
            yield unescape(tag["itemprop"]).strip().lower(), value.strip()


def _json_ld(html: str) -> Iterator[dict[str, Any]]:
    """The objects of all JSON-LD scripts; those that are not JSON are passed over."""
    behind = 0
    for place in tags_with(html, "ld+json", MAX_SCRIPTS):
        is_script = place >= behind and html[place + 1 : place + 7].lower() == "script"
        if is_script and not _is_commented(html, place):
            start = html.find(">", place) + 1
            end = _SCRIPT_END.search(html, start)
            if not start or end is None:
                return
            behind = end.start()
            if behind - start <= MAX_SCRIPT_CHARACTERS:
                yield from _objects(_decoded(html[start:behind]))


def _is_commented(html: str, place: int) -> bool:
    """Whether a place lies in a comment: what its author took out of the page."""
    start = html.rfind("<!--", 0, place)
    if start < 0 or html.find("-->", start, place) >= 0:
        return False
    return html.rfind("<script", 0, start) <= html.rfind("</script", 0, start)  # scripts have such signs, too


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


def name_of(value: object) -> str:
    """The name of a person or organisation, or the names of several."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(name_of, value[:10])))
    return text_in(value.get("name")) if isinstance(value, dict) else text_in(value)


def text_in(value: object) -> str:
    """A piece of JSON-LD that is text, in one line; empty if it is something else."""
    return " ".join(unescape(unescape(value)).split()) if isinstance(value, str) else ""  # some are escaped twice


def _dated(*found: tuple[str, object]) -> tuple[str, str]:
    """The first value that is a date, in ISO 8601, and its source."""
    for source, value in found:
        date = _date(value.strip()) if isinstance(value, str) else ""
        if date:
            return date, source
    return "", ""


def _date(written: str) -> str:
    try:
        date = datetime.fromisoformat(written)
    except ValueError:
        known = moment(written)
        return known.isoformat() if known and known.year > 1 and len(written) > len("2000") else ""
    return date.date().isoformat() if len(written) <= len("2000-01-01") else date.isoformat()


def _licence(html: str) -> str:
    """Where the licence of the page stands: the first link that says so."""
    for tag in attributes_at(html, tags_with(html, "license", MAX_AUTHORS)):
        if "license" in unescape(tag.get("rel", "")).lower().split() and tag.get("href"):
            return unescape(tag["href"]).strip()
    return ""


def _named_author(html: str) -> str:
    """The text of the first element that is said to name the author."""
    for place in tags_with(html, "author", MAX_AUTHORS):
        tag = inside(html, place + 1)
        if _names_author(tag):
            end = place + 1 + len(tag)
            found = _FIRST_TEXT.search(html, end, end + LONGEST_NAMING)
            return text_in(found[1]) if found and len(found[1]) <= LONGEST_NAME else ""
    return ""


def _names_author(tag: str) -> bool:
    """Whether this is the start tag of an element whose text is the author's name."""
    if "rel" not in (lower := tag.lower()) and "itemprop" not in lower:
        return False
    (attributes,) = attributes_at(tag, [0], 0)
    said = unescape(f"{attributes.get('rel', '')} {attributes.get('itemprop', '')}")
    return "author" in said.lower().split() and tag[:5].lower() not in ("link ", "meta ")


def _first_time(html: str) -> tuple[str, bool]:
    """The date of the first `time` element, and whether the words before it say that it is that of a change."""
    for place in tags_with(html, "datetime=", MAX_TAGS):
        if html[place + 1 : place + 6].lower() == "time ":
            said = _TAG.sub(" ", html[max(place - _BEFORE_TIME, 0) : place])
            time = unescape(attributes_at(html, [place])[0].get("datetime", ""))
            return time, tells_of_change(said[-_LABEL:])
    return "", False
