"""What do a user's verdicts bring: one `no`, ten he volunteers, ten answers to what `haenyeo teach` asks?

    python -m bench.teach FOLDER [--likes 3] [--only NAME] [--pages 1000]

FOLDER has a folder for each web, with `pages.jsonl` and `topics.json` as `haenyeo paper 001 --data` takes them. Every
topic is crawled from its words, seeds and some liked pages: as many pages as twice the relevant ones, 150 to 600, or
as many as `--pages` says: users do not know how many there are. Then copies of its judge hear verdicts, all of them
true. Volunteered are in turn a `no` to the best kept page that is off the topic and a `yes` to a relevant page that is
not kept. Asked is what the judge would ask next, after each answer anew. Printed is for each topic, and in the mean for
each web, the F-measure of what is kept among the pages nobody spoke of: before, after one `no`, after ten volunteered
verdicts, after ten answers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from haenyeo.find.learned.judging.judge import PageJudge, Said, VerdictOrigin
from haenyeo.find.learned.judging.traits import traits_of
from haenyeo.find.learned.strategy import Learned
from haenyeo.html.urls import canonical
from haenyeo.model.parts import LinkedPage
from haenyeo.papers.frozen_web import FrozenTopic, FrozenWeb, frozen_web

VERDICTS = 10
FEWEST_PAGES, MOST_PAGES = 150, 600
COLUMNS = ("before", "one no", "ten volunteered", "ten asked")


class Trial:
    """One way to speak to a judge: the pages fetched, those of them that are relevant, and those left to count."""

    def __init__(self, scorer: Learned, pages: list[LinkedPage], relevant: set[int]) -> None:
        self.judge = PageJudge(words=scorer.words)
        self.judge.restore(scorer.judge.state())
        self.pages = {page.key: page for page in pages}
        self.relevant = relevant
        self.counted = set(self.pages)

    @property
    def kept(self) -> dict[int, float]:
        """What is kept of the pages that count, and how likely each is relevant."""
        self.judge.settle()
        chances = {key: self.judge.probability(key) or 0.0 for key in self.counted}
        return {key: chance for key, chance in chances.items() if chance >= self.judge.cut}

    @property
    def f(self) -> float:
        """How well what is kept agrees with what is relevant."""
        kept, wanted = self.kept, self.relevant & self.counted
        return 2 * len(wanted & set(kept)) / max(1, len(kept) + len(wanted))

    def say(self, page: LinkedPage | None, how: VerdictOrigin) -> None:
        """Tell the judge the truth about a page, which counts no longer."""
        if page is not None:
            self.counted.discard(page.key)
            said = Said(page.key in self.relevant, how)
            self.judge.example(page.key, traits_of(page, self.judge.keywords), said)

    def wrong_best(self) -> LinkedPage | None:
        """The kept page off the topic that seems most relevant."""
        wrong = {key: chance for key, chance in self.kept.items() if key not in self.relevant}
        return self.pages[max(wrong, key=wrong.__getitem__)] if wrong else None

    def missed(self) -> LinkedPage | None:
        """A relevant page that is not kept, or else the one kept that seems least so."""
        kept = self.kept
        wanted = [key for key in self.pages if key in self.relevant & self.counted]
        return self.pages[min(wanted, key=lambda key: kept.get(key, 0.0))] if wanted else None

    def asked(self) -> LinkedPage | None:
        """What the judge would ask next."""
        doubts = self.judge.doubts()
        among = np.array([key in self.counted for key in doubts.keys.tolist()], np.bool_)
        return next((self.pages[key] for key in doubts.next_questions(among, 1)), None)


def tried(web: FrozenWeb, topic: FrozenTopic, likes: int, pages: int | None) -> tuple[float, ...]:
    """The figures of one topic, in the order of the columns, after so many pages."""
    given = msgspec.structs.replace(topic, example_urls=topic.example_urls[:likes], background_urls=())
    relevant = {web.number(url) for text in topic.relevant_urls if (url := canonical(text))}
    scorer = Learned(words=topic.keywords)
    fetched = web.crawl(scorer, given, pages or min(MOST_PAGES, max(FEWEST_PAGES, 2 * len(relevant))))
    known = {canonical(url) for url in (*topic.example_urls, *topic.seed_urls)}
    others = [page for page in fetched if page.url not in known]
    volunteered, asked = Trial(scorer, others, relevant), Trial(scorer, others, relevant)
    before = volunteered.f
    volunteered.say(volunteered.wrong_best(), VerdictOrigin.VOLUNTEERED)
    one = volunteered.f
    for number in range(1, VERDICTS):
        page = volunteered.missed() if number % 2 else volunteered.wrong_best()
        volunteered.say(page, VerdictOrigin.VOLUNTEERED)
    for _ in range(VERDICTS):
        asked.say(asked.asked(), VerdictOrigin.ASKED)
    return before, one, volunteered.f, asked.f


def main(folder: Path, likes: int, only: str, pages: int | None) -> int:
    """Try every topic of every web, and print."""
    print(f"{'':<30}", *(f"{name:>16}" for name in COLUMNS))
    for path in sorted(found.parent for found in folder.glob("*/topics.json")):
        web = frozen_web(path)
        rows = {name: tried(web, topic, likes, pages) for name, topic in web.topics.items() if only in name}
        rows["mean"] = tuple(fmean(column) for column in zip(*rows.values(), strict=True))
        for name, row in rows.items():
            print(f"{path.name + ' ' + name:<30}", *(f"{figure:>16.3f}" for figure in row), flush=True)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--likes", type=int, default=3)
    parser.add_argument("--only", default="", metavar="NAME", help="topics whose names have this part")
    parser.add_argument("--pages", type=int, help="pages of each crawl")
    options = parser.parse_args()
    sys.exit(main(options.folder, options.likes, options.only, options.pages))
