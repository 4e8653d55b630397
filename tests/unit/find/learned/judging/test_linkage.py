"""What pages share by their links."""

from __future__ import annotations

import numpy as np
import pytest

from haenyeo.find.learned.judging.linkage import MOST_LINKS, Linkage, PageLinking
from haenyeo.html.page_links import PageLinks
from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

_OTHERS = range(100, 160)


def _linking(*lists: tuple[int, ...]) -> PageLinking:
    """A page with lists of links to these pages."""
    pairs = [(key, number) for number, keys in enumerate(lists) for key in keys]
    links = [Link(url=Url(f"https://a.example/{key}"), path=f"ul.{number}") for key, number in pairs]
    page = LinkedPage(key=0, url=Url("https://a.example/"), links=links, targets=[key for key, _ in pairs])
    return PageLinking.of(page)


def _linkage(links: dict[int, PageLinking]) -> Linkage:
    """These pages among others that lead nowhere."""
    known = links | {key: _linking() for key in _OTHERS}
    return Linkage.of(list(known), list(known.values()))


def test_a_link_that_stands_in_a_list_twice_counts_once() -> None:
    page = _linking((7, 7, 8), (7,))
    assert page.targets.tolist() == [7, 8, 7]
    assert page.lists.tolist() == [0, 0, 1]


def test_of_a_page_with_very_many_links_the_first_are_looked_at() -> None:
    assert len(_linking(tuple(range(MOST_LINKS + 50))).targets) == MOST_LINKS


def test_links_of_a_page_as_it_was_read_are_linked_as_those_described_one_by_one() -> None:
    entries = "".join(f"<li><a href='/{number % 7}'>{number}</a></li>" for number in range(30))
    markup = parse_html(f"<ul class=a>{entries}</ul><p><a href='/3'>x</a></p>", Url("https://a.example/"))
    keys = [(1 << 62) + 100 + int(link.url[-1]) for link in markup.links]
    page = LinkedPage(key=0, url=Url("https://a.example/"), links=PageLinks(markup, markup.links), targets=keys)
    one, other = PageLinking.of(page), PageLinking.of_in_python(page)
    assert len(one.targets) == 8
    for field in PageLinking._fields:
        assert getattr(one, field).tolist() == getattr(other, field).tolist()
        assert getattr(one, field).dtype == getattr(other, field).dtype


def test_keys_of_any_size_are_told_apart() -> None:
    large = (1 << 62) + 7
    linkage = _linkage({1: _linking((large, large + 1)), large: _linking(), large + 1: _linking()})
    assert linkage.listed.likeness(linkage.listed)[1, 2] > 0.5


def test_pages_named_in_one_list_are_alike_and_those_in_another_are_not() -> None:
    linkage = _linkage({1: _linking((2, 3), (4,)), 2: _linking(), 3: _linking(), 4: _linking()})
    alike = linkage.listed.likeness(linkage.listed)
    assert alike[1, 2] == pytest.approx(1.0)
    assert alike[1, 3] == 0.0


