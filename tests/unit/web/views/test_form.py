from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from starlette.exceptions import HTTPException

from haenyeo.web.serving import Served
from haenyeo.web.views.form import whole


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def test_odd_numbers_in_forms_are_refused(ask: Ask) -> None:
    assert ask("/crawl", {"action": "start", "pages": "-1"}).status == 400
    assert ask("/crawl", {"action": "start", "pages": "ten"}).status == 400
    assert ask("/crawl", {"action": "nothing"}).status == 303
    assert ask("/crawl", {"action": "x" * 70_000}).status == 413


@pytest.mark.parametrize(
    ("given", "number"), [("", None), ("  ", None), ("1", 1), (" 250 ", 250), ("1000000000", 10**9)]
)
def test_whole_numbers_are_read(given: str, number: int | None) -> None:
    assert whole({"pages": given}, "pages") == number


@pytest.mark.parametrize("given", ["0", "-1", "1.5", "ten", "1000000001", "²"])
def test_what_is_no_whole_number_is_refused(given: str) -> None:
    with pytest.raises(HTTPException) as refused:
        whole({"pages": given}, "pages")
    assert refused.value.status_code == 400


def test_a_form_with_the_cookie_needs_its_own_token(ask: Ask, served: Served) -> None:
    keys = served.app.state.keys
    cookie = {"Cookie": f"haenyeo-{served.port}={keys.token}"}
    assert ask("/crawl", {"action": "stop"}, headers=cookie).status == 403
    assert ask("/crawl", {"action": "stop", "form_token": "x" + keys.form}, headers=cookie).status == 403
    assert ask("/crawl", {"action": "stop", "form_token": keys.form}, headers=cookie).status == 303
