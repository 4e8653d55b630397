"""A whole page: its head, the content in the site's dress, and the shell around it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape

from haenyeo.demo.clock import moment
from haenyeo.demo.pages.dress import Dress
from haenyeo.demo.pages.shell import WORDS, Shell, links, list_of_links
from haenyeo.demo.world.content import Comment, Passage
from haenyeo.demo.world.site import Site
from haenyeo.demo.world.views import Record, View, href, written_date
from haenyeo.demo.world.world import World

_ARTICLES = {"article", "product", "thread", "entry", "doc", "hub", "ad", "about"}
_SUMMARY_LENGTH = 160
_EMPHASISED = 3  # one paragraph in three has a word in italics


def render(world: World, site: Site, view: View, dress: Dress, shell: Shell) -> str:
    """The page's HTML."""
    head = _head(world, site, view, dress)
    if view.place.kind == "print":
        back = f"<p>{links(view.related)}</p></body></html>\n"
        return f"{head}<h1>{_text(view.title)}</h1>\n{_passages(view, dress)}{back}"
    crumbs = dress.put("crumbs", links(view.crumbs)) if view.crumbs else ""
    content = _article(world, site, view, dress) if view.place.kind in _ARTICLES else _listing(site, view, dress)
    return f"{head}{shell.top}{crumbs}\n{shell.before}{content}{shell.after}{shell.bottom}"


def _text(text: str) -> str:
    return escape(text, quote=False) if "&" in text or "<" in text else text


# ---- head ---------------------------------------------------------------------------------------------------------


def _head(world: World, site: Site, view: View, dress: Dress) -> str:
    spec = site.spec
    address = world.origin(spec.host) + view.place.path
    title = _text(view.title if view.title == spec.name else f"{view.title} | {spec.name}")
    if spec.charset == "utf-8":
        charset = '<meta charset="utf-8">'
    else:
        charset = f'<meta http-equiv="Content-Type" content="text/html; charset={spec.charset}">'
    parts = [
        "<html>" if spec.has("no-lang") else f'<!doctype html>\n<html lang="{spec.language}">',
        f"<head>{charset}<title>{title}</title>",
        '<meta name="viewport" content="width=device-width">',
    ]
    if view.passages:
        parts.append(f'<meta name="description" content="{escape(view.passages[0].text[:_SUMMARY_LENGTH])}">')
    if view.place.kind == "print":
        parts.append('<meta name="robots" content="noindex,follow">')
    elif not spec.has("session"):
        parts.append(f'<link rel="canonical" href="{escape(address)}">')
    if spec.has("rss") or spec.has("atom"):
        kind = "rss" if spec.has("rss") else "atom"
        parts.append(f'<link rel="alternate" type="application/{kind}+xml" href="{href(world, site, "/feed.xml")}">')
    if spec.has("opengraph"):
        parts.append(_open_graph(site, view, address))
    if spec.has("jsonld") and view.byline:
        parts.append(_linked_data(view, address))
    parts.append(f"<style>{dress.style}</style></head>\n<body>\n" if dress.style else "</head>\n<BODY BGCOLOR=white>\n")
    return "\n".join(parts)


def _open_graph(site: Site, view: View, address: str) -> str:
    kind = "article" if view.place.kind in _ARTICLES else "website"
    facts = {"og:title": view.title, "og:type": kind, "og:url": address, "og:site_name": site.spec.name}
    if view.byline:
        facts["article:published_time"] = moment(view.byline.published).isoformat()
        facts["article:modified_time"] = moment(view.byline.modified).isoformat()
    return "\n".join(f'<meta property="{name}" content="{escape(value)}">' for name, value in facts.items())


