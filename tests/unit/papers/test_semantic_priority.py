from __future__ import annotations

import json
from pathlib import Path

import pytest

from haenyeo.find.faithful.cosine import CosinePriority
from haenyeo.model.errors import UsageError
from haenyeo.papers import semantic_priority
from haenyeo.papers.frozen_web import FrozenTopic, FrozenWeb


def test_the_crawlers_of_2020_are_counted_at_20_to_50_pages(folder: Path) -> None:
    report = semantic_priority.repeat(folder, lambda _: None)
    setting, means, _ = report.tables
    assert setting.rows == [
        ["Computer", "https://en.wikipedia.org/wiki/Computer", "whale", "http://a.example/hub"],
    ]
    assert means.columns == ["crawler", "20 pages", "30 pages", "40 pages", "50 pages"]
    assert [row[0] for row in means.rows] == ["SPFC", "PFC", "FC"]
    assert all(float(row[1]) > 0 for row in means.rows)
    claims = [note for note in report.notes if note.startswith(("held", "did not hold"))]
    assert len(claims) == len(semantic_priority.POINTS)


def test_all_three_are_given_one_word_and_one_seed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[FrozenTopic] = []
    words: list[str] = []
    breadth_first: list[bool] = []
    crawl = FrozenWeb.crawl

    def watched(web: FrozenWeb, scorer: object, topic: FrozenTopic, pages: int) -> object:
        given.append(topic)
        breadth_first.append(scorer is None)
        words.extend([scorer.words] if isinstance(scorer, CosinePriority) else [])
        return crawl(web, scorer, topic, pages)  # type: ignore[arg-type]

    monkeypatch.setattr(FrozenWeb, "crawl", watched)
    semantic_priority.repeat(folder, lambda _: None)
    assert len(given) == 3
    assert words == ["whale"]
    assert breadth_first == [False, False, True], "section 4: FC is breadth first"
    assert all((len(topic.seed_urls), topic.example_urls, topic.background_urls) == (1, (), ()) for topic in given)


def test_topics_that_wordnet_does_not_know_are_refused(folder: Path) -> None:
    topics = json.loads((folder / "topics.json").read_text(encoding="utf-8"))
    topics["whales"]["keywords"] = "해녀"
    (folder / "topics.json").write_text(json.dumps(topics), encoding="utf-8")
    with pytest.raises(UsageError, match="WordNet"):
        semantic_priority.repeat(folder, lambda _: None)
