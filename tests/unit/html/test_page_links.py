"""Links described when they are asked for."""

from haenyeo.html.page_links import PageLinks
from haenyeo.html.parse import parse_html
from haenyeo.html.surroundings import all_surroundings
from haenyeo.model.pages import Url

_PAGE = Url("http://reef.test/page")
_MARKUP = parse_html(
    "<ul><li><a href=/a>one</a> reef<li>a <a href=/b>second</a></ul><a href=/c><img src=m alt='A map'></a>", _PAGE
)


def test_links_are_the_same_whether_they_are_asked_for_one_by_one_or_together() -> None:
    links, expected = PageLinks(_MARKUP, _MARKUP.links), all_surroundings(_MARKUP)
    assert links[1] == expected[1]
    assert links[-1] == expected[-1]
    assert links.some([2, 0]) == [expected[2], expected[0]]
    assert links[:2] == expected[:2]
    assert list(links) == expected
    assert len(links) == len(expected)


def test_a_link_is_described_once() -> None:
    links = PageLinks(_MARKUP, _MARKUP.links)
    assert links[1] is links.some([0, 1])[1]


def test_addresses_and_paths_are_known_beforehand() -> None:
    links = PageLinks(_MARKUP, _MARKUP.links)
    assert links.urls == [link.url for link in links]
    assert links.paths == [link.path for link in links]