def test_the_links_of_a_menu_count_less_than_as_many_that_pages_share_one_by_one() -> None:
    menu = tuple(range(200, 280))
    posts = {key: _linking((*menu, 1000 + key // 2)) for key in range(1, 31)}
    linkage = _linkage(posts)
    before = linkage.leading.likeness(linkage.leading)
    apart = linkage.without_copies().leading
    after = apart.likeness(apart)
    assert before[1, 4] > 0.7
    assert after[1, 4] < before[1, 4] - 0.15
    assert after[1, 2] > after[1, 4] + 0.2, "two that lead to the same page besides"
    assert after.diagonal().max() <= 1.0 + 1e-6
    assert Linkage.unknown(3).without_copies().leading.pages == 3


def test_a_short_list_says_more_than_a_long_one() -> None:
    every = (2, 3, 4, *_OTHERS[:50])
    linkage = _linkage({1: _linking((2, 3)), 5: _linking(every), 2: _linking(), 3: _linking(), 4: _linking()})
    alike = linkage.listed.likeness(linkage.listed)
    assert alike[2, 3] > alike[2, 4] + 0.5
    assert alike[2, 4] > 0


def test_pages_that_lead_to_the_same_page_are_alike() -> None:
    linkage = _linkage({1: _linking((9, 20)), 2: _linking((9, 30)), 3: _linking((40,))})
    alike = linkage.leading.likeness(linkage.leading)
    assert alike[0, 1] > 0.2
    assert alike[0, 2] == 0.0


def test_a_page_is_like_those_that_link_to_it() -> None:
    linkage = _linkage({1: _linking((2,)), 2: _linking()})
    assert linkage.leading.likeness(linkage.leading)[0, 1] > 0.2


def test_what_all_pages_lead_to_says_nothing() -> None:
    linkage = Linkage.of(list(range(30)), [_linking((77,)) for _ in range(30)])
    assert linkage.leading.likeness(linkage.leading)[0, 1] < 0.01


def test_the_mean_around_a_page_leaves_out_its_own_value() -> None:
    linkage = _linkage({1: _linking((2, 3)), 2: _linking(), 3: _linking()})
    values = np.zeros(3 + len(_OTHERS))
    values[1] = 1.0
    around = linkage.listed.around(values)
    assert around[1] == pytest.approx(0.0)
    assert around[2] > 0
    assert not around[3:].any()


def test_many_pages_around_one_are_surer_than_few() -> None:
    few = _linkage({1: _linking((2, 3)), 2: _linking(), 3: _linking()})
    siblings = tuple(range(2, 22))
    many = _linkage({1: _linking(siblings)} | {key: _linking() for key in siblings})
    ones = [np.ones(linkage.listed.pages) for linkage in (few, many)]
    assert many.listed.around(ones[1])[1] > 5 * few.listed.around(ones[0])[1]


def test_some_pages_share_with_others_what_they_did_among_all() -> None:
    linkage = _linkage({1: _linking((2, 3), (4,)), 2: _linking((9,)), 3: _linking((9,)), 4: _linking()})
    every = linkage.likeness(linkage)
    some, others = np.array([3, 1]), np.array([2, 0, 1])
    assert linkage.at(some).likeness(linkage.at(others)) == pytest.approx(every[np.ix_(some, others)])


def test_nothing_is_known_of_a_new_page() -> None:
    linkage = _linkage({1: _linking((2, 3)), 2: _linking(), 3: _linking()})
    assert not Linkage.unknown(2).likeness(linkage).any()
    assert Linkage.unknown(2).leading.around(np.ones(2)).tolist() == [0.0, 0.0]
    assert Linkage.of([], []).listed.pages == 0


def _page(html: str, depth: int) -> PageLinking:
    """The links of a page with this body."""
    markup = parse_html(f"<title>t</title>{html}", Url("https://a.example/"))
    links = PageLinks(markup, markup.links)
    targets = [int(link.url.rpartition("/")[2]) for link in links]
    return PageLinking.of(LinkedPage(key=0, url=Url("https://a.example/"), depth=depth, links=links, targets=targets))


_CONTENTS = "<ul>" + "".join(f"<li><a href=/{key}>part {key}</a></li>" for key in (1, 2, 3)) + "</ul>"
_PROSE = "<p>" + ", and then of course ".join(f"<a href=/{key}>a word</a>" for key in (4, 5, 6)) + " in a row.</p>"


def test_a_page_the_crawl_began_with_offers_its_lists_but_not_what_its_text_mentions() -> None:
    page = _page(_CONTENTS + _PROSE, depth=0)
    assert [page.named_in(offer) for offer in page.offers.tolist()] == [{1, 2, 3}]


def test_a_page_the_crawl_came_to_offers_nothing() -> None:
    assert not len(_page(_CONTENTS, depth=1).offers)


_BOOK = (
    "<ol><li><a href=/1>Reefs</a><ol><li><a href=/11>Where</a></li><li><a href=/12>When</a></li></ol></li>"
    "<li><a href=/2>Boats</a><ol><li><a href=/21>Oars</a></li><li><a href=/22>Sails</a></li></ol></li></ol>"
)


def test_the_sections_of_each_chapter_are_a_list_of_their_own_where_the_crawl_began() -> None:
    page = _page(_BOOK + _PROSE, depth=0)
    assert [page.named_in(offer) for offer in page.offers.tolist()] == [{1, 2}, {11, 12}, {21, 22}]


def test_links_in_running_text_between_two_entries_part_no_list() -> None:
    page = _page("<ul><li><a href=/1>one</a></li></ul>" + _PROSE + "<ul><li><a href=/2>two</a></li></ul>", depth=0)
    assert [page.named_in(offer) for offer in page.offers.tolist()] == [{1, 2}]
