"""Little worlds, crawled breadth first with seen set, frontier and traps joined as a crawl joins them."""

import random
from collections.abc import Callable, Iterable
from itertools import accumulate

import pytest

from haenyeo.find.bfs import BreadthFirst
from haenyeo.find.frontier import Frontier
from haenyeo.find.seen import SeenSet, url_hashes
from haenyeo.find.traps import Traps
from haenyeo.html.urls import url_hash
from haenyeo.model.pages import Link, Url

Page = tuple[str, list[str]]
World = Callable[[str], Page]

_HOST = "http://a.example"
_START = _HOST + "/"
_BUDGET = 150
_CHANCE = random.Random(4)
_SYLLABLES = ("ka", "lo", "mi", "ta", "ren", "su", "vo", "ne", "dri", "pa", "shi", "mon", "gel", "fu", "ba")
_WORDS = ["".join(_CHANCE.choices(_SYLLABLES, k=_CHANCE.randint(1, 4))) for _ in range(4000)]
_FREQUENCIES = list(accumulate(1 / (rank + 3) for rank in range(len(_WORDS))))
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def prose(seed: object, words: int = 120) -> str:
    """A text whose words are as unevenly frequent as in a language, the same for the same seed."""
    return " ".join(random.Random(str(seed)).choices(_WORDS, cum_weights=_FREQUENCIES, k=words))


def babble(seed: object) -> str:
    """Words drawn at random."""
    return " ".join(random.Random(str(seed)).choices(_WORDS[:500], k=100))


def crawl(world: World, pages: int = _BUDGET) -> list[str]:
    """The addresses asked for, in order."""
    frontier, seen, traps, scorer = Frontier(), SeenSet(), Traps(), BreadthFirst()
    urls, depths, worths = [_START], [0], [1.0]
    seen.add(url_hashes(urls))
    frontier.push("a", [0], [1.0])
    asked: list[str] = []

    def worth_now(ref: int, _: float) -> float:
        return worths[ref] * traps.discount(urls[ref])

    while len(asked) < pages and (popped := frontier.pop(0.0, worth_now)) is not None:
        frontier.release("a", 0.0)
        url, depth = urls[popped[1]], depths[popped[1]]
        if traps.repeats(url):
            continue
        asked.append(url)
        text, links = world(url)
        links = list(dict.fromkeys(links))
        new = [link for link, is_new in zip(links, _add(seen, traps, links), strict=True) if is_new]
        traps.observe(url, text.encode(), new, len(links) - len(new))
        scores = scorer.score([Link(url=Url(link)) for link in new], depth)
        frontier.push("a", range(len(urls), len(urls) + len(new)), scores)
        urls += new
        depths += [depth + 1] * len(new)
        worths += scores
    return asked


def _add(seen: SeenSet, traps: Traps, links: Iterable[str]) -> list[bool]:
    flags: list[bool] = seen.add(url_hashes(traps.key(link) for link in links)).tolist()
    return flags


REAL = [f"{_HOST}/real/{number}" for number in range(30)]
TREES: dict[str, Callable[[int], range]] = {
    "fan": lambda parent: range(5 * parent + 1, min(5 * parent + 6, 30)),
    "binary": lambda parent: range(2 * parent + 1, min(2 * parent + 3, 30)),
}


def beside(trap: World, entrance: str, tree: str, text: Callable[[str], str] = prose) -> World:
    """Thirty real pages on a tree, linked from the start page behind the trap's entrance."""

    def world(url: str) -> Page:
        if url == _START:
            return "Welcome to the start page of a site like many others", [entrance, REAL[0]]
        if url in REAL:
            return text(url), [*(REAL[child] for child in TREES[tree](REAL.index(url))), _START]
        return trap(url)

    return world


def _number() -> int:
    return _CHANCE.randrange(10**9)


def _word() -> str:
    return f"{_CHANCE.choice(_WORDS)}{_CHANCE.choice(_WORDS)}"


