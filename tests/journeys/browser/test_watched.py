"""What is under watch, in a real browser: the words of the terminal, a field that went, a paragraph that moved."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from named_web import NOT_FOUND, Reply, answering
from playwright.sync_api import expect

from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.adapters.watching.watch_states import watched_addresses
from haenyeo.collect.adapters.watching.watchlist import Watchlist
from haenyeo.store import Store
from haenyeo.web.serving import Served, listen, serving_in_thread

if TYPE_CHECKING:
    from playwright.sync_api import Page

Command = Callable[..., "subprocess.CompletedProcess[str]"]
pytestmark = pytest.mark.slow
LOOKS = [{"viewport": {"width": 1280, "height": 900}}, {"viewport": {"width": 390, "height": 844}, "has_touch": True}]
PICTURES = os.environ.get("HAENYEO_PICTURES", "")
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"
NAMES = ("Mask", "Snorkel", "Knife", "Float", "Lantern", "Hook", "Gloves", "Compass", "Rope", "Basket")
TEXTS = (
    "The harbour opens at six in the morning and closes when the last boat is in.",
    "Tickets for the island are sold at the gate, two hours before the boat leaves.",
    "Divers meet on Mondays in the hall beside the lighthouse and bring their own gear.",
    "In winter the market stands under the roof of the old cannery, open every day.",
)
FRAME = "<html><head><title>Harbour</title></head><body><nav><a href='/'>Home</a></nav>{}</body></html>"


def _priced() -> str:
    rows = "".join(
        f"<tr class='item'><td class='name'><a href='/p/{name}'>{name} for deep water</a></td>"
        f"<td class='price'>€{19 + place}.50</td></tr>"
        for place, name in enumerate(NAMES)
    )
    return f"<table class='goods'>{rows}</table>"


def _unpriced() -> str:
    lines = "".join(f"<li class='line'><a href='/p/{name}'>{name} for deep water</a></li>" for name in NAMES)
    return f"<section class='simple'><ul class='lines'>{lines}</ul></section>"


def _told(texts: tuple[str, ...]) -> str:
    return "<main><h1>Harbour</h1>" + "".join(f"<p>{text}</p>" for text in texts) + "</main>"


@pytest.fixture
def harbour() -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server, and the pages it has now."""
    pages = {"/goods": _priced(), "/hours": _told(TEXTS), "/gone": _told(TEXTS[:2])}

    def answer(path: str) -> Reply:
        return Reply(FRAME.format(pages[path])) if path in pages else NOT_FOUND

    with answering(answer) as port:
        yield f"http://127.0.0.1:{port}", pages


@pytest.fixture
def served(harbour: tuple[str, dict[str, str]], haenyeo: Command, tmp_path: Path) -> Iterator[Served]:
    """The dashboard of three watched pages after a price column went, a paragraph moved, and one page went away."""
    base, pages = harbour
    haenyeo("new", "harbour", "--topic", "diving gear", "--seed", f"{base}/goods")
    settings = tmp_path / "harbour" / "haenyeo.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'), encoding="utf-8")
    example = ("--field", "title=Mask for deep water", "--field", "price=€19.50", "--field", "link=/p/Mask")
    haenyeo("records", "harbour", f"{base}/goods", *example, "--delay", "0")
    haenyeo("watch", "harbour", *(f"{base}{path}" for path in pages), "--delay", "0")
    pages |= {"/goods": _unpriced(), "/hours": _told((*TEXTS[1:], TEXTS[0]))}
    del pages["/gone"]
    haenyeo("watch", "harbour", "--now", "--delay", "0", code=1)
    opened = listen(tmp_path / "harbour")
    with serving_in_thread(opened):
        opened.app.state.desk.look()
        yield opened


@pytest.mark.parametrize("context", LOOKS, indirect=True, ids=["desktop", "phone"])
def test_watched_pages_are_listed_and_compared(page: Page, reading: Store, haenyeo: Command) -> None:
    page.get_by_role("link", name="Watched").click()
    words = [each.state for each in watched_addresses(Watchlist(reading), Shelf(reading))]
    expect(page.locator("tbody .badge")).to_have_text(words)
    assert words.count("ok") == 2
    looked = haenyeo("watch", "harbour", "--look", code=1).stdout
    assert all(f"│ {word}" in looked for word in words)
    [rule] = Shelf(reading)
    expect(page.locator("tbody").first).to_contain_text(f"rule {rule.name}: {rule.state}")
    expect(page.locator(".told")).to_contain_text("goes on without: price")
    _fits(page, "watched")

    page.locator(".told > li", has_text="nothing else is different").get_by_role("link").click()
    expect(page.locator(".outline text.moved, .outline .moved").first).to_be_visible()
    expect(page.locator(".outline .lost, .outline .fresh")).to_have_count(0)
    _fits(page, "moved")

    page.go_back()
    page.locator(".told > li", has_text="repaired, now version 2").get_by_role("link").click()
    expect(page.locator("tr", has_text="left out").locator("td").first).to_have_text("price")
    _fits(page, "dropped")


def _fits(page: Page, name: str) -> None:
    wide, window = page.evaluate(WIDTHS)
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}-{window}.png", full_page=True)
    assert wide <= window, "nothing sticks out"
