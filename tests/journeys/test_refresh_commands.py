"""`haenyeo refresh` and `haenyeo plan` as a user calls them."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from haenyeo.collect.collection import create_collection
from haenyeo.demo import Address, DemoWeb
from haenyeo.model.config import FetchSettings, Topic

pytestmark = pytest.mark.slow
Web = tuple[DemoWeb, Address]
Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def crawled(web: Web, haenyeo: Command, tmp_path: Path) -> str:
    """A collection of one site's pages."""
    create_collection(
        tmp_path / "tides",
        Topic(words="tide tables", seeds=(web[0].url("tidekit"),)),
        hosts=["tidekit.localhost"],
        fetch=FetchSettings(allow_private=("127.0.0.0/8",), contact="tests@example.org"),
    )
    haenyeo("crawl", "tides", "--delay", "0", "--strategy", "bfs", "--pages", "30")
    time.sleep(1)  # times of visits are whole seconds, and no page is due in the second of its visit
    return "tides"


def test_a_fresh_collection_is_found_unchanged_with_few_bytes(crawled: str, haenyeo: Command) -> None:
    told = json.loads(haenyeo("refresh", crawled, "--once", "--budget", "100/day", "--delay", "0", "--json").stdout)
    assert told["visited"] == 25
    assert told["changed"] == 0
    assert set(told["found"]) <= {"not modified", "same bytes", "same text", "near text"}
    again = haenyeo("refresh", crawled, "--once", "--budget", "100/day", "--delay", "0")
    assert "nothing was worth a visit" in again.stdout


def test_the_plan_shows_the_week_and_what_budgets_buy(crawled: str, haenyeo: Command) -> None:
    told = json.loads(haenyeo("plan", crawled, "--budget", "48/day", "--json").stdout)
    assert len(told["visits"]) == 7
    assert told["freshness"]["half"] <= told["freshness"]["double"]
    shown = haenyeo("plan", crawled, "--budget", "48/day").stdout
    assert "Mon" in shown
    assert "the budget" in shown


def test_nonsense_is_refused_with_advice(crawled: str, haenyeo: Command) -> None:
    assert "500/day" in haenyeo("refresh", crawled, "--once", "--budget", "lots", code=2).stderr
    haenyeo("plan", "nowhere", code=1)
