"""Two topics in one crawl, one of which its links name far more clearly: both find what they find alone with a half.

In one web a crawler may take a few wrong turns that it does not take in the next, alone or beside another topic; so
what is found in several webs is counted together.
"""

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
WEBS, PAGES, OF_A_TOPIC, OF_NOTHING, LINKS = 3, 60, 400, 2000, 16
LEAST = 0.9  # of what is found alone
LOUD, QUIET, NEITHER = "sea", "rail", "plain"
WORDS = {
    LOUD: ["abalone", "diver", "reef", "kelp", "urchin", "tide", "breath", "basket"],
    QUIET: ["locomotive", "carriage", "signal", "junction", "platform", "timetable", "conductor", "whistle"],
    NEITHER: ["garden", "window", "letter", "afternoon", "market", "paper", "colour", "story", "kitchen", "weather"],
}
CLEAR_WORDS = {LOUD: 5, QUIET: 1, NEITHER: 0}
"""Of six words of a link, how many are of its topic."""


def page(web: int, kind: str, number: int) -> str:
    """A page of one kind whose links lead to the same kind, the last two to pages about nothing."""
    chance = random.Random(f"{kind} {number} {web}")
    plain = WORDS[NEITHER]
    links = []
    for place in range(LINKS):
        other = kind if place < LINKS - 2 else NEITHER
        target = chance.randrange(OF_NOTHING if other == NEITHER else OF_A_TOPIC)
        clear = CLEAR_WORDS[other]
        said = " ".join(chance.sample(WORDS[other], clear) + chance.sample(plain, 6 - clear))
        links.append(f'<p><a href="/{web}/{other}/{target}">{said}</a></p>')
    strange = ["".join(chance.choices("aeioubdgklmnprst", k=7)) for _ in range(60)]
    text = " ".join(chance.choices(WORDS[kind], k=30) + chance.choices(plain, k=30) + strange)
    title = f"{WORDS[kind][number % 8]} {number}"
    return f"<title>{title}</title><h1>{title}</h1><p>{text}</p>{''.join(links)}"


class Web(ThreadingHTTPServer):
    """Says a page for each web, kind and number, and remembers which were asked for."""

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
        web, kind, number = (*self.path.strip("/").split("/"), "", "")[:3]
        known = kind in WORDS
        body = page(int(web), kind, int(number)).encode() if known else b""
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


def crawled(web: Web, number: int, folder: Path, topics: tuple[str, ...], strategy: str) -> Counter[str]:
    """How many pages of each kind a crawl for these topics asks for, those it was given left out."""
    lines = ['[fetch]\nallow_private = ["127.0.0.1"]\n[scope]\nsitemaps = false\n']
    given = {NEITHER: [3, 4, 5], **{name: [0, 1, 2] for name in topics}}
    for name in topics:
        seed, *like = (web.url(f"/{number}/{name}/{page}") for page in given[name])
        unlike = [web.url(f"/{number}/{NEITHER}/{page}") for page in given[NEITHER]]
        words = " ".join(WORDS[name][:3])
        lines.append(f"[topic.{name}]\nwords = {words!r}\nseeds = {[seed]}\nlike = {like}\nunlike = {unlike}\n")
    haenyeo = [sys.executable, "-m", "haenyeo"]
    subprocess.run([*haenyeo, "new", str(folder), "--topic", "x", "--seed", web.url("/0/plain/0")], check=True)
    (folder / "haenyeo.toml").write_text("".join(lines), encoding="utf-8")
    web.asked.clear()
    budget = ["--pages", str(len(topics) * PAGES), "--delay", "0", "--strategy", strategy, "-q"]
    subprocess.run([*haenyeo, "crawl", str(folder), *budget], check=True)
    found = [path.strip("/").split("/")[1:] for path in web.asked]
    return Counter(kind for kind, page in found if int(page) not in given.get(kind, ()))


@pytest.mark.parametrize("strategy", ["default", "pfc", "segment", "segment-backlinks"])
def test_the_topic_whose_links_say_less_is_not_starved(web: Web, tmp_path: Path, strategy: str) -> None:
    together, alone = Counter[str](), Counter[str]()
    for number in range(WEBS):
        for topics in ((LOUD, QUIET), (LOUD,), (QUIET,)):
            found = crawled(web, number, tmp_path / f"{number}-{'-'.join(topics)}", topics, strategy)
            (together if len(topics) > 1 else alone).update({name: found[name] for name in topics})
    assert min(together[name] / alone[name] for name in (LOUD, QUIET)) >= LEAST, (together, alone)
