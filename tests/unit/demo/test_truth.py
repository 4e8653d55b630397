from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from haenyeo.demo import DAY, HOUR, WEEK, Change, DemoWeb, PageTruth
from haenyeo.demo.answers import Reply
from haenyeo.demo.world.spec import site_specs

Get = Callable[..., Reply]
Parse = Callable[[Reply], LexborHTMLParser]

_KINDS = ["front", "list", "article", "product", "thread", "entry", "doc", "hub", "ad", "about", "table", "print"]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _text(tree: LexborHTMLParser) -> str:
    return tree.body.text() if tree.body else ""


@pytest.mark.parametrize("kind", _KINDS)
def test_the_true_text_stands_in_the_page(web: DemoWeb, get: Get, parse: Parse, kind: str) -> None:
    web.clock.now = 4 * DAY
    urls = web.urls(kind)
    for page in filter(None, map(web.page, urls[:: max(1, len(urls) // 25)])):
        shown = _squeezed(_text(parse(get(page.url))))
        assert page.text
        for line in (page.title, *page.text.split("\n"), *page.comments):
            assert _squeezed(line) in shown


def test_the_true_records_stand_in_the_page_in_order(get: Get, parse: Parse, pages: tuple[PageTruth, ...]) -> None:
    for page in [page for page in pages if page.records][::9]:
        tree = parse(get(page.url))
        hrefs = [link.attributes["href"] for link in tree.css("a")]
        images = [image.attributes["src"] for image in tree.css("img")]
        text = _squeezed(_text(tree))
        found = [hrefs.index(record["link"]) for record in page.records if "link" in record]
        assert len(found) == len(page.records) or page.kind == "table"
        for record in page.records:
            assert record.get("image", images[0] if images else "") in [*images, ""]
            shown = [value for field, value in record.items() if field not in {"link", "image"}]
            assert all(_squeezed(value) in text for value in shown)


def test_shops_list_what_a_shop_lists(web: DemoWeb) -> None:
    page = web.page(web.url("harbourshop", "/goods?cat=divers"))
    assert page is not None
    assert len(page.records) == 12
    assert set(page.records[0]) == {"title", "link", "price", "image", "rating", "date"}


def test_facets_sort_and_choose(web: DemoWeb) -> None:
    plain = web.page(web.url("harbourshop", "/goods?cat=all"))
    sorted_ = web.page(web.url("harbourshop", "/goods?cat=all&sort=price"))
    chosen = web.page(web.url("harbourshop", "/goods?cat=all&stars=4"))
    assert plain
    assert sorted_
    assert chosen
    prices = [float(record["price"].lstrip("€")) for record in sorted_.records]
    assert prices == sorted(prices)
    assert all(float(record["rating"]) >= 4 for record in chosen.records)
    assert plain.records != sorted_.records


def test_a_search_finds_words_in_titles_and_summaries(web: DemoWeb) -> None:
    page = web.page(web.url("onsijang", "/search?q=된장"))
    assert page is not None
    assert page.kind == "search"
    assert page.records
    nothing = web.page(web.url("onsijang", "/search?q=zeppelin"))
    assert nothing is not None
    assert nothing.records == ()
    assert web.page(web.url("onsijang", "/search?q=")) is None


def test_results_of_a_search_change_as_items_come_and_prices_change(web: DemoWeb) -> None:
    url = web.url("harbourshop", "/search?q=a")
    changes = [change for change in web.changes(url, 0, 2 * WEEK) if change.what == "content"]
    assert changes
    for change in changes:
        assert _said(web, url, change.at - 1) != _said(web, url, change.at)


def test_print_versions_say_the_same(web: DemoWeb) -> None:
    pages = list(web.pages("tidewatch"))
    printed = [page for page in pages if page.kind == "print"]
    texts = {page.text for page in pages if page.kind == "article"}
    assert printed
    assert {page.text for page in printed} == texts


def test_no_two_articles_say_the_same(pages: tuple[PageTruth, ...]) -> None:
    texts = [page.text for page in pages if page.kind not in {"print", "list", "front"}]
    assert len(set(texts)) == len(texts)


# ---- changes --------------------------------------------------------------------------------------------------------


def _said(web: DemoWeb, url: str, at: float) -> tuple[object, object]:
    web.clock.now = at
    page = web.page(url)
    return (page.title, page.text, page.records) if page else None, page.comments if page else ()


@pytest.mark.parametrize("kind", _KINDS)
def test_pages_differ_before_and_after_every_change_and_at_no_other_time(web: DemoWeb, kind: str) -> None:
    urls = web.urls(kind)
    for url in urls[:: max(1, len(urls) // 6)]:
        web.clock.now = 0
        changes = [change for change in web.changes(url, 0, 10 * DAY) if change.what != "layout"]
        for change in changes[:40]:
            before, after = _said(web, url, change.at - 1), _said(web, url, change.at)
            assert before != after
            if change.what == "comments":
                assert before[1] != after[1]
            if change.what == "content":
                assert before[0] != after[0]
        for earlier, later in pairwise([0, *sorted({change.at for change in changes})[:40]]):
            assert _said(web, url, earlier) == _said(web, url, later - 1)


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_without_change_a_page_stays_the_same(web: DemoWeb, data: st.DataObject) -> None:
    web.clock.now = 0
    urls = web.urls()[::17]
    url = data.draw(st.sampled_from(urls))
    since = data.draw(st.integers(0, 6 * WEEK))
    until = since + data.draw(st.integers(0, 2 * DAY))
    changes = [change for change in web.changes(url, since, until) if change.what != "layout"]
    assert changes or _said(web, url, since) == _said(web, url, until)


def test_news_fronts_change_through_the_working_day(web: DemoWeb) -> None:
    changes = web.changes(web.url("tidewatch"), 0, WEEK)
    content = [change.at for change in changes if change.what == "content"]
    workday = [at for at in content if at < 5 * DAY and 7 * HOUR <= at % DAY <= 20 * HOUR]
    assert len(content) > 80
    assert len(workday) > 0.6 * len(content)


def test_tables_change_every_morning(web: DemoWeb) -> None:
    changes = web.changes(web.url("branchline", "/today"), 0, WEEK)
    assert [change.at for change in changes] == [day * DAY + 5 * HOUR for day in range(7)]


def test_a_page_is_born_moves_and_goes(web: DemoWeb) -> None:
    before = set(web.urls("article"))
    web.clock.now = 2 * WEEK
    born = [url for url in web.urls("article") if url not in before][:9]
    gone = [url for url in web.oddities()["gone"] if url in before][:9]
    moved = [url for url in web.oddities()["moved"] if url in before and url not in gone][:9]
    for urls, what in ((born, "born"), (gone, "gone"), (moved, "moved")):
        assert urls
        assert all(what in {change.what for change in web.changes(url, 0, 2 * WEEK)} for url in urls)


def test_changes_of_a_foreign_address_are_none(web: DemoWeb) -> None:
    assert web.changes("http://example.com/", 0, WEEK) == []
    assert web.changes(web.url("tidewatch", "/missing/1.html"), 0, WEEK) == []


# ---- layouts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("site", [spec.host for spec in site_specs() if spec.redesigns])
def test_a_redesign_keeps_what_the_pages_say(web: DemoWeb, get: Get, parse: Parse, site: str) -> None:
    for at, grade in web.redesigns()[site]:
        web.clock.now = at
        pages = [page for page in web.pages(site) if page.kind not in {"front", "print"}]
        for page in pages[::30]:
            assert Change(at=at, what="layout", grade=grade) in web.changes(page.url, at - 1, at)
            web.clock.now = at - 1
            before, old = web.page(page.url), get(page.url)
            web.clock.now = at
            assert before == web.page(page.url) == page
            new = get(page.url)
            assert old.body != new.body
            shown = _squeezed(_text(parse(new)))
            assert all(_squeezed(line) in shown for line in page.text.split("\n"))


# ---- topics ---------------------------------------------------------------------------------------------------------


def test_topics_have_examples_seeds_and_pages(web: DemoWeb, get: Get) -> None:
    topics = web.topics()
    assert {topic.language for topic in topics} == {"en", "ko"}
    for topic in topics:
        assert len(topic.relevant) > 100
        assert set(topic.like) <= topic.relevant
        assert not set(topic.unlike) & topic.relevant
        assert not set(topic.seeds) & topic.relevant
        assert len(topic.like) >= 3
        assert {get(url).status for url in (*topic.like, *topic.unlike, *topic.seeds)} == {200}


def test_each_family_has_a_fifth_of_the_pages(pages: tuple[PageTruth, ...]) -> None:
    for family in ("sea", "food", "travel"):
        assert sum(page.family == family for page in pages) > 0.2 * len(pages)


def test_relevant_pages_are_those_whose_topic_it_is(web: DemoWeb, pages: tuple[PageTruth, ...]) -> None:
    wanted = [page for page in pages if page.allowed and page.kind != "print"]
    for topic in web.topics():
        assert topic.relevant == {page.url for page in wanted if page.topic == topic.name}
