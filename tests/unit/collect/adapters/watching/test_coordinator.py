"""Park, Oh & Lee 2002, section 3: the coordinator looks at the status first, then at the patterns."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from haenyeo.collect.adapters.watching.coordinator import Coordinator, KeptPatterns, all_kept_patterns
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store
from haenyeo.watch.default import DefaultWatcher
from haenyeo.watch.vilo import Vilo

URL = Url("https://a.example/search?q=mask")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
RECORD = ("<LI>", "<A>", "TEXT", "</A>", "</LI>")


def results(tag: str = "a", count: int = 3) -> str:
    return "<body>" + "".join(f"<li><{tag}>{n}</{tag}></li><hr{n}>" for n in range(count)) + "</body>"


def answer(html: str, hour: int, outcome: Outcome = Outcome.PAGE, status: int = 200) -> Answer:
    hop = Hop(url=URL, status=status, body=html.encode(), at=NOW + timedelta(hours=hour))
    return Answer(url=URL, final_url=URL, outcome=outcome, status=status, body=html.encode(), hops=(hop,))


@pytest.fixture
def visited(store: Store) -> list[KeptPatterns | None]:
    """A first visit, the same with other words, an error, another layout, and a copy that still holds."""
    coordinator = Coordinator(store, Vilo(times=3))
    answers = [
        answer(results(), 0),
        answer(results().replace("1", "one"), 1),
        answer("", 2, Outcome.ERROR, 503),
        answer(results("b"), 3),
        answer("", 4, Outcome.UNCHANGED, 304),
    ]
    found = []
    for hour, each in enumerate(answers):
        store.save(PageRecord(answer=each, site="a.example", at=NOW, document=Document(url=URL, text=str(each.body))))
        found.append(coordinator.visited(URL, each, NOW + timedelta(hours=hour)))
    return found


def test_an_error_is_no_change_and_other_words_are_none(visited: list[KeptPatterns]) -> None:
    assert [each.verdict for each in visited] == ["first", "same", "error", "changed", "same"]
    assert [each.status for each in visited] == [200, 200, 503, 200, 304]


def test_patterns_are_kept_until_they_change(store: Store, visited: list[KeptPatterns]) -> None:
    assert [each.patterns for each in visited[:3]] == [(RECORD,)] * 3
    assert [each.changed_at.hour for each in visited] == [0, 0, 0, 3, 3]
    assert list(all_kept_patterns(store)) == [visited[-1]]


def test_other_watchers_have_no_patterns(store: Store) -> None:
    assert Coordinator(store, DefaultWatcher()).visited(URL, answer("", 0), NOW) is None
