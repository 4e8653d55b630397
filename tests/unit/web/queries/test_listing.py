from __future__ import annotations

from haenyeo.web.desk import Desk
from haenyeo.web.queries.listing import LEAD, PageQuestion, listed, listing


def titles(desk: Desk, **question: str | int) -> list[str]:
    return [row.title for row in listing(desk, PageQuestion(**question)).rows]  # type: ignore[arg-type]


def test_the_newest_pages_come_first_unless_the_best_are_wanted(desk: Desk) -> None:
    newest, best = titles(desk), titles(desk, sort="best")
    assert newest[0] == "Women divers"
    assert best[:2] == ["Women divers", "제주해녀"]
    assert newest[1:] == best[:0:-1]


def test_pages_that_are_not_kept_are_listed_when_all_are_wanted(desk: Desk) -> None:
    assert "Bread" not in titles(desk)
    assert "Bread" in titles(desk, kept="all")


def test_filters_leave_out_the_others(desk: Desk) -> None:
    assert titles(desk, language="ko") == ["제주해녀"]
    assert titles(desk, language="xx") == []
    assert titles(desk, site="nowhere.example") == []
    assert len(titles(desk, site="a.example", since="2020-01-01")) == 3
    assert titles(desk, since="2999-01-01") == []
    assert len(titles(desk, since="yesterday")) == 3


def test_a_part_of_a_list_knows_how_many_there_are(desk: Desk) -> None:
    part = listing(desk, PageQuestion(offset=1, limit=1))
    assert (len(part.rows), part.total, part.more) == (1, 3, False)


def test_words_are_looked_up_in_the_index(desk: Desk) -> None:
    desk.index()
    found = listing(desk, PageQuestion(q="abalone"))
    assert [(row.title, row.best) for row in found.rows] == [("Women divers", 0.9)]
    assert found.milliseconds is not None
    assert listing(desk, PageQuestion(q="abalone", language="ko")).rows == []


def test_rows_come_in_the_order_asked_for_with_the_beginning_of_the_text(desk: Desk) -> None:
    rows = listed(desk, [4, 1])
    assert [row.id for row in rows] == [4, 1]
    assert rows[1].snippet.text == "The haenyeo dive for abalone. They sing."
    assert all(len(row.snippet.text) <= LEAD + 2 for row in rows)
