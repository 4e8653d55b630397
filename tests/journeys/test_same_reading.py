"""Pages that are read in another way than before have not changed: nothing is told of them, nothing is counted."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from named_web import NOT_FOUND, Reply, answering

from haenyeo.collect.adapters.reading.crawl_reader import PART
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.model.visits import Found
from haenyeo.store import Store

Command = Callable[..., "subprocess.CompletedProcess[str]"]
pytestmark = pytest.mark.slow
PAGES = 50
WORDS = (
    "reef",
    "tide",
    "shell",
    "diver",
    "kelp",
    "current",
    "harbour",
    "abalone",
    "lantern",
    "pearl",
    "island",
    "rope",
)


class Site:
    """Pages with a menu, an article and a list of related texts; each answer has other bytes in it."""

    url = ""

    def __init__(self) -> None:
        self.answers, self.added = 0, dict[int, str]()

    def page(self, number: int) -> str:
        self.answers += 1
        chance = random.Random(number)
        paragraphs = [" ".join(chance.choices(WORDS, k=chance.randrange(25, 60))).capitalize() + "." for _ in range(5)]
        paragraphs += [self.added[number]] if number in self.added else []
        body = "".join(f"<p>{text}</p>" for text in paragraphs)
        related = "".join(f"<li><a href='/{n}'>{' '.join(chance.choices(WORDS, k=9))}</a></li>" for n in range(4))
        return (
            f"<html><head><title>Story {number}</title></head><body><!-- {self.answers} --><nav><a href='/'>Home</a>"
            f"<a href='/about'>About the harbour</a></nav><div class='wrap'><h1>Story {number}</h1><h2>12.1. About"
            f"</h2><div class='text'>{body}</div><aside><h3>Read on</h3><ul>{related}</ul></aside></div></body></html>"
        )


@pytest.fixture
def site(haenyeo: Command, tmp_path: Path) -> Iterator[Site]:
    """A site of fifty stories on this machine, all under watch and visited once."""
    site = Site()

    def answer(path: str) -> Reply:
        known = path[1:].isdigit() and int(path[1:]) < PAGES
        return Reply(site.page(int(path[1:]))) if known else NOT_FOUND

    with answering(answer) as port:
        site.url = f"http://127.0.0.1:{port}"
        haenyeo("new", "stories", "--topic", "stories of the harbour", "--seed", f"{site.url}/0")
        settings = tmp_path / "stories" / "haenyeo.toml"
        text = settings.read_text(encoding="utf-8")
        settings.write_text(text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'), encoding="utf-8")
        haenyeo("watch", "stories", *(f"{site.url}/{number}" for number in range(PAGES)), "--delay", "0", "--json")
        yield site


def forget_reading(folder: Path, url: str) -> dict[str, str]:
    """Let the reader begin anew with the site; returns what the pages said as it was read before."""
    with Store.open(folder, writing=True) as store:
        texts = {f"{url}/{n}": page.text for n in range(PAGES) if (page := store.page(f"{url}/{n}"))}
        store.put_state(PART, site_of(Url(url)), b"")
        for address, text in texts.items():  # as another reader had it: its first line left out, the menu taken in
            store.put_text(Url(address), "About the harbour\n" + text.partition("\n")[2])
    return texts


def test_what_only_our_reading_changed_is_never_told(site: Site, haenyeo: Command, tmp_path: Path) -> None:
    folder = tmp_path / "stories"
    forget_reading(folder, site.url)
    seen = json.loads(haenyeo("watch", "stories", "--now", "--delay", "0", "--json").stdout)
    assert seen["changes"] == []
    assert json.loads(haenyeo("changes", "stories", "--json").stdout)["changes"] == []
    with Store.open(folder, writing=False) as store:
        found = [visit.found for n in range(PAGES) for visit in list(store.visits(f"{site.url}/{n}"))[1:]]
    assert len(found) == PAGES
    assert Found.CHANGED not in found, "nothing is counted as a change either"

    site.added[7] = "The lantern of the harbour was lit again on the first day of winter."
    forget_reading(folder, site.url)
    [change] = json.loads(haenyeo("watch", "stories", "--now", "--delay", "0", "--json").stdout)["changes"]
    assert change["url"] == f"{site.url}/7"
    assert (change["added"], change["removed"], change["edited"], change["moved"]) == ([site.added[7]], [], [], [])
    with Store.open(folder, writing=False) as store:
        last = [list(store.visits(f"{site.url}/{n}"))[-1].found for n in range(PAGES)]
    assert last.count(Found.CHANGED) == 1
