"""Pages that say what another page of their site says teach the crawl that links to their like lead to nothing."""

from __future__ import annotations

import random
from pathlib import Path

from named_web import LOOPBACK, NamedWeb, Reply, crawled, served

from haenyeo.collect.collection import Collection, create_collection
from haenyeo.model.config import Topic

WORDS = ("tide", "shell", "winter", "boat", "island", "breath", "water", "stone", "basket", "rope", "kelp", "urchin")
LANGUAGES = ("en", "da", "de", "fr", "ja")


def page(path: str, chapters: int) -> Reply:
    """A chapter of a manual, the same in all languages, that leads to its other forms and to the next chapters."""
    language, _, name = path.strip("/").partition("/")
    if language not in LANGUAGES or not name.isdigit() or int(name) >= chapters:
        return Reply("", 404)
    chance = random.Random(name)
    text = " ".join(chance.choices(WORDS, k=120))
    others = "".join(f'<a href="/{each}/{name}">{each}</a> ' for each in LANGUAGES)
    following = "".join(f'<li><a href="/{language}/{int(name) + step}">Reef chapter</a></li>' for step in (1, 2))
    return Reply(f"<title>Reef {name}</title><h1>Reef {name}</h1><p>Coral reef: {text}</p>{others}<ul>{following}</ul>")


def test_other_addresses_of_known_texts_are_worth_nothing(tmp_path: Path) -> None:
    web = NamedWeb("reef.example")
    with served(web):
        web.hosts["reef.example"] = lambda path: page(path, 60)
        topic = Topic(words="coral reef", seeds=(web.url("reef.example", "/en/0"),))
        create_collection(tmp_path / "c", topic, fetch=LOOPBACK)
        found = crawled(tmp_path / "c", web, scorer="default", pages=60)
    with Collection.open(tmp_path / "c") as opened:
        pages = [each for url in web.paths("reef.example") if (each := opened.store.page(web.url("reef.example", url)))]
    copies = [each for each in pages if each.reason == "same text"]
    assert copies
    assert max(chance for each in copies for chance in each.relevance.values()) < 0.1
    assert len(found.kept) == len({url.rpartition("/")[2] for url in found.kept})
