"""Revisits, watched pages, records and texts of a collection in shards, by the commands of any other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from bench.made_web import address

from haenyeo.cluster.price import PriceState
from haenyeo.cluster.running import PRICE
from haenyeo.collect.visit.clock import VARIABLE
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.store.shards.catalogue import Catalogue, shard_folder
from haenyeo.store.shards.opening import open_store

from .conftest import ENVIRONMENT, Crawling, ManySites

pytestmark = pytest.mark.slow
SHARDS = 3
RAY = ("--ray", "local")


def days_on(days: float) -> dict[str, str]:
    """An environment in which it is so many days later."""
    now = time.time()
    return {**ENVIRONMENT, VARIABLE: f"{now + days * 86_400}@{now}*1"}


def told(*arguments: object, environment: dict[str, str] | None = None) -> Any:
    """What a command says as JSON."""
    call = [sys.executable, "-m", "haenyeo", *map(str, arguments), "--json"]
    done = subprocess.run(call, check=True, env=environment or ENVIRONMENT, capture_output=True, timeout=250)
    return json.loads(done.stdout)


@pytest.fixture
def crawled(crawling: Crawling, sites: ManySites, tmp_path: Path) -> Path:
    """A collection in shards that has all pages."""
    crawl = crawling("sharded", "--shards", str(SHARDS))
    crawl.communicate(timeout=200)
    assert crawl.returncode == 0
    sites.log.clear()
    return tmp_path / "sharded"


def refreshed(folder: Path, sites: ManySites, days: float, *options: str) -> Any:
    """What `refresh --once` says so many days after the crawl."""
    given = ["--once", "--delay", "0", "--proxy", sites.proxy, *options]
    return told("refresh", folder, *given, environment=days_on(days))


def test_revisits_of_all_shards_live_on_one_budget(crawled: Path, sites: ManySites) -> None:
    first = refreshed(crawled, sites, 10, "--budget", "80/day")
    asked = Counter(sites.asked)
    assert first["requests"] == first["visited"] == sum(asked.values()) == 20
    assert set(asked.values()) == {1}
    assert first["pages"] == sites.pages
    again = refreshed(crawled, sites, 10.01, "--budget", "80/day")
    assert again["requests"] <= 1
    with Catalogue(crawled) as catalogue:
        kept = price_of(catalogue)
        owners = catalogue.owners()
    assert kept.price > 0
    assert len({owners.of(site_of(Url(url))) for url in asked}) > 1


def price_of(catalogue: Catalogue) -> PriceState:
    """What the coordinator has kept of revisits."""
    kept = catalogue.get(PRICE)
    assert kept is not None
    return msgspec.msgpack.decode(kept, type=PriceState)


def test_the_wanted_freshness_needs_as_many_visits_as_in_one_piece(
    crawled: Path, crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    crawling("whole").communicate(timeout=200)
    ended = {}
    for folder in (crawled, tmp_path / "whole"):
        refreshed(folder, sites, 0.1, "--fresh", "0.9")
        sites.log.clear()
        ended[folder.name] = refreshed(folder, sites, 100, "--fresh", "0.9")
        assert len(set(sites.asked)) == ended[folder.name]["visited"] > 0
    assert ended["sharded"]["visited"] == pytest.approx(ended["whole"]["visited"], rel=0.15)
    assert ended["sharded"]["fresh"] == pytest.approx(ended["whole"]["fresh"], abs=0.05)


def test_a_service_crawls_refreshes_and_watches_all_shards_until_it_is_stopped(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    crawl = crawling("served", "--shards", "2", "--pages", "10")
    crawl.communicate(timeout=200)
    folder = tmp_path / "served"
    environment = {**ENVIRONMENT, "HAENYEO_STRATEGY__SCORER": "bfs"}
    call = [sys.executable, "-m", "haenyeo", "run", str(folder), "--delay", "0", "--proxy", sites.proxy, "--json"]
    service = subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, text=True)
    until = time.monotonic() + 150
    while len(set(sites.asked)) < sites.pages and time.monotonic() < until:
        assert service.poll() is None
        time.sleep(0.2)
    os.kill(service.pid, signal.SIGTERM)
    output, _ = service.communicate(timeout=60)
    assert service.returncode == 143
    assert json.loads(output)["collected"] == sites.pages
    assert set(Counter(sites.asked).values()) == {1}


def test_a_watched_page_belongs_to_the_shard_of_its_site(crawled: Path, sites: ManySites) -> None:
    environment = {**ENVIRONMENT, "HAENYEO_FETCH__PROXY": sites.proxy}
    watched = [address(3, 0), address(4, 0), address(5, 0)]
    seen = told("watch", crawled, *watched, "--delay", "0", environment=environment)
    assert {page["url"] for page in seen["watched"]} == set(watched)
    assert sorted(sites.asked) == sorted(watched)
    assert {page["url"] for page in told("watch", crawled, "--look")["watched"]} == set(watched)
    left = told("watch", crawled, watched[0], "--remove")
    assert {page["url"] for page in left["watched"]} == set(watched[1:])
    with Catalogue(crawled) as catalogue:
        owners = catalogue.owners()
    for url in watched[1:]:
        with Store.open(shard_folder(crawled, owners.of(site_of(Url(url)))), writing=False) as store:
            assert any(url in key for key, _ in store.states("watched"))


def test_work_in_a_shards_own_folder_leaves_other_sites_alone(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    crawl = crawling("half", "--shards", "2", "--pages", "12")
    crawl.communicate(timeout=200)
    folder = tmp_path / "half"
    shard = shard_folder(folder, 1)
    sites.log.clear()
    call = [sys.executable, "-m", "haenyeo", "crawl", str(shard), "--strategy", "bfs", "--delay", "0", "-q"]
    subprocess.run([*call, "--proxy", sites.proxy], env=ENVIRONMENT, timeout=200, check=False)
    with Catalogue(folder) as catalogue:
        owners = catalogue.owners()
    assert {owners.of(site_of(Url(url))) for url in sites.asked} <= {1}
    whole = crawling("half")
    whole.communicate(timeout=200)
    assert whole.returncode == 0
    with open_store(folder, writing=False) as store:
        assert store.counts().kept == sites.pages


@pytest.mark.parametrize(("reading", "writing"), [((), ()), (RAY, ()), ((), RAY)])
def test_texts_are_read_and_tables_written_by_shards_at_a_time(
    crawled: Path, sites: ManySites, tmp_path: Path, reading: tuple[str, ...], writing: tuple[str, ...]
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    if reading or writing:
        pytest.importorskip("ray.data")
    read = told("read", crawled, *reading)
    assert (read["pages"], read["sites"], read["lost"]) == (sites.pages, 24, 0)
    table, lines = tmp_path / "out.parquet", tmp_path / "out.jsonl"
    assert told("export", crawled, "--to", "parquet", "--out", table, *writing)["pages"] == sites.pages
    told("export", crawled, "--to", "jsonl", "--out", lines)
    rows = {row["url"]: row["text"] for row in parquet.read_table(table).to_pylist()}
    assert rows == {row["url"]: row["text"] for row in map(json.loads, lines.read_text("utf-8").splitlines())}
    cards = [path.with_name(f"{path.name}.card.md").read_text("utf-8") for path in (table, lines)]
    facts = [sorted(line for line in card.splitlines() if not line.startswith("language:")) for card in cards]
    assert facts[0] == facts[1]
    assert not list(tmp_path.glob("*.parts"))


def test_the_plan_is_one_for_all_shards(crawled: Path, crawling: Crawling, tmp_path: Path, sites: ManySites) -> None:
    crawling("whole").communicate(timeout=200)
    assert refreshed(crawled, sites, 3, "--budget", "80/day")["requests"] == 20
    plans = [told("plan", folder, "--budget", "70/day") for folder in (crawled, tmp_path / "whole")]
    assert plans[0]["pages"] == plans[1]["pages"] == sites.pages
    planned = [sum(map(sum, plan["visits"])) for plan in plans]
    assert planned[0] == pytest.approx(planned[1], rel=0.05)


def test_what_others_have_collected_is_divided_among_the_shards(
    crawled: Path, sites: ManySites, tmp_path: Path
) -> None:
    lines = tmp_path / "pages.jsonl"
    pages = [
        {"url": f"http://new{n}.example/p", "html": f"<title>{n}</title><p>Reef and coral number {n}."}
        for n in range(9)
    ]
    lines.write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
    assert told("import", crawled, lines)["pages"] == 9
    assert told("import", crawled, lines)["pages"] == 0
    with Catalogue(crawled) as catalogue:
        owners = catalogue.owners()
    for page in pages:
        with Store.open(shard_folder(crawled, owners.of(site_of(Url(page["url"])))), writing=False) as store:
            assert store.page(page["url"]) is not None
    assert not sites.asked
