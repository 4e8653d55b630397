"""The dress of a site: which tags and class names stand for each part of a page, and in which order they come.

A dress follows from the seed, the site and the number of its redesigns. A "small" redesign adds a box to every page,
"names" gives every part another class name, "full" also changes tags, nesting and order. The content is the same in
every dress.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from haenyeo.demo.chance import Chance, number
from haenyeo.demo.pages.looks import stylesheet
from haenyeo.demo.world.spec import SiteSpec

# part: tag in semantic markup, tag in div soup, class names to choose from
_PARTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "page": ("div", "div", ("page", "wrapper", "site", "container", "outer")),
    "header": ("header", "div", ("header", "masthead", "top", "head-area", "banner-top")),
    "brand": ("p", "div", ("brand", "logo", "site-name", "sitetitle", "mark")),
    "nav": ("nav", "div", ("nav", "menu", "main-menu", "gnb", "topics")),
    "crumbs": ("nav", "div", ("breadcrumb", "path", "trail", "location", "where")),
    "columns": ("div", "div", ("columns", "content", "layout", "body-area", "row")),
    "main": ("main", "div", ("main", "primary", "center", "col-main", "left-area")),
    "article": ("article", "div", ("article", "post", "story", "entry", "view")),
    "title": ("h1", "h1", ("title", "headline", "post-title", "subject", "tit")),
    "byline": ("p", "div", ("byline", "meta", "info", "post-meta", "dateline")),
    "facts": ("p", "div", ("facts", "buy", "offer", "deal", "price-box")),
    "image": ("figure", "div", ("figure", "photo", "picture", "img-area", "visual")),
    "text": ("div", "div", ("text", "article-body", "entry-content", "story-text", "view-cont")),
    "side": ("aside", "div", ("sidebar", "aside", "secondary", "col-side", "right-area")),
    "box": ("section", "div", ("box", "widget", "panel", "module", "card")),
    "promo": ("div", "div", ("promo", "newsletter", "teaser", "campaign", "invite")),
    "related": ("section", "div", ("related", "more", "see-also", "others", "next-reads")),
    "elsewhere": ("section", "div", ("elsewhere", "external", "web-links", "sources", "outside")),
    "comments": ("section", "div", ("comments", "replies", "responses", "discussion", "reply-list")),
    "comment": ("div", "div", ("comment", "reply", "response", "answer", "cmt")),
    "commenter": ("b", "span", ("commenter", "who", "user", "nick", "writer")),
    "ad": ("aside", "div", ("ad", "sponsored", "banner", "advert", "adsbox")),
    "cookie": ("div", "div", ("cookie", "consent", "cookie-bar", "gdpr", "notice")),
    "footer": ("footer", "div", ("footer", "colophon", "bottom", "foot-area", "copyright")),
    "list": ("ul", "div", ("list", "items", "results", "feed", "board")),
    "record": ("li", "div", ("record", "item", "result", "row-item", "unit")),
    "row_title": ("h2", "div", ("item-title", "name", "row-title", "subject-line", "caption")),
    "row_price": ("b", "span", ("price", "cost", "amount", "won", "tag")),
    "row_date": ("time", "span", ("date", "when", "day", "posted", "stamp")),
    "row_rating": ("span", "span", ("rating", "stars", "score", "grade", "points")),
    "row_author": ("span", "span", ("author", "by", "from", "nickname", "pen")),
    "row_replies": ("span", "em", ("replies-count", "count", "num", "answers", "re")),
    "row_summary": ("p", "div", ("summary", "snippet", "excerpt", "desc", "lede")),
    "row_image": ("figure", "div", ("thumb", "cover", "pic", "shot", "photo-cell")),
    "row_time": ("time", "span", ("time", "clock", "hour", "at", "moment")),
    "row_height": ("span", "span", ("height", "level", "metres", "rise", "mark-cell")),
    "row_platform": ("span", "span", ("platform", "track", "gate", "line-no", "pl")),
    "pager": ("nav", "div", ("pager", "pagination", "pages", "paging", "page-links")),
}
_RECORD_ORDERS = (
    ("image", "title", "price", "rating", "date", "author", "replies", "summary", "time", "height", "platform"),
    ("title", "date", "author", "replies", "image", "summary", "rating", "price", "time", "height", "platform"),
    ("date", "time", "title", "image", "summary", "author", "height", "platform", "price", "replies", "rating"),
)
_LISTS = (("ul", "li"), ("div", "article"), ("ol", "li"), ("div", "div"), ("table", "tr"))


class Dress(NamedTuple):
    """One layout of one site; `opening` and `closing` have the tags around each part."""

    opening: dict[str, str]
    closing: dict[str, str]
    style: str
    order: tuple[str, ...]
    side_first: bool
    tables: bool
    promo: bool
    paragraph: tuple[str, str]

    def put(self, part: str, content: str) -> str:
        """The content inside the tags of a part."""
        return f"{self.opening[part]}{content}{self.closing[part]}"


def make_dress(seed: int, spec: SiteSpec, layout: int) -> Dress:
    """The dress a site wears after this many redesigns."""
    grades = [grade for _, grade in spec.redesigns[:layout]]
    full, renamed = grades.count("full"), len(grades) - grades.count("small")
    turn = number(seed, spec.host) % 7
    names = _names(seed, spec, renamed, turn)
    tables = spec.markup == "tables" and not full
    semantic = (spec.markup == "semantic") != (full % 2 == 1) and not tables
    around = _tags(names, Chance(seed, spec.host, "shape", full), _LISTS[(turn + full) % len(_LISTS)], semantic)
    if tables:
        around |= {part: ("<TD>", "</TD>") for part in _PARTS if part.startswith("row_")} | _TABLE_TAGS
    style = "" if tables else stylesheet(seed, spec.host, full, _selectors(names, semantic))
    return Dress(
        opening={part: tags[0] for part, tags in around.items()},
        closing={part: tags[1] for part, tags in around.items()},
        style=style,
        order=_RECORD_ORDERS[(turn + full) % len(_RECORD_ORDERS)],
        side_first=(turn + full) % 2 == 1,
        tables=tables,
        promo="small" in grades,
        paragraph=_PARAGRAPHS[(turn + full) % len(_PARAGRAPHS)],
    )


_WRAPPABLE = {"header", "columns", "main", "article", "text", "side", "list", "comments", "footer"}
_PARAGRAPHS = (("<p>", "</p>\n"), ("<p>", "</p>\n"), ("", "<br><br>\n"), ("<p>", "</p>\n"), ("<div>", "</div>\n"))
_TABLE_TAGS = {
    "header": ("<TABLE WIDTH=100% BGCOLOR=#336699><TR><TD>", "</TD></TR></TABLE>"),
    "brand": ("<FONT SIZE=6 COLOR=white><B>", "</B></FONT>"),
    "columns": ("<TABLE WIDTH=100% CELLPADDING=8><TR>", "</TR></TABLE>"),
    "side": ("<TD WIDTH=180 VALIGN=top BGCOLOR=#eeeecc>", "</TD>"),
    "main": ("<TD VALIGN=top>", "</TD>"),
    "title": ("<CENTER><FONT SIZE=5><B>", "</B></FONT></CENTER><HR>"),
    "byline": ("<P><I>", "</I></P>"),
    "text": ('<FONT FACE="Times New Roman">', "</FONT>"),
    "box": ("<P>", "</P>"),
    "list": ("<TABLE BORDER=1>", "</TABLE>"),
    "record": ("<TR>", "</TR>"),
    "footer": ("<HR><CENTER><FONT SIZE=2>", "</FONT></CENTER>"),
}


def _tags(names: dict[str, str], shape: Chance, lists: tuple[str, str], semantic: bool) -> dict[str, tuple[str, str]]:  # noqa: FBT001
    """The tags before and after each part; `lists` are those of a list and its records."""
    around = {}
    for part, (new, old, _) in _PARTS.items():
        tag = {"list": lists[0], "record": lists[1]}.get(part, new if semantic else old)
        if lists[1] == "tr" and part.startswith("row_"):
            tag = "td"
        wrapped = part in _WRAPPABLE and shape.happens(0.4)
        before, after = ("<div>", "</div>") if wrapped else ("", "")
        around[part] = (f"{before}<{tag}{_attribute(names[part], semantic, part)}>", f"</{tag}>{after}")
    return around


def _names(seed: int, spec: SiteSpec, renamed: int, turn: int) -> dict[str, str]:
    """The class name of each part; every renaming takes the next of its names, so that none stays."""
    names = {}
    for part, (_, _, choices) in _PARTS.items():
        plain = choices[(turn + renamed + number(spec.host, part)) % len(choices)]
        names[part] = _named(plain, spec, renamed, number(seed, spec.host, part, renamed))
    return names


def _named(plain: str, spec: SiteSpec, renamed: int, salt: int) -> str:
    words = plain.split("-")
    return {
        "kebab": plain,
        "bem": f"{'cuvwx'[renamed % 5]}-{words[0]}__{'-'.join(words[1:]) or 'root'}",
        "snake": "_".join(words) + ("", "_wrap", "2")[renamed % 3],
        "camel": words[0] + "".join(map(str.capitalize, words[1:])),
        "hashed": f"css-{_digits(salt)[:6]} e{_digits(salt >> 32)[:5]}0",
        "terse": f"{'_'.join(word[:3] for word in words)}{salt % 9 + 1}",
        "none": "",
    }[spec.naming]


def _digits(value: int) -> str:
    letters = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while value or len(text) < len("abcdef"):
        value, rest = divmod(value, len(letters))
        text += letters[rest]
    return text


def _attribute(name: str, semantic: bool, part: str) -> str:  # noqa: FBT001 - which of two ways of writing pages
    if not name:
        return ""
    return f' id="{name}"' if part in {"page", "footer"} and not semantic and " " not in name else f' class="{name}"'


def _selectors(names: dict[str, str], semantic: bool) -> dict[str, str]:  # noqa: FBT001 - which of two ways of writing pages
    """How the stylesheet finds each part."""
    selectors = {}
    for part, name in names.items():
        if not name:
            selectors[part] = _PARTS[part][0 if semantic else 1] if part in _FOUND_BY_TAG and semantic else ""
        elif _attribute(name, semantic, part).startswith(" id"):
            selectors[part] = f"#{name}"
        else:
            selectors[part] = "." + name.split()[0]
    return selectors


_FOUND_BY_TAG: Sequence[str] = ("header", "nav", "main", "side", "footer", "title")
