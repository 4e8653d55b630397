"""One list page under watch while its layout changes: repaired on that page alone, or told as broken."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from named_web import NOT_FOUND, Reply, answering

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Goods = list[dict[str, str]]
pytestmark = pytest.mark.slow
AT_ONCE = ("--delay", "0", "--json")
NAMES = ("Mask", "Snorkel", "Knife", "Float", "Lantern", "Hook", "Gloves", "Compass", "Rope", "Basket")
GOODS: Goods = [
    {"title": f"{name} for deep water", "price": f"€{19 + 7 * place}.50", "link": f"/p/{name.lower()}"}
    for place, name in enumerate(NAMES)
]
FRAME = (
    "<html><head><title>Goods</title></head><body><nav class='menu'><a href='/'>Home</a> <a href='/us'>About</a></nav>"
    "{}<footer class='foot'><p>Harbour shop, open all year</p></footer></body></html>"
)


def _table(goods: Goods) -> str:
    rows = "".join(
        f"<tr class='item'><td class='name'><a href='{good['link']}'>{good['title']}</a></td>"
        f"<td class='price'>{good['price']}</td></tr>"
        for good in goods
    )
    return f"<div id='shop'><h1>Goods</h1><table class='goods'>{rows}</table></div>"


def _cards(goods: Goods) -> str:
    cards = "".join(
        f"<article class='card'><h3 class='head'><a href='{good['link']}'>{good['title']}</a></h3>"
        f"<b class='cost'>{good['price']}</b></article>"
        for good in goods
    )
    return f"<main class='wide'><h1>Goods</h1><section class='cards'>{cards}</section></main>"


def _tiles(goods: Goods) -> str:
    tiles = "".join(
        f"<div class='tile'><span class='sum'>{good['price']}</span><a class='go' href='{good['link']}'>"
        f"<span class='label'>{good['title']}</span></a></div>"
        for good in goods
    )
    return f"<div class='page'><div class='grid'>{tiles}</div></div>"


def _boxes(goods: Goods) -> str:
    return _cards(goods).replace("card", "box").replace("h3", "h4")


def _lines(goods: Goods) -> str:
    lines = "".join(f"<li class='line'><a href='{good['link']}'>{good['title']}</a></li>" for good in goods)
    return f"<section class='simple'><ul class='lines'>{lines}</ul></section>"


WALL = (
    "<div class='login'><h2>Please sign in</h2><form method='post'><label>Name <input name='n'></label>"
    "<label>Password <input name='p'></label><button>Sign in</button></form><ul class='help'><li><a href='/lost'>Lost"
    " password</a></li><li><a href='/join'>Join us</a></li><li><a href='/terms'>Terms</a></li></ul></div>"
)
ERROR = "<div class='oops'><h2>Something went wrong</h2><p>Our servers have a bad day. Try again later.</p></div>"


class Shop:
    """What the server says now: a page, or an address to go to."""

    url = ""

    def __init__(self) -> None:
        self.page, self.moved_to, self.requests = _table(GOODS), "", 0


@pytest.fixture
def shop(haenyeo: Command, tmp_path: Path) -> Iterator[Shop]:
    """A shop on this machine, and a collection with a rule for its list, which is under watch."""
    shop = Shop()

    def answer(path: str) -> Reply:
        listed = path == "/goods"
        shop.requests += listed
        if listed and shop.moved_to:
            return Reply(status=302, headers=(("Location", shop.moved_to),))
        return Reply(FRAME.format(shop.page)) if listed or path == shop.moved_to else NOT_FOUND

    with answering(answer) as port:
        shop.url = f"http://127.0.0.1:{port}/goods"
        haenyeo("new", "goods", "--topic", "diving gear", "--seed", shop.url)
        settings = tmp_path / "goods" / "haenyeo.toml"
        text = settings.read_text(encoding="utf-8")
        told = f'[notify]\ncommand = "tee -a {tmp_path}/told.jsonl"\n'
        text = text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]').replace("[notify]\n", told)
        settings.write_text(text, encoding="utf-8")
        example = [part for name, value in GOODS[0].items() for part in ("--field", f"{name}={value}")]
        haenyeo("records", "goods", shop.url, *example, *AT_ONCE)
        haenyeo("watch", "goods", shop.url, *AT_ONCE)
        yield shop


def look(haenyeo: Command) -> dict[str, Any]:
    """Visit the list again; the rule's state as `watch` tells it, compared with what all others tell."""
    seen = json.loads(haenyeo("watch", "goods", "--now", *AT_ONCE).stdout)
    [watched] = seen["rules"]
    [rule] = json.loads(haenyeo("records", "goods", "--json").stdout)["rules"]
    assert (rule["condition"], rule["state"]) == (watched["condition"], watched["state"])
    looked = haenyeo("watch", "goods", "--look").stdout
    assert f"rule {rule['rule']}: {rule['state']}" in looked
    assert ("│ ok" in looked) == (rule["condition"] in {"works", "probation"}), "no page is ok while its rule is broken"
    return {"condition": rule["condition"], "state": rule["state"], "version": rule["version"], "rule": rule["rule"]}


def rows(haenyeo: Command, shop: Shop) -> Goods:
    """The records as they stand in the page."""
    [rule] = json.loads(haenyeo("records", "goods", "--json").stdout)["rules"]
    found = json.loads(haenyeo("records", "goods", "--rule", rule["rule"], "--json").stdout)["records"]
    root = shop.url.removesuffix("/goods")
    return [{name: value.removeprefix(root) for name, value in row.items()} for row in found]


