from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from haenyeo.watch.rules.learn import learn_rule
from haenyeo.watch.rules.repair import repair_rule
from haenyeo.watch.rules.rule import Rule

Item = dict[str, str]
NOBODY = ("us", "you", "them", "it", "her", "him", "all")


def learned(page: str, items: list[Item]) -> Rule:
    rule = learn_rule(page, examples=items[:2])
    assert rule is not None
    return rule


@pytest.mark.parametrize("look", ["table", "cards"])
@pytest.mark.parametrize(("before", "after"), [(1, 1), (1, 2)])
def test_records_are_found_again_after_a_redesign(
    make_items: Callable[..., Any], make_page: Callable[..., Any], look: str, before: int, after: int
) -> None:
    old, new = make_items(20, before), make_items(15, after)
    other = "cards" if look == "table" else "table"
    rule = learned(make_page(old, look), old)
    page = make_page(new, other)
    assert rule.extract(page) == []
    repaired = repair_rule(rule, page)
    assert repaired is not None
    assert repaired.extract(page) == new
    assert repaired.version == rule.version + 1
    assert repaired.confidence > 0.3


def test_a_date_may_move_into_a_heading(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    old, new = make_items(20, 1), sorted(make_items(20, 2), key=lambda item: item["date"])
    page = make_page(new, "days")
    examples = [{name: item[name] for name in ("title", "link", "date")} for item in old]
    repaired = repair_rule(learned(make_page(old), examples), page)
    assert repaired is not None
    assert repaired.fields["date"].shared
    assert [row["date"] for row in repaired.extract(page)] == [item["date"] for item in new]


def test_a_rule_that_works_is_kept_and_learns_the_new_values(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    old, new = make_items(20, 1), make_items(10, 2)
    rule = learned(make_page(old), old)
    kept = repair_rule(rule, make_page(new))
    assert kept is not None
    assert (kept.version, kept.record) == (rule.version, rule.record)
    assert kept.fields["title"].values == tuple(item["title"] for item in new)
    assert kept.extract(make_page(old)) == old


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<p>The shop is closed.</p>",
        "<ul>" + "".join(f"<li>{n}</li>" for n in range(30)) + "</ul>",
        "<nav><ul>" + "".join(f'<li><a href="/{n}">Menu</a></li>' for n in range(30)) + "</ul></nav>",
    ],
)
def test_without_its_records_a_rule_is_not_repaired(
    make_items: Callable[..., Any], make_page: Callable[..., Any], page: str
) -> None:
    items = make_items(20)
    assert repair_rule(learned(make_page(items), items), page) is None


