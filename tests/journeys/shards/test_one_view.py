"""A collection in shards is one collection: what is asked of it is answered as if it were in one piece."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from haenyeo.cluster.resharding.reshard import COMPLETE, OLD_GONE, _remove_old, finish, reshard
from haenyeo.collect.collection import Collection
from haenyeo.store import Store
from haenyeo.store.columns import CollectionColumns, WaitingLinks
from haenyeo.store.search import SearchQuery
from haenyeo.store.shards.opening import open_index, open_store
from haenyeo.web.serving import listen, serving_in_thread

from .conftest import ENVIRONMENT, Crawling, ManySites

pytestmark = pytest.mark.slow
NUMBERS = {"collection", "database_bytes", "archive_bytes", "seconds", "last_at"}


def told(*arguments: object, environment: dict[str, str] | None = None) -> Any:
    """What a command says as JSON."""
    call = [sys.executable, "-m", "haenyeo", *map(str, arguments), "--json"]
    done = subprocess.run(call, check=True, env=environment or ENVIRONMENT, capture_output=True, timeout=120)
    return json.loads(done.stdout)


def without_times(answer: Any) -> Any:
    """An answer without what differs between any two crawls."""
    if isinstance(answer, dict):
        return {key: without_times(value) for key, value in answer.items() if key not in NUMBERS}
    return [without_times(value) for value in answer] if isinstance(answer, list) else answer


def exported(folder: Path) -> list[dict[str, Any]]:
    """The pages as they are exported, by address, without their times."""
    out = folder.parent / "out.jsonl"
    told("export", folder, "--to", "jsonl", "--out", out)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    kept = [{key: row[key] for key in ("url", "title", "text", "lang", "depth") if key in row} for row in rows]
    return sorted(kept, key=lambda row: str(row["url"]))


def everything(folder: Path) -> dict[str, Any]:
    """All that a collection holds, whatever its rows are numbered."""
    with open_store(folder, writing=False) as store:
        pages = sorted(store.pages(kept_only=False), key=lambda page: page.url)
        urls = [page.url for page in pages]
        waiting = [link.url for batch in store.waiting() for link in store.links(batch.refs.tolist())]
        visits = {url: [(v.at, v.outcome, v.found, v.digest) for v in store.visits(url)] for url in urls}
        links = {v.ref: url for url in urls for v in store.visits(url) if v.ref is not None}
        assert all(store.links([ref])[0].url == url for ref, url in links.items())
        return {
            "pages": [(p.url, p.title, p.text, p.kept, p.outcome, p.first_at, p.relevance, p.depth) for p in pages],
            "visits": visits,
            "bodies": {url: store.payload(store.visits(url)[-1]).body for url in urls},
            "waiting": sorted(waiting),
            "found": store.found_count(),
            "inlinks": {url: sorted(str(link.source) for link in store.inlinks(url)) for url in urls[::10]},
            "robots": sorted(key for key, _ in store.states("robots")),
        }


def said_and_watched(folder: Path) -> dict[str, Any]:
    """What the user has said and what is looked after: verdicts, pages under watch, rules, records and the plan."""
    watched = told("watch", folder, "--look")["watched"]
    rules = told("records", folder)["rules"]
    return {
        "verdicts": told("judge", folder, "--list"),
        "watched": sorted((page["url"], page["every_seconds"]) for page in watched),
        "rules": rules,
        "records": [told("records", folder, "--rule", rule["rule"]) for rule in rules],
        "planned": told("plan", folder, "--budget", "70/day")["pages"],
    }


@pytest.fixture
def folders(crawling: Crawling, tmp_path: Path) -> tuple[Path, Path]:
    """The same collection in one piece and in four shards."""
    crawl = crawling("one")
    crawl.communicate(timeout=200)
    assert crawl.returncode == 0
    shutil.copytree(tmp_path / "one", tmp_path / "four")
    reshard(tmp_path / "four", 4)
    return tmp_path / "one", tmp_path / "four"


def test_status_search_export_and_columns_are_those_of_one_piece(folders: tuple[Path, Path]) -> None:
    one, four = folders
    alone, together = (without_times(told("status", folder)) for folder in folders)
    assert [shard["state"] for shard in together.pop("shards")] == ["never"] * 4
    assert together == alone
    assert exported(four) == exported(one)
    asked = [told("search", folder, "coral reef", "--limit", "1000", "--wait") for folder in folders]
    assert {hit["url"] for hit in asked[1]["hits"]} == {hit["url"] for hit in asked[0]["hits"]}
    assert asked[1]["total"] == asked[0]["total"] > 5
    first = [[hit["url"] for hit in answer["hits"][:5]] for answer in asked]
    assert len({*first[0]} & {*first[1]}) >= 3
    sizes = []
    for folder in folders:
        with open_store(folder, writing=False) as store:
            columns = CollectionColumns(store)
            waiting = WaitingLinks(store)
            columns.update()
            waiting.update()
            sizes.append((len(columns.pages), len(columns.visits), len(waiting), int(columns.pages["kept"].sum())))
    assert sizes[0] == sizes[1]


ANSWERS = ("overview", "freshness", "rules", "steering", "events")
LISTS = ("pages", "frontier", "sites")
OF_ROWS = {*NUMBERS, "id", "ref", "more"}


def answered(folder: Path) -> dict[str, Any]:
    """What the interface of a served collection answers, without numbers of rows and sizes of files."""
    served = listen(folder, port=0)
    with serving_in_thread(served), httpx.Client(follow_redirects=True, timeout=60) as client:
        client.get(served.url).raise_for_status()
        base = served.url.partition("?")[0].rstrip("/")
        found = {path: in_order(client.get(f"{base}/api/{path}").raise_for_status().json()) for path in ANSWERS}
        for path in LISTS:
            parts = [client.get(f"{base}/api/{path}?limit=100&offset={at}").raise_for_status() for at in (0, 100)]
            rows = "links" if path == "frontier" else path
            found[path] = in_order([row for part in parts for row in part.json()[rows]])
    return found


def in_order(answer: Any) -> Any:
    """An answer whose lists are in an order of their own."""
    if isinstance(answer, dict):
        return {key: in_order(value) for key, value in answer.items() if key not in OF_ROWS}
    return sorted(map(in_order, answer), key=repr) if isinstance(answer, list) else answer


def test_the_interface_answers_as_for_one_piece(folders: tuple[Path, Path]) -> None:
    alone, together = map(answered, folders)
    assert len(alone["pages"]) > 100
    assert len(alone["sites"]) == 24
    for path, answer in alone.items():
        assert together[path] == answer, path


def test_a_packed_archive_has_every_page_of_every_shard_once(folders: tuple[Path, Path], sites: ManySites) -> None:
    _, four = folders
    out = four.parent / "out.wacz"
    told("export", four, "--to", "wacz", "--out", out)
    with zipfile.ZipFile(out) as packed:
        names = packed.namelist()
        pages = packed.read("pages/pages.jsonl").decode().splitlines()
    assert len(names) == len(set(names))
    assert len(pages) == sites.pages + 1


def test_pages_found_by_search_have_the_numbers_of_the_store(folders: tuple[Path, Path]) -> None:
    _, four = folders
    with open_index(four) as index, open_store(four, writing=False) as store:
        index.update()
        hits = index.find(SearchQuery(words="coral", limit=20, offset=3)).hits
        assert hits
        assert [page.url for page in store.listed_pages([hit.page for hit in hits])] == [hit.url for hit in hits]
        assert all((page := store.page_numbered(hit.page)) and page.url == hit.url for hit in hits)


def test_more_and_fewer_shards_keep_everything(crawling: Crawling, tmp_path: Path) -> None:
    crawl = crawling("half", "--pages", "90")
    crawl.communicate(timeout=200)
    folder = tmp_path / "half"
    before = everything(folder)
    assert len(before["waiting"]) > 5
    for count in (4, 2, 1, 4):
        reshard(folder, count)
        assert everything(folder) == before
    crawl = crawling("half")
    out, _ = crawl.communicate(timeout=200)
    assert json.loads(out)["why"] == "done"
    with Collection.open(folder, writing=False) as opened:
        urls = [page.url for page in opened.store.pages(kept_only=False)]
    assert len(urls) == len(set(urls)) == len(exported(folder))


def test_more_and_fewer_shards_keep_what_was_said_and_is_looked_after(
    crawling: Crawling, sites: ManySites, tmp_path: Path
) -> None:
    crawl = crawling("cared", "--pages", "90")
    crawl.communicate(timeout=200)
    folder = tmp_path / "cared"
    with open_store(folder, writing=False) as store:
        urls = sorted(page.url for page in store.pages(kept_only=False))
    at_once = ("--delay", "0")
    later = {**ENVIRONMENT, "HAENYEO_FETCH__PROXY": sites.proxy}
    told("watch", folder, *urls[::30], *at_once, environment=later)
    told("records", folder, urls[5], "--select", "p", "--field", "word=a", *at_once, environment=later)
    for url, verdict in zip(urls[3::20], ("yes", "no", "yes", "no"), strict=False):
        told("judge", folder, url, verdict)
    told("refresh", folder, "--once", "--budget", "100/day", *at_once, environment=later)
    before = said_and_watched(folder)
    assert len(before["verdicts"]["verdicts"]) == 4
    assert (len(before["watched"]), len(before["rules"])) == (3, 1)
    assert before["planned"] > 10
    for count in (4, 2, 1, 4):
        reshard(folder, count)
        assert said_and_watched(folder) == before
        if count == 2:  # what is changed in one shard is not lost to what others have of it
            told("judge", folder, urls[-1], "no")
            told("watch", folder, urls[0], "--remove")
            told(
                "records", folder, urls[5], "--select", "p", "--field", "last=a:last-child", *at_once, environment=later
            )
            before = said_and_watched(folder)
            assert len(before["verdicts"]["verdicts"]) == 5
            assert len(before["watched"]) == 2


def test_a_kill_after_the_copy_is_complete_is_made_good_by_the_next_call(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    for number in range(2):
        Store.create(folder / COMPLETE / f"{number:04d}").close()
    Store.create(folder).close()
    _remove_old(folder)
    (folder / COMPLETE / OLD_GONE).touch()
    (folder / "shards").mkdir()
    (folder / COMPLETE / "0000").rename(folder / "shards" / "0000")
    finish(folder)
    with open_store(folder, writing=False) as store:
        assert store.counts().visits == 0
    assert sorted(path.name for path in (folder / "shards").iterdir()) == ["0000", "0001"]
    assert not (folder / COMPLETE).exists()


def test_the_dashboard_shows_each_shard(crawling: Crawling, sites: ManySites, tmp_path: Path) -> None:
    crawl = crawling("shown", "--shards", "3")
    crawl.communicate(timeout=200)
    served = listen(tmp_path / "shown", port=0)
    with serving_in_thread(served), httpx.Client(follow_redirects=True) as client:
        shown = client.get(served.url).text
    table = shown.partition('id="shards-title"')[2].partition("</table>")[0]
    pages = [int(found.replace(",", "")) for found in re.findall(r'data-label="Pages in this run">([\d,]+)<', table)]
    assert len(pages) == 3
    assert sum(pages) == sites.pages
    assert table.count(">ended<") == 3
