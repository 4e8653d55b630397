from __future__ import annotations

from haenyeo.collect.visit.retries import MOST_TRIES, Retries


def test_a_link_has_its_tries_and_no_more() -> None:
    retries = Retries()
    assert [retries.another(7) for _ in range(MOST_TRIES)] == [1, 2, 3, None]
    assert retries.another(7) == 1, "another crawl may try it again"


def test_a_link_that_was_answered_begins_anew() -> None:
    retries = Retries()
    retries.another(7)
    retries.forget(7)
    retries.forget(8)
    assert retries.another(7) == 1
