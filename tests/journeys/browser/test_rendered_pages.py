"""Pages that say nothing before their scripts run are shown to a real Chromium, whose every request goes through us."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from named_web import NamedWeb, Reply, article, crawled, made, served

from haenyeo.cli.app import haenyeo as command
from haenyeo.collect.collection import Collection
from haenyeo.collect.visit.absorb import SHOWN
from haenyeo.collect.visit.rendering import NEEDS_BROWSER, NO_TEXT
from haenyeo.model.config import FetchSettings
from haenyeo.store.archive import archived_files, members

pytestmark = pytest.mark.slow

APP, PLAIN = "app.reef.example", "plain.shore.example"
FRAME = "<!doctype html><title>Reef</title><body><div id=root></div><script src=/app.js></script>"
SCRIPT = """
const name = location.pathname.split('/').pop() || 'start';
const show = found => {
  document.title = found.title;
  document.getElementById('root').innerHTML =
    `<article><h1>${found.title}</h1><p>${found.text}</p></article>` +
    found.links.map(link => `<a href="${link}">${link}</a>`).join(' ');
};
fetch('/api/' + name + '.json').then(answer => answer.json()).then(show);
fetch('/api/private/all.json').catch(() => 0);
"""
ROBOTS = Reply("User-agent: *\nDisallow: /api/private/\n", headers=(("Content-Type", "text/plain"),))


def data_of(path: str) -> Reply:
    name = path.removeprefix("/api/").removesuffix(".json")
    text = f"The {name} page tells of reefs. " + " ".join(f"{name}word{place}" for place in range(60))
    links = [f"/page/{each}" for each in ("kelp", "urchin", "pearl")] if name == "start" else []
    return Reply(
        json.dumps({"title": f"About {name}", "text": text, "links": links}),
        headers=(("Content-Type", "application/json"),),
    )


def app(path: str) -> Reply:
    """A site whose pages are frames that a script fills."""
    if path == "/robots.txt":
        return ROBOTS
    if path == "/app.js":
        return Reply(SCRIPT, headers=(("Content-Type", "text/javascript"),))
    return data_of(path) if path.startswith("/api/") else Reply(FRAME)


@pytest.fixture
def web() -> Iterator[NamedWeb]:
    named = NamedWeb(APP, PLAIN)
    named.hosts[APP] = app
    named.hosts[PLAIN] = lambda path: (
        article(f"Shore {path}", "/a", "/b", "/c") if path != "/robots.txt" else Reply("", 404)
    )
    with served(named):
        yield named


def text_of(folder: Path, url: str) -> str:
    with Collection.open(folder, writing=False) as opened:
        page = opened.store.page(url)
        assert page is not None
        return page.text


def test_pages_that_need_it_are_rendered_and_others_are_left_alone(web: NamedWeb, tmp_path: Path) -> None:
    folder = made(tmp_path / "reef", web.url(APP), web.url(PLAIN))
    done = crawled(folder, web, pages=20)
    shown = [web.url(APP, path) for path in ("/", "/page/kelp", "/page/urchin", "/page/pearl")]
    assert done.kept == {*shown, *(web.url(PLAIN, path) for path in ("/", "/a", "/b", "/c"))}
    for url, name in zip(shown[1:], ("kelp", "urchin", "pearl"), strict=True):
        assert f"{name}word59" in text_of(folder, url)
    assert not [path for path in web.paths(APP) if path.startswith("/api/private/")], "robots.txt holds for scripts"
    assert web.paths(APP).count("/app.js") == 1, "what pages share is asked for once"
    assert {asked.headers["user-agent"] for asked in web.log} == {web.log[0].headers["user-agent"]}
    assert _reasons(folder) == {**dict.fromkeys(shown, SHOWN), **dict.fromkeys(done.kept - {*shown}, "")}


def _reasons(folder: Path) -> dict[str, str]:
    with Collection.open(folder, writing=False) as opened:
        return {str(page.url): page.reason for page in opened.pages()}


def test_the_archive_has_both_and_a_rebuilt_database_reads_the_same(web: NamedWeb, tmp_path: Path) -> None:
    folder = made(tmp_path / "reef", web.url(APP))
    crawled(folder, web, pages=20)
    (path,) = archived_files(folder)
    records = [record for _, _, record in members(path, path.stat().st_size)]
    sent = [record for record in records if b"WARC-Type: response" in record and b"id=root></div>" in record]
    shown = [record for record in records if b"WARC-Type: conversion" in record]
    assert len(sent) == len(shown) == 4
    assert {_field(record, b"WARC-Record-ID") for record in sent} == {_field(one, b"WARC-Refers-To") for one in shown}
    before = {url: text_of(folder, url) for url in _reasons(folder)}
    assert CliRunner().invoke(command, ["rebuild", str(folder), "--strategy", "bfs", "-q"]).exit_code == 0
    assert {url: text_of(folder, url) for url in _reasons(folder)} == before


def _field(record: bytes, name: bytes) -> bytes:
    return record.partition(name + b": ")[2].partition(b"\r\n")[0]


def test_without_a_browser_such_pages_are_marked_and_the_user_is_told(
    web: NamedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    folder = made(tmp_path / "reef", web.url(APP), web.url(PLAIN))
    done = crawled(folder, web, pages=20)
    assert web.url(APP) not in done.kept
    assert len(done.kept) == 4
    status = CliRunner().invoke(command, ["status", str(folder)])
    assert f"1 page {NEEDS_BROWSER}: pip install 'haenyeo[browser]'" in status.output
    why = CliRunner().invoke(command, ["why", str(folder), web.url(APP)])
    assert NEEDS_BROWSER in why.output
    monkeypatch.undo()
    with Collection.open(folder) as opened:
        assert opened.retry() == 1
    assert web.url(APP) in crawled(folder, web, pages=20).kept


def test_never_reads_pages_as_they_are_served(web: NamedWeb, tmp_path: Path) -> None:
    folder = made(tmp_path / "reef", web.url(APP))
    never = FetchSettings(allow_private=("127.0.0.0/8",), browser="never")
    crawled(folder, web, pages=20, fetch=never)
    assert web.paths(APP) == ["/"]


HOSTILE = """<!doctype html><title>x</title><body><div id=root></div>
<link rel=preconnect href="http://SECRET/"><link rel=dns-prefetch href="http://SECRET/">
<link rel=prefetch href="http://SECRET/prefetch"><img src="http://SECRET/img"><iframe src="http://SECRET/frame"></iframe>
<script>
const all = ['http://SECRET/fetch', 'http://10.0.0.1/', 'http://169.254.169.254/latest/'];
const tries = all.map(url => fetch(url, {mode: 'no-cors'}).then(() => 'in', () => 'out'));
try { new WebSocket('ws://SECRET/ws'); } catch (error) {}
try { navigator.sendBeacon('http://SECRET/beacon', 'x'); } catch (error) {}
try { new EventSource('http://SECRET/events'); } catch (error) {}
try { const pc = new RTCPeerConnection({iceServers: [{urls: 'turn:SECRET?transport=tcp', username: 'a',
  credential: 'b'}]});
  pc.createDataChannel('x'); pc.createOffer().then(offer => pc.setLocalDescription(offer)); } catch (error) {}