def _linked_data(view: View, address: str) -> str:
    assert view.byline is not None, "asked for pages with an author only"
    facts: dict[str, object] = {"@context": "https://schema.org", "url": address}
    if view.facts:
        offer = {"@type": "Offer", "price": dict(view.facts)["price"]}
        facts |= {"@type": "Product", "name": view.title, "offers": offer}
    else:
        facts |= {"@type": "Article", "headline": view.title, "author": {"@type": "Person", "name": view.byline.author}}
        facts["datePublished"] = moment(view.byline.published).isoformat()
        facts["dateModified"] = moment(view.byline.modified).isoformat()
    written = json.dumps(facts, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{written}</script>'


# ---- content ------------------------------------------------------------------------------------------------------


def _article(world: World, site: Site, view: View, dress: Dress) -> str:
    words = WORDS[site.spec.language]
    parts = [dress.put("title", _text(view.title))]
    if view.byline:
        date = written_date(site.spec.language, view.byline.published)
        parts.append(dress.put("byline", f"{words['by']} {view.byline.author} · {date}"))
    if view.image:
        parts.append(dress.put("image", f'<img src="{view.image}" alt="" width="480" height="270">'))
    if view.facts:
        parts.append(dress.put("facts", " ".join(f"<span>{value}</span>" for _, value in view.facts)))
    parts.append(dress.put("text", "\n" + _passages(view, dress)))
    if view.records:
        parts.append(_records(view.records, dress))
    if site.spec.has("print") and view.place.item:
        address = href(world, site, f"/print/{view.place.item.number}")
        parts.append(f'<p><a href="{address}" rel="nofollow">{words["print"]}</a></p>')
    return dress.put("article", "\n".join(parts)) + "\n" + "".join(_after(site, view, dress))


def _after(site: Site, view: View, dress: Dress) -> Iterable[str]:
    """What follows an article: comments, related pages, links to other sites."""
    words = WORDS[site.spec.language]
    if view.comments:
        shown = "".join(_comment(comment, site.spec.language, dress) for comment in view.comments)
        yield dress.put("comments", f"<h2>{words['comments']} ({len(view.comments)})</h2>\n{shown}") + "\n"
    for part, references in (("related", view.related), ("elsewhere", view.elsewhere)):
        if references:
            yield dress.put(part, f"<h3>{words[part]}</h3>{list_of_links(references)}") + "\n"


def _comment(comment: Comment, language: str, dress: Dress) -> str:
    by = f"{dress.put('commenter', comment.author)} {written_date(language, comment.at)}"
    return dress.put("comment", f"{by}<p>{_text(comment.text)}</p>") + "\n"


def _listing(site: Site, view: View, dress: Dress) -> str:
    records = _records(view.records, dress) if view.records else ""
    pager = dress.put("pager", links(view.pager)) if view.pager else ""
    after = "".join(_after(site, view, dress))
    return f"{dress.put('title', _text(view.title))}\n{_passages(view, dress)}{records}{pager}\n{after}"


def _records(records: Iterable[Record], dress: Dress) -> str:
    rows = [dress.put("record", _fields(record, dress)) for record in records]
    return dress.put("list", "\n".join(rows)) + "\n"


def _fields(record: Record, dress: Dress) -> str:
    parts = []
    for field in dress.order:
        value = record.get(field)
        if value is None:
            continue
        shown = _text(value)
        if field == "image":
            shown = f'<img src="{value}" alt="" width="120" height="90">'
        elif field == "title" and "link" in record:
            shown = f'<a href="{escape(record["link"])}">{shown}</a>'
        parts.append(dress.put(f"row_{field}", shown))
    return "".join(parts)


def _passages(view: View, dress: Dress) -> str:
    return "".join(_passage(passage, dress) for passage in view.passages)


def _passage(passage: Passage, dress: Dress) -> str:
    if passage.kind == "p":
        return dress.paragraph[0] + _linked(passage) + dress.paragraph[1]
    if passage.kind == "lead":
        return f"{dress.paragraph[0]}<b>{_text(passage.text)}</b>{dress.paragraph[1]}"
    if passage.kind == "table":
        return f"<table>{''.join(map(_table_row, passage.text.splitlines()))}</table>\n"
    if passage.kind == "list":
        return f"<ul>{''.join(f'<li>{_text(line)}</li>' for line in passage.text.splitlines())}</ul>\n"
    before, after = _AROUND[passage.kind]
    return before + _text(passage.text) + after


_AROUND = {
    "quote": ("<blockquote>", "</blockquote>\n"),
    "code": ("<pre><code>", "</code></pre>\n"),
    "h2": ("<h2>", "</h2>\n"),
}


def _table_row(line: str) -> str:
    name, value = line.split("\t")
    return f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>"


def _linked(passage: Passage) -> str:
    text = _text(passage.text)
    if passage.link:
        words = _text(passage.link.words)
        return text.replace(words, f'<a href="{escape(passage.link.href)}">{words}</a>', 1)
    first, _, rest = text.partition(" ")
    second, _, rest = rest.partition(" ")
    return f"{first} <em>{second}</em> {rest}" if rest and len(text) % _EMPHASISED == 0 else text
