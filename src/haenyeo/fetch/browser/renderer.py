"""Renders pages: gives their scripts the time they need and no more, and takes what they have made of the document.

A page is done when it has loaded and neither asked for anything nor changed itself for a moment. One that never comes
to rest is taken as it is when its time is up. One that does not answer at all then, because a script loops for ever,
costs its browser, and so does one that takes too much memory.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from haenyeo.fetch.browser.chromium import Chromium
from haenyeo.fetch.browser.page_run import AskPart, PageRun, PartCache
from haenyeo.model.config import BrowserSettings
from haenyeo.model.visits import Answer

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

AT_ONCE = 2
"""Pages in the browser at a time: more would wait for each other's processor."""
CACHE_BYTES = 64 << 20
LOOK_SECONDS = 0.1
STILL_LOOKS = 3
"""Looks in a row at which nothing has moved before a page counts as done."""
LAST_SECONDS = 2.0
"""What a page gets to hand over its document when its time is up."""

HUNG, CRASHED, TOO_LARGE = "the page does not answer", "the browser crashed", "the page takes too much memory"

_BEFORE = """(() => {
  delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection; delete window.WebTransport;
  window.__haenyeo = 0;
  new MutationObserver(found => { window.__haenyeo += found.length; })
    .observe(document, {subtree: true, childList: true, characterData: true});
})()"""
_STATE = "() => [document.readyState, window.__haenyeo]"
# Of what nobody sees, as far as the styles that are here tell, links are left; shadow trees are put beside their hosts.
_TAKE = """most => {
  const silent = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'LINK', 'META', 'TITLE']);
  const isUnseen = (element, style) => style.display === 'none' || style.visibility === 'hidden' ||
    (style.position === 'absolute' && style.overflow === 'hidden' && element.offsetWidth <= 1);
  const linksOf = element => [...element.querySelectorAll('a[href]')].map(found => {
    const link = document.createElement('a');
    link.setAttribute('href', found.getAttribute('href'));
    link.setAttribute('title', found.textContent.trim().slice(0, 200));
    return link;
  });
  const clear = root => {
    for (const element of [...root.children]) {
      if (silent.has(element.tagName)) continue;
      if (isUnseen(element, getComputedStyle(element))) element.replaceChildren(...linksOf(element));
      else { clear(element); if (element.shadowRoot) clear(element.shadowRoot); }
    }
  };
  if (document.body && document.getElementsByTagName('*').length < 20000) clear(document.body);
  for (const host of document.querySelectorAll('*')) {
    if (host.shadowRoot && !host.querySelector('[data-shadow]')) {
      const box = document.createElement('div');
      box.setAttribute('data-shadow', '');
      box.innerHTML = host.shadowRoot.innerHTML;
      host.appendChild(box);
    }
  }
  const html = document.documentElement ? document.documentElement.outerHTML : '';
  return '<!DOCTYPE html>' + html.slice(0, most);
}"""


class Rendered(msgspec.Struct, frozen=True, kw_only=True):
    """What a browser made of a page; without `html` there is a `reason`. `requests` went to servers for it."""

    html: bytes = b""
    reason: str = ""
    requests: int = 0


class Renderer:
    """Renders pages in one browser; `most_bytes` is the longest document that is taken. To be closed."""

    def __init__(self, settings: BrowserSettings, *, user_agent: str, most_bytes: int) -> None:
        self._settings, self._most_bytes = settings, most_bytes
        self._chromium = Chromium(settings, user_agent)
        self._cache = PartCache(CACHE_BYTES)
        self._room = asyncio.Semaphore(AT_ONCE)

    async def render(self, document: Answer, ask: AskPart) -> Rendered:
        """What the page is once its scripts have run; raises `SettingsError` if there is no browser to be had.

        A browser may crash for another page's sake, so a page has two tries.
        """
        async with self._room:
            first = await self._try(document, ask)
            return await self._try(document, ask) if first.reason == CRASHED else first

    async def _try(self, document: Answer, ask: AskPart) -> Rendered:
        from playwright.async_api import Error

        run = PageRun(document, ask, self._settings, self._cache)
        context = await self._chromium.new_context()
        try:
            html, reason = await self._in_context(context, run, document)
        except (Error, TimeoutError):
            html, reason = "", CRASHED
        if reason:
            await self._chromium.discard(context)
        return Rendered(html=html.encode("utf-8", "replace"), reason=reason, requests=run.asked)

    async def close(self) -> None:
        """End the browser."""
        await self._chromium.close()

    async def _in_context(self, context: BrowserContext, run: PageRun, document: Answer) -> tuple[str, str]:
        """The document, or why there is none; the context is closed unless its browser will be."""
        await context.route("**/*", run.answer)
        await context.route_web_socket("**/*", run.refuse_socket)
        await context.add_init_script(_BEFORE)
        page = await context.new_page()
        watched = asyncio.ensure_future(self._outgrown())
        running = asyncio.ensure_future(self._run(page, run, document))
        try:
            await asyncio.wait({watched, running}, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                return "", TOO_LARGE
            html = running.result()
        finally:
            await _end(watched, running)
        if html is None:
            return "", HUNG
        await asyncio.wait_for(context.close(), LAST_SECONDS * 2)
        return html, ""

    async def _run(self, page: Page, run: PageRun, document: Answer) -> str | None:
        """The document when the page has come to rest or its time is up; None if it does not answer then."""
        until = time.monotonic() + self._settings.seconds
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settings.seconds):
                await page.goto(document.final_url, wait_until="commit", timeout=0)
                await _at_rest(page, run)
        left = max(0.0, until - time.monotonic()) + LAST_SECONDS
        try:
            return str(await asyncio.wait_for(page.evaluate(_TAKE, self._most_bytes), left))
        except TimeoutError:
            return None

    async def _outgrown(self) -> None:
        """Return when the browser takes too much memory."""
        while not self._chromium.is_too_large():  # noqa: ASYNC110 - nobody tells of memory
            await asyncio.sleep(1.0)


async def _at_rest(page: Page, run: PageRun) -> None:
    """Return when the page has loaded, waits for nothing, and has not changed for a moment."""
    seen: object = None
    still = 0
    while still < STILL_LOOKS:
        await asyncio.sleep(LOOK_SECONDS)
        state = [*await page.evaluate(_STATE), run.wanted]
        still = still + 1 if state == seen and state[0] == "complete" and not run.open else 0
        seen = state


async def _end(*works: asyncio.Future[Any]) -> None:
    for work in works:
        work.cancel()
    await asyncio.gather(*works, return_exceptions=True)
