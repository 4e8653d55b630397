"""What a user does in the dashboard, in a real browser: no error, no foreign request, no violated policy on the way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.store import Store
from haenyeo.web.serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
VIEWS = ("/", "/pages", "/frontier", "/sites", "/records", "/records/all", "/watched", "/refresh")
TOO_WIDE = """() => document.documentElement.scrollWidth <= window.innerWidth ? [] :
    [...document.querySelectorAll("main *")].filter(one => one.getBoundingClientRect().right > window.innerWidth)
    .map(one => one.outerHTML.slice(0, 80))"""
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def test_the_token_leaves_the_address(page: Page) -> None:
    assert "token" not in page.url
    expect(page.locator("h1")).to_have_text("divers")
    expect(page.locator(".tile").first).to_contain_text("Kept")


def test_records_of_all_lists_are_searched_counted_and_chosen(page: Page) -> None:
    page.goto(page.url + "records")
    page.get_by_role("link", name="All records together").click()
    page.wait_for_url("**/records/all")
    expect(page.get_by_role("heading", name="By source")).to_be_visible()
    total = page.locator("#found-title")
    everything = total.inner_text()
    page.locator("#by-value + .shares a").first.click()
    page.wait_for_url("**value=**")
    expect(total).not_to_have_text(everything)
    page.get_by_role("link", name="All again").click()
    expect(total).to_have_text(everything)
    page.wait_for_load_state()  # scripts that hear what is typed are loaded last
    page.locator("#q").fill("zzzzqqqq")
    expect(page.get_by_text("No record fits")).to_be_visible()


def test_searching_opening_and_judging_a_page_changes_the_queue(page: Page, served: Served) -> None:
    served.app.state.desk.count()
    page.goto(page.url + "frontier")
    rows = page.locator("tbody tr")
    before = rows.all_inner_texts()
    assert len(before) > 5

    page.keyboard.press("/")
    page.wait_for_url("**/pages")
    page.keyboard.press("/")
    page.keyboard.type("diving")
    expect(page.locator("#results mark").first).to_have_text(re.compile("diving", re.IGNORECASE))
    assert "q=diving" in page.url
    page.locator(".row-title").first.click()
    expect(page.locator(".blocks .kept").first).to_be_visible()
    original = page.frame_locator("iframe.original")
    expect(original.locator("body")).not_to_be_empty()
    expect(page.locator(".reasons li").first).to_be_visible()

    page.get_by_role("button", name="Off topic").click()
    expect(page.get_by_role("button", name="Off topic")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Heard: off topic")).to_be_in_viewport()
    expect(page.locator(".facts")).to_contain_text("no")
    served.app.state.desk.count()
    page.get_by_role("link", name="Frontier").click()
    page.wait_for_url("**/frontier")
    assert rows.all_inner_texts() != before, "the verdict has changed what comes next"


def test_a_page_that_is_an_attack_is_shown_as_text(page: Page, served: Served) -> None:
    served.app.state.desk.index()
    base = page.url
    page.goto(base + "pages?q=attackword&kept=all")
    expect(page.locator(".row-title").first).to_contain_text("<script>")
    page.locator(".row-title").first.click()
    expect(page.locator("h1")).to_contain_text("<script>")
    assert "taken" not in page.title().replace("document.title", "").split("·")[1]


def test_a_crawl_is_started_paused_resumed_and_stopped(page: Page) -> None:
    state = page.locator("#crawl-state")
    expect(state).to_contain_text("resting")
    page.get_by_label("Minutes").fill("5")
    page.get_by_role("button", name="Start").click()
    expect(state).to_contain_text("crawling")
    page.get_by_role("button", name="Pause").click()
    expect(state).to_contain_text("paused")
    page.get_by_role("button", name="Resume").click()
    expect(state).to_contain_text("crawling")
    page.get_by_role("button", name="Stop").click()
    expect(state).to_contain_text("resting")
    expect(page.get_by_role("button", name="Start")).to_be_visible()


def test_a_repair_that_was_sure_is_reverted(page: Page, reading: Store) -> None:
    page.get_by_role("link", name="Records").click()
    expect(page.locator(".rule tbody tr").first).to_be_visible()
    expect(page.locator(".rule .badge").first).to_contain_text("probation")
    [rule] = Shelf(reading)
    assert [version.rule.version for version in rule.versions] == [1, 2]
    page.get_by_role("button", name="Revert to version 1").click()
    expect(page.locator(".rule")).to_contain_text("version 1")


def test_a_change_of_layout_is_seen_before_and_after(page: Page) -> None:
    page.get_by_role("link", name="Sites").click()
    page.locator("tbody").get_by_role("link", name=re.compile("harbourshop")).click()
    page.get_by_role("link", name="before and after").first.click()
    expect(page.locator(".outline svg")).to_have_count(2)
    expect(page.locator(".outline .lost").first).to_be_visible()
    expect(page.locator(".outline .fresh").first).to_be_visible()
    for side in page.locator("iframe.original").all():
        side.scroll_into_view_if_needed()
    for number in range(2):
        shown = page.frame_locator("iframe.original").nth(number)
        expect(shown.locator("body")).to_contain_text("The Harbour Shop")


def test_freshness_by_budget_is_drawn_once_it_is_known(page: Page) -> None:
    page.get_by_role("link", name="Refresh").click()
    expect(page.locator("text.mark")).to_have_count(1)
    expect(page.locator("text.mark")).to_contain_text("the plan")
    expect(page.get_by_role("heading", name="What is due")).to_be_visible()


def test_a_host_is_blocked_and_let_go(page: Page) -> None:
    page.get_by_role("link", name="Frontier").click()
    page.get_by_label("Host or pattern").fill("*.bestdeals.localhost")
    page.get_by_role("button", name="Block").click()
    expect(page.locator(".rules code")).to_have_text("*.bestdeals.localhost")
    page.get_by_role("button", name="Take back *.bestdeals.localhost").click()
    expect(page.locator(".rules code")).to_have_count(0)


@pytest.mark.parametrize("context", [PHONE, {}], indirect=True, ids=["phone", "desktop"])
def test_every_view_fits_and_can_be_used_by_keyboard(page: Page) -> None:
    base = page.url
    page.goto(base + "sites")
    site = page.locator("tbody a").first.get_attribute("href") or ""
    for view in (*VIEWS, "/pages/1", site):
        answer = page.goto(base.rstrip("/") + view)
        assert answer is not None
        assert answer.ok
        assert page.evaluate(TOO_WIDE) == [], view
        assert page.evaluate("[...document.images].every(image => image.hasAttribute('alt'))"), view
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"


def test_what_happens_is_shown_without_a_reload(page: Page, served: Served) -> None:
    before = page.locator(".tile p").first.inner_text()
    page.get_by_role("textbox", name="Pages").fill("40")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".tile p").first).not_to_have_text(before)
    expect(page.locator("#crawl-state")).to_contain_text("resting", timeout=100_000)
    fetched = len(served.app.state.desk.columns.pages)
    assert fetched > 150


@pytest.mark.parametrize("context", [PHONE], indirect=True, ids=["phone"])
def test_on_a_phone_the_state_of_the_crawl_covers_neither_picture_nor_name(page: Page, served: Served) -> None:
    with Store.open(served.app.state.desk.folder, writing=True):
        page.reload()
        state = page.locator("#crawl-state")
        expect(state).to_have_class("state elsewhere")
        brand, beside = page.locator(".brand b").bounding_box(), state.bounding_box()
    assert brand is not None
    assert beside is not None
    assert brand["width"] > 50
    assert brand["x"] + brand["width"] <= beside["x"]
    assert beside["x"] + beside["width"] <= 390
