from __future__ import annotations

import pytest

from haenyeo.watch.paths import page_paths
from haenyeo.watch.structure import places, regions


def test_ignored_classes_do_not_tell_places_apart() -> None:
    paths = page_paths('<p class="a x">one<p class="a">two')
    assert places(paths, set()).keys() == {(), ("p.a.x",), ("p.a",)}
    joined = places(paths, {"x"})
    assert joined.keys() == {(), ("p.a",)}
    assert joined[("p.a",)].elements == joined[("p.a",)].texts == 2


def test_the_share_is_how_many_of_the_like_have_it() -> None:
    html = "<article><h2>a</h2><pre>x</pre></article><article><h2>b</h2></article><article><h2>c</h2></article>"
    found = places(page_paths(html), set())
    assert found["article", "h2"].share == pytest.approx(1)
    assert found["article", "pre"].share == pytest.approx(1 / 3)


def test_what_an_author_writes_belongs_to_the_element_with_classes_around_it() -> None:
    html = '<div class="text"><p>one <b>two</b></p><ul><li>three</ul></div><div><p>four</p></div>'
    assert regions(places(page_paths(html), set())).raw == {
        ("div.text",): len("onetwothree"),
        ("div", "p"): len("four"),
    }


def test_text_that_few_records_have_weighs_little() -> None:
    html = "".join(f'<div class="r">title{"<div class=code>code</div>" if n == 0 else ""}</div>' for n in range(10))
    weights = regions(places(page_paths(html), set()))
    assert weights.shared["div.r", "div.code"] == pytest.approx(0.4)
    assert weights.raw["div.r", "div.code"] == 4
