"""What machines read: robots.txt, sitemaps, feeds, and the pictures of pages."""

from __future__ import annotations

import gzip
from email.utils import format_datetime
from xml.sax.saxutils import escape

from haenyeo.demo.chance import Chance
from haenyeo.demo.clock import moment
from haenyeo.demo.world.site import Site, SitePlace
from haenyeo.demo.world.versions import last_change
from haenyeo.demo.world.world import World

_FEED_LENGTH = 20
_SITEMAP_PART = 40
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def disallowed(site: Site) -> list[str]:
    """The paths robots.txt closes; a `*` stands for anything."""
    closed = {"print": "/print/", "members": "/members/", "facets": "/*sort="}
    return ["/admin/", *(path for trait, path in closed.items() if site.spec.has(trait))]


def allowed(site: Site, path: str) -> bool:
    """Whether the site's robots.txt lets a crawler in."""
    for rule in disallowed(site):
        before, star, after = rule.partition("*")
        if path.startswith(before) and (not star or after in path):
            return False
    return True


def robots(world: World, site: Site) -> str:
    """The site's robots.txt."""
    lines = ["# Be kind.", "User-agent: *", *(f"Disallow: {path}" for path in disallowed(site))]
    if site.spec.has("crawl-delay"):
        lines.append("Crawl-delay: 1")
    lines += ["", "User-agent: GreedyBot", "Disallow: /"]
    if site.spec.has("sitemap") or site.spec.has("sitemap-index"):
        lines += ["", f"Sitemap: {world.origin(site.spec.host)}/sitemap.xml"]
    return "\n".join(lines) + "\n"


def sitemap(world: World, site: Site, now: float) -> str:
    """The sitemap, or for a site with many the index of its compressed parts."""
    if site.spec.has("sitemap-index"):
        parts = -(-len(_mapped(site, now)) // _SITEMAP_PART)
        origin = world.origin(site.spec.host)
        rows = (f"<sitemap><loc>{origin}/sitemap-{part}.xml.gz</loc></sitemap>" for part in range(1, parts + 1))
        return f"{_XML}<sitemapindex {_NAMESPACE}>\n" + "\n".join(rows) + "\n</sitemapindex>\n"
    return _urlset(world, site, _mapped(site, now), now)


def sitemap_part(world: World, site: Site, part: int, now: float) -> bytes | None:
    """One compressed part of the sitemap, if there is such a part."""
    places = _mapped(site, now)[(part - 1) * _SITEMAP_PART : part * _SITEMAP_PART] if part > 0 else []
    return gzip.compress(_urlset(world, site, places, now).encode(), mtime=0) if places else None


def _mapped(site: Site, now: float) -> list[SitePlace]:
    return [place for place in site.places(now) if allowed(site, place.path)]


def _urlset(world: World, site: Site, places: list[SitePlace], now: float) -> str:
    origin = world.origin(site.spec.host)
    rows = (
        f"<url><loc>{escape(origin + place.path)}</loc>"
        f"<lastmod>{moment(last_change(site, place, now)):%Y-%m-%dT%H:%M:%SZ}</lastmod></url>"
        for place in places
    )
    return f"{_XML}<urlset {_NAMESPACE}>\n" + "\n".join(rows) + "\n</urlset>\n"


def feed(world: World, site: Site, now: float) -> str:
    """The newest items as RSS 2.0 or Atom, whichever the site has."""
    return _rss(world, site, now) if site.spec.has("rss") else _atom(world, site, now)


def _rss(world: World, site: Site, now: float) -> str:
    origin = world.origin(site.spec.host)
    rows = (
        f"<item><title>{escape(item.title)}</title><link>{escape(origin + item.path_at(now))}</link>"
        f"<description>{escape(item.summary)}</description><pubDate>{format_datetime(moment(item.born))}</pubDate></item>"
        for item in site.shelf(now)[:_FEED_LENGTH]
    )
    return (
        f'{_XML}<rss version="2.0"><channel><title>{escape(site.spec.name)}</title><link>{origin}/</link>'
        f"<description>{escape(site.spec.name)}</description>\n" + "\n".join(rows) + "\n</channel></rss>\n"
    )


def _atom(world: World, site: Site, now: float) -> str:
    origin = world.origin(site.spec.host)
    rows = []
    for item in site.shelf(now)[:_FEED_LENGTH]:
        address = escape(origin + item.path_at(now), {'"': "&quot;"})
        edited = moment(item.edits.last(now) or item.born).isoformat()
        rows.append(
            f'<entry><title>{escape(item.title)}</title><link href="{address}"/><id>{address}</id>'
            f"<updated>{edited}</updated><summary>{escape(item.summary)}</summary></entry>"
        )
    updated = moment(site.last_event(now)).isoformat()
    return (
        f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom"><title>{escape(site.spec.name)}</title><id>{origin}/</id>'
        f"<updated>{updated}</updated>\n" + "\n".join(rows) + "\n</feed>\n"
    )


def picture(seed: int, name: str) -> str:
    """A small landscape in two colours, as SVG, different for each name."""
    chance = Chance(seed, "picture", name)
    hue, height = chance.below(360), 120 + chance.below(90)
    wave = " ".join(f"{x},{height + chance.below(40)}" for x in range(0, 481, 60))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 270">'
        f'<rect width="480" height="270" fill="hsl({hue},45%,82%)"/>'
        f'<circle cx="{60 + chance.below(360)}" cy="70" r="30" fill="#fff8"/>'
        f'<polygon points="0,270 {wave} 480,270" fill="hsl({(hue + 30) % 360},40%,45%)"/></svg>'
    )
