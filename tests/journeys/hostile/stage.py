"""What a case is made of: the stage it sets, and what it expects of a good crawler."""

from __future__ import annotations

import contextlib
import html
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hostile.answers import page, text
from hostile.pages import article, markup
from hostile.server import Handler, Host, Request, Web, Wire

if TYPE_CHECKING:
    from hostile.crawl import Result

INTERNAL = "127.9.9.9"
SECRET = "the password of the internal service is opensesame"


class Stage:
    """One case's part of the web, with a start page, two control pages and an open robots.txt to begin with.

    The start page links to the first control page and then to `links` (written as HTML attributes); the second control
    page is linked from the first, so that it is reached after the hostile thing. `folder` is the case's own, for
    files that must not be read or written.
    """

    def __init__(self, web: Web, folder: Path) -> None:
        self._web = web
        self._hosts = contextlib.ExitStack()
        self.folder = folder
        self.internals: list[Host] = []
        self.links: tuple[str, ...] = ("/x",)
        self.seed = "/"
        self.pages: int | None = None
        self.headers: dict[str, str] = {}
        self.environment: dict[str, str] = {}
        self.live_at()

    def live_at(self, address: str = "", name: str = "") -> None:
        """Set the stage up at this address, known to the crawl by this name."""
        self.host = self.another_host(address)
        self.name = name or self.host.address
        self.scope: tuple[str, ...] = (self.name,)
        self.host.on("/robots.txt", text("User-agent: *\nDisallow:\n"))
        self.host.on("/", self._start)
        self.host.on("/control-1", page(article("First control page", ["/control-2"])))
        self.host.on("/control-2", page(article("Second control page")))

    def x(self, handler: Handler) -> None:
        """Put the hostile thing at `/x`."""
        self.host.on("/x", handler)

    def open_scope(self) -> None:
        """Let the crawl go to any host, so that only the address guard protects."""
        self.scope = ("*",)

    def another_host(self, address: str = "", context: ssl.SSLContext | None = None) -> Host:
        """A further host, in the public part of loopback unless an address is given."""
        host = self._web.listen(address, context)
        self._hosts.callback(self._web.close, host)
        return host

    def internal(self, address: str = INTERNAL) -> Host:
        """A service at a forbidden address that tells a secret to whoever asks."""
        host = self.another_host(address)
        host.on("*", page(article("Internal service", text=SECRET)))
        self.internals.append(host)
        return host

    def url(self, path: str) -> str:
        """The full address of a path of the case's host."""
        return self.host.url(path, self.name) if path.startswith("/") else path

    def close(self) -> None:
        """End all hosts of the case."""
        self._hosts.close()

    async def _start(self, wire: Wire, request: Request) -> None:
        hrefs = (html.escape(self.url("/control-1")), *self.links)
        await page(markup("Start page", hrefs))(wire, request)


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What a good crawler does, beyond what is asked of it in every case.

    Paths are those of the case's host, or full addresses. `controls` of the control pages are exported; `read` pages
    are exported; `says` gives a piece of their text; `fails` have a recorded reason and are not exported; `unread` are
    not exported; `unasked` are never requested; `at_most` bounds the requests for a path; `wire_mb` what was taken of
    `/x`; `check` looks at whatever else the case is about.
    """

    controls: int = 2
    read: tuple[str, ...] = ()
    says: dict[str, str] = field(default_factory=dict)
    fails: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    at_most: dict[str, int] = field(default_factory=dict)
    memory_mb: int = 600
    wire_mb: int | None = None
    cpu_seconds: float | None = None
    check: Callable[[Result], None] | None = None


Case = Callable[[Stage], Expected]


class Cases:
    """The cases of one group, by name; the order is that of their definition."""

    def __init__(self) -> None:
        self._cases: dict[str, Case] = {}

    def __call__(self, name: str) -> Callable[[Case], Case]:
        """Register a case under this name."""

        def register(case: Case) -> Case:
            self._cases[name] = case
            return case

        return register

    def items(self) -> list[tuple[str, Case]]:
        """All cases of the group with their names."""
        return list(self._cases.items())
