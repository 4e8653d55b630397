"""Take pictures of every view of the dashboard, wide and narrow, light and dark, in the Chromium that is installed.

    haenyeo demo                                        # or any other collection
    python tools/screenshots.py haenyeo-demo shots      # shots/overview-desktop-light.png, ...

Says what is wider than the window, what the browser's console complained of, and every request to another host.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from playwright.sync_api import sync_playwright

from haenyeo.store import Store
from haenyeo.web.serving import Served, listen, serving_in_thread

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WINDOWS = {"desktop": (1280, 900), "phone": (390, 844)}
LOOKS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
TALLEST = 2600  # pixels of a picture
SETTLED = 9_000  # milliseconds for what a view fetches after it is there
LAZY = 800
WIDE = "() => document.documentElement.scrollWidth - window.innerWidth"


def views(folder: Path) -> dict[str, str]:
    """The address of each view, with a page, a site and a change of layout that have something to show."""
    found = {
        "overview": "/",
        "pages": "/pages",
        "search": "/pages?q=diving",
        "search-korean": "/pages?q=%ED%95%B4%EB%85%80",
        "nothing-found": "/pages?q=zzzzqqqq",
        "frontier": "/frontier",
        "sites": "/sites",
        "records": "/records",
        "all-records": "/records/all",
        "watched": "/watched",
        "refresh": "/refresh",
        "teach": "/teach",
    }
    with Store.open(folder, writing=False) as store:
        if page := max(store.pages(), key=lambda page: page.visits, default=None):
            found["page"] = f"/pages/{page.id}"
        told = [event for event in store.events() if event.kind in {"layout", "repair"}]
        for event in sorted(told, key=lambda event: (event.kind == "repair", -event.id)):
            if changed := store.page(event.url):
                found["site"] = f"/sites/{changed.site}"
                found["before-after"] = f"/sites/{changed.site}/layouts/{event.id}"
    return found


def take(browser: Browser, served: Served, shown: dict[str, str], out: Path) -> list[str]:
    """Take all pictures; what went wrong is returned, one complaint a line."""
    wrong: list[str] = []
    for window, (width, height) in WINDOWS.items():
        for look in LOOKS:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)
            page = watched(context.new_page(), served, wrong)
            for name, address in shown.items():
                target = out / f"{name}-{window}-{look}.png"
                wrong += take_one(page, served.url.partition("/?")[0] + address, target)
            context.close()
    return wrong


def watched(page: Page, served: Served, wrong: list[str]) -> Page:
    """The page, its door opened by the key; complaints and foreign requests are noted."""
    own = (served.url.partition("/?")[0], "data:")
    page.on("console", lambda said: wrong.append(f"console: {said.text}") if said.type == "error" else None)
    page.on("request", lambda asked: None if asked.url.startswith(own) else wrong.append(asked.url))
    page.goto(served.url)
    return page


def take_one(page: Page, address: str, target: Path) -> list[str]:
    """One picture, at most a few windows tall."""
    answer = page.goto(address)
    if target.name.startswith(("refresh", "frontier")):
        page.wait_for_timeout(SETTLED)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")  # what is lazy loads when it is seen
    page.wait_for_timeout(LAZY)
    size = page.viewport_size or {"width": 0, "height": 0}
    tall = min(int(page.evaluate("document.documentElement.scrollHeight")), TALLEST)
    page.evaluate("window.scrollTo(0, 0)")
    page.set_viewport_size({"width": size["width"], "height": max(tall, size["height"])})
    page.wait_for_timeout(LAZY)
    page.screenshot(path=target)
    page.set_viewport_size(size)
    wrong = [] if answer and answer.ok else [f"{address}: no answer"]
    wide = int(page.evaluate(WIDE))
    return [*wrong, f"{target.name}: {wide} pixels too wide"] if wide > 0 else wrong


def main() -> int:
    """Take the pictures; 1 when something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", help="names of views, separated by commas")
    options = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        print("no Chromium is installed (apt install chromium)", file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    shown = views(options.collection)
    if options.only:
        shown = {name: shown[name] for name in options.only.split(",")}
    served = listen(options.collection)
    with serving_in_thread(served), sync_playwright() as playwright:
        served.app.state.desk.count()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        wrong = take(browser, served, shown, options.out)
        browser.close()
    print("\n".join(wrong) if wrong else f"{len(shown) * len(WINDOWS) * len(LOOKS)} pictures in {options.out}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
