from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from haenyeo.html.charset import decode
from haenyeo.model.errors import UnknownPartError
from haenyeo.model.pages import Url
from haenyeo.model.registry import names
from haenyeo.promises.made_up import SEA, TOWN, article
from haenyeo.read import extract
from haenyeo.read.extract import ContainerMethod, extract_site

METHODS = names("extractors")

TAGS = [
    "<p>",
    "</p>",
    "<div class=content>",
    "</div>",
    "<li>",
    "<table>",
    "<td>",
    "<article>",
    "<a href=x>",
    "</a>",
    "<br>",
]
MARKUP = st.lists(st.one_of(st.sampled_from(TAGS), st.text(max_size=12)), max_size=25).map("".join)


@pytest.mark.parametrize("method", METHODS)
@given(pages=st.lists(st.binary(max_size=300), max_size=3))
def test_any_bytes_can_be_read(method: str, pages: list[bytes]) -> None:
    given_pages = [(f"https://reef.example/{number}", decode(data, None)) for number, data in enumerate(pages)]
    documents = extract_site(given_pages, method=method)
    assert [document.url for document in documents] == [url for url, _ in given_pages]


@pytest.mark.parametrize("method", METHODS)
@given(pages=st.lists(MARKUP, min_size=1, max_size=3))
def test_any_markup_can_be_read(method: str, pages: list[str]) -> None:
    extract_site([(f"https://reef.example/{number}", html) for number, html in enumerate(pages)], method=method)


@pytest.mark.parametrize("method", METHODS)
@given(markup=MARKUP, tag=st.sampled_from(["script", "style"]))
def test_scripts_and_styles_are_never_text(method: str, markup: str, tag: str) -> None:
    assume("plugh" not in markup)
    hidden = f"<{tag}>xyzzy {{ plugh: 1 }} . Words that nobody reads.</{tag}>"
    html = (
        f"<body>{hidden}<p>Divers know the tides, and every reef by name.</p>{hidden}{markup.replace('<', ' ')}{hidden}"
    )
    document = extract_site([("https://reef.example/", html)], method=method)[0]
    assert "plugh" not in document.text + document.markdown + document.comments


@given(st.randoms(use_true_random=False))
def test_the_order_of_attributes_changes_nothing(chance: random.Random) -> None:
    def page(*, shuffled: bool) -> str:
        def tag(element: str, **attributes: str) -> str:
            pairs = [f'{key.rstrip("_")}="{value}"' for key, value in attributes.items()]
            if shuffled:
                chance.shuffle(pairs)
            return f"<{element} {' '.join(pairs)}>"

        return (
            tag("meta", name="author", content="Ko")
            + tag("div", class_="nav menu", id="n", role="navigation")
            + tag("a", href="/x", rel="next", title="t")
            + "Home</a></div>"
            + tag("div", class_="post content", id="c", itemprop="articleBody", lang="en")
            + "<p>Divers know the tides, and every reef by name. They go down in winter as well.</p></div>"
        )

    plain, mixed = (extract_site([("https://reef.example/", page(shuffled=flag))])[0] for flag in (False, True))
    assert plain == mixed


def test_pages_of_a_site_are_read_together(make_site: Callable[..., Any]) -> None:
    site = make_site(7)
    pages = [site.article(number) for number in range(8)]
    documents = extract_site([(url, html) for url, html, _ in pages])
    for document, (url, _, text) in zip(documents, pages, strict=True):
        assert document.url == url
        assert document.text.endswith(text)
        assert document.markdown.endswith(text)
        assert document.title.startswith("Story")


def test_a_copy_of_a_page_is_marked(make_site: Callable[..., Any]) -> None:
    url, html, _ = make_site(8).article(1)
    documents = extract_site([(url, html), (url + "?print=1", html)])
    assert [document.duplicate for document in documents] == [False, True]
    assert documents[0].text == documents[1].text


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("room", [1, 20_000])
def test_pages_for_which_there_is_no_room_are_read_the_same(
    make_site: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, method: str, room: int
) -> None:
    site = make_site(3)
    pages = [site.article(number)[:2] for number in (0, 1, 2, 3, 1, 4, 5, 6, 5)]
    expected = extract_site(pages, method=method)
    monkeypatch.setattr(extract, "MOST_PREPARED", room)
    assert extract_site(pages, method=method) == expected


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPartError) as error:
        extract_site([], method="guess")
    assert "container" in error.value.advice


def test_pages_too_rich_in_places_to_be_sampled_are_read_all_the_same() -> None:
    def shop(number: int) -> str:
        names = [f"{place:04}".translate(str.maketrans("0123456789", "abcdefghij")) for place in range(1300)]
        items = "".join(f"<div class='{'c' * 190}-{name}'>{name * (number + 2)}</div>" for name in names)
        return (
            f"<title>Shop {number}</title><p>The tides are known to divers, page {number}, and so is the reef.{items}"
        )

    documents = extract_site([(f"https://shop.test/{number}", shop(number)) for number in range(3)])
    assert all(document.text for document in documents)


def test_a_site_of_one_page_is_put_aside_as_that_page_and_goes_on() -> None:
    pages = [(Url(f"https://a.example/{number}"), article(text)) for number, text in enumerate((SEA, TOWN, SEA + TOWN))]
    stayed = ContainerMethod()
    first = stayed.learn(*pages[0])
    moved = ContainerMethod.from_bytes(stayed.to_bytes())
    assert moved.to_bytes() == stayed.to_bytes()
    assert moved.read(first) == stayed.read(first)
    for page in pages[1:]:
        assert moved.learn(*page) == stayed.learn(*page)
    assert moved.read(first) == stayed.read(first)
    assert ContainerMethod.from_bytes(stayed.to_bytes()[:-1]).read(first).url == pages[0][0]
