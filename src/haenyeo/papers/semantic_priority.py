"""Kang & Kim 2020, section 4: does the meaning of a link's paragraph lead to more of the topic?

SPFC, PFC and FC (breadth first) from the same seed, each given the topic's one word and nothing else; how often that
word stands on the first 20, 30, 40 and 50 pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from haenyeo.find.faithful.cosine import CosinePriority, said
from haenyeo.find.faithful.semantic import SemanticPriority
from haenyeo.model.errors import UsageError
from haenyeo.model.parts import TopicScorer
from haenyeo.papers.frozen_web import FrozenTopic, FrozenWeb, frozen_web
from haenyeo.papers.report import Cell, Figure, Report, Table
from haenyeo.words.wordnet import wordnet

POINTS = (20, 30, 40, 50)
CRAWLERS: dict[str, Callable[[str], TopicScorer | None]] = {
    "SPFC": lambda word: SemanticPriority(words=word),
    "PFC": lambda word: CosinePriority(words=word),
    "FC": lambda _: None,
}
PRINTED_TOPICS = ("Computer", "Basketball", "Military")
PRINTED_SEED = "https://en.wikipedia.org/wiki/"

Frequencies = Mapping[str, Sequence[float]]
READINGS = (
    "figures 3 to 5 are printed without numbers: only their order can be compared",
    "formula (3) is called the harmonic mean and is printed without its factor 2: links have the same order either way",
    (
        "formula (2) divides by |p|, and p is a set of sentences there; here |p| is its number of words, as |a| is, as"
        " by sentences a paragraph would win by being long (haenyeo crawl NAME --strategy spfc)"
    ),
)
"""What can be compared, and how formulas are read that can be read in two ways."""


def repeat(data: Path | None, note: Callable[[str], None]) -> Report:
    """Frequency of the topic's word on the pages fetched, for each crawler and number of pages."""
    web = frozen_web(data)
    words = {title: word for title, topic in web.topics.items() if (word := topic_word(topic))}
    if not words:
        raise UsageError(
            "no topic has a word that WordNet knows", advice="give English topics: see docs/find.md for their form"
        )
    found: dict[str, dict[str, list[float]]] = {}
    for title, word in words.items():
        note(f'{title}: "{word}"')
        topic = web.topics[title]
        found[title] = {name: _frequencies(web, make(word), topic, word) for name, make in CRAWLERS.items()}
    means = {
        name: [fmean(column) for column in zip(*(row[name] for row in found.values()), strict=True)]
        for name in CRAWLERS
    }
    return Report(
        tables=[
            _setting(web, words),
            _table("mean of all topics", means),
            *(_table(f'{title}: "{word}"', found[title]) for title, word in words.items()),
        ],
        figures=[
            _figure("figures 3 to 5: mean of all topics", means),
            *(_figure(f'figure as 3 to 5: "{words[title]}"', found[title]) for title in list(words)[:3]),
        ],
        notes=_claims(means, found, left=len(web.topics) - len(words)),
    )


def topic_word(topic: FrozenTopic) -> str:
    """The one word that stands for a topic: the first of its words that WordNet has as a noun; none if it has none."""
    return next((word for word in said(topic.keywords) if wordnet().senses(word)), "")


def _frequencies(web: FrozenWeb, scorer: TopicScorer | None, topic: FrozenTopic, word: str) -> list[float]:
    """How often the word stands on the first pages; all crawlers begin at one seed and know no examples."""
    alone = msgspec.structs.replace(topic, seed_urls=topic.seed_urls[:1], example_urls=(), background_urls=())
    counts = [said(page.text).count(word) for page in web.crawl(scorer, alone, POINTS[-1])]
    return [float(sum(counts[:point])) for point in POINTS]


def _setting(web: FrozenWeb, words: Mapping[str, str]) -> Table:
    rows: list[list[Cell]] = []
    for place, (title, word) in enumerate(words.items()):
        printed = PRINTED_TOPICS[place] if place < len(PRINTED_TOPICS) else ""
        rows.append([printed, f"{PRINTED_SEED}{printed}" if printed else "", word, web.topics[title].seed_urls[0]])
    columns = ["printed: topic", "printed: seed", "here: topic", "here: seed"]
    return Table(title="table 1: topics and seeds", columns=columns, rows=rows)


def _table(title: str, found: Frequencies) -> Table:
    rows: list[list[Cell]] = [[name, *map(round, row)] for name, row in found.items()]
    return Table(title=title, columns=["crawler", *(f"{point} pages" for point in POINTS)], rows=rows)


def _figure(title: str, found: Frequencies) -> Figure:
    lines = {name: [(float(x), y) for x, y in zip(POINTS, row, strict=True)] for name, row in found.items()}
    return Figure(title=title, x="pages fetched", y="occurrences of the topic's word", lines=lines)


def _claims(means: Frequencies, found: Mapping[str, Frequencies], *, left: int) -> list[str]:
    """What the paper says, and whether it holds here."""
    topics = len(found)
    claims = []
    for point, place in zip(POINTS, range(len(POINTS)), strict=True):
        spfc, pfc, fc = (means[name][place] for name in CRAWLERS)
        held = "held" if spfc > pfc > fc else "did not hold"
        best = sum(row["SPFC"][place] > max(row["PFC"][place], row["FC"][place]) for row in found.values())
        claims.append(
            f"{held}: after {point} pages SPFC finds the word more often than PFC, and PFC more often than FC"
            f" (mean {spfc:.0f}, {pfc:.0f}, {fc:.0f}; SPFC is best on {best} of {topics} topics)"
        )
    claims += READINGS
    if left:
        claims.append(f"{left} topics are left out: WordNet knows English words alone")
    return claims
