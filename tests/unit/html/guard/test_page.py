from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.html.guard import MAX_CHARACTERS, guarded, guarded_tree
from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url

PAGE = Url("http://reef.test/")
FRONT, BEHIND = "<p>front <a href=/front>a</a></p>", "<p>behind <a href=/behind>b</a></p>"


def numbered(template: str, times: int) -> str:
    """The template again and again, each time with another number in it."""
    return "".join(template.replace("#", str(number)) for number in range(times))


# Each would cost the parser minutes or gigabytes, or would have it lose what follows.
HOSTILE = {
    "nested blocks": "<div>" * 100_000,
    "nested lists": "<ul><li>" * 100_000,
    "nested tables": "<table><tr><td>" * 50_000,
    "nested inline elements": "<span>" * 200_000,
    "nested formatting": "<b>" * 100_000,
    "formatting of many kinds": numbered("<b id=#>", 50_000),
    "formatting opened anew by every paragraph": numbered("<font size=#><p>", 5_000),
    "formatting hidden behind a quoted bracket": numbered("<b id='>#'><p>", 20_000),
    "formatting that arises when other is dropped": numbered("<<b>b id=#><p>", 20_000),
    "formatting in capitals": numbered("<FONT COLOR=#><P>", 5_000),
    "blocks that are not closed by the tags that seem to": "<div></x>" * 50_000,
    "blocks fenced in by objects": "<div><object></div></object>" * 30_000,
    "spans closed inside of blocks": "<span><div></span></div>" * 30_000,
    "links around blocks": "<a href=/x><div>" * 50_000,
    "one tag of many attributes": "<p " + numbered("a#=1 ", 200_000) + ">",
    "one tag of many attributes with brackets": "<p " + numbered("a#='>' ", 200_000) + ">",
    "one tag of many attributes with tags": "<p " + numbered("a#='<b>' ", 200_000) + ">",
    "many tags of many attributes": numbered("<p " + numbered("b# ", 150) + " c#>", 2_000),
    "another attribute in every tag": numbered("<p a#>", 200_000),
    "another tag every time": numbered("<x#></x#>", 100_000),
    "more attributes of html": numbered("<html a#=1>", 100_000),
    "more attributes of body": numbered("<body a#=1>", 100_000),
    "unfinished tags": "<meta <base <title" * 60_000,
    "unfinished scripts": "<script " * 100_000,
    "unfinished tags between others": "<b><select>" * 12_000 + "<text" * 24_000,
    "drawings around lists": "</svg><svg><ul><li></p>" * 12_000,
    "unfinished tags with attributes": numbered("<meta a# ", 60_000),
    "options": "<select>" + "<option>x" * 50_000 + "</select>",
    "end tags": "</p></div></b>" * 100_000,
    "cells out of place": "<table>" + "x<td><b>" * 50_000 + "</table>",
    "nul characters": "\0" * 100_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("middle", HOSTILE.values(), ids=HOSTILE)
def test_hostile_markup_costs_no_link_beside_it(middle: str) -> None:
    markup = parse_html(FRONT + middle + BEHIND, PAGE)
    found = {link.url for link in markup.links}
    assert "http://reef.test/front" in found
    assert "http://reef.test/behind" in found
    assert "behind b" in markup.text


@pytest.mark.parametrize("name", ["textarea", "title", "script", "style", "!-- ", "xmp", "template"])
def test_what_is_never_closed_costs_no_link_before_it(name: str) -> None:
    markup = parse_html(f"{FRONT}<{name}>{'<p>text' * 1000}", PAGE)
    assert [link.url for link in markup.links] == ["http://reef.test/front"]
    assert markup.text == "front a"


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    ["<p>x", "<a href=/x>y</a>", "text ", "<i>", "<!--", "<title>", "&am", "</p>", "<td>x", "<svg>", "<![CDATA["],
)
def test_sixteen_megabytes_of_anything_are_read(unit: str) -> None:
    markup = parse_html(FRONT + unit * (16_000_000 // len(unit)), PAGE)
    assert markup.links[0].url == "http://reef.test/front"


@pytest.mark.slow
def test_a_long_page_loses_its_middle() -> None:
    markup = parse_html(f"{FRONT}{'reef ' * 3_000_000}{BEHIND}", PAGE)
    assert markup.cut == "size"
    assert [link.url for link in markup.links] == ["http://reef.test/front", "http://reef.test/behind"]
    assert len(markup.text) <= MAX_CHARACTERS


@pytest.mark.slow
def test_text_in_the_depth_of_a_page_is_kept() -> None:
    markup = parse_html("<div>" * 100_000 + "deep <a href=/x>down</a>" + "</div>" * 100_000 + BEHIND, PAGE)
    assert markup.cut == "nesting"
    assert [block.text for block in markup.blocks] == ["deep down", "behind b"]
    assert [link.url for link in markup.links] == ["http://reef.test/x", "http://reef.test/behind"]


def test_a_tag_of_many_attributes_keeps_the_first() -> None:
    markup = parse_html(f"<a href=/x {numbered('a#=1 ', 30_000)}>text</a>", PAGE)
    assert markup.cut == "attributes"
    assert [link.url for link in markup.links] == ["http://reef.test/x"]


def test_a_script_is_no_tag_of_many_attributes() -> None:
    html = f"<script>for (i=0; i<n; i++) {{ {'a b c d ' * 20_000} }}</script>{BEHIND}"
    assert guarded(html) == (html, "")


def test_where_names_are_too_many_the_known_ones_stay() -> None:
    html = numbered("<y#></y#>", 50_000) + "<p class=c data-x=1><a href=/x id=i>text</a></p>"
    kept, cut = guarded(html)
    assert cut == "names"
    assert kept.strip() == "<p class=c><a href=/x id=i>text</a></p>"


def test_a_normal_page_is_left_as_it_is() -> None:
    row = "<tr class='a b'><td><b>one</b> <font color=red>two</font> <a href=/x title='a > b'>three</a></td></tr>"
    html = f"<!doctype html><html><body><table>{row * 3000}</table></body></html>"
    assert guarded(html) == (html, "")


def test_long_lists_without_end_tags_are_left_as_they_are() -> None:
    html = "<ul>" + "<li><p>one<br><img src=x>" * 10_000 + "</ul>" + "<dl>" + "<dt>a<dd>b" * 5_000
    assert guarded(html) == (html, "")


def test_careful_pages_may_be_long() -> None:
    html = "<div><span><ul><li>x</li></ul></span></div>" * 10_000
    assert guarded(html) == (html, "")


def test_a_guarded_tree_is_the_tree_of_a_normal_page() -> None:
    tree = guarded_tree("<p class=x>one <b>two</b></p>")
    assert tree.html == '<html><head></head><body><p class="x">one <b>two</b></p></body></html>'


TAGS = """<b> <b·id=#> </b> <p> </p> <div> </div> <a·href=x> </a> <table> <td> </table> <font·a=#> <ul><li> <svg> </svg>
<object> </object> <span> </span> <x#·y#> text <select> <option> <template> </template> <button> <nobr> <h1> </br>
<body·c#> <"""
tags = st.sampled_from([tag.replace("·", " ") for tag in TAGS.split()])


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 3)
@given(st.lists(tags, min_size=1, max_size=5), st.lists(tags, max_size=4))
def test_no_repetition_of_tags_is_dear(first: list[str], second: list[str]) -> None:
    numbers = count()
    html = "".join(
        tag.replace("#", str(next(numbers))) for part in (first, second) for _ in range(12_000) for tag in part
    )
    root = guarded_tree(html).root
    assert root is not None
    assert len(list(root.traverse(include_text=True))) < 1_500_000
