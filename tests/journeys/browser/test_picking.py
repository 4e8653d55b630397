"""Fields picked by clicking in the stored page: one record is shown, and all of them become a table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from haenyeo import learn_rule
from haenyeo.store import Store
from haenyeo.web.queries.one_page import original_html

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
LIST = "/goods?cat=all"
LOOKS = [{"viewport": {"width": 1280, "height": 900}}, {"viewport": {"width": 390, "height": 844}, "has_touch": True}]
PICTURES = os.environ.get("HAENYEO_PICTURES", "")
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"


@pytest.mark.parametrize("context", LOOKS, indirect=True, ids=["desktop", "phone"])
def test_one_record_is_clicked_and_all_rows_are_shown_and_saved(page: Page, reading: Store) -> None:
    shown = next(stored for stored in reading.pages(kept_only=False) if stored.url.endswith(LIST))
    html = original_html(reading, shown)
    rule = learn_rule(html)
    assert rule is not None
    expected = rule.extract(html)
    page.goto(f"{page.url}pages/{shown.id}")
    page.get_by_role("link", name="Pick fields").click()
    inside = page.frame_locator("#pick-page")
    inside.get_by_text(expected[1]["title"], exact=True).first.click()
    expect(page.locator("#picked-rows h2")).to_have_text(f"{len(expected)} rows")
    page.get_by_role("button", name="Take its address too").click()
    inside.get_by_text(expected[1]["price"], exact=True).first.click()
    expect(page.locator("#picked-rows th")).to_have_text(["title", "link", "price"])
    rows = [row.locator("td").all_inner_texts() for row in page.locator("#picked-rows tbody tr").all()]
    assert rows == [[row["title"], row["link"], row["price"]] for row in expected]
    expect(inside.locator("[data-haenyeo-mark]")).to_have_count(2 * len(expected))
    wide, window = page.evaluate(WIDTHS)
    assert wide <= window, "nothing sticks out"
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"picking-{window}.png", full_page=True)
    page.get_by_role("button", name="Save as a rule").click()
    page.wait_for_url("**/records")
    expect(page.locator(".rule").first).to_contain_text("picked in the dashboard")


def test_a_field_is_renamed_and_forgotten_again(page: Page, reading: Store) -> None:
    shown = next(stored for stored in reading.pages(kept_only=False) if stored.url.endswith(LIST))
    html = original_html(reading, shown)
    rule = learn_rule(html)
    assert rule is not None
    first = rule.extract(html)[0]
    page.goto(f"{page.url}pages/{shown.id}/pick")
    inside = page.frame_locator("#pick-page")
    inside.get_by_text(first["title"], exact=True).first.click()
    inside.get_by_text(first["price"], exact=True).first.click()
    page.get_by_label("Name").first.fill("article")
    expect(page.locator("#picked-rows th")).to_have_text(["article", "price"])
    page.get_by_role("button", name="Forget this field").first.click()
    expect(page.locator("#picked-rows th")).to_have_text(["price"])
