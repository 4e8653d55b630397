"""A running Chromium, started when it is needed and replaced when it crashes, hangs or takes too much memory.

It has no way to the network of its own. Every request of a page is handed to us before it is made (`page_run`); what
would go another way (preconnects, workers, WebRTC, its own services) is sent to a proxy that nobody answers for, and no
name is looked up.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING

from haenyeo.fetch.browser.memory import memory_of
from haenyeo.fetch.browser.program import INSTALL, program_of
from haenyeo.model.config import BrowserSettings
from haenyeo.model.errors import SettingsError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

log = logging.getLogger(__name__)

CLOSING_SECONDS = 5.0
STARTING_SECONDS = 30.0
MOST_PAGES = 200
"""Pages after which a browser is replaced, whatever it says of itself."""

_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-features=DnsOverHttps,NetworkPrediction,OptimizationHints,Prerender2,ServiceWorkerAutoPreload,WebTransport",
    "--dns-prefetch-disable",
    "--no-pings",
    "--mute-audio",
    "--js-flags=--max-old-space-size=512",
    "--disable-dev-shm-usage",
)


class Chromium:
    """One browser at a time; `user_agent` is what it says of itself to pages."""

    def __init__(self, settings: BrowserSettings, user_agent: str) -> None:
        self._settings, self._user_agent = settings, user_agent
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._one_at_a_time = asyncio.Lock()
        self._nobody: socket.socket | None = None
        self._mark = ""
        self._pages = 0

    async def new_context(self) -> BrowserContext:
        """A context without cookies or cache of others, in a browser that is alive."""
        async with self._one_at_a_time:
            if self._browser is None or not self._browser.is_connected() or self._pages >= MOST_PAGES:
                await self._replace()
            browser = self._browser
            self._pages += 1
        assert browser is not None
        return await browser.new_context(
            user_agent=self._user_agent,
            service_workers="block",
            accept_downloads=False,
            java_script_enabled=True,
            viewport={"width": 1280, "height": 1024},
        )

    async def discard(self, context: BrowserContext) -> None:
        """Be rid of a context's browser, unless that was done before; the next page gets another one."""
        async with self._one_at_a_time:
            if context.browser is self._browser:
                await self._end()

    async def close(self) -> None:
        """End it for good."""
        async with self._one_at_a_time:
            await self._end()
        if self._nobody is not None:
            self._nobody.close()
            self._nobody = None

    def is_too_large(self) -> bool:
        """Whether its processes take more memory than they may."""
        return bool(self._mark) and memory_of(self._mark) > self._settings.memory_mb << 20

    async def _replace(self) -> None:
        from playwright.async_api import Error, async_playwright

        await self._end()
        self._playwright = await async_playwright().start()
        self._mark, self._pages = f"--haenyeo={secrets.token_hex(8)}", 0
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=program_of(self._settings),
                args=[*_ARGUMENTS, self._mark],
                proxy={"server": f"http://{self._nobody_address()}", "bypass": "<-loopback>"},
                chromium_sandbox=self._settings.sandbox and os.geteuid() != 0,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=STARTING_SECONDS * 1000,
            )
        except Error as error:
            await self._end()
            first = str(error).partition("\n")[0]
            raise SettingsError(f"the browser does not start: {first}", path="$.browser", advice=INSTALL) from error

    async def _end(self) -> None:
        """Close browser and driver; a driver that does not answer any more is left to its end."""
        browser, self._browser = self._browser, None
        playwright, self._playwright = self._playwright, None
        if browser is not None:
            await _within(browser.close())
        if playwright is not None:
            await _within(playwright.stop())

    def _nobody_address(self) -> str:
        """A port of this machine that is taken and that nobody listens on: whoever connects is refused."""
        if self._nobody is None:
            self._nobody = socket.socket()
            self._nobody.bind(("127.0.0.1", 0))
        host, port = self._nobody.getsockname()
        return f"{host}:{port}"


async def _within(closing: Awaitable[None]) -> None:
    from playwright.async_api import Error

    with suppress(TimeoutError, Error):
        await asyncio.wait_for(closing, CLOSING_SECONDS)
