"""Links described when they are asked for."""

import numpy as np

from haenyeo.html.page_links import PageLinks
from haenyeo.html.parse import parse_html
from haenyeo.html.surroundings import COMPILED, all_surroundings
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


def test_links_can_be_read_where_they_stand_in_the_text() -> None:
    links = PageLinks(_MARKUP, _MARKUP.links)
    found = links.spans([0, 1, 2])
    if COMPILED is None:
        assert found is None, "without compiled code they are read as strings"
        return
    spans = np.frombuffer(found or b"", np.int32).reshape(-1, 3, 2).tolist()
    parts = [[links.page_text[start:end].split() for start, end in link] for link in spans[:2]]
    assert parts == [[text.split() for text in (link.anchor, link.before, link.after)] for link in links[:2]]
    assert spans[2] == [[-1, -1]] * 3, "an image stands outside of the text"
