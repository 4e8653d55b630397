from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from haenyeo.collect.links.steering import read_course, write_course
from haenyeo.model.errors import NotThereError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import PageRecord, Store
from haenyeo.web.desk import Desk
from haenyeo.web.queries.sites import all_sites, one_site


@pytest.fixture
def folder(shop: Path) -> Path:
    lost = Url("https://a.example/lost")
    answer = Answer(url=lost, final_url=lost, outcome=Outcome.GONE, reason="404", status=404)
    with Store.open(shop, writing=True) as store:
        store.save(PageRecord(answer=answer, site="a.example", at=datetime.now(UTC)))
        dead = Url("https://dead.example/")
        silence = Answer(url=dead, final_url=dead, outcome=Outcome.FAILED, reason="network")
        store.save(PageRecord(answer=silence, site="dead.example", at=datetime.now(UTC)))
    return shop


def test_sites_with_most_kept_pages_come_first(desk: Desk) -> None:
    sites = {site.site: site for site in all_sites(desk)}
    assert list(sites) == ["a.example", "shop.example", "b.example"]
    assert (sites["a.example"].asked, sites["a.example"].kept, sites["a.example"].errors) == (5, 3, 1)
    assert (sites["b.example"].asked, sites["b.example"].waiting) == (0, 4)


def test_an_account_tells_pace_errors_and_outcomes(desk: Desk) -> None:
    account = one_site(desk, "a.example")
    assert account.pace is not None
    assert account.pace.answers == pytest.approx(0.2)
    assert account.outcomes == {"page": 4, "gone": 1}
    assert [(error.outcome, error.status, error.pages) for error in account.errors] == [(Outcome.GONE, 404, 1)]
    assert (account.robots, account.rules, account.happenings) == ([], [], [])
    assert not account.blocked


def test_an_account_tells_rules_and_what_happened_to_layouts(desk: Desk) -> None:
    account = one_site(desk, "shop.example")
    assert [rule.name for rule in account.rules] == ["goods"]
    assert [told.kind for told in account.happenings] == ["layout"]


def test_a_site_that_only_waits_has_no_pace(desk: Desk) -> None:
    account = one_site(desk, "b.example")
    assert account.pace is None
    assert account.site is not None
    assert account.site.waiting == 4


def test_a_blocked_site_says_so(desk: Desk, folder: Path) -> None:
    write_course(folder, read_course(folder).with_rule("b.example", blocks=True))
    assert one_site(desk, "b.example").blocked


def test_a_site_that_is_not_there_is_said_so(desk: Desk) -> None:
    with pytest.raises(NotThereError, match="no site"):
        one_site(desk, "nowhere.example")