def calendar(url: str) -> Page:
    year, month = map(int, url.split("/")[-2:])
    later = [divmod(12 * year + month - 1 + step, 12) for step in range(1, 31)]
    return f"No events in month {month} of {year}", [f"{_HOST}/calendar/{y}/{m + 1:02}" for y, m in later]


def calendar_in_words(url: str) -> Page:
    year, month, day = url.split("/")[-3:]
    links = [
        f"{_HOST}/events/{_CHANCE.randrange(2000, 2100)}/{_CHANCE.choice(_MONTHS)}/{_CHANCE.randrange(1, 29)}"
        for _ in range(30)
    ]
    return f"Events for {_DAYS[int(day) % 7]} {day} {month} {year}. Nothing is planned for this day yet.", links


def calendar_in_query(url: str) -> Page:
    dates = [f"{_CHANCE.randrange(2000, 2100)}-{_CHANCE.randrange(1, 13):02}" for _ in range(30)]
    return f"View of {url[-7:]} without entries, log in to add one", [f"{_HOST}/cal?date={date}" for date in dates]


def time_stamp(_: str) -> Page:
    return f"{prose('weather')} made at {_number()}", [f"{_HOST}/now/{_number()}" for _ in range(6)]


def deep_chain(url: str) -> Page:
    number = int(url.rpartition("/")[2])
    return "on on on", [f"{_HOST}/deep/{number + step}" for step in (1, 2, 3)]


def deep_path(url: str) -> Page:
    return "", [f"{url}/{name}" for name in ("x", "y", "z")]


def deep_words(url: str) -> Page:
    return "", [f"{url}/{_word()}" for _ in range(3)]


def everywhere(url: str) -> Page:
    return prose("everywhere"), [url + path for path in ("reef/index/", "shell/index/", "reef/shell/")]


def any_word(_: str) -> Page:
    return prose("same"), [f"{_HOST}/{_word()}" for _ in range(10)]


def any_word_babbling(url: str) -> Page:
    return babble(url), [f"{_HOST}/trap/{_word()}" for _ in range(10)]


def articles_without_end(url: str) -> Page:
    return prose(url), [f"{_HOST}/trap/{_number()}" for _ in range(10)]


def subdomains(_: str) -> Page:
    return prose("same"), [f"http://{_word()}.a.example/" for _ in range(10)]


def facets(url: str) -> Page:
    parameters = url.partition("?")[2].split("&")
    names = ("sort", "size", "colour", "page", "view")
    more = [sorted([*parameters, f"{name}={_CHANCE.randrange(50)}"]) for name in names]
    return f"All shells {prose('list')}", [f"{_HOST}/list?{'&'.join(each)}" for each in more]


def filters_that_shuffle(url: str) -> Page:
    chance = random.Random(url)
    items = " ".join(prose(f"item {chance.randrange(40)}", 8) for _ in range(10))
    links = [f"{_HOST}/list/{_word()}/{_word()}" for _ in range(6)]
    return items, links


def soft_404(_: str) -> Page:
    links = [f"{_HOST}/{_word()}/{_word()}/{_word()}" for _ in range(10)]
    return "Sorry, this page could not be found. Try one of the popular pages below.", links


TRAPS: list[tuple[World, str]] = [
    (calendar, "/calendar/2024/01"),
    (calendar_in_words, "/events/2024/may/12"),
    (calendar_in_query, "/cal?date=2024-05"),
    (time_stamp, "/now/1"),
    (deep_chain, "/deep/1"),
    (deep_path, "/x"),
    (deep_words, "/maze"),
    (everywhere, "/folder/reef/"),
    (any_word, "/any"),
    (any_word_babbling, "/trap/any"),
    (articles_without_end, "/trap/1"),
    (subdomains, "/any"),
    (facets, "/list?sort=1"),
    (filters_that_shuffle, "/list/a/b"),
    (soft_404, "/go/a"),
]


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize(("trap", "entrance"), TRAPS, ids=[trap.__name__ for trap, _ in TRAPS])
def test_all_real_pages_beside_a_trap_are_read(trap: World, entrance: str, tree: str) -> None:
    _CHANCE.seed(entrance)
    asked = crawl(beside(trap, _HOST + entrance, tree))
    assert set(REAL) <= set(asked)
    assert len(asked) == _BUDGET


