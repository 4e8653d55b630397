"""What every source of seeds promises; the socket is `haenyeo.model.parts.SeedSource`.

A source is made with `settings=`, a `SeedSettings`. To test one that needs settings of its own, give the fixture `part`
a function that makes it: `lambda *, settings: MySource(settings=replace(settings, ...))`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.html.urls import canonical
from haenyeo.model.config import SeedSettings
from haenyeo.model.errors import SeedError
from haenyeo.model.pages import Url
from haenyeo.model.parts import SeedSource, SeedsWanted
from haenyeo.model.visits import Answer, Outcome
from haenyeo.promises.made_up import BADA, addresses, texts

_FEW = settings(max_examples=max(1, settings().max_examples // 4), deadline=None)
_SETTINGS = SeedSettings(searxng="http://127.0.0.1:8888/", most=5)
_FEEDS = tuple(Url(f"https://f{number}.example/feed.xml") for number in range(3))

_feeds = st.lists(addresses, max_size=12).map(
    lambda urls: f"<rss><channel>{''.join(f'<item><link>{url}</link></item>' for url in urls)}</channel></rss>".encode()
)
_results = st.lists(st.one_of(addresses, texts), max_size=12).map(
    lambda urls: msgspec.json.encode({"results": [{"url": url.encode("utf-8", "replace").decode()} for url in urls]})
)
_bodies = st.one_of(
    _feeds,
    _results,
    st.binary(max_size=200),
    st.sampled_from([b"", b"\xff\xfe<\0", b'{"results": 7}', b"<rss><channel><item>"]),
)
_outcomes = st.sampled_from(list(Outcome))


def _found(part: Any, wanted: SeedsWanted, body: bytes, outcome: Outcome) -> tuple[Sequence[Url] | None, list[Url]]:
    """What the source finds if everything it asks for is answered so, None for a `SeedError`; and what it asked for."""
    asked: list[Url] = []

    async def ask(url: Url) -> Answer:
        asked.append(url)
        return Answer(url=url, final_url=url, outcome=outcome, reason="made up", status=200, body=body)

    source: SeedSource = part(settings=_SETTINGS)
    try:
        return asyncio.run(source.seeds(wanted, ask)), asked
    except SeedError:
        return None, asked


class SeedSourcePromises:
    """For sources of seeds: first addresses for a crawl that was given none."""

    @_FEW
    @given(words=texts, body=_bodies, outcome=_outcomes)
    def test_whatever_is_answered_it_finds_addresses_or_raises_a_seed_error(
        self, part: Any, words: str, body: bytes, outcome: Outcome
    ) -> None:
        wanted = SeedsWanted(
            words=words.encode(errors="replace").decode(), most=5, folder=Path("/nowhere"), feeds=_FEEDS
        )
        found, asked = _found(part, wanted, body, outcome)
        assert all(canonical(url) for url in asked)
        assert all(canonical(url) == url for url in found or ())
        assert len(set(found or ())) == len(found or ())

    def test_answers_nested_without_end_are_survived(self, part: Any) -> None:
        wanted = SeedsWanted(words="reefs", most=5, folder=Path("/nowhere"), feeds=_FEEDS)
        for unit in (b"[", b'{"results":', b'{"results": [{"x":', b'{"x": [', b"<rss>", b"<!--"):
            for body in (unit * 50_000, b'{"results": [{"other": ' + unit * 50_000):
                assert not _found(part, wanted, body, Outcome.PAGE)[0]

    @_FEW
    @given(body=st.one_of(_feeds, _results))
    def test_the_same_answers_give_the_same_seeds(self, part: Any, body: bytes) -> None:
        wanted = SeedsWanted(words=BADA, most=5, folder=Path("/nowhere"), feeds=_FEEDS)
        assert _found(part, wanted, body, Outcome.PAGE) == _found(part, wanted, body, Outcome.PAGE)

    @_FEW
    @given(body=st.one_of(_feeds, _results), most=st.integers(1, 8))
    def test_no_more_are_found_than_wanted_and_few_questions_asked(self, part: Any, body: bytes, most: int) -> None:
        wanted = SeedsWanted(words="reefs", most=most, folder=Path("/nowhere"), feeds=_FEEDS)
        found, asked = _found(part, wanted, body, Outcome.PAGE)
        assert len(found or ()) <= most
        assert len(asked) <= 100

    def test_without_anything_to_ask_it_finds_nothing_and_asks_nobody(self, part: Any) -> None:
        async def ask(url: Url) -> Answer:
            raise AssertionError(f"asked for {url}")

        source: SeedSource = part(settings=SeedSettings())
        wanted = SeedsWanted(words="", most=5, folder=Path("/nowhere"))
        assert list(asyncio.run(source.seeds(wanted, ask))) == []