def kinds(haenyeo: Command) -> list[str]:
    changes = json.loads(haenyeo("changes", "goods", "--json").stdout)["changes"]
    return [change["kind"] for change in changes if change["kind"] != "content"]


def notified(tmp_path: Path) -> list[str]:
    told = (tmp_path / "told.jsonl").read_text(encoding="utf-8").replace("}{", "}\n{")
    return [change["kind"] for line in told.splitlines() for change in json.loads(line)["changes"]]


def test_a_redesign_is_repaired_on_the_one_page_that_shows_it(shop: Shop, haenyeo: Command, tmp_path: Path) -> None:
    assert rows(haenyeo, shop) == GOODS
    shop.page, shop.requests = _cards(GOODS), 0
    seen = look(haenyeo)
    assert (seen["condition"], seen["version"]) == ("probation", 2)
    assert rows(haenyeo, shop) == GOODS
    assert shop.requests == 1
    assert kinds(haenyeo) == notified(tmp_path) == ["layout", "repair"]
    assert look(haenyeo)["condition"] == "probation"
    look(haenyeo)
    assert look(haenyeo)["state"] == "works"
    assert kinds(haenyeo) == ["layout", "repair"], "told once"


def test_three_redesigns_in_a_row_are_followed_with_new_goods(shop: Shop, haenyeo: Command) -> None:
    new = [{"title": f"{name} of bamboo", "price": "€8.25", "link": f"/p/b{name.lower()}"} for name in NAMES[:3]]
    shown = GOODS
    for number, layout in enumerate((_cards, _tiles, _boxes)):
        shown = [new[number], *shown[:-1]]
        shop.page = layout(shown)
        seen = look(haenyeo)
        assert (seen["condition"], seen["version"]) == ("probation", number + 2)
    assert sorted(rows(haenyeo, shop), key=str) == sorted([*GOODS, *new], key=str)
    assert kinds(haenyeo) == ["layout", "repair"] * 3


def test_a_field_that_is_dropped_is_told_and_the_rule_goes_on(shop: Shop, haenyeo: Command) -> None:
    shop.page = _lines(GOODS)
    assert look(haenyeo)["condition"] == "probation"
    assert rows(haenyeo, shop) == [{"title": good["title"], "link": good["link"]} for good in GOODS]
    [repair] = json.loads(haenyeo("changes", "goods", "--kind", "repair", "--json").stdout)["changes"]
    assert repair["dropped"] == ["price"]
    assert "goes on without: price" in haenyeo("changes", "goods").stdout


@pytest.mark.parametrize(("page", "moved_to"), [(WALL, ""), (ERROR, ""), (WALL, "/login")])
def test_a_login_wall_or_an_error_page_is_an_alarm_and_no_repair(
    shop: Shop, haenyeo: Command, tmp_path: Path, page: str, moved_to: str
) -> None:
    shop.page, shop.moved_to = page, moved_to
    for _ in range(3):
        seen = look(haenyeo)
        assert (seen["condition"], seen["version"]) == ("broken", 1)
    assert "broken" in kinds(haenyeo)
    assert kinds(haenyeo).count("broken") == 1, "told once"
    assert "broken" in notified(tmp_path)
    assert rows(haenyeo, shop) == GOODS, "what was taken stays"
    shop.page, shop.moved_to = _table(GOODS), ""
    assert look(haenyeo)["state"] == "works"
    assert "works" in notified(tmp_path), "who heard of the alarm hears of its end"
    assert kinds(haenyeo).count("works") == 1


def test_all_goods_being_new_waits_for_the_users_word(shop: Shop, haenyeo: Command) -> None:
    new = [{**good, "title": f"{good['title']} and back", "link": f"{good['link']}-2"} for good in GOODS]
    shop.page = _tiles([{**good, "price": f"€{70 + 3 * place}.90"} for place, good in enumerate(new)])
    seen = look(haenyeo)
    assert seen["condition"] == "proposed"
    assert "repair proposed" in haenyeo("changes", "goods").stdout
    assert look(haenyeo)["condition"] == "proposed", "the same page again proves nothing"
    asked = shop.requests
    haenyeo("records", "goods", "--rule", seen["rule"], "--accept")
    assert shop.requests == asked
    assert [row["title"] for row in rows(haenyeo, shop)[len(GOODS) :]] == [good["title"] for good in new]
    assert kinds(haenyeo) == ["layout", "proposed", "repair"]


@pytest.mark.parametrize("how", ["css", "xpath", "json"])
def test_own_selectors_are_watched_broken_and_repaired_like_learnt_ones(
    shop: Shop, haenyeo: Command, tmp_path: Path, how: str
) -> None:
    css = {"title": "td.name a", "price": ".price::text", "link": "a::attr(href)"}
    xpath = {"title": "./td[1]/a", "price": ".//td[@class='price']/text()", "link": ".//a/@href"}
    written = xpath if how == "xpath" else css
    fields = [part for name, text in written.items() for part in ("--field", f"{name}={text}")]
    record = "//table[@class='goods']//tr" if how == "xpath" else "table.goods tr.item"
    given = ["--select", record, *fields]
    if how == "json":
        (tmp_path / "own.json").write_text(json.dumps({"select": record, "fields": css}), encoding="utf-8")
        given = ["--import", "own.json"]
    made = json.loads(haenyeo("records", "goods", shop.url, *given, *AT_ONCE).stdout)
    assert made["selectors"][""]["css"] == record
    assert rows(haenyeo, shop) == GOODS
    shop.page = _cards(GOODS)
    assert look(haenyeo)["condition"] == "probation"
    assert rows(haenyeo, shop) == GOODS
    shop.page = ERROR
    assert look(haenyeo)["condition"] == "broken"
