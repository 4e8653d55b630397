from __future__ import annotations

import msgspec
import numpy as np
import pytest

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Url
from haenyeo.read.page.judge import PageJudgement
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.site.sample import MOST_BLOCKS, MOST_PAGES, Sample, SampledPage, plain


def outline(html: str) -> PageOutline:
    return PageOutline(parse_text(html, Url("https://a.example/")).blocks)


def sample_of(*pages: str) -> Sample:
    sample = Sample()
    for html in pages:
        page = outline(html)
        sample = sample.with_page(page, PageJudgement(np.linspace(0, 1, len(page), dtype=np.float32), ""))
    return sample


PAGES = ["<div class=a><p>one<p>two three</div>", "<div class=b><p>four</div>", "<ul><li>five<li>six</ul>"]


def test_a_sample_knows_the_blocks_of_its_pages() -> None:
    arrays = sample_of(*PAGES).arrays()
    assert arrays.pages == 3
    assert arrays.page.tolist() == [0, 0, 1, 2, 2]
    assert [arrays.paths[number] for number in arrays.where] == ["div.a>p", "div.a>p", "div.b>p", "ul>li", "ul>li"]
    assert arrays.words.tolist() == [1, 2, 1, 1, 1]
    assert arrays.likely.tolist() == pytest.approx([0, 1, 0, 0, 1], abs=1 / 255)


def test_without_its_oldest_page_it_is_as_if_it_had_never_met_it() -> None:
    shorter, never = sample_of(*PAGES).without_oldest().arrays(), sample_of(*PAGES[1:]).arrays()
    assert set(shorter.paths) == set(never.paths)
    assert [shorter.paths[number] for number in shorter.where] == [never.paths[number] for number in never.where]
    assert shorter.keys.tolist() == never.keys.tolist()


def test_it_survives_being_written() -> None:
    sample = sample_of(*PAGES, "<p class=본문>가나 다라")
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(sample), type=Sample)
    assert again == sample
    assert again.paths[-1] == "p.본문"
    assert again.is_sound


def test_it_holds_no_more_pages_and_blocks_than_it_may() -> None:
    sample = sample_of(*(f"<p>page {number}" for number in range(MOST_PAGES + 5)))
    assert len(sample.pages) == MOST_PAGES
    long = sample_of(*("<p>x" * (MOST_BLOCKS // 2) for _ in range(5)))
    assert sum(page.blocks for page in long.pages) <= MOST_BLOCKS


def test_numbers_do_not_tell_places_apart() -> None:
    assert plain("div.post-12>p") == plain("div.post-9>p")


@pytest.mark.parametrize("part", [part for part in SampledPage.__struct_fields__ if part not in {"kind", "thread"}])
def test_a_page_of_which_a_part_is_missing_is_not_sound(part: str) -> None:
    sample = sample_of(*PAGES)
    broken = msgspec.structs.replace(sample.pages[0], **{part: getattr(sample.pages[0], part)[:-1]})
    assert sample.is_sound
    assert not Sample(pages=(broken, *sample.pages[1:]), packed_paths=sample.packed_paths).is_sound


def test_a_page_that_names_a_path_that_is_not_there_is_not_sound() -> None:
    sample = sample_of(*PAGES)
    far = msgspec.structs.replace(sample.pages[0], where=np.array([0, 99], np.uint16).tobytes())
    assert not Sample(pages=(far,), packed_paths=sample.packed_paths).is_sound


@pytest.mark.parametrize("thread", [-0.1, 1.5, float("nan")])
def test_a_page_cannot_be_a_thread_with_any_other_probability(thread: float) -> None:
    sample = sample_of(*PAGES)
    assert sample.pages[0].is_sound(len(sample.paths))
    assert not msgspec.structs.replace(sample.pages[0], thread=thread).is_sound(len(sample.paths))
