from __future__ import annotations

import pytest

from haenyeo.model.errors import UnknownPartError
from haenyeo.model.registry import names
from haenyeo.watch.compare import compare_layouts
from haenyeo.watch.layout import Layout, LayoutChange, describe_layout
from haenyeo.watch.vilo import Vilo

LAYOUT = describe_layout(["<p>a"])


@pytest.mark.parametrize("name", names("watchers"))
def test_built_in_watchers_are_known_by_name(name: str) -> None:
    assert compare_layouts(LAYOUT, LAYOUT, name) == LayoutChange()


def test_a_watcher_of_ones_own_is_asked() -> None:
    class Nervous:
        def compare(self, old: Layout, new: Layout) -> LayoutChange:
            return LayoutChange(alarm=old is new)

    assert compare_layouts(LAYOUT, LAYOUT, Nervous()).alarm
    assert not compare_layouts(LAYOUT, LAYOUT, watcher=Vilo(times=3)).alarm


def test_an_unknown_watcher_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownPartError) as caught:
        compare_layouts(LAYOUT, LAYOUT, "magic")
    assert "vilo" in caught.value.advice
