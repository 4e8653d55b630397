"""Two topics in one crawl, one of which its links name far more clearly: both get their half of the pages."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
PAGES, OF_A_TOPIC, OF_NOTHING, LINKS = 120, 400, 2000, 16
LOUD, QUIET, NEITHER = "sea", "rail", "plain"
WORDS = {
    LOUD: ["abalone", "diver", "reef", "kelp", "urchin", "tide", "breath", "basket"],
    QUIET: ["locomotive", "carriage", "signal", "junction", "platform", "timetable", "conductor", "whistle"],
    NEITHER: ["garden", "window", "letter", "afternoon", "market", "paper", "colour", "story", "kitchen", "weather"],
}
CLEAR_WORDS = {LOUD: 5, QUIET: 1, NEITHER: 0}
"""Of six words of a link, how many are of its topic."""


def page(kind: str, number: int) -> str:
    """A page of one kind whose links lead to the same kind, the last two to pages about nothing."""
    chance = random.Random(f"{kind} {number}")
    plain = WORDS[NEITHER]
    links = []
    for place in range(LINKS):
        other = kind if place < LINKS - 2 else NEITHER
        target = chance.randrange(OF_NOTHING if other == NEITHER else OF_A_TOPIC)
        clear = CLEAR_WORDS[other]
        said = " ".join(chance.sample(WORDS[other], clear) + chance.sample(plain, 6 - clear))
        links.append(f'<p><a href="/{other}/{target}">{said}</a></p>')
    strange = ["".join(chance.choices("aeioubdgklmnprst", k=7)) for _ in range(60)]
    text = " ".join(chance.choices(WORDS[kind], k=30) + chance.choices(plain, k=30) + strange)
    title = f"{WORDS[kind][number % 8]} {number}"
    return f"<title>{title}</title><h1>{title}</h1><p>{text}</p>{''.join(links)}"


class Web(ThreadingHTTPServer):
    """Says a page for each kind and number, and remembers which were asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked: dict[str, None] = {}

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


class Answers(BaseHTTPRequestHandler):
    """Answers for one connection."""

    protocol_version = "HTTP/1.1"
    server: Web

    def do_GET(self) -> None:
        kind, _, number = self.path.strip("/").partition("/")
        known = kind in WORDS and number.isdigit()
        body = page(kind, int(number)).encode() if known else b""
        if known:
            self.server.asked.setdefault(self.path)
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def crawled(web: Web, folder: Path, topics: tuple[str, ...], pages: int, strategy: str) -> Counter[str]:
    """How many pages of each kind a crawl for these topics asks for, those it was given left out."""
    lines = ['[fetch]\nallow_private = ["127.0.0.1"]\n[scope]\nsitemaps = false\n']
    given = {NEITHER: [3, 4, 5], **{name: [0, 1, 2] for name in topics}}
    for name in topics:
        seed, *like = (web.url(f"/{name}/{number}") for number in given[name])
        unlike = [web.url(f"/{NEITHER}/{number}") for number in given[NEITHER]]
        words = " ".join(WORDS[name][:3])
        lines.append(f"[topic.{name}]\nwords = {words!r}\nseeds = {[seed]}\nlike = {like}\nunlike = {unlike}\n")
    haenyeo = [sys.executable, "-m", "haenyeo"]
    subprocess.run([*haenyeo, "new", str(folder), "--topic", "x", "--seed", web.url("/plain/0")], check=True)
    (folder / "haenyeo.toml").write_text("".join(lines), encoding="utf-8")
    web.asked.clear()
    budget = ["--pages", str(pages), "--delay", "0.02", "--strategy", strategy, "-q"]
    subprocess.run([*haenyeo, "crawl", str(folder), *budget], check=True)
    found = [path.strip("/").split("/") for path in web.asked]
    return Counter(kind for kind, number in found if int(number) not in given.get(kind, ()))


@pytest.mark.parametrize("strategy", ["default", "pfc", "segment", "segment-backlinks"])
def test_the_topic_whose_links_say_less_is_not_starved(web: Web, tmp_path: Path, strategy: str) -> None:
    found = crawled(web, tmp_path / "both", (LOUD, QUIET), PAGES, strategy)
    assert min(found[LOUD], found[QUIET]) >= 0.9 * PAGES / 2, found
