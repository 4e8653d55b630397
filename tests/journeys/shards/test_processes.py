"""One collection in shards, a process each: the pages of one crawl, every page once, whatever is killed."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from processes import wait_until

from haenyeo.cluster.messages import ShardReport, read_report
from haenyeo.cluster.standing import standing
from haenyeo.cluster.ties import REPORT, inbox_of, waiting
from haenyeo.collect.links.outbox import PART
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.store.lock import writer_of
from haenyeo.store.shards.catalogue import Catalogue, shard_folder

from .conftest import ENVIRONMENT, Crawling, ManySites

pytestmark = pytest.mark.slow


def ended(process: subprocess.Popen[str]) -> dict[str, object]:
    """What the crawl said at its end."""
    out, _ = process.communicate(timeout=200)
    assert process.returncode == 0, out
    told: dict[str, object] = json.loads(out)
    return told


def reports(folder: Path) -> dict[int, ShardReport]:
    """The last report of every shard."""
    with Catalogue(folder) as catalogue:
        return {shard: read_report(data) for shard, data in catalogue.all(REPORT).items()}


def stored(folder: Path, shards: int) -> list[str]:
    """The addresses of all pages of all shards, each shard's own sites only; nothing is left to be sent."""
    with Catalogue(folder) as catalogue:
        owners = catalogue.owners()
    found: list[str] = []
    for number in range(shards):
        with Store.open(shard_folder(folder, number), writing=False) as store:
            pages = [page.url for page in store.pages(kept_only=False)]
            assert {owners.of(site_of(Url(url))) for url in pages} <= {number}
            assert store.state_count(PART) == 0
        assert waiting(inbox_of(folder, number)) == 0
        found += pages
    return found


