from __future__ import annotations

import pytest

from haenyeo.model.pages import Block
from haenyeo.read.page.judge import JudgedPage, PageJudgement
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import opening_key
from haenyeo.read.site.labels import find_labels
from haenyeo.read.site.reader import SiteReader
from haenyeo.read.site.sample import Sample

NAMES = ("Hana", "Mina", "Sora", "Yuna", "Jina", "Dana")
TIDES = "The tide of day {} came late, and {} of the divers went out to the reef before the boats were back."


def page(number: int, label: str = "Posted by") -> list[Block]:
    texts = [Block(TIDES.format(number * 10 + line, NAMES[number]), "article>p") for line in range(4)]
    return [Block(f"{label} {NAMES[number]} in the morning", "article>div.meta"), *texts]


def labels_of(pages: list[list[Block]]) -> dict[str, frozenset[int]]:
    sample = Sample()
    for blocks in pages:
        outline = PageOutline(blocks)
        sample = sample.with_page(outline, PageJudgement(outline.words * 0, ""))
    arrays = sample.arrays()
    return find_labels(arrays, arrays.where, list(arrays.paths))


@pytest.mark.parametrize("label", ["Posted by", "작성자:", "文章分类:"])
def test_lines_that_begin_alike_are_found(label: str) -> None:
    found = labels_of([page(number, label) for number in range(6)])
    assert found == {"article>div.meta": frozenset({opening_key(label)})}


def test_paragraphs_that_begin_alike_are_no_labels() -> None:
    assert "article>p" not in labels_of([page(number) for number in range(6)])


def test_texts_that_begin_alike_are_no_labels() -> None:
    assert labels_of([[Block(TIDES.format(number, NAMES[number]), "article>p")] for number in range(6)]) == {}


def test_few_pages_have_no_labels() -> None:
    assert labels_of([page(number) for number in range(3)]) == {}


def test_labelled_lines_are_dropped() -> None:
    reader = SiteReader()
    pages = [JudgedPage(PageOutline(page(number)), "") for number in range(6)]
    for judged in pages:
        reader.learn(judged)
    assert reader.read(pages[0]).kept == [False, True, True, True, True]
    assert reader.skim(pages[0].outline.blocks) == [1, 2, 3, 4]
