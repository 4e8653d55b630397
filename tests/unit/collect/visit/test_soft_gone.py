from __future__ import annotations

import asyncio

import pytest

from haenyeo.collect.visit.soft_gone import SoftGone
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import StoredPage

URL = Url("https://a.example/reefs/1")
WORDS = "corals live in colonies of many identical polyps and build reefs over thousands of years in warm seas"


def page(text: str, outcome: Outcome = Outcome.PAGE) -> Answer:
    html = f"<html><body><p>{text}</p></body></html>".encode()
    return Answer(url=URL, final_url=URL, outcome=outcome, status=200, content_type="text/html", body=html)


class Site:
    """Answers every address that does not exist in the same way."""

    def __init__(self, nowhere: Answer) -> None:
        self.nowhere = nowhere
        self.asked: list[str] = []

    async def ask(self, url: Url) -> Answer:
        self.asked.append(url)
        return self.nowhere


def seen(site: Site, answer: Answer, before: StoredPage) -> Answer:
    return asyncio.run(SoftGone(site.ask).seen_through(answer, before))[0]


@pytest.fixture
def before(stored_page: StoredPage) -> StoredPage:
    return stored_page


@pytest.fixture
def stored_page() -> StoredPage:
    from datetime import UTC, datetime

    from haenyeo.model.visits import Validators

    now = datetime.now(UTC)
    return StoredPage(
        id=1, url=URL, site="a.example", depth=0, kept=True, outcome=Outcome.PAGE, reason="", status=200, visits=1,
        first_at=now, last_at=now, fetched_at=now, changed_at=now, content_type="text/html", validators=Validators(),
        title="", language="", digest=b"", simhash=0, relevance={}, text=WORDS,
    )  # fmt: skip


def test_a_page_that_says_what_the_site_says_of_nothing_is_gone(before: StoredPage) -> None:
    site = Site(page("Sorry, nothing is here. Perhaps it moved."))
    answer = seen(site, page("Sorry, nothing is here. Perhaps it moved."), before)
    assert (answer.outcome, answer.reason) == (Outcome.GONE, "soft 404")


def test_a_page_that_was_written_anew_is_not_gone(before: StoredPage) -> None:
    site = Site(page("Sorry, nothing is here. Perhaps it moved."))
    assert seen(site, page("Whales are mammals that live in the open ocean and sing."), before).outcome is Outcome.PAGE


def test_a_page_that_keeps_most_of_its_words_gives_no_cause_to_ask(before: StoredPage) -> None:
    site = Site(page("Sorry."))
    assert seen(site, page(WORDS + " and one more"), before).outcome is Outcome.PAGE
    assert site.asked == []


def test_a_site_that_answers_404_as_it_should_is_believed(before: StoredPage) -> None:
    site = Site(page("Sorry, nothing is here.", Outcome.GONE))
    assert seen(site, page("Sorry, nothing is here."), before).outcome is Outcome.PAGE


def test_a_site_is_asked_once(before: StoredPage) -> None:
    site = Site(page("Sorry, nothing is here."))
    soft_gone = SoftGone(site.ask)

    async def look() -> None:
        for _ in range(3):
            await soft_gone.seen_through(page("Sorry, nothing is here."), before)

    asyncio.run(look())
    assert len(site.asked) == 1
