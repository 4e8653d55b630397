from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Url
from haenyeo.read.labels import KINDS
from haenyeo.read.page.features import (
    TEXT_FEATURES,
    _beside,
    first_features,
    first_features_in_python,
    text_features,
)
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.tree import distances, windows

ROWS = st.lists(st.integers(0, 9), min_size=1, max_size=12)
TITLE = "The tides of the island"
BODY = "One whole sentence. And another one!"
PAGE = f"<title>{TITLE}</title><h1>{TITLE}</h1><ul><li><a href=/a>Menu</a></ul><p>{BODY}<p>NOTES"


def outline(html: str) -> PageOutline:
    return PageOutline(parse_text(html, Url("https://a.example/")).blocks)


@given(values=ROWS, reach=st.integers(1, 4))
def test_windows_are_sums_over_neighbours(values: list[int], reach: int) -> None:
    (found,) = windows(np.array([values], np.float32), (reach,))
    assert found[0].tolist() == [sum(values[max(0, at - reach) : at + reach + 1]) for at in range(len(values))]


@given(marked=st.lists(st.booleans(), min_size=1, max_size=12))
def test_distances_are_counted_in_both_directions(marked: list[bool]) -> None:
    before, behind = distances(np.array(marked))
    for at in range(len(marked)):
        assert before[at] == min((at - other for other in range(at + 1) if marked[other]), default=before.max())
        assert behind[at] == min(
            (other - at for other in range(at, len(marked)) if marked[other]), default=behind.max()
        )


@given(values=ROWS)
def test_values_beside_a_block_are_nothing_outside_the_page(values: list[int]) -> None:
    before, behind, two_before, two_behind = _beside(np.array([values], np.float32)).tolist()
    padded = [0, 0, *values, 0, 0]
    assert before == padded[1:-3]
    assert behind == padded[3:-1]
    assert two_before == padded[:-4]
    assert two_behind == padded[4:]


def test_texts_say_whether_they_are_sentences_capitals_or_the_title() -> None:
    page = outline(PAGE)
    found = dict(zip(TEXT_FEATURES, text_features(page, TITLE).tolist(), strict=True))
    texts = [block.text for block in page.blocks]
    body, notes, title = texts.index(BODY), texts.index("NOTES"), texts.index(TITLE)
    assert found["sentences"][body] == 2
    assert found["closed"][body] == 1
    assert found["capitals"][notes] == 1
    assert found["title"][title] > found["title"][body]


def test_every_block_has_every_feature_and_all_are_finite() -> None:
    page = outline(PAGE)
    features, whole = first_features(page, TITLE)
    assert features.shape[1] == len(page)
    assert np.isfinite(features).all()
    assert np.isfinite(whole).all()
    assert (features[-len(whole) - len(KINDS) : -len(KINDS)] == whole[:, None]).all()


def test_compiled_code_sees_what_python_sees() -> None:
    parts = "".join(
        f"<article id=post-{number}><h2><a href=/{number}>Tide {number}</a></h2><p>{BODY * number}</p>"
        f"<p>2024-03-{number + 10}<p>Price: $ {number}9.90, not {number}9?"
        f"<table><tr><td>{BODY}<td>{number}</table></article>"
        for number in range(1, 9)
    )
    page = outline(f"{PAGE}<nav><ul><li>{BODY * 3}</ul></nav><main>{parts}</main><h3>Related</h3><p>{BODY * 4}")
    (found, whole), (expected, all_of_page) = first_features(page, TITLE), first_features_in_python(page, TITLE)
    assert found.shape == expected.shape
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-4)
    assert np.allclose(whole, all_of_page, rtol=1e-5, atol=1e-5)
