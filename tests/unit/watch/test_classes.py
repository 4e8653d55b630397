from __future__ import annotations

import pytest

from haenyeo.watch.classes import layout_classes, page_classes, varying_classes
from haenyeo.watch.paths import page_paths


@pytest.mark.parametrize(
    ("classes", "kept"),
    [
        ("post post-172 hentry", {"post", "post-0", "hentry"}),
        ("Card ODD first", {"card"}),
        ("category-news tag-corals has-thumbnail", set()),
        ("view js-dom-id-0c0fd0b0c0f0da0db0e0bce0a0d", {"view", "js-dom-id-0"}),
        ("  ", set()),
    ],
)
def test_only_classes_of_the_layout_are_kept(classes: str, kept: set[str]) -> None:
    assert layout_classes(classes) == kept


def test_a_class_that_tells_an_element_from_its_like_varies() -> None:
    paths = page_paths('<ul><li class="item"><li class="item sold"><li class="item"></ul><p class="note">')
    assert varying_classes(paths) == {"sold"}


def test_elements_with_nothing_in_common_keep_their_classes() -> None:
    assert varying_classes(page_paths('<div class="head"></div><div class="main"></div>')) == frozenset()


def test_a_page_has_the_classes_of_all_its_elements() -> None:
    assert page_classes(page_paths('<div class="a b"><p class="c"></div>')) == {"a", "b", "c"}