@pytest.mark.parametrize("trap", [calendar, time_stamp, deep_chain], ids=lambda trap: str(trap.__name__))
def test_real_pages_that_differ_in_a_number_only_are_read_too(trap: World) -> None:
    _CHANCE.seed(1)
    entrance = next(path for other, path in TRAPS if other is trap)
    asked = crawl(beside(trap, _HOST + entrance, "fan", lambda url: f"Real page {url[-2:]} of thirty"))
    assert set(REAL) <= set(asked)


SESSIONS = [
    "/s/{session}/item/{item}",
    "/{session}/item-{item}.html",
    "/show?id={item}&visit={session}",
    "/item/{item}/from/{session}",
]


@pytest.mark.parametrize("form", SESSIONS)
@pytest.mark.parametrize("text", [prose, "Item {} of the shop".format], ids=["prose", "numbers"])
def test_ten_pages_behind_session_numbers_take_at_most_sixty_requests(form: str, text: Callable[[str], str]) -> None:
    _CHANCE.seed(form)
    items: dict[str, int] = {}

    def spell(item: int) -> str:
        url = _HOST + form.format(item=item, session=f"{_number():x}5")
        items[url] = item
        return url

    asked = crawl(beside(lambda url: (text(str(items[url])), [spell(item) for item in range(10)]), spell(0), "fan"))
    assert set(REAL) <= set(asked)
    behind = [items[url] for url in asked if url in items]
    assert set(behind) == set(range(10))
    assert len(behind) <= 60


def _breadth_first(world: World) -> list[str]:
    order, seen = [_START], {_START}
    for url in order:
        new = [link for link in dict.fromkeys(world(url)[1]) if link not in seen]
        seen.update(new)
        order += new
    return order


def magazine(url: str) -> Page:
    """Sections that list articles, which link to related ones."""
    sections = [f"{_HOST}/section-{letter}/" for letter in "abcde"]
    if url == _START or url in sections:
        first = 120 * sections.index(url) if url in sections else 0
        links = [f"{_HOST}/article/{number}" for number in range(first, first + 120, 10)]
        return prose(url, 20), [*sections, *links]
    number = int(url.rpartition("/")[2])
    related = [f"{_HOST}/article/{(number + step) % 600}" for step in (1, 7, 31, 300)]
    return f"{prose('menu', 30)} {prose(url)}", [*sections, *related]


def manual(url: str) -> Page:
    """Short pages under words, on a tree of folders."""
    depth = url.rstrip("/").count("/") - 2
    menu = "Manual home index search previous next"
    words = [random.Random(f"{url}{child}").choice(_WORDS) for child in range(5)] if depth < 4 else []
    return f"{menu} {prose(url, 12)}", [_START, *(f"{url.rstrip('/')}/{word}" for word in words)]


def shop(url: str) -> Page:
    """Numbered list pages that lead to products, some of which are out of stock and say the same."""
    if "/product/" in url:
        sold_out = int(url.rpartition("/")[2]) % 7 == 0
        return ("This product is out of stock today" if sold_out else prose(url, 40)), [_START]
    page = int(url.rpartition("=")[2]) if "=" in url else 0
    products = [f"{_HOST}/product/{20 * page + number}" for number in range(20)]
    return prose(url, 15), [*products, f"{_HOST}/?page={min(page + 1, 29)}"]


@pytest.mark.parametrize("site", [magazine, manual, shop], ids=lambda site: str(site.__name__))
def test_an_ordinary_site_is_read_in_exact_breadth_first_order(site: World) -> None:
    order = _breadth_first(site)
    assert len(order) > 500
    assert crawl(site, pages=len(order) + 1) == order


def test_the_worlds_are_what_they_say() -> None:
    assert prose("a") == prose("a") != prose("b")
    assert url_hash(_START) != url_hash(REAL[0])
