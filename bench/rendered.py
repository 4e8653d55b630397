"""Are the pages that need a browser told apart from those that do not, on frameworks nobody looked at before?

    PYTHONPATH=tests/journeys python -m bench.rendered

Needs node, npm and Chromium. Six frameworks are installed by npm and built; each fills three or four pages of its own
host with texts of the demo web. Among them are 200 plain pages of ten hosts: as the demo web writes them, whole with
scripts that take them over, and short with scripts that count visitors. Printed are the pages shown to the browser,
those that are kept as rendered, and the F of their texts.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from named_web import LOOPBACK, NamedWeb, Reply, crawled, made, served

from haenyeo.collect.collection import Collection
from haenyeo.demo import DemoWeb, PageTruth
from haenyeo.store.archive import archived_files, members

SOURCES = Path(__file__).parent / "rendered_apps"
PAGES = {"preact": 4, "solid": 4, "lit": 3, "mithril": 3, "alpine": 3, "docsify": 3}
PLAIN_HOSTS, PLAIN_PAGES, SHORT = 10, 20, 10
SEED = 11
IN_HEAD = frozenset({"lit", "alpine"})
ALPINE = """<div x-data="{d: null}" x-init="fetch('/api/' + (location.pathname.split('/').pop() || 'start') + '.json')
  .then(answer => answer.json()).then(found => { d = found })"><template x-if="d"><div><h1 x-text="d.title"></h1>
  <template x-for="part in d.text"><p x-text="part"></p></template>
  <template x-for="link in d.links"><a :href="link" x-text="link.slice(3)"></a></template></div></template></div>"""
BODIES = {
    "preact": '<div id="app"></div>',
    "solid": '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>',
    "lit": "<reef-page></reef-page>",
    "mithril": "",
    "alpine": ALPINE,
    "docsify": '<div id="app"></div><script>window.$docsify = {routerMode: "history", basePath: "/"}</script>',
}
Answering = Callable[[str], Reply]


def built(folder: Path) -> Path:
    """The frameworks' builds, made in this folder."""
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
    (folder / "built").mkdir(exist_ok=True)
    subprocess.run(["node", "build.mjs"], cwd=folder, check=True)
    return folder / "built"


def app(kind: str, script: str, texts: dict[str, PageTruth]) -> Answering:
    """A host whose pages are frames that a framework fills."""
    links = [f"/p/{name}" for name in texts if name != "start"]
    place, defer = ("head", "defer ") if kind in IN_HEAD else ("body", "")
    tag = f'<script {defer}src="/app.js"></script>'
    head = f'<meta charset="utf-8"><title>{kind}</title>{tag if place == "head" else ""}'
    frame = (
        f'<!doctype html><html lang="en"><head>{head}</head><body>{BODIES[kind]}{tag * (place == "body")}</body></html>'
    )

    def answer(path: str) -> Reply:
        name = Path(path).stem.replace("README", "") or "start"
        found = texts.get(name)
        if path == "/app.js":
            return Reply(script, headers=(("Content-Type", "text/javascript"),))
        if found is None or path == "/robots.txt":
            return Reply("", 404)
        if path.startswith("/api/"):
            told = {"title": found.title, "text": found.text.split("\n\n"), "links": links}
            return Reply(json.dumps(told), headers=(("Content-Type", "application/json"),))
        if path.endswith(".md"):
            listed = "\n".join(f"- [{link}]({link})" for link in links)
            return Reply(f"# {found.title}\n\n{found.text}\n\n{listed}", headers=(("Content-Type", "text/markdown"),))
        return Reply(frame)

    return answer


def plain(pages: Sequence[str]) -> Answering:
    """A host whose pages come as they are."""
    home = "<title>Index</title><h1>Index</h1>" + "".join(
        f'<p><a href="/x/{number}">Page number {number} of all that are here</a>' for number in range(len(pages))
    )

    def answer(path: str) -> Reply:
        name = path.rpartition("/")[2]
        if path == "/":
            return Reply(home)
        return Reply(pages[int(name)]) if name.isdigit() and int(name) < len(pages) else Reply("", 404)

    return answer


