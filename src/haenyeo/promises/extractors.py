"""What every extractor promises; the socket is `haenyeo.read.extract.Method`."""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from html import unescape

from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.model.pages import Document, Url
from haenyeo.promises.made_up import BADA, SEA, TOWN, article, markup
from haenyeo.read.extract import Method

_MOST_SECONDS = 40.0  # of processor time for pages of megabytes; parts need a few
_FEW = settings(max_examples=max(1, settings().max_examples // 4), deadline=None)
_SITE = [article(text, title=title) for text in (SEA, BADA, TOWN) for title in ("Reefs", "물때", "Fees and tides")]


def _learned(part: type[Method], pages: Sequence[str]) -> tuple[Method, list[bytes]]:
    method = part()
    return method, [method.learn(Url(f"https://a.example/{number}"), html) for number, html in enumerate(pages)]


@functools.cache
def _state(part: type[Method]) -> bytes:
    return _learned(part, _SITE)[0].to_bytes()


def _read(part: type[Method], pages: Sequence[str]) -> list[Document]:
    method, prepared = _learned(part, pages)
    return [method.read(each) for each in prepared]


def _letters(text: str) -> set[str]:
    return {letter for letter in text if letter.isalnum()}


class ExtractorPromises:
    """For extractors: ways to read the pages of one site."""

    @_FEW
    @given(pages=st.lists(markup, min_size=1, max_size=4))
    def test_any_page_is_read_and_keeps_its_address(self, part: type[Method], pages: list[str]) -> None:
        documents = _read(part, pages)
        assert [document.url for document in documents] == [f"https://a.example/{n}" for n in range(len(pages))]

    @_FEW
    @given(page=markup)
    def test_the_text_is_made_of_the_letters_of_its_own_page(self, part: type[Method], page: str) -> None:
        document = _read(part, [*_SITE[:3], page])[3]
        assert _letters(document.text) <= _letters(unescape(page))

    @_FEW
    @given(pages=st.lists(markup, min_size=1, max_size=3))
    def test_equal_lives_give_equal_documents(self, part: type[Method], pages: list[str]) -> None:
        assert _read(part, [*_SITE, *pages]) == _read(part, [*_SITE, *pages])

    def test_reading_changes_nothing(self, part: type[Method]) -> None:
        method, prepared = _learned(part, _SITE)
        before = method.to_bytes()
        first = [method.read(each) for each in prepared]
        assert [method.read(each) for each in reversed(prepared)] == first[::-1]
        assert method.to_bytes() == before

    def test_scripts_and_styles_are_never_text(self, part: type[Method]) -> None:
        for document in _read(part, _SITE):
            assert "xyzzy" not in document.text
            assert "plugh" not in document.text

    @_FEW
    @given(page=markup)
    def test_it_goes_on_where_its_state_was_kept(self, part: type[Method], page: str) -> None:
        method, prepared = _learned(part, [*_SITE, page])
        copy = part.from_bytes(method.to_bytes())
        assert copy.to_bytes() == method.to_bytes()
        assert [copy.read(each).text for each in prepared] == [method.read(each).text for each in prepared]
        more = (Url("https://a.example/more"), article(SEA + TOWN, title="More"))
        assert copy.read(copy.learn(*more)) == method.read(method.learn(*more))

    @_FEW
    @given(
        noise=st.binary(max_size=40), cut=st.integers(1, 200), place=st.integers(0, 10_000), byte=st.integers(0, 255)
    )
    def test_with_state_that_is_damaged_it_begins_anew(
        self, part: type[Method], noise: bytes, cut: int, place: int, byte: int
    ) -> None:
        state = _state(part)
        turned = bytearray(state or b"\0")
        turned[place % len(turned)] = byte
        for data in (b"", noise, state[:-cut], bytes(turned)):
            method = part.from_bytes(data)
            assert method.read(method.learn(Url("https://a.example/"), _SITE[0])).url == "https://a.example/"

    def test_huge_pages_take_bounded_time(self, part: type[Method]) -> None:
        huge = ["<p>" + SEA * 10_000, f"<ul>{'<li>가나다 ' * 30_000}</ul>", "<div>" * 20_000 + TOWN, "x" * 1_000_000]
        began = time.process_time()
        assert len(_read(part, huge)) == len(huge)
        assert time.process_time() - began < _MOST_SECONDS
