from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from haenyeo.model.pages import Block, Markup, Url
from haenyeo.model.visits import Found, Hop, Outcome

HOP = Hop(
    url=Url("https://a.example/"),
    at=datetime(2024, 1, 1, tzinfo=UTC),
    status=200,
    headers=(("ETag", '"1"'), ("etag", '"2"'), ("Content-Type", "text/html")),
)


def test_the_first_header_of_a_name_counts_whatever_its_case() -> None:
    assert HOP.header("etag") == '"1"'
    assert HOP.header("content-type") == "text/html"
    assert HOP.header("missing") == ""


def test_hops_survive_being_written() -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(HOP), type=Hop) == HOP


def test_outcomes_and_findings_are_words_that_are_stored() -> None:
    assert Outcome("page") is Outcome.PAGE
    assert Found("changed") is Found.CHANGED
    assert len({str(each) for each in (*Outcome, *Found)}) >= len(Outcome)


def test_the_text_of_a_page_is_that_of_its_blocks() -> None:
    blocks = (Block("바다", "p"), Block("sea", "p"))
    markup = Markup(base=Url("https://a.example/"), blocks=blocks, utf8="바다\nsea".encode())
    assert markup.text == "바다\nsea"
