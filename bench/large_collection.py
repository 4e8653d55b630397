"""A large collection to measure the search and the dashboard with: made-up pages in two languages, words by Zipf's law.

Usage:
    python bench/large_collection.py FOLDER --pages 200000
"""

from __future__ import annotations

import argparse
import random
import re
from bisect import bisect
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from haenyeo.collect.settings_file import write_settings
from haenyeo.html.urls import url_hash
from haenyeo.model.config import Settings, Topic
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import NewLink, PageRecord, Store

SITES, WORDS, NEW_LINKS, LINKS = 500, 50_000, 5, 40
AT = datetime(2025, 1, 1, tzinfo=UTC)
LATIN = list("aeioubdfglmnprst") + re.findall("..", "badefigolumanepirosutavewixoyuza")
HANGUL = list("가나다라마바사아자차해녀물질제주섬돌굴전복람길")
PARTICLES = ("", "", "가", "는", "를", "에서", "의")


class Voice:
    """Draws words so that the n-th most frequent comes 1/n times as often as the first."""

    def __init__(self, syllables: list[str], seed: int) -> None:
        chance = random.Random(seed)
        self.vocabulary = ["".join(chance.choices(syllables, k=2 + number % 3)) for number in range(WORDS)]
        self._sums = list(accumulate(1 / (number + 1) for number in range(WORDS)))

    def words(self, chance: random.Random, count: int) -> list[str]:
        """This many words."""
        top = self._sums[-1]
        return [self.vocabulary[bisect(self._sums, chance.random() * top)] for _ in range(count)]


def make(folder: Path, pages: int, words: int = 300) -> None:
    """Make the collection; every third page is Korean, four of five are kept."""
    chance, voices = random.Random(1), (Voice(LATIN, 2), Voice(HANGUL, 3))
    folder.mkdir(parents=True)
    with Store.create(folder) as store:
        for number in range(pages):
            korean = number % 3 == 0
            drawn = voices[korean].words(chance, words)
            if korean:
                drawn = [word + chance.choice(PARTICLES) for word in drawn]
            store.save(_record(number, drawn, "ko" if korean else "en", chance))
            if number % 500 == 0:
                store.flush()
    topic = Topic(words="made-up words", seeds=("https://site0.example.org/",))
    write_settings(folder, Settings(topic={"made-up": topic}))


def _record(number: int, words: list[str], language: str, chance: random.Random) -> PageRecord:
    url = Url(f"https://site{number % SITES}.example.org/pages/{number}.html")
    at = AT + timedelta(seconds=number * 20)
    text = "\n".join(" ".join(words[place : place + 60]) for place in range(0, len(words), 60))
    body = f"<!doctype html><title>{words[0]}</title><p>{text[:1000]}".encode()
    hop = Hop(url=url, status=200, headers=(("Content-Type", "text/html; charset=utf-8"),), body=body, at=at)
    links = [
        NewLink(
            Url(f"https://site{place % SITES}.example.org/new/{place}.html"), f"site{place % SITES}.example.org", score
        )
        for place, score in ((number * NEW_LINKS + index, chance.random()) for index in range(NEW_LINKS))
    ]
    return PageRecord(
        answer=Answer(
            url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=body, hops=(hop,)
        ),
        site=f"site{number % SITES}.example.org",
        at=at,
        depth=number % 7,
        document=Document(url=url, title=" ".join(words[:6]), text=text, language=language),
        simhash=chance.getrandbits(64),
        relevance={"made-up": chance.random()},
        kept=number % 5 != 0,
        targets=[url_hash(link.url) for link in links] + [chance.getrandbits(64) for _ in range(LINKS - NEW_LINKS)],
        links=links,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200_000)
    options = parser.parse_args()
    make(options.folder, options.pages)
