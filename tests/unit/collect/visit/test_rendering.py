"""Which pages are rendered: by what they show, by what helped on their site, and within a share of all pages."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from haenyeo.collect.visit.rendering import AT_FIRST, NEEDS_BROWSER, NO_TEXT, NOT_STARTED, SHARE_USED, Rendering
from haenyeo.fetch.browser.page_run import AskPart, Headers
from haenyeo.fetch.browser.renderer import Rendered, Renderer
from haenyeo.model.config import BrowserSettings
from haenyeo.model.errors import SettingsError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Hop, Outcome

FRAME = b"<!doctype html><title>x</title><body><div id=root></div><script src=/app.js></script>"
LITTLE = FRAME + b"<p>" + b"word " * 80 + b"</p>"
WHOLE = b"<!doctype html><title>x</title><script></script><body>" + b"<p>a sentence of a page</p>" * 200
SHOWN = b"<!doctype html><title>x</title><body><p>" + b"much text " * 100 + b"</p>"


class _KnownPages(Renderer):
    """Shows what it is told to show, without a browser."""

    def __init__(self, html: bytes = SHOWN, error: SettingsError | None = None) -> None:
        super().__init__(BrowserSettings(), user_agent="test", most_bytes=1 << 20)
        self.html, self.error, self.asked = html, error, 0

    async def render(self, document: Answer, ask: AskPart) -> Rendered:
        del document, ask
        self.asked += 1
        if self.error:
            raise self.error
        return Rendered(html=self.html, requests=3)


async def _nothing(url: Url, headers: Headers) -> Answer:
    del headers
    return Answer(url=url, final_url=url, outcome=Outcome.REFUSED)


def answer(body: bytes, site: str = "a.example") -> Answer:
    url = Url(f"http://{site}/")
    hop = Hop(url=url, status=200, headers=(("Content-Type", "text/html"),), body=body, at=datetime.now(UTC))
    return Answer(
        url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=body, hops=(hop,)
    )


def seen(rendering: Rendering, *bodies: bytes, site: str = "a.example") -> list[Answer]:
    async def work() -> list[Answer]:
        return [await rendering.seen(answer(body, site), _nothing) for body in bodies]

    return asyncio.run(work())


def test_frames_are_rendered_and_pages_that_say_enough_are_not() -> None:
    renderer = _KnownPages()
    frame, whole = seen(Rendering(renderer), FRAME, WHOLE)
    assert (frame.rendered, frame.body, frame.parts, frame.validators.etag) == (True, SHOWN, 3, "")
    assert (whole.rendered, whole.body, renderer.asked) == (False, WHOLE, 1)


def test_where_it_helped_pages_with_a_little_text_are_rendered_too_until_they_come_whole() -> None:
    renderer = _KnownPages()
    rendering = Rendering(renderer)
    assert [each.rendered for each in seen(rendering, LITTLE, FRAME, FRAME, LITTLE)] == [False, True, True, True]
    assert not seen(rendering, LITTLE, site="b.example")[0].rendered
    seen(rendering, *[WHOLE] * 10)
    assert not seen(rendering, LITTLE)[0].rendered


def test_where_it_does_not_help_one_page_in_ten_is_tried() -> None:
    renderer = _KnownPages(html=FRAME)
    rendering = Rendering(renderer)
    found = seen(rendering, *[FRAME + b"<p>short</p>"] * 30)
    assert not any(each.rendered for each in found)
    assert 3 <= renderer.asked <= 6


def test_what_is_learnt_is_remembered() -> None:
    kept: dict[str, bytes] = {}
    seen(Rendering(_KnownPages(), load=kept.get, put=kept.__setitem__), FRAME, FRAME)
    again = Rendering(_KnownPages(), load=kept.get, put=kept.__setitem__)
    assert seen(again, LITTLE)[0].rendered


def test_no_more_than_its_share_is_rendered() -> None:
    renderer = _KnownPages()
    found = seen(Rendering(renderer, share=0.1), *[FRAME] * 60)
    assert renderer.asked == AT_FIRST + 6
    assert found[-1].reason == SHARE_USED


@pytest.mark.parametrize(
    ("renderer", "outcome", "reason"),
    [
        (None, Outcome.FAILED, NEEDS_BROWSER),
        (_KnownPages(html=FRAME), Outcome.USELESS, NO_TEXT),
        (_KnownPages(error=SettingsError("the browser does not start")), Outcome.FAILED, NOT_STARTED),
    ],
    ids=["none", "empty", "broken"],
)
def test_what_cannot_be_shown_is_not_kept_empty(renderer: Renderer | None, outcome: Outcome, reason: str) -> None:
    (found,) = seen(Rendering(renderer), FRAME)
    assert (found.outcome, found.reason, found.body) == (outcome, reason, b"")


def test_a_drawing_needs_no_browser() -> None:
    drawing = b"<body><h1>Map</h1><img src=/map.png><script src=/count.js></script>"
    (found,) = seen(Rendering(None), drawing)
    assert (found.outcome, found.reason) == (Outcome.PAGE, "")


def test_if_all_pages_are_to_be_rendered_a_browser_must_start() -> None:
    with pytest.raises(SettingsError):
        seen(Rendering(_KnownPages(error=SettingsError("no")), always=True), WHOLE)
    assert seen(Rendering(_KnownPages(), always=True), WHOLE)[0].rendered
