from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from haenyeo.collect.adapters.finding.handing import handed
from haenyeo.store import Store
from haenyeo.web.queries.one_page import said_of


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def test_two_versions_of_a_page_are_compared(ask: Ask) -> None:
    shown = ask("/pages/1").text
    assert '<li class="added">They sing.</li>' in shown
    assert '<li class="removed">The haenyeo dive for abalone without tanks.</li>' in shown


def test_a_verdict_is_written_down(ask: Ask, folder: Path) -> None:
    assert ask("/pages/1/judge", {"topic": "divers", "verdict": "no"}).status == 303
    assert ask("/pages/1/judge", {"topic": "other", "verdict": "no"}).status == 400
    with Store.open(folder, writing=False) as store:
        assert said_of(store, "https://a.example/0") == {"divers": False}
        page = store.page("https://a.example/0")
        assert page is not None
        assert not page.kept
    assert 'class="no" aria-pressed="true"' in ask("/pages/1").text


def test_a_verdict_is_confirmed_beside_the_button_that_was_pressed(ask: Ask) -> None:
    assert "heard" not in ask("/pages/1").text
    reply = ask("/pages/1/judge", {"topic": "divers", "verdict": "no"})
    address, _, place = reply.headers["location"].partition("#")
    form = ask(address).text.partition(f'id="{place}"')[2].partition("</form>")[0]
    assert 'role="status">Heard: <b>off topic</b>. The page is not kept' in form
    ask("/pages/1/judge", {"topic": "divers", "verdict": "yes"})
    assert "Heard: <b>on topic</b>. The page is kept" in ask(address).text
    assert "You said: on topic." in ask("/pages/1").text


@pytest.mark.slow
def test_verdicts_are_left_for_the_process_that_writes(ask: Ask, folder: Path) -> None:
    with Store.open(folder, writing=True):
        reply = ask("/pages/1/judge", {"topic": "divers", "verdict": "no"})
    assert reply.status == 303
    assert [(verdict.topic, verdict.relevant) for _, verdict in handed(folder)] == [("divers", False)]
    shown = ask(reply.headers["location"].partition("#")[0]).text
    assert "Heard: <b>off topic</b>. The crawl takes it up in a moment." in shown
    assert 'class="no" aria-pressed="true"' in shown


def test_an_address_leads_to_its_page(ask: Ask) -> None:
    reply = ask("/page?url=https://a.example/1")
    assert (reply.status, reply.headers["location"]) == (303, "/pages/2")
    assert ask("/page?url=https://a.example/none").status == 404


def test_a_visit_of_another_page_shows_the_last_original(ask: Ask) -> None:
    assert "They sing." in ask("/pages/1/original").text
    assert "without tanks" in ask("/pages/1/original?visit=1").text
    assert "They sing." in ask("/pages/1/original?visit=2").text
