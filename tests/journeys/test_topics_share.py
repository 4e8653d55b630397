"""Topics that share a crawl of a generated web each find what they find alone with their share of the budget."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from named_web import LOOPBACK, NamedWeb, Reply, served
from processes import wait_until

from haenyeo.cli.app import haenyeo
from haenyeo.collect.collection import Collection, Overrides
from haenyeo.collect.settings_file import write_settings
from haenyeo.model.config import Settings, Topic
from haenyeo.store import Store

pytestmark = pytest.mark.slow
PAGES, OF_A_TOPIC, LINKS = 40, 120, 12
SHARE = 0.9  # of what a topic finds alone
WORDS = {
    "sea": "abalone diver reef kelp urchin tide breath basket",
    "rail": "locomotive carriage signal junction platform timetable conductor whistle",
}
PLAIN = "garden window letter afternoon market paper colour number story kitchen bridge weather music lamp"


def page_of(kind: str, number: int, port: int) -> Reply:
    """A page about a topic, or about nothing, that links mostly to its own kind; those on rails say less of it."""
    chance = random.Random(f"{kind}{number}")
    own = WORDS.get(kind, PLAIN).split()
    text = " ".join(chance.choices(own, k=40) + chance.choices(PLAIN.split(), k=60))
    links = []
    for place in range(LINKS):
        other = kind if place < LINKS // 2 else "plain"
        target = chance.randrange(OF_A_TOPIC if other in WORDS else 10 * OF_A_TOPIC)
        clear = 4 if other == "sea" else 1
        said = chance.choices(WORDS.get(other, PLAIN).split(), k=clear) + chance.choices(PLAIN.split(), k=3)
        links.append(f'<p>{" ".join(said)} <a href="http://web.test:{port}/{other}/{target}">{said[0]}</a></p>')
    return Reply(f"<title>{own[number % 8]} {number}</title><h1>{own[0]} {number}</h1><p>{text}</p>{''.join(links)}")


@pytest.fixture(scope="module")
def web() -> Iterator[NamedWeb]:
    made = NamedWeb("127.0.0.9")
    made.addresses = {"127.0.0.9": "127.0.0.9"}
    with served(made) as listening:
        port = listening.port

        def answer(path: str) -> Reply:
            kind, _, number = path.strip("/").partition("/")
            known = number.isdigit() and int(number) < (OF_A_TOPIC if kind in WORDS else 10 * OF_A_TOPIC)
            found = page_of(kind, int(number), port) if known else Reply("nothing", 404)
            return found._replace(body=found.body.replace("web.test", "127.0.0.9"))

        listening.hosts["127.0.0.9"] = answer
        yield listening


def topic(web: NamedWeb, kind: str, **more: Any) -> Topic:
    def urls(*numbers: int) -> tuple[str, ...]:
        return tuple(web.url("127.0.0.9", f"/{kind}/{number}") for number in numbers)

    return Topic(words=" ".join(WORDS[kind].split()[:3]), seeds=urls(0), like=urls(1, 2, 3), **more)


def hopeless(web: NamedWeb) -> Topic:
    return Topic(words="xylograph quincunx", seeds=(web.url("127.0.0.9", "/plain/0"),))


def made(folder: Path, topics: Mapping[str, Topic]) -> Path:
    Store.create(folder).close()
    write_settings(folder, Settings(topic=dict(topics), fetch=LOOPBACK))
    return folder


def found(web: NamedWeb, folder: Path, topics: Mapping[str, Topic], pages: int, scorer: str) -> dict[str, int]:
    """How many pages of each kind a crawl asks for."""
    web.log.clear()
    with Collection.open(made(folder, topics)) as collection:
        for _ in collection.crawl(pages=pages, overrides=Overrides(scorer=scorer, delay=0.0)):
            pass
    asked = set(web.paths("127.0.0.9"))
    return {kind: sum(path.startswith(f"/{kind}/") for path in asked) for kind in (*WORDS, "plain")}


@pytest.mark.parametrize("scorer", ["default", "pfc", "segment-backlinks"])
def test_each_topic_finds_what_it_finds_alone(web: NamedWeb, tmp_path: Path, scorer: str) -> None:
    topics = {kind: topic(web, kind) for kind in WORDS}
    for kind in WORDS:
        (tmp_path / kind).mkdir()
    alone = {kind: found(web, tmp_path / kind, {kind: topics[kind]}, PAGES, scorer)[kind] for kind in WORDS}
    (tmp_path / "both").mkdir()
    together = found(web, tmp_path / "both", topics, 2 * PAGES, scorer)
    for kind, count in alone.items():
        assert together[kind] >= SHARE * count, (kind, alone, together)
    (tmp_path / "three").mkdir()
    beside = found(web, tmp_path / "three", {**topics, "hopeless": hopeless(web)}, 3 * PAGES, scorer)
    for kind, count in alone.items():
        assert beside[kind] >= SHARE * count, (kind, alone, beside)


def test_dead_links_take_no_pages_from_the_topic_that_meets_them(web: NamedWeb, tmp_path: Path) -> None:
    answer = web.hosts["127.0.0.9"]
    web.hosts["127.0.0.9"] = lambda path: (
        Reply("nothing", 404) if path.startswith("/rail/") and _is_dead(path) else answer(path)
    )
    try:
        found(web, tmp_path, {kind: topic(web, kind) for kind in WORDS}, 2 * PAGES, "segment-backlinks")
    finally:
        web.hosts["127.0.0.9"] = answer
    dead = sum(path.startswith("/rail/") and _is_dead(path) for path in set(web.paths("127.0.0.9")))
    told = {row["topic"]: row["asked"] for row in status(tmp_path)["topic_harvests"]}
    assert dead > PAGES / 2
    assert told["rail"] - dead >= SHARE * PAGES, (told, dead)


def _is_dead(path: str) -> bool:
    return int(path.rpartition("/")[2]) % 2 == 1 and int(path.rpartition("/")[2]) > OF_A_TOPIC // 8


def status(folder: Path) -> Any:
    result = CliRunner().invoke(haenyeo, ["status", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_turns_go_by_weight_and_the_harvest_of_each_topic_is_told(web: NamedWeb, tmp_path: Path) -> None:
    topics = {"sea": topic(web, "sea", weight=3.0), "rail": topic(web, "rail")}
    found(web, tmp_path, topics, 80, "default")
    told = {row["topic"]: row for row in status(tmp_path)["topic_harvests"]}
    assert (told["sea"]["asked"], told["rail"]["asked"]) == pytest.approx((60, 20), abs=2)
    assert told["sea"]["weight"] == 3.0
    for row in told.values():
        assert row["harvest"] == pytest.approx(row["found"] / row["asked"])
        assert row["found"] <= row["asked"]
    shown = CliRunner().invoke(haenyeo, ["status", str(tmp_path)]).output
    assert "what each topic had of the crawl" in shown


def asked_by_topic(folder: Path) -> dict[str, int]:
    return {row["topic"]: row["asked"] for row in status(folder)["topic_harvests"]}


def test_a_killed_crawl_goes_on_with_the_turns_as_they_were(web: NamedWeb, tmp_path: Path) -> None:
    topics = {"sea": topic(web, "sea", weight=2.0), "rail": topic(web, "rail")}
    made(tmp_path, topics)
    command = [
        sys.executable,
        "-m",
        "haenyeo",
        "crawl",
        str(tmp_path),
        "--delay",
        "0",
        "--strategy",
        "segment-backlinks",
    ]
    web.log.clear()
    crawl = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: len(web.log) > 60)
    crawl.send_signal(signal.SIGKILL)
    crawl.wait()
    before = asked_by_topic(tmp_path)
    assert min(before.values()) > 5
    subprocess.run([*command, "--pages", "60"], check=True, stdout=subprocess.DEVNULL)
    after = asked_by_topic(tmp_path)
    assert sum(after.values()) - sum(before.values()) == 60
    assert abs(after["sea"] / 2 - after["rail"]) < 10, (before, after)
    paths = [path for path in web.paths("127.0.0.9") if path != "/robots.txt"]
    assert len(paths) - len(set(paths)) <= 1, "only what was under way may be asked for twice"
