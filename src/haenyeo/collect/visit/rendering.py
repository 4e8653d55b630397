"""Which pages are shown to a browser, and what becomes of those that should be where there is none?

With `browser = "auto"` a page is rendered if it has scripts and says next to nothing without them. What that brings is
remembered for its site: where it helps, pages that say a little more are rendered too; where it does not, only one in
ten is tried again; and a site whose pages say enough by themselves is forgotten after some of them. All pages together
may not cost the browser more than a share of the visits. A page that needs a browser and cannot have it is not kept
empty, but ends with a reason of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

from haenyeo.fetch.browser.page_run import AskPart
from haenyeo.fetch.browser.renderer import Rendered, Renderer
from haenyeo.fetch.browser.unscripted import FEW_CHARACTERS, is_drawing, is_full, shown_characters, wants_scripts
from haenyeo.html.mime import ContentKind, kind_of
from haenyeo.html.urls import site_of
from haenyeo.model.errors import SettingsError
from haenyeo.model.visits import Answer, Outcome, Validators

log = logging.getLogger(__name__)

NEEDS_BROWSER = "needs a browser"
"""The reason of pages that say nothing before their scripts run; what stood in the way stands behind a colon."""
SHARE_USED = f"{NEEDS_BROWSER}: its share of requests is used up"
NOT_STARTED = f"{NEEDS_BROWSER}: it does not start"
NO_TEXT = "no text, in a browser either"
"""The reason of pages that a browser has shown, and on which there is nothing to read: a drawing, or nothing."""
RENDERED_AS = "text/html; charset=utf-8"
AT_FIRST = 20
"""Pages that may be rendered whatever the share."""
MORE_CHARACTERS = 5 * FEW_CHARACTERS
"""What a page must show to count as whole where others of its site were not."""
MOST_SHOWN = 1 << 20

_UNKNOWN, _NEEDED, _IN_VAIN = 0.5, 0.7, 0.15
_ONE_IN = 10


class SiteNeed(msgspec.Struct, array_like=True):
    """How likely a page of a site needs a browser; `passed_over` pages were not tried since the last one."""

    need: float = _UNKNOWN
    passed_over: int = 0


class Rendering:
    """Sees to it that pages are rendered if need be.

    Without a `renderer` pages that need one are marked. `load` and `put` remember what is known of sites.
    """

    def __init__(
        self,
        renderer: Renderer | None,
        *,
        always: bool = False,
        share: float = 1.0,
        load: Callable[[str], bytes | None] = lambda _: None,
        put: Callable[[str, bytes], None] = lambda _, __: None,
    ) -> None:
        self._renderer, self._always, self._share = renderer, always, share
        self._load, self._put = load, put
        self._visits = self._rendered = 0
        self._sites: dict[str, SiteNeed] = {}

    async def close(self) -> None:
        """End the browser if there is one."""
        if self._renderer is not None:
            await self._renderer.close()

    async def seen(self, answer: Answer, ask: AskPart) -> Answer:
        """The page as a browser shows it if it needs one, else as it came; or that it needs one and has none."""
        self._visits += 1
        if not (self._always or self._is_wanted(answer)) or not _is_html(answer):
            return answer
        if self._renderer is None:
            return answer if is_drawing(answer.body) else without_browser(answer)
        if self._rendered >= AT_FIRST + self._share * self._visits:
            return without_browser(answer, SHARE_USED)
        self._rendered += 1
        try:
            rendered = await self._renderer.render(answer, ask)
        except SettingsError as error:
            return self._without_start(answer, error)
        return self._judged(answer, rendered)

    def _without_start(self, answer: Answer, error: SettingsError) -> Answer:
        """What becomes of a page if the browser does not start; unless all need it, the crawl goes on without."""
        if self._always:
            raise error
        log.warning("%s; pages that need it are not kept", error)
        self._renderer = None
        return without_browser(answer, NOT_STARTED)

    def _is_wanted(self, answer: Answer) -> bool:
        """Whether a page is to be rendered, by what it shows and what is known of its site."""
        known = self._sites.get(site_of(answer.final_url))
        if (known is None or known.need < _NEEDED) and is_full(answer.body):
            return False
        known = self._site(answer)
        few = MORE_CHARACTERS if known.need >= _NEEDED else FEW_CHARACTERS
        if not wants_scripts(answer.body, few):
            self._told_enough(answer)
            return False
        if known.need > _IN_VAIN or self._renderer is None:
            return True
        known.passed_over = (known.passed_over + 1) % _ONE_IN
        return known.passed_over == 0

    def _judged(self, answer: Answer, rendered: Rendered) -> Answer:
        """The better of both, and what is learnt from it."""
        answer = msgspec.structs.replace(answer, parts=rendered.requests)
        if not rendered.html:
            return answer if self._always else without_browser(answer, f"{NEEDS_BROWSER}: {rendered.reason}")
        before = shown_characters(answer.body, MOST_SHOWN)
        helped = shown_characters(rendered.html, MOST_SHOWN) >= 2 * before + FEW_CHARACTERS // 4
        self._learn(answer, helped=helped)
        if not (before or helped or self._always):
            return msgspec.structs.replace(without_browser(answer, NO_TEXT), outcome=Outcome.USELESS)
        return as_rendered(answer, rendered.html) if helped or self._always else answer

    def _learn(self, answer: Answer, *, helped: bool) -> None:
        known = self._site(answer)
        known.need += 0.5 * (helped - known.need)
        self._put(site_of(answer.final_url), msgspec.msgpack.encode(known))

    def _told_enough(self, answer: Answer) -> None:
        """Forget a site's need little by little as its pages come whole."""
        known = self._sites.get(site_of(answer.final_url))
        if known is not None and known.need > _UNKNOWN:
            known.need = max(_UNKNOWN, known.need - 0.05)
            self._put(site_of(answer.final_url), msgspec.msgpack.encode(known))

    def _site(self, answer: Answer) -> SiteNeed:
        site = site_of(answer.final_url)
        known = self._sites.get(site)
        if known is None:
            data = self._load(site)
            known = self._sites[site] = msgspec.msgpack.decode(data, type=SiteNeed) if data else SiteNeed()
        return known


def as_rendered(answer: Answer, html: bytes) -> Answer:
    """The answer with what a browser made of it; what its server says of its own document holds no more."""
    return msgspec.structs.replace(answer, body=html, content_type=RENDERED_AS, validators=Validators(), rendered=True)


def without_browser(answer: Answer, reason: str = NEEDS_BROWSER) -> Answer:
    """The answer of a page that needs a browser and has none: there is nothing to be kept of it."""
    return msgspec.structs.replace(
        answer, outcome=Outcome.FAILED, reason=reason, body=b"", validators=Validators(), content_type=""
    )


def _is_html(answer: Answer) -> bool:
    return kind_of(answer.content_type, answer.body) is ContentKind.HTML
