"""The parts of the five papers' systems, each with a command that shows it and a line of what it prints.

Commands run on the demo web, served here; `python tools/papers_page.py parts` writes the section into docs/papers.md.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from haenyeo.demo import Address, DemoWeb, serve_in_thread

HEAD = """## Every part, and the command that shows it

The commands were run on the demo web (`haenyeo demo --web`) by `python tools/papers_page.py parts`; NAME is a
collection about women divers, and URL a page of it.

| part | what | command | it prints |
| --- | --- | --- | --- |
"""
_WIDTH = 320
SEGMENT = '[strategy]\nscorer = "segment-backlinks"\n'
EBB = "/2026/01/01/how-to-tell-the-ebb-from-the-flood-66/"
SINGLE = (
    ("tidewatch", EBB),
    ("harbourshop", "/p/68/hand-made-pair-of-fins"),
    ("breadforum", "/board/view.php?id=bread&no=76"),
    ("mulgil", "/2025/12/27/60/"),
)
LOWEST = "/2026/01/02/at-the-lowest-tide-of-the-year-a-lighthouse-keep-73/"


class Part(NamedTuple):
    """A row of the table."""

    number: str
    what: str
    command: str
    printed: str


class Desk:
    """Runs commands in a folder of its own, on a demo web."""

    def __init__(self, folder: Path, web: DemoWeb, address: Address) -> None:
        self.folder, self.web, self.port, self.log = folder, web, address.port, address.log

    def run(self, *arguments: str) -> str:
        """What a command prints; it may say with its exit status that something has changed."""
        command = [sys.executable, "-m", "haenyeo", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def url(self, host: str, path: str) -> str:
        """An address of the demo web."""
        return f"http://{host}.localhost:{self.port}{path}"

    def collection(self, name: str, topic: str = "", more: str = "") -> str:
        """A new collection about the divers, with more lines for its topic and its settings."""
        self.run("new", name, "--topic", "divers", "--seed", self.url("tidewatch", "/"))
        like = [
            self.url("islandpedia", "/wiki/Breath_holding_0"),
            self.url("seawomen", "/2025/08/16/once-more-breath-holding-0/"),
        ]
        unlike = [self.url("dailyglobe", "/phones/shortly-before-the-holidays-a-leaked-memo-and-ga-6.html")]
        lines = [
            f'[topic.divers]\nwords = "women divers haenyeo abalone free diving"\nlike = {like}\nunlike = {unlike}',
            topic or f'seeds = ["{self.url("tidewatch", "/")}"]',
            '[fetch]\nallow_private = ["127.0.0.0/8"]\nbrowser = "never"',
            more,
        ]
        (self.folder / name / "haenyeo.toml").write_text("\n".join(lines), encoding="utf-8")
        return name


def section() -> str:
    """The section of the page."""
    rows: list[Part] = []
    with _desk() as desk:
        for shown in (_find_by_context, _find_by_meaning, _watch, _read, _refresh):
            rows += shown(desk)
            print(f"  {rows[-1].number}", file=sys.stderr)
    lines = [f"| {part.number} | {part.what} | `{part.command}` | {_plain(part.printed)} |" for part in rows]
    return HEAD + "\n".join(lines) + "\n"


@contextmanager
def _desk() -> Iterator[Desk]:
    web = DemoWeb()
    with serve_in_thread(web) as address, tempfile.TemporaryDirectory() as folder:
        yield Desk(Path(folder), web, address)


def _find_by_context(desk: Desk) -> Iterator[Part]:
    """Paper 000."""
    name = desk.collection("words")
    desk.run("crawl", name, "--pages", "60", "--delay", "0", "--strategy", "segment-backlinks")
    link, why = _behind_another(desk, name), "why NAME URL"
    page = desk.run("why", name, desk.url("seawomen", "/"))
    yield Part("000.1", "Naive Bayes, χ², m-estimate", why, _lines(page, "relevance", "words:"))
    yield Part("000.2", "±n words around links, on pages off the topic too", why, link)
    how = "judge NAME URL yes, crawl NAME, why NAME URL"
    yield Part("000.3", "backlinks: file, own links, learnt; threshold", how, _backlinks(desk))
    more = '[topic.bread]\nwords = "bread baking sourdough flour"\nseeds = ["{}"]'.format(desk.url("crumb", "/"))
    both = desk.collection("both", more=more)
    desk.run("crawl", both, "--pages", "80", "--delay", "0", "--strategy", "segment-backlinks")
    told = json.loads(desk.run("status", both, "--json"))["topic_harvests"]
    harvest = ", ".join(f"{row['topic']} asked {row['asked']}, found {row['found']}" for row in told)
    yield Part("000.4", "topics with a frontier each", "status NAME", harvest)
    yield Part("000.5", "the experiment", "paper 000", "figures 5 to 7 above")


def _behind_another(desk: Desk, name: str) -> str:
    """What `why` says of the link on a page off the topic that led to a page that was kept."""
    desk.run("export", name, "--to", "jsonl", "--out", "pages.jsonl")
    for line in (desk.folder / "pages.jsonl").read_text(encoding="utf-8").splitlines():
        url = json.loads(line)["url"]
        told = json.loads(desk.run("why", name, url, "--json"))
        first = next((source for source in told["sources"] if source["score"] is not None and source["page"]), None)
        if first and first["relevance"] and max(first["relevance"].values()) < 0.5 and first["before"]:  # noqa: PLR2004
            before, after = " ".join(first["before"].split()[-8:]), " ".join(first["after"].split()[:8])
            said = f"{before} [{first['anchor']}] {after}"
            relevance = max(first["relevance"].values())
            return f"{first['score']:.3f} … {said} … on a page of relevance {relevance:.2f}"
    return "none found"


def _backlinks(desk: Desk) -> str:
    """How a link is rated without and with a file, by what the crawl learns, and how a threshold ends the crawl."""
    to, found = desk.url("islandpedia", "/wiki/Breath_holding_0"), []
    wanted = {"to": to, "anchor": "the ebb and the flood", "before": "slack water", "after": "of spring tides"}
    for name, lines in (("plain", ""), ("file", '\nbacklinks = "links.jsonl"')):
        desk.collection(name, f'seeds = ["{desk.url("tidewatch", "/")}"]{lines}', SEGMENT)
        (desk.folder / name / "links.jsonl").write_text(json.dumps(wanted) + "\n", encoding="utf-8")
        desk.run("crawl", name, "--pages", "1", "--delay", "0")
        found.append(_word("ebb", desk.run("why", name, desk.url("tidewatch", EBB))))
    other, learnt = desk.url("tidewatch", LOWEST), []
    for verdict, pages in (("", "0"), (desk.url("tidewatch", EBB), "1"), ("", "20")):
        if verdict:
            desk.run("judge", "plain", verdict, "yes")
        desk.run("crawl", "plain", "--pages", pages, "--delay", "0")
        learnt.append(_word("tide", desk.run("why", "plain", other)))
    strict = desk.collection("strict", more=f"{SEGMENT}[parts.segment-backlinks]\nthreshold = 0.999999999999")
    ended = desk.run("crawl", strict, "--pages", "200", "--delay", "0")
    return (
        f"{found[0]} without, {found[1]} with a file; {learnt[0]}, {learnt[1]} once a page behind a known link is "
        f"liked, {learnt[2]} after 20 pages more; with a threshold: {_lines(ended, 'asked for')}"
    )


def _find_by_meaning(desk: Desk) -> Iterator[Part]:
    """Paper 001."""
    name = desk.collection(
        "listed", topic="# no seeds", more='[strategy]\nscorer = "spfc"\n[seeds]\nfile = "starts.txt"'
    )
    path = desk.folder / name / "haenyeo.toml"
    path.write_text(re.sub(r"(?m)^like = .*\n", "", path.read_text(encoding="utf-8")), encoding="utf-8")
    (desk.folder / name / "starts.txt").write_text(desk.url("tidewatch", "/") + "\n", encoding="utf-8")
    crawled = desk.run("crawl", name, "--pages", "5", "--delay", "0")
    seed = desk.run("why", name, desk.url("tidewatch", "/"))
    said = f"{_lines(crawled, 'asked for')}; why: {_lines(seed, 'given as', 'score')}"
    yield Part("001.1", "seed generator, paragraphs, link filter", "crawl NAME, why NAME URL", said)
    yield Part("001.2", "SPFC, PFC, FC", "paper 001", "mean of all topics above")
    words: list[str] = []
    for given in ("", '[ontology]\nebb = ["divers", "women", "haenyeo"]'):
        spfc = desk.collection(f"spfc{len(words)}", more=f'[strategy]\nscorer = "spfc"\n{given}')
        desk.run("crawl", spfc, "--pages", "1", "--delay", "0")
        words.append(_word("ebb", desk.run("why", spfc, desk.url("tidewatch", EBB))))
    learning, places = desk.collection("learning"), []
    for pages in ("1", "20"):
        desk.run("crawl", learning, "--pages", pages, "--delay", "0")
        places.append(_lines(desk.run("why", learning, desk.url("tidewatch", EBB)), "score", "place"))
    said = f"{words[0]} by WordNet, {words[1]} by an ontology; {places[0]}; 20 pages later {places[1]}"
    yield Part("001.3", "queue re-sorted, ontology, learning", "why NAME URL", said)
    yield Part("001.4", "the experiment", "paper 001", "20 to 50 pages above")


def _watch(desk: Desk) -> Iterator[Part]:
    """Paper 002; the demo meets a redesign of its shop and repairs the rule."""
    for name, tag in (("old", "br"), ("new", "hr")):
        rows = "".join(f"<h1>{number}</h1><{tag}>" for number in range(3))
        (desk.folder / f"{name}.html").write_text(f"<body>{rows}</body>", encoding="utf-8")
    command = ("diff", "--watcher", "vilo", "--patterns", "--times", "3", "old.html", "--", "new.html")
    shown = " ".join(desk.run(*command).split())
    yield Part("002.1", "coordinator, Vilo, patterns, K", " ".join(command), shown)
    yield Part("002.2", "18 edits x 110 pages, false alarms", "paper 002", "table 5 and below above")
    desk.run("demo", "--out", "shown", "-q", "--pages", "200")
    changes = desk.run("changes", "shown")
    yield Part("002.3", "layout and content told apart", "changes NAME", _lines(changes, " layout ", " content "))
    yield Part("002.4", "the wrapper repaired", "changes NAME", _lines(changes, "repair"))


def _read(desk: Desk) -> Iterator[Part]:
    """Paper 003."""
    lines = []
    for page in islice(desk.web.pages("seawomen"), 8):
        body = desk.web.answer("seawomen.localhost", urlsplit(page.url).path).body
        lines.append(json.dumps({"url": page.url, "html": body.decode()}))
    (desk.folder / "site.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ways = []
    for method in ("frequency", "density", "container"):
        texts = desk.run("extract", "--jsonl", "site.jsonl", "--method", method).splitlines()
        ways.append(f"{method} {sum(len(json.loads(line)['text'].split()) for line in texts)} words")
    yield Part("003.1", "k-2 rule, density", "extract --method M", f"8 pages: {', '.join(ways)}")
    yield Part("003.2", "one page of any site, no training; metadata", "extract --jsonl FILE", _single_pages(desk))
    name = desk.collection("frequency", more='[strategy]\nextractor = "frequency"')
    desk.run("crawl", name, "--pages", "30", "--delay", "0")
    found = desk.run("search", name, "abalone")
    said = f"search NAME abalone: {_first(found)}; tables 2 to 5 and figure 5 above"
    yield Part("003.3", "a crawler built on it; the experiment", "crawl NAME, paper 003", said)


def _single_pages(desk: Desk) -> str:
    """What is read of one page each of a blog, a shop, a forum and a Korean blog."""
    told = []
    for host, target in SINGLE:
        html = desk.web.answer(f"{host}.localhost", target).body.decode()
        line = {"url": desk.url(host, target), "html": html}
        (desk.folder / "one.jsonl").write_text(json.dumps(line), encoding="utf-8")
        one = json.loads(desk.run("extract", "--jsonl", "one.jsonl"))
        known = [one["kind"], one["lang"], *filter(None, (one.get("author"), one.get("published", "")[:10]))]
        told.append(f"“{one['title'][:24]}” ({', '.join(known)}), {len(one['text'].split())} words")
    return "; ".join(told)


def _refresh(desk: Desk) -> Iterator[Part]:
    """Paper 004."""
    name = desk.collection("groups", more='[strategy]\nplanner = "groups"\n[refresh]\ntime_zone = "Asia/Seoul"')
    desk.run("crawl", name, "--pages", "20", "--delay", "0")
    plan = desk.run("plan", name)
    said = f"{_lines(plan, 'planner', 'hours are', 'groups:')}; tables 3.3 to 3.5 above"
    yield Part("004.1", "history, groups, weekday x hour", "plan NAME, paper 004", said)
    asked = []
    for _ in range(2):
        desk.log.clear()
        desk.run("records", name, desk.url("harbourshop", "/goods?cat=all"), "--items", "3", "--delay", "0")
        asked.append([target for target in desk.log.by_target() if "robots" not in target])
    said = f"asked for {', '.join(asked[0])}; the second time {', '.join(asked[1])}"
    yield Part("004.2", "lists, items, no double fetch", "records NAME URL --items 3", said)
    status = desk.run("status", "shown")
    plan = desk.run("plan", "shown", "--budget", "50/day")
    said = f"{_lines(plan, 'requests a day', 'half', 'twice', most=3)}; status: {_lines(status, 'same', '304', most=1)}"
    yield Part("004.3", "forecast, budget, conditional requests", "plan NAME --budget 50/day", said)
    yield Part("004.4", "the experiment, its sum corrected", "paper 004", "tables 3.1 to 4.2 above")
    rules = _lines(desk.run("records", "shown"), "harbourshop")
    yield Part("004.5", "result screens", "serve NAME, /records/all", f"records in the terminal: {rules}")


def _word(word: str, printed: str) -> str:
    """What a word counts by what `why` prints."""
    found = re.search(rf'"{word}" ([+-][\d.]+)', printed)
    return f"“{word}” {found[1] if found else 'unknown'}"


def _lines(printed: str, *having: str, most: int = 2) -> str:
    """The first lines that have one of these words each."""
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    found = [next((line for line in lines if word in line), "") for word in having]
    return " / ".join(list(filter(None, dict.fromkeys(found)))[: max(most, len(having))])


def _first(printed: str) -> str:
    return next((" ".join(line.split()) for line in printed.splitlines() if line.strip()), "")


def _plain(text: str) -> str:
    """A line for a cell of a table."""
    short = text if len(text) <= _WIDTH else f"{text[:_WIDTH].rsplit(maxsplit=1)[0]} …"
    return re.sub(r"localhost:\d+", "localhost", short).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
