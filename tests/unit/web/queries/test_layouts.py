from __future__ import annotations

from pathlib import Path

import pytest

from haenyeo.model.errors import NotThereError
from haenyeo.store import Store
from haenyeo.web.queries.layouts import layout_comparison


def test_both_versions_of_a_page_are_compared(shop: Path) -> None:
    with Store.open(shop, writing=False) as store:
        found = layout_comparison(store, 1)
    assert found.told.reasons == ["the table is gone"]
    assert found.page is not None
    before, after = found.versions
    assert before.visit.at < after.visit.at
    assert any("tr.item" in block.path for block in before.blocks)
    assert any("li.good" in block.path for block in after.blocks)
    assert found.repair is None


def test_without_an_archive_there_is_nothing_to_compare(shop: Path) -> None:
    for file in (shop / "archive").iterdir():
        file.unlink()
    with Store.open(shop, writing=False) as store:
        assert layout_comparison(store, 1).versions == ()


@pytest.mark.parametrize("number", [-1, 0, 2, 2**63, 2**70])
def test_a_change_that_is_not_there_is_said_so(shop: Path, number: int) -> None:
    with Store.open(shop, writing=False) as store, pytest.raises(NotThereError, match="no change of this number"):
        layout_comparison(store, number)
