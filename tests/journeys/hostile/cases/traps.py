"""Endless spaces of worthless pages, with thirty real pages on a tree beside them and a budget of 150 pages."""

from __future__ import annotations

import random
import time

from hostile.answers import page
from hostile.pages import article, prose
from hostile.server import Request, Wire
from hostile.stage import Cases, Expected, Stage

case = Cases()

BUDGET = 150
CHILDREN = {0: range(1, 6), **{parent: range(5 * parent + 1, min(5 * parent + 6, 30)) for parent in range(1, 6)}}
REAL = tuple(f"/real/{number}" for number in range(30))


def _beside_real_pages(stage: Stage, *entrances: str) -> Expected:
    """Thirty real pages, three links deep, hang beside the trap's entrances."""
    stage.pages = BUDGET
    stage.links = (*entrances, REAL[0])
    for number, path in enumerate(REAL):
        links = [REAL[child] for child in CHILDREN.get(number, ())]
        stage.host.on(path, page(article(f"Real page {number} about the divers", links)))
    return Expected(controls=1, read=REAL)


@case("trap-calendar")
def trap_calendar(stage: Stage) -> Expected:
    """A calendar with thirty new links on every page, for ever."""

    async def month(wire: Wire, request: Request) -> None:
        year, number = (int(part) for part in request.path.split("/")[2:4])
        later = [divmod(12 * year + number - 1 + step, 12) for step in range(1, 31)]
        links = [f"/calendar/{y}/{m + 1:02}" for y, m in later]
        body = article(f"Calendar {year}-{number:02}", links, text=f"No events in month {number} of {year}.")
        await page(body.replace(prose(f"Calendar {year}-{number:02} again"), ""))(wire, request)

    stage.host.on("/calendar/*", month)
    return _beside_real_pages(stage, "/calendar/2024/01")


@case("trap-session-path")
def trap_session_path(stage: Stage) -> Expected:
    """Every link carries a new session number in its path; ten pages stand behind them."""
    chance = random.Random("session")

    def fresh(number: int) -> str:
        return f"/s/{chance.randbytes(16).hex()}/item/{number}"

    async def item(wire: Wire, request: Request) -> None:
        number = request.path.rpartition("/")[2]
        await page(article(f"Item {number} of a shop", [fresh(other) for other in range(10)]))(wire, request)

    stage.host.on("/s/*", item)
    expected = _beside_real_pages(stage, fresh(0))
    expected.at_most["/s/*"] = 60
    return expected


@case("trap-neardup")
def trap_neardup(stage: Stage) -> Expected:
    """Endless pages that differ only in a time stamp."""
    chance = random.Random("stamp")

    async def stamped(wire: Wire, request: Request) -> None:
        links = [f"/now/{chance.randrange(10**9)}" for _ in range(6)]
        text = f"{prose('the same')} Page made at {time.time_ns()}."
        await page(article("Weather over the reef", links, text=text))(wire, request)

    stage.host.on("/now/*", stamped)
    return _beside_real_pages(stage, "/now/1")


@case("trap-deep-chain")
def trap_deep_chain(stage: Stage) -> Expected:
    """An endless chain of empty pages, each linking to the next three."""

    async def empty(wire: Wire, request: Request) -> None:
        number = int(request.path.rpartition("/")[2])
        links = " ".join(f'<a href="/deep/{number + step}">on</a>' for step in range(1, 4))
        await page(f"<title>{number}</title>{links}")(wire, request)

    stage.host.on("/deep/*", empty)
    return _beside_real_pages(stage, "/deep/1")


@case("trap-facets")
def trap_facets(stage: Stage) -> Expected:
    """A list that can be sorted and filtered in ever new combinations of query parameters."""
    chance = random.Random("facets")

    async def listing(wire: Wire, request: Request) -> None:
        query = request.target.partition("?")[2]
        links = [f"/list?{query}&{key}={chance.randrange(50)}" for key in ("sort", "size", "colour", "page", "view")]
        await page(article("List of all shells", links, text=prose("list")))(wire, request)

    stage.host.on("/list", listing)
    return _beside_real_pages(stage, "/list?sort=1", "/list?colour=2")


@case("trap-repeating-path")
def trap_repeating_path(stage: Stage) -> Expected:
    """Every address under a folder answers with a page of relative links, so that paths grow for ever."""
    body = article("Page that is everywhere", ["reef/index/", "shell/index/", "reef/shell/"])
    stage.host.on("/folder/*", page(body))
    return _beside_real_pages(stage, "/folder/reef/")


@case("trap-maze")
def trap_maze(stage: Stage) -> Expected:
    """Endless pages of made-up text, none like another, each linking to ten more."""
    chance = random.Random("maze")

    async def room(wire: Wire, request: Request) -> None:
        links = [f"/maze/{chance.randrange(10**6)}/{chance.randrange(10**6)}" for _ in range(10)]
        words = " ".join("".join(chance.choices("abdeiklmnorstu", k=6)) for _ in range(200))
        await page(article(f"Room {chance.random()}", links, text=words))(wire, request)

    stage.host.on("/maze/*", room)
    return _beside_real_pages(stage, "/maze/1/1")


@case("trap-subdomains")
def trap_subdomains(stage: Stage) -> Expected:
    """Every page links to hosts of ever new names under one domain."""
    stage.live_at("127.0.0.1", "trap.localhost")
    chance = random.Random("names")

    async def any_name(wire: Wire, request: Request) -> None:
        names = (f"n{chance.randrange(10**9)}.trap.localhost" for _ in range(10))
        links = [stage.host.url("/welcome", name) for name in names]
        await page(article("Welcome to our domain", links, text=prose("welcome")))(wire, request)

    stage.host.on("/welcome", any_name)
    expected = _beside_real_pages(stage, "/welcome")
    stage.scope = ("*.localhost",)
    return expected
