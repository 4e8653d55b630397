"""What surrounds the content of a page: header, navigation, sidebar, advertisements, cookie banner, footer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from html import escape
from typing import NamedTuple

from haenyeo.demo.chance import Chance
from haenyeo.demo.clock import HOUR
from haenyeo.demo.pages.dress import Dress
from haenyeo.demo.world.site import Site
from haenyeo.demo.world.views import href, label_of
from haenyeo.demo.world.world import World, WrittenLink

WORDS = {
    "en": {
        "most_read": "Most read",
        "latest": "Latest",
        "about": "About us",
        "today": "Today",
        "calendar": "Calendar",
        "cookie": "We use cookies to make this site better for you. By going on you accept them.",
        "accept": "Accept all",
        "rights": "All rights reserved. No part of this page may be copied without permission.",
        "search": "Search",
        "promo": "Our letter comes every Friday. Read it before everybody else.",
        "ad": "Advertisement",
        "related": "You may also like",
        "elsewhere": "Elsewhere on the web",
        "comments": "Comments",
        "by": "By",
        "print": "Print this page",
        "counter": "You are visitor no.",
        "archive": "Number of pages:",
    },
    "ko": {
        "most_read": "많이 본 글",
        "latest": "새 글",
        "about": "소개",
        "today": "오늘",
        "calendar": "달력",
        "cookie": "더 나은 서비스를 위해 쿠키를 사용합니다. 계속 이용하면 동의한 것으로 봅니다.",
        "accept": "모두 동의",
        "rights": "무단 전재와 재배포를 금합니다. 모든 권리는 글쓴이에게 있습니다.",
        "search": "검색",
        "promo": "금요일마다 편지를 보내 드립니다. 누구보다 먼저 읽어 보세요.",
        "ad": "광고",
        "related": "함께 읽을 글",
        "elsewhere": "다른 누리집",
        "comments": "댓글",
        "by": "글",
        "print": "인쇄하기",
        "counter": "방문자 수",
        "archive": "전체 글 수",
    },
}
"""What the sites' own buttons and headings say."""

_MOST_READ, _LATEST, _IN_FASHION = 6, 5, 40
_VISITORS = 41207
_FIRST_MONTH = "/calendar/2026/01/"


class Shell(NamedTuple):
    """The page around the content: before the crumbs and the main column, and after it."""

    top: str
    before: str
    after: str
    bottom: str


def shell_key(site: Site, now: float) -> Hashable:
    """What decides about the shell besides the dress: it is the same as long as this is."""
    return _period(site, now), site.count(now) if site.spec.has("latest") else 0


def make_shell(world: World, site: Site, dress: Dress, now: float) -> Shell:
    """The shell of all pages of a site at a time."""
    opening, closing = dress.opening, dress.closing
    side = dress.put("side", _side(world, site, dress, now))
    before = opening["columns"] + (side if dress.side_first else "") + opening["main"]
    after = closing["main"] + ("" if dress.side_first else side) + closing["columns"]
    return Shell(_top(world, site, dress), before, after, _bottom(world, site, dress, now))


def links(references: Iterable[WrittenLink]) -> str:
    """References as links, one a line."""
    return "\n".join(
        f'<a href="{escape(reference.href)}">{escape(reference.words, quote=False)}</a>' for reference in references
    )


def list_of_links(references: Iterable[WrittenLink]) -> str:
    """References as an unordered list."""
    rows = (
        f'<li><a href="{escape(reference.href)}">{escape(reference.words, quote=False)}</a></li>'
        for reference in references
    )
    return "<ul>" + "".join(rows) + "</ul>"


def _top(world: World, site: Site, dress: Dress) -> str:
    words = WORDS[site.spec.language]
    paths = [(label_of(site, topic), site.addresses.listing(topic, 1)) for topic in site.topics()]
    if site.spec.has("table"):
        paths.append((words["today"], "/today"))
    if site.spec.has("calendar"):
        paths.append((words["calendar"], _FIRST_MONTH))
    paths.append((words["about"], "/about"))
    menu = dress.put("nav", links(WrittenLink(label, href(world, site, path)) for label, path in paths))
    brand = dress.put("brand", links([WrittenLink(site.spec.name, href(world, site, "/"))]))
    cookie = dress.put("cookie", f"{words['cookie']} <button>{words['accept']}</button>")
    form = f'<form action="/search"><input name="q"> <button>{words["search"]}</button></form>'
    header = dress.put("header", brand + menu + (form if site.spec.has("search") else ""))
    return f"{cookie if site.spec.has('cookie') else ''}{dress.opening['page']}\n{header}\n"


def _side(world: World, site: Site, dress: Dress, now: float) -> str:
    words = WORDS[site.spec.language]
    parts = [dress.put("promo", words["promo"])] if dress.promo else []
    if site.spec.noise:
        parts.append(dress.put("box", f"<h3>{words['most_read']}</h3>{list_of_links(_most_read(world, site, now))}"))
    if site.spec.has("latest"):
        newest = [WrittenLink(item.title, href(world, site, item.path)) for item in site.shelf(now)[:_LATEST]]
        parts.append(dress.put("box", f"<h3>{words['latest']}</h3>{list_of_links(newest)}"))
    if site.spec.has("ads"):
        offers = world.advertisements(site.spec.host, _period(site, now))
        parts.append(dress.put("ad", f"<small>{words['ad']}</small>{list_of_links(offers)}"))
    return "\n".join(parts or [dress.put("box", f"{words['archive']} {site.spec.items}")])


def _period(site: Site, now: float) -> int:
    """How many times what changes by itself has changed."""
    return int(now // (site.spec.noise * HOUR)) if site.spec.noise else 0


def _most_read(world: World, site: Site, now: float) -> list[WrittenLink]:
    """Items that are in fashion for the time being."""
    period = _period(site, now)
    recent = site.shelf(period * site.spec.noise * HOUR)[:_IN_FASHION]
    chosen = Chance(site.seed, site.spec.host, "most read", period).some(recent, _MOST_READ)
    return [WrittenLink(item.title, href(world, site, item.path)) for item in chosen]


def _bottom(world: World, site: Site, dress: Dress, now: float) -> str:
    words = WORDS[site.spec.language]
    counter = f"<br>{words['counter']} {_VISITORS + 3 * _period(site, now)}" if dress.tables else ""
    friends = Chance(site.seed, site.spec.host, "friends").some(world.fronts(), 3)
    name = escape(site.spec.name, quote=False)
    footer = dress.put("footer", f"© 2026 {name}. {words['rights']} {links(friends)}{counter}")
    return f"\n{footer}{dress.closing['page']}</body></html>\n"
