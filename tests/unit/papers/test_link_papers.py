"""The experiments of the papers about links, on a web of a dozen pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from haenyeo.model.errors import UsageError
from haenyeo.papers import link_context, semantic_priority
from haenyeo.papers.frozen_web import frozen_web

ABOUT = {"whale": "whale ocean krill", "train": "train rail station"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pages w0.. about whales and t0.. about trains; the hub links to all, every page to the next of its kind."""
    pages = {"hub": "".join(f'<p>{ABOUT[k]} <a href="{k}{n}">{k}</a></p>' for k in ABOUT for n in range(6))}
    for kind, words in ABOUT.items():
        for number in range(6):
            link = f'<p>{words} <a href="{kind}{(number + 1) % 6}">{kind}</a></p>'
            pages[f"{kind}{number}"] = f"<p>{words} {words}</p>{link}"
    lines = [json.dumps({"url": f"http://a.example/{name}", "html": html}) for name, html in pages.items()]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    topic = {
        "keywords": "whale ocean",
        "seed_urls": ["http://a.example/hub"],
        "example_urls": ["http://a.example/whale0", "http://a.example/whale1"],
        "background_urls": ["http://a.example/train0", "http://a.example/train1"],
        "relevant_urls": [f"http://a.example/whale{number}" for number in range(6)],
    }
    (tmp_path / "topics.json").write_text(json.dumps({"whales": topic}), encoding="utf-8")
    return tmp_path


def test_the_three_crawlers_of_2005_find_the_topic(folder: Path) -> None:
    report = link_context.repeat(folder, lambda _: None)
    precision, recall = report.tables
    assert [row[0] for row in precision.rows] == ["classic", "descriptors", "with backlinks"]
    assert recall.rows[2][-1] == 1.0
    assert len(report.figures) == 3


def test_the_crawlers_of_2020_are_counted_at_20_to_50_pages(folder: Path) -> None:
    report = semantic_priority.repeat(folder, lambda _: None)
    assert report.tables[0].columns == ["crawler", "20 pages", "30 pages", "40 pages", "50 pages"]
    assert [row[0] for row in report.tables[1].rows] == ["SPFC", "PFC", "FC"]
    assert all(float(row[1]) > 0 for row in report.tables[1].rows)


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"pages\.jsonl"):
        frozen_web(tmp_path)


def test_the_demo_web_can_be_crawled_without_a_server() -> None:
    web = frozen_web(None)
    topic = next(iter(web.topics.values()))
    assert len(web.crawl(None, topic, 5)) == 5
