"""robots.txt files that are missing, late, broken or tricky."""

from __future__ import annotations

import gzip
import itertools

from hostile.answers import hang, head, page, redirect, stream, text
from hostile.bombs import gzip_bomb
from hostile.pages import article
from hostile.server import Handler
from hostile.stage import Cases, Expected, Stage

case = Cases()

RULE = "User-agent: *\nDisallow: /x\n"


def _with(stage: Stage, robots: Handler) -> Stage:
    stage.host.on("/robots.txt", robots)
    stage.x(page(article("Page that robots.txt decides about")))
    return stage


def _allows(stage: Stage, robots: Handler) -> Expected:
    _with(stage, robots)
    return Expected(read=("/x",))


def _forbids(stage: Stage, robots: Handler) -> Expected:
    _with(stage, robots)
    return Expected(unasked=("/x",))


def _shuts(stage: Stage, robots: Handler) -> Expected:
    """Unreachable means disallowed: nothing but robots.txt is asked for."""
    _with(stage, robots)
    return Expected(controls=0, unasked=("/", "/x", "/control-1"), at_most={"/robots.txt": 8})


@case("robots-404")
def robots_404(stage: Stage) -> Expected:
    """There is none."""
    return _allows(stage, page(article("Not found"), status="404 Not Found"))


@case("robots-403")
def robots_403(stage: Stage) -> Expected:
    """It may not be read, which counts as if there were none (RFC 9309, 2.3.1.3)."""
    return _allows(stage, page(article("Forbidden"), status="403 Forbidden"))


@case("robots-empty")
def robots_empty(stage: Stage) -> Expected:
    """An empty file."""
    return _allows(stage, text(""))


@case("robots-html")
def robots_html(stage: Stage) -> Expected:
    """A page of HTML in its place."""
    return _allows(stage, page(article("Welcome to our site", ["/x"])))


@case("robots-429")
def robots_429(stage: Stage) -> Expected:
    """429 with Retry-After."""
    return _shuts(stage, page("", "Retry-After: 2", status="429 Too Many Requests"))


@case("robots-500")
def robots_500(stage: Stage) -> Expected:
    """The server fails whenever it is asked."""
    return _shuts(stage, page(article("Oh dear"), status="500 Internal Server Error"))


@case("robots-hang")
def robots_hang(stage: Stage) -> Expected:
    """It never answers."""
    return _shuts(stage, hang)


@case("robots-cr")
def robots_cr(stage: Stage) -> Expected:
    """Lines are ended by carriage return only."""
    return _forbids(stage, text(RULE.replace("\n", "\r")))


@case("robots-bom")
def robots_bom(stage: Stage) -> Expected:
    """A byte order mark stands before the first line."""
    return _forbids(stage, text(RULE.encode("utf-8-sig")))


@case("robots-junk")
def robots_junk(stage: Stage) -> Expected:
    """Binary junk, NULs and an endless line stand around the rule."""
    return _forbids(stage, text(b"\x00\xff\xfe" * 99 + b"\n" + RULE.encode() + b"Disallow: \x00\n" + b"z" * 100_000))


@case("robots-octet")
def robots_octet(stage: Stage) -> Expected:
    """Served as application/octet-stream."""
    return _forbids(stage, page(RULE, "Content-Type: application/octet-stream"))


@case("robots-redirect-5")
def robots_redirect_5(stage: Stage) -> Expected:
    """Five redirects, then the file."""
    for number in range(1, 5):
        stage.host.on(f"/robots-{number}", redirect(f"/robots-{number + 1}"))
    stage.host.on("/robots-5", text(RULE))
    return _forbids(stage, redirect("/robots-1", status="301 Moved Permanently"))


@case("robots-redirect-loop")
def robots_redirect_loop(stage: Stage) -> Expected:
    """It redirects to itself."""
    _with(stage, redirect("/robots.txt"))
    return Expected(controls=0, at_most={"/robots.txt": 40})


@case("robots-huge-late")
def robots_huge_late(stage: Stage) -> Expected:
    """The rule stands 400 KiB into the file."""
    return _forbids(stage, text("User-agent: *\n" + "Disallow: /other\n" * (400 * 1024 // 17) + "Disallow: /x\n"))


@case("robots-endless")
def robots_endless(stage: Stage) -> Expected:
    """The file never ends; the rule stands first."""
    endless = stream(lambda: itertools.chain([head() + RULE.encode()], itertools.repeat(b"Disallow: /other\n" * 4_000)))
    _with(stage, endless)
    return Expected(controls=0, unasked=("/x",), memory_mb=400)


@case("robots-redos")
def robots_redos(stage: Stage) -> Expected:
    """A pattern of many stars against a path of 2,000 letters."""
    path = "/" + "a" * 2_000
    stage.links = ("/x", path)
    stage.host.on(path, page(article("Page with a long path")))
    return _forbids(stage, text(f"User-agent: *\nDisallow: /{'*a' * 300}*b$\nDisallow: /x\n"))


@case("robots-groups-merge")
def robots_groups_merge(stage: Stage) -> Expected:
    """Two groups for the same agent; the second disallows the page."""
    return _forbids(stage, text("User-agent: *\nDisallow: /y\n\nUser-agent: other\nAllow: /\n\n" + RULE))


@case("robots-own-group")
def robots_own_group(stage: Stage) -> Expected:
    """A group for this very crawler counts, and the one for all others does not."""
    return _forbids(stage, text("User-agent: *\nDisallow: /control-1\n\nUser-Agent: HAENYEO\nDisallow: /x\n"))


@case("robots-gzip")
def robots_gzip(stage: Stage) -> Expected:
    """Packed with gzip."""
    return _forbids(stage, page(gzip.compress(RULE.encode()), "Content-Type: text/plain", "Content-Encoding: gzip"))


@case("robots-bomb")
def robots_bomb(stage: Stage) -> Expected:
    """Packed, it is 1 MB; unpacked, 1 GB without a rule."""
    _with(stage, page(gzip_bomb(), "Content-Type: text/plain", "Content-Encoding: gzip"))
    return Expected(controls=0, memory_mb=500)


@case("robots-crawl-delay-bad")
def robots_crawl_delay_bad(stage: Stage) -> Expected:
    """Crawl-delays that are no number of seconds."""
    delays = "".join(f"Crawl-delay: {value}\n" for value in ("nan", "inf", "-5", "1e400", "soon"))
    return _allows(stage, text(f"User-agent: *\n{delays}Disallow:\n"))


@case("robots-meta-nofollow")
def robots_meta_nofollow(stage: Stage) -> Expected:
    """A page that asks not to be indexed and its links not to be followed."""
    tag = '<meta name="robots" content="noindex, nofollow">'
    stage.x(page(article("Page that wants to be left alone", ["/hidden"], extra_head=tag)))
    stage.host.on("/hidden", page(article("Page behind it")))
    return Expected(unasked=("/hidden",))


@case("robots-header-nofollow")
def robots_header_nofollow(stage: Stage) -> Expected:
    """The same said in a header."""
    stage.x(page(article("Page that wants to be left alone", ["/hidden"]), "X-Robots-Tag: noindex, nofollow"))
    stage.host.on("/hidden", page(article("Page behind it")))
    return Expected(unasked=("/hidden",))
