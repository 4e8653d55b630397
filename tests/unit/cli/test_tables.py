from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from haenyeo.cli.tables import SITES_SHOWN, show_overview, show_topic
from haenyeo.collect.adapters.finding.topic_view import NextLink, TopicView
from haenyeo.collect.collection import Collection
from haenyeo.collect.overview import overview_of
from haenyeo.model.pages import Url


def test_a_long_list_of_sites_is_cut(divers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Collection.open(divers, writing=False) as opened:
        overview = overview_of(opened.store, opened.settings)
    one = overview.sites[0]
    many = tuple(structs.replace(one, site=f"s{number}.example") for number in range(SITES_SHOWN + 3))
    show_overview(structs.replace(overview, sites=many))
    shown = capsys.readouterr().out
    assert f"the first {SITES_SHOWN} of {SITES_SHOWN + 3} sites" in shown
    assert f"s{SITES_SHOWN - 1}.example" in shown
    assert f"s{SITES_SHOWN}.example" not in shown


def test_a_topic_is_shown_with_what_comes_next(capsys: pytest.CaptureFixture[str]) -> None:
    link = NextLink(
        url=Url("https://b.example/"),
        site="b.example",
        score=0.5,
        depth=1,
        source=None,
        anchor="reef",
        before="",
        after="",
    )
    show_topic(TopicView(topic="divers", words="sea women", threshold=0.4, pages=12, waiting=3456, next=(link,)))
    shown = capsys.readouterr().out
    assert "sea women" in shown
    assert "3,456" in shown
    assert "0.500" in shown