def as_plain(demo: DemoWeb, page: PageTruth, host: int, number: int) -> str:
    """A page as the demo web writes it, whole with scripts that take it over, or short with scripts that count."""
    paragraphs = "".join(f"<p>{part}</p>" for part in page.text.split("\n\n"))
    if host == PLAIN_HOSTS - 2:
        data = f'<script type="application/json">{json.dumps(page.text)}</script><script src="/n.js"></script>'
        return f'<title>{page.title}</title><body><div id="__next"><h1>{page.title}</h1>{paragraphs}</div>{data}'
    if host == PLAIN_HOSTS - 1 and number < SHORT:
        counting = "<script>window.dataLayer = []; dataLayer.push(1)</script>"
        return f"<title>{page.title}</title><body><h1>{page.title}</h1><p>{page.text[:130]}</p>{counting}"
    _, _, rest = page.url.partition("://")
    name, _, path = rest.partition("/")
    return bytes(demo.answer(name, f"/{path}").body).decode("utf-8", "replace")


class MixedWeb(NamedTuple):
    """The web, and the texts of the pages that need a browser by their addresses."""

    web: NamedWeb
    gold: dict[str, str]


def mixed(scripts: Path) -> MixedWeb:
    """The web of both kinds of pages, not yet listening."""
    demo = DemoWeb(seed=SEED)
    told = iter([page for page in demo.pages() if page.kind in ("article", "entry", "doc") and len(page.text) > 400])
    plain_hosts = [f"p{number}.org{number}.example" for number in range(PLAIN_HOSTS)]
    web = NamedWeb(*(f"{kind}.{kind}app.example" for kind in PAGES), *plain_hosts)
    gold: dict[str, str] = {}
    for kind, count in PAGES.items():
        host = f"{kind}.{kind}app.example"
        texts = {name: next(told) for name in ["start", *(f"p{number}" for number in range(1, count))]}
        web.hosts[host] = app(kind, (scripts / f"{kind}.js").read_text(encoding="utf-8"), texts)
        gold |= {f"{host} /" if name == "start" else f"{host} /p/{name}": page.text for name, page in texts.items()}
    for number, host in enumerate(plain_hosts):
        web.hosts[host] = plain([as_plain(demo, next(told), number, place) for place in range(PLAIN_PAGES)])
    return MixedWeb(web, gold)


def rendered_in(folder: Path) -> set[str]:
    """The addresses of pages that the archive has as a browser shows them."""
    records = (record for path in archived_files(folder) for *_, record in members(path, path.stat().st_size))
    heads = (record.partition(b"\r\n\r\n")[0].decode() for record in records)
    shown = (re.search(r"WARC-Target-URI: (\S+)", head) for head in heads if "WARC-Type: conversion" in head)
    return {found[1] for found in shown if found}


def f_measure(text: str, gold: str) -> float:
    """F of the words of two texts."""
    one, other = (Counter(re.findall(r"\w+", each.lower())) for each in (text, gold))
    return 2 * sum((one & other).values()) / max(1, sum(one.values()) + sum(other.values()))


def main() -> None:
    """Build, serve, crawl, and compare."""
    with tempfile.TemporaryDirectory() as temporary:
        web, gold = mixed(built(Path(temporary) / "apps"))
        with served(web):
            folder = made(Path(temporary) / "made", *(web.url(host) for host in web.hosts), fetch=LOOPBACK)
            settings = folder / "haenyeo.toml"
            text = settings.read_text(encoding="utf-8")
            settings.write_text(text.replace("# sandbox = true", "sandbox = false"), encoding="utf-8")
            crawled(folder, web)
            wanted = {web.url(*place.split()): text for place, text in gold.items()}
        shown = rendered_in(folder)
        with Collection.open(folder, writing=False) as opened:
            texts = {str(page.url): page.text for page in opened.store.pages()}
        found = [f_measure(texts.get(url, ""), text) for url, text in wanted.items()]
    print(f"{len(shown)} pages are kept as rendered, {len(shown & wanted.keys())} of the {len(wanted)} that need it")
    print(f"F of their texts {sum(found) / len(found):.3f}, the least {min(found):.2f}")


if __name__ == "__main__":
    main()
