from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Block, Url
from haenyeo.read.page.judge import JudgedPage, PageJudgement
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.site.lessons import (
    Lessons,
    choose,
    cleaned,
    is_often,
    is_repeated,
    learn_lessons,
    likelihood,
    often_limit,
)
from haenyeo.read.site.sample import Sample
from haenyeo.read.site.sketch import TextSketch

SENTENCE = "The divers of the island went out before the sun was up and came back at noon, number {}."


def learned(pages: list[str]) -> Lessons:
    sample, sketch = Sample(), TextSketch()
    for html in pages:
        page = JudgedPage.of(parse_text(html, Url("https://a.example/")))
        sketch.add(page.outline.keys)
        sample = sample.with_page(page.outline, page.judgement)
    arrays = sample.arrays()
    return learn_lessons(arrays, sketch.count(arrays.keys), sketch.pages)


def article(number: int) -> str:
    body = "".join(f"<p>{SENTENCE.format(10 * number + place)}</p>" for place in range(4))
    own = "abcdefgh"[number]
    return f"<ul class=menu><li><a href=/>Home</a><li><a href=/n>News</a></ul><div class='post {own}x'>{body}</div>"


@given(share=st.floats(0, 1), pages=st.floats(1, 500), count=st.floats(0, 500))
def test_the_limit_says_the_same_as_the_test(share: float, pages: float, count: float) -> None:
    often = bool(is_often(np.array([count]), pages, np.array([share]))[0])
    assert often == (count > often_limit(share, pages))


def test_on_a_single_page_nothing_repeats() -> None:
    assert not is_often(np.array([1.0]), 1.0, np.array([1.0])).any()
    assert not is_repeated(np.array([1.0]), np.array([20.0]), 1.0).any()
    assert often_limit(1.0, 1.0) == math.inf


def test_long_texts_are_repeated_sooner_than_short_ones() -> None:
    counts, words = np.array([3.0, 3.0]), np.array([2.0, 40.0])
    assert is_repeated(counts, words, 100.0).tolist() == [False, True]


@given(likely=st.floats(0, 1), link=st.floats(0, 1), pages=st.floats(1, 300))
def test_a_block_of_the_template_is_never_likelier_than_a_new_one(likely: float, link: float, pages: float) -> None:
    blocks = np.full(3, likely, np.float32), np.full(3, link, np.float32)
    often, repeated = np.array([True, False, False]), np.array([True, True, False])
    template, again, new = likelihood(*blocks, often, repeated, pages).tolist()
    assert 0 <= again <= 1
    assert template == pytest.approx(0.02)
    assert again <= likely + 1e-6
    assert 0 <= new <= 1


def test_the_container_of_the_articles_is_found() -> None:
    lessons = learned([article(number) for number in range(8)])
    assert lessons.containers[0] == "div.post"
    assert lessons.place_of("div.cx.post>p") == "div.post>p"
    assert lessons.places.number("div.post>p") >= 0
    assert lessons.places.number("table>td") == -1


def test_classes_that_one_page_alone_has_are_left_out() -> None:
    assert cleaned("div.p3.post>p.x", frozenset({"post"})) == "div.post>p"
    assert Lessons().place_of("div.p3>p") == "div.p3>p"


@given(values=st.lists(st.floats(0, 1, width=32), max_size=6))
def test_the_first_container_that_does_well_enough_is_chosen(values: list[float]) -> None:
    f = np.array(values, np.float32)
    best = float(f.max(initial=0))
    number = choose(f, best)
    if not best:
        assert number == -1
    else:
        assert f[number] >= best / 2
        assert (f[:number] < best / 2).all()


@pytest.mark.parametrize(("kind", "aside"), [("product", True), ("documentation", False)])
def test_unlikely_links_in_the_container_stand_aside_but_not_in_documentation(kind: str, aside: bool) -> None:
    sample = Sample()
    for number in range(6):
        text = Block(f"The tide of day {number} was low, and the divers came home early with the sun.", "div.text>p")
        card = Block(f"Another reef near shore {number}", "div.text>div.card", linked=len("Another reef near shore 1"))
        sample = sample.with_page(PageOutline([text, card]), PageJudgement(np.array([0.9, 0.3], np.float32), kind))
    arrays = sample.arrays()
    places = learn_lessons(arrays, np.ones(len(arrays.keys), np.float32), 6).places
    assert bool(places.aside[places.number("div.text>div.card")]) == aside
    assert not places.aside[places.number("div.text>p")]


@pytest.mark.parametrize(("thread", "for_comments"), [(0.05, True), (0.5, False)])
def test_what_readers_wrote_is_the_text_where_the_pages_together_are_likely_threads(
    thread: float, for_comments: bool
) -> None:
    sample = Sample()
    for number in range(6):
        question = Block(f"How low was the tide on day {number}? " * 4, "div.topic>p")
        reply = Block(f"It was lower than on day {number}, as far as I remember.", "div.comment>p")
        likely = np.array([0.9, 0.3], np.float32)
        sample = sample.with_page(
            PageOutline([question, reply]), PageJudgement(likely, "article", thread + 0.04 * (-1) ** number)
        )
    arrays = sample.arrays()
    lessons = learn_lessons(arrays, np.ones(len(arrays.keys), np.float32), 6)
    assert lessons.thread == pytest.approx(thread)
    assert bool(lessons.places.for_comments[lessons.places.number("div.comment>p")]) == for_comments


def test_what_was_said_of_a_path_is_said_again_and_of_other_pages_too() -> None:
    lessons = learned([article(number) for number in range(4)])
    (container, *_) = lessons.containers
    paths = [container, f"{container}>p", "div.unknown>p"]
    first = lessons.known(paths)
    assert [known.number for known in first] == [lessons.places.number(path) for path in paths]
    assert [known.within[0] for known in first] == [True, True, False]
    assert lessons.known(paths) == first
    lessons.forget()
    assert lessons.known(paths[::-1]) == first[::-1]


def test_paths_that_were_asked_for_take_room_until_they_are_forgotten() -> None:
    lessons = learned([article(number) for number in range(4)])
    before = lessons.held
    lessons.known([f"div.a{number}x>p" for number in range(40)])
    assert lessons.held > before
    lessons.forget()
    assert lessons.held == before