def test_a_field_that_is_gone_is_left_out(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(20, 1)
    page = "".join(f'<p class="row"><a href="{item["link"]}">{item["title"]}</a></p>' for item in make_items(20, 2))
    examples = [{name: item[name] for name in ("title", "link", "date")} for item in items]
    repaired = repair_rule(learned(make_page(items), examples), page)
    assert repaired is not None
    assert list(repaired.fields) == ["title", "link"]


def test_a_repaired_rule_survives_json(make_items: Callable[..., Any], make_page: Callable[..., Any]) -> None:
    items = make_items(20)
    repaired = repair_rule(learned(make_page(items), items), make_page(items, "table"))
    assert repaired is not None
    assert Rule.from_json(repaired.to_json()) == repaired


def test_a_page_that_did_not_change_is_not_repaired_whatever_its_values_look_like() -> None:
    rows = "".join(
        f"<p><b>{'July 16, 2014' if n % 3 == 0 else f'No. {n}-125'}</b> <a href='/{n}.pdf'>{n}</a></p>"
        for n in range(12)
    )
    page = f"<div class='list'>{rows}</div>"
    rule = learn_rule(page, [{"date": "July 16, 2014", "url": "/0.pdf"}])
    assert rule is not None
    again = repair_rule(rule, page)
    assert again is not None
    assert again.version == rule.version
    assert again.extract(page) == rule.extract(page)


def test_many_times_as_many_records_none_of_them_known_are_not_taken_for_ours(
    make_items: Callable[..., Any], make_page: Callable[..., Any]
) -> None:
    items = make_items(8, 1)
    rule = learned(make_page(items), items)

    def page(count: int) -> str:
        rows = ((row["link"], row["title"].split()[1]) for row in make_items(count, 2))
        return "".join(f'<p class="row"><a href="{link}">{word}</a></p>' for link, word in rows)

    several = repair_rule(rule, page(40))
    assert several is not None
    assert len(several.extract(page(40))) == 40
    assert repair_rule(rule, page(100)) is None


def test_the_date_alone_is_taken_where_a_row_has_it_too() -> None:
    dates = [f"{day:02}/11/2019" for day in range(1, 9)]
    before = "".join(
        f"<h3>Date: {date}</h3><ul><li><a href='/{n}.pdf'>No. 12{n}-7</a></ul>" for n, date in enumerate(dates)
    )
    rule = learn_rule(
        before, [{"date": f"Date: {dates[n]}", "url": f"/{n}.pdf", "docket": f"No. 12{n}-7"} for n in (0, 1)]
    )
    assert rule is not None
    cells = "".join(
        f"<tr><td>2{n}/02/2020</td><td>No. 13{n}-7</td><td><a href='/3{n}.pdf'>A v. B{n}</a></td></tr>"
        for n in range(8)
    )
    after = f"<table class='info'>{cells}</table>"
    repaired = repair_rule(rule, after)
    assert repaired is not None
    assert [row["date"] for row in repaired.extract(after)] == [f"2{n}/02/2020" for n in range(8)]


def test_one_column_of_which_nothing_is_known_is_not_taken_for_the_list() -> None:
    before = "".join(f"<p><b>{n}/11/2019</b> <a href='/case/{n}'>Case number {n}</a></p>" for n in range(1, 9))
    rule = learn_rule(before, [{"date": f"{n}/11/2019", "url": f"/case/{n}"} for n in (1, 2)])
    assert rule is not None
    menu = "".join(f"<p><a href='/about/{word}'>About {word}</a></p>" for word in NOBODY)
    assert repair_rule(rule, f"<div>{menu}</div>") is None


def test_of_two_fields_that_were_one_text_only_the_surer_is_told_when_they_part() -> None:
    before = "".join(f"<p><b>{n}/11/2019</b> <a href='/{n}.pdf'>5D{n} Owners{n} v. Mast</a></p>" for n in range(1, 9))
    examples = [
        {
            "date": f"{n}/11/2019",
            "url": f"/{n}.pdf",
            "name": f"5D{n} Owners{n} v. Mast",
            "docket": f"5D{n} Owners{n} v. Mast",
        }
        for n in (1, 2)
    ]
    rule = learn_rule(before, examples)
    assert rule is not None
    head = "<tr><th>File</th><th>Case Name</th><th>Note</th><th>Date</th></tr>"
    rows = "".join(
        f"<tr><td><a href='/{n}.pdf'>Get</a></td><td>Rolls{n} v. Reef</td><td>6D{n} Note{n} v. Mast</td>"
        f"<td>{n}/12/23</td></tr>"
        for n in range(11, 19)
    )
    repaired = repair_rule(rule, f"<table class='found'>{head}{rows}</table>")
    assert repaired is not None
    assert len({"name", "docket"} & set(repaired.fields)) == 1


def test_the_links_of_a_login_page_are_not_taken_for_the_list() -> None:
    rows = "".join(
        f"<tr><td><a href='/p/{name.lower()}'>{name} for deep water</a></td><td>€{19 + 7 * n}.50</td></tr>"
        for n, name in enumerate(("Mask", "Snorkel", "Knife", "Float", "Lantern", "Hook", "Gloves", "Compass"))
    )
    rule = learn_rule(f"<div><h1>Goods</h1><table>{rows}</table></div>")
    assert rule is not None
    assert set(rule.fields) == {"title", "link", "price"}
    helping = "".join(
        f"<li><a href='/{word.lower()}'>{word}</a></li>" for word in ("Lost password", "Join us", "Terms")
    )
    wall = f"<div><h2>Please sign in</h2><form><input name='n'><button>Sign in</button></form><ul>{helping}</ul></div>"
    assert repair_rule(rule, wall) is None
