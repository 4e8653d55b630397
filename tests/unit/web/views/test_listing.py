from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

from haenyeo.web.queries.listing import PageQuestion
from haenyeo.web.serving import Served
from haenyeo.web.views.listing import LATEST_OFFSET, SHOWN, address, question_in


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def test_pages_are_found_by_their_words(ask: Ask, served: Served) -> None:
    served.app.state.desk.index()
    found = ask("/pages?q=" + quote("해녀")).text
    assert "<mark>해녀</mark>" in found
    assert "Women divers" not in found
    assert "No page has these words" in ask("/pages?q=octopus").text


def test_a_question_in_an_address_leaves_out_what_makes_no_sense() -> None:
    given = {"q": " reef ", "sort": "best", "offset": "40", "limit": "9999", "nothing": "x"}
    assert question_in(given) == PageQuestion(q="reef", sort="best", offset=40, limit=SHOWN)
    assert question_in({"offset": "-3"}).offset == 0
    assert question_in({"offset": "9" * 30}).offset == LATEST_OFFSET


def test_the_next_part_of_a_list_has_the_same_question() -> None:
    question = PageQuestion(q="해녀", sort="best")
    assert address(question, 20) == f"/pages?q={quote('해녀')}&sort=best&kept=yes&offset=20"
    assert "offset" not in address(question, 0)
