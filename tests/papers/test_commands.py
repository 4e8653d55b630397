"""What the papers describe, asked of the commands alone, as a reader of a paper would."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
EXAMPLE_2 = "<H1>one</H1><BR><H1>two</H1><BR><H1>three</H1><BR>"
WEEK = 7 * 86_400
GOODS = [f"/goods/{number}" for number in range(12)]
ABOUT = ["the whale of the ocean eats krill", "whale ocean", "whale", "window", "trains on rails"]
FAR = "one two three four five six seven eight nine ten eleven twelve"


def haenyeo(*arguments: str | Path, code: int = 0) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "haenyeo", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


class Web(ThreadingHTTPServer):
    """A shop's list with an item behind each entry, and pages about whales; counts what is asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked: Counter[str] = Counter()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"

    def page(self, path: str) -> str:
        if path == "/list":
            rows = (f"<li><a href={good}>Lamp {good[7:]}</a> <b>{good[7:]}9.50 EUR</b></li>" for good in GOODS)
            return f"<title>Lamps</title><ul class=list>{''.join(rows)}</ul>"
        if path in GOODS:
            return f"<title>Lamp {path[7:]}</title><h1>Lamp {path[7:]}</h1><p>It costs {path[7:]}9.50 EUR.</p>"
        links = "".join(f"<p><a href=/about/{place}>{said}</a> {FAR}</p>" for place, said in enumerate(ABOUT))
        return f"<title>Whales</title><p>A whale of the ocean eats krill. {FAR}</p>{links}" if path == "/whales" else ""


class Answers(BaseHTTPRequestHandler):
    """Answers for one connection."""

    server: Web

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        body = self.server.page(self.path).encode()
        if self.path.startswith(("/about/", "/like", "/unlike")):
            said = "trains on rails" if self.path.startswith("/unlike") else "the whale of the ocean eats krill"
            body = f"<title>{said}</title><p>{said}, {self.path}</p>".encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def collection(web: Web, folder: Path, path: str, more: str = "") -> Path:
    """A collection that begins at a page of the web, with more settings."""
    haenyeo("new", folder, "--topic", "x", "--seed", web.url(path))
    start, like, unlike = web.url(path), web.url("/like"), web.url("/unlike")
    topic = f'[topic.t]\nwords = "whale ocean"\nseeds = ["{start}"]\nlike = ["{like}"]\nunlike = ["{unlike}"]\n'
    fetch = '[fetch]\nallow_private = ["127.0.0.1"]\n'
    (folder / "haenyeo.toml").write_text(f"{topic}{fetch}{more}", encoding="utf-8")
    return folder


def test_000_the_threshold_that_links_must_reach_can_be_set(web: Web, tmp_path: Path) -> None:
    asked = []
    for number, threshold in enumerate((0.76, 0.999)):
        more = f'[strategy]\nscorer = "segment"\n[parts.segment]\nthreshold = {threshold}\n'
        folder = collection(web, tmp_path / str(number), "/whales", more)
        web.asked.clear()
        haenyeo("crawl", folder, "--delay", "0", "-q")
        asked.append({path for path in web.asked if path.startswith("/about/")})
    assert asked[1] < asked[0] < {f"/about/{place}" for place in range(len(ABOUT))}


def test_002_the_pattern_of_example_2_is_shown_for_its_k(tmp_path: Path) -> None:
    old, new = tmp_path / "old.html", tmp_path / "new.html"
    old.write_text(f"<body>{EXAMPLE_2}</body>", encoding="utf-8")
    new.write_text(f"<body>{EXAMPLE_2.replace('<BR>', '<HR>')}</body>", encoding="utf-8")
    shown = haenyeo("diff", "--watcher", "vilo", "--patterns", "--times", "3", old, "--", new, code=2)
    assert "<H1>TEXT</H1><BR>" in shown
    assert "<H1>" not in haenyeo("diff", "--watcher", "vilo", "--patterns", old, "--", new), "K is 10 unless it is set"


def planned(web: Web, folder: Path, more: str = "") -> Path:
    """A collection with the paper's planner that has fetched a few pages."""
    made = collection(web, folder, "/whales", f'[strategy]\nplanner = "groups"\n{more}')
    haenyeo("crawl", made, "--pages", "3", "--delay", "0", "-q")
    return made


def test_004_the_plan_shows_the_groups(web: Web, tmp_path: Path) -> None:
    folder = planned(web, tmp_path / "pages")
    assert "still learned" in haenyeo("plan", folder)
    assert json.loads(haenyeo("plan", folder, "--json"))["groups"]["learning"] >= 1


def test_004_hours_are_those_of_a_time_zone(web: Web, tmp_path: Path) -> None:
    folder = planned(web, tmp_path / "pages", '[refresh]\ntime_zone = "Asia/Seoul"\n')
    assert "Asia/Seoul" in haenyeo("plan", folder)


def test_004_items_of_a_list_are_fetched_once_and_after_it(web: Web, tmp_path: Path) -> None:
    folder = collection(web, tmp_path / "goods", "/list")
    for _ in range(2):
        haenyeo("records", folder, web.url("/list"), "--items", "20", "--delay", "0")
    asked = list(web.asked)
    assert [web.asked[good] for good in GOODS] == [1] * len(GOODS)
    assert asked.index("/list") < min(map(asked.index, GOODS))


def log_of(folder: Path) -> Path:
    """A change log of pages that change every day at noon, or every three weeks."""
    lines = []
    for number in range(20):
        changes = [1_000_000 + at for at in range(43_200, 6 * WEEK, 86_400 if number < 4 else 3 * WEEK)]
        page = {"url": f"https://a.example/{number}", "site": "a.example", "window": [1_000_000, 1_000_000 + 6 * WEEK]}
        lines.append(json.dumps({**page, "changes": changes, "born": 1_000_000}))
    path = folder / "log.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_004_the_claim_of_freshness_and_the_learning_period_are_answered(tmp_path: Path) -> None:
    data = log_of(tmp_path)
    told: dict[str, Any] = json.loads(haenyeo("paper", "004", "--data", data, "--out", tmp_path, "--json"))
    [fresh] = [table for table in told["tables"] if "freshness" in table["title"]]
    plans = {row[0]: dict(zip(fresh["columns"], row, strict=True)) for row in fresh["rows"]}
    assert plans["every page every day"]["requests a day"] == 20
    assert plans["groups by their table"]["saved %"] > plans["every page every day"]["saved %"] == 0
    assert any("fresh" in note and ("did not hold" in note or "held" in note) for note in told["notes"])
    assert any("every 20 minutes" in note and "years" in note for note in told["notes"])