def test_shards_fetch_what_one_crawl_fetches_and_each_page_once(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    assert ended(crawling("one"))["visited"] == sites.pages
    alone, sites.log = sorted(sites.asked), []
    told = ended(crawling("three", "--shards", "3"))
    assert (told["why"], told["visited"], told["waiting"]) == ("done", sites.pages, 0)
    assert sorted(sites.asked) == alone
    assert sorted(stored(tmp_path / "three", 3)) == alone


def test_a_redirect_to_a_site_of_another_shard_becomes_an_offer(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    for site in range(SITES_MOVED):
        sites.moved[f"http://site{site}.example/p1.html"] = f"http://site{site + 9}.example/p1.html"
    ended(crawling("moved", "--shards", "2"))
    pages = stored(tmp_path / "moved", 2)
    assert len(pages) == len(set(pages))
    assert set(sites.moved.values()) <= set(pages)
    with Catalogue(tmp_path / "moved") as catalogue:
        owner = catalogue.owners().of
    abroad = [to for url, to in sites.moved.items() if owner(site_of(Url(url))) != owner(site_of(Url(to)))]
    assert [sites.asked.count(url) for url in abroad] == [1] * len(abroad) != []


SITES_MOVED = 8


def test_the_page_budget_holds_over_all_shards_also_when_the_crawl_goes_on(
    crawling: Crawling, sites: ManySites
) -> None:
    told = ended(crawling("budget", "--shards", "3", "--pages", "40"))
    assert (told["why"], told["visited"]) == ("budget", 40)
    assert len(sites.asked) == 40
    told = ended(crawling("budget", "--pages", "20"))
    assert told["visited"] == 20
    assert len(set(sites.asked)) == 60


def test_a_killed_shard_comes_back_by_itself(crawling: Crawling, sites: ManySites, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    crawl = crawling("killed", "--shards", "2", delay=0.05)
    for shard in (0, 1):
        wait_until(lambda: len(sites.asked) > 10)
        wait_until(lambda shard=shard: writer_of(shard_folder(folder, shard)) is not None)  # type: ignore[misc]
        os.kill(writer_of(shard_folder(folder, shard)) or 0, signal.SIGKILL)
    told = ended(crawl)
    assert told["why"] == "done"
    assert [(shard.state, shard.restarts, shard.unsent) for shard in standing(folder)] == [("ended", 1, 0)] * 2
    pages = stored(folder, 2)
    assert len(pages) == len(set(pages)) == sites.pages


def test_a_site_is_not_asked_too_soon_by_a_shard_that_was_killed_and_came_back(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    folder, delay = tmp_path / "polite", 1.5
    crawl = crawling("polite", "--shards", "1", "--pages", "60", delay=delay)
    for pages in (5, 15, 25):
        wait_until(lambda pages=pages: len(sites.asked) > pages or crawl.poll() is not None)  # type: ignore[misc]
        os.kill(writer_of(shard_folder(folder, 0)) or 0, signal.SIGKILL)
        wait_until(lambda: writer_of(shard_folder(folder, 0)) is not None)
    assert ended(crawl)["why"] == "budget"
    assert [shard.restarts for shard in standing(folder)] == [3]
    times: dict[str, list[float]] = defaultdict(list)
    for url, at in sites.log:
        if not url.endswith("robots.txt"):  # asked for in the same turn as the first page
            times[site_of(Url(url))].append(at)
    gaps = [later - sooner for of_site in times.values() for sooner, later in itertools.pairwise(of_site)]
    assert min(gaps) > 0.9 * delay


def test_shards_outlive_the_process_they_were_forked_from(crawling: Crawling, sites: ManySites, tmp_path: Path) -> None:
    folder = tmp_path / "forked"
    crawl = crawling("forked", "--shards", "2", delay=0.05)
    wait_until(lambda: len(sites.asked) > 10)
    children = Path(f"/proc/{crawl.pid}/task/{crawl.pid}/children").read_text("ascii").split()
    first = writer_of(shard_folder(folder, 0)) or 0
    os.kill(int(children[0]), signal.SIGKILL)
    before = len(sites.asked)
    wait_until(lambda: len(sites.asked) > before + 10)
    assert writer_of(shard_folder(folder, 0)) == first
    os.kill(first, signal.SIGKILL)
    assert ended(crawl)["why"] == "done"
    assert [(shard.state, shard.restarts) for shard in standing(folder)] == [("ended", 1), ("ended", 0)]
    pages = stored(folder, 2)
    assert len(pages) == len(set(pages)) == sites.pages


def test_a_killed_coordinator_finds_its_shards_again_and_no_page_budget_is_doubled(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    folder = tmp_path / "headless"
    crawl = crawling("headless", "--shards", "2", "--pages", "100", delay=0.05)
    wait_until(lambda: len(sites.asked) > 20)
    crawl.kill()
    crawl.communicate(timeout=60)
    wait_until(lambda: all(report.rest for report in reports(folder).values()))
    alive = {shard: writer_of(shard_folder(folder, shard)) for shard in (0, 1)}
    assert None not in alive.values()
    assert len(sites.asked) < 100
    told = ended(crawling("headless", "--pages", "100", delay=0.05))
    assert told["why"] == "budget"
    assert {shard: report.process for shard, report in reports(folder).items()} == alive
    assert len(sites.asked) == len(set(sites.asked)) == 100


def test_seeds_that_are_added_and_pages_that_failed_are_asked_for_by_the_next_crawl(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    folder, gone = tmp_path / "more", "http://site3.example/p9999.html"
    ended(crawling("more", "--shards", "2", "--pages", "10"))
    call = [sys.executable, "-m", "haenyeo", "add", str(folder), gone, "--json"]
    added = subprocess.run(call, check=True, env=ENVIRONMENT, capture_output=True, timeout=120)
    assert json.loads(added.stdout)["added"] == 1
    ended(crawling("more"))
    assert sites.asked.count(gone) == 1
    assert ended(crawling("more", "--retry"))["asked_again"] == 1
    assert sites.asked.count(gone) == 2