try { navigator.serviceWorker.register('/worker.js'); } catch (error) {}
try { new Worker(URL.createObjectURL(new Blob([`fetch('http://SECRET/worker', {mode: 'no-cors'});
  new WebSocket('ws://SECRET/w')`]))); }
catch (error) {}
window.open('http://SECRET/window');
Promise.all(tries).then(found => {
  document.getElementById('root').innerHTML = '<p>' + found.join(' ') + ' done' + ' reef word'.repeat(60) + '</p>';
  location.href = 'http://SECRET/location';
});
</script>"""


class _Listener:
    """A port of this machine that no page may reach; counts who connects."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.77", 0))
        self.socket.settimeout(0.1)
        self.connections = 0
        self._over = False
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    @property
    def address(self) -> str:
        return "{}:{}".format(*self.socket.getsockname())

    def close(self) -> None:
        self._over = True
        self._thread.join()
        self.socket.close()

    def _listen(self) -> None:
        while not self._over:
            try:
                accepted, _ = self.socket.accept()
            except TimeoutError:
                continue
            self.connections += 1
            accepted.close()


def test_no_script_reaches_an_address_that_is_not_allowed(web: NamedWeb, tmp_path: Path) -> None:
    secret = _Listener()
    try:
        web.hosts[APP] = lambda path: (
            Reply(HOSTILE.replace("SECRET", secret.address)) if path == "/" else Reply("", 404)
        )
        folder = made(tmp_path / "reef", web.url(APP), fetch=FetchSettings(allow_private=("127.0.0.2/31",)))
        done = crawled(folder, web, pages=2)
        time.sleep(0.5)  # the browser is closed by now; what it has sent would have come
    finally:
        secret.close()
    assert done.kept == {web.url(APP)}
    assert "out out out done" in text_of(folder, web.url(APP))
    assert secret.connections == 0


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("while (true) {}", "does not answer"),
        (
            "const all = []; setInterval(() => { for (let i = 0; i < 400; i++) all.push(new Array(1e5).fill(i)); }, 1)",
            "",
        ),
    ],
    ids=["loops", "grows"],
)
def test_a_page_that_never_ends_costs_its_bound_and_no_other_page(
    web: NamedWeb, tmp_path: Path, script: str, reason: str
) -> None:
    frame = f"<!doctype html><title>x</title><body><div id=root></div><script>{script}</script>"
    web.hosts[APP] = lambda path: Reply(frame) if path == "/endless" else app(path)
    folder = made(tmp_path / "reef", web.url(APP, "/endless"), web.url(APP, "/page/kelp"))
    settings = folder / "haenyeo.toml"
    text = (
        settings.read_text(encoding="utf-8")
        .replace("# seconds = 30.0", "seconds = 3")
        .replace("# memory_mb = 1500", "memory_mb = 600")
    )
    settings.write_text(text, encoding="utf-8")
    began = time.monotonic()
    done = crawled(folder, web, pages=5)
    assert time.monotonic() - began < 40
    assert done.kept == {web.url(APP, "/page/kelp")}
    with Collection.open(folder, writing=False) as opened:
        page = opened.store.page(web.url(APP, "/endless"))
        assert page is not None
        assert page.reason.startswith(NEEDS_BROWSER) or (page.reason == NO_TEXT and not reason)
        assert reason in page.reason
