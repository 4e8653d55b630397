from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from haenyeo.collect.adapters.watching.changes import (
    ContentChanged,
    LayoutChanged,
    RuleBroken,
    RuleProposed,
    RuleRepaired,
    RuleRolledBack,
    restored,
)
from haenyeo.collect.adapters.watching.page_watch import PageWatch, Watched
from haenyeo.collect.adapters.watching.saved_rules import SavedRule, Version, key_field
from haenyeo.collect.adapters.watching.sheets import keep
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.watch.default import DefaultWatcher
from haenyeo.watch.rules.learn import learn_rule

Visit = Callable[..., Watched]
Pages = Callable[..., str]
Goods = list[tuple[str, str]]
FIRST, SECOND = "https://a.example/goods", "https://a.example/goods?page=2"


@pytest.fixture
def rule(shop: Pages, goods: Goods, watch: PageWatch, store: Store) -> SavedRule:
    """A rule for both pages of the list."""
    html = shop(goods)
    learned = learn_rule(html, [{"title": goods[0][0], "price": goods[0][1], "link": f"/p/{goods[0][0].lower()}"}])
    assert learned is not None
    version = Version(rule=learned, at=datetime(2025, 3, 1, tzinfo=UTC), url=Url(FIRST), why="learned")
    saved = SavedRule(
        name="goods",
        url=FIRST,
        lists=(r"https://a\.example/goods", r"https://a\.example/goods\?page=\d+"),
        key=key_field(learned, learned.extract(html)),
        versions=(version,),
    )
    state = watch.shelf.put(saved)
    store.put_state(state.part, state.key, state.value)
    return saved


def condition(watch: PageWatch) -> str:
    saved = watch.shelf.get("goods")
    assert saved is not None
    return saved.condition


def without_prices(html: str) -> str:
    return re.sub(r"<b class='cost'>[^<]*</b>", "", html)


def titles(store: Store) -> list[str]:
    return [row.fields["title"] for row in store.rows("goods")]


def test_a_first_visit_tells_nothing(visit: Visit, shop: Pages, goods: Goods) -> None:
    assert not visit(FIRST, shop(goods)).told


def test_other_goods_are_content_and_no_layout(visit: Visit, shop: Pages, goods: Goods) -> None:
    visit(FIRST, shop(goods), "a mask\nfins")
    seen = visit(FIRST, shop(goods[3:]), "a mask\na knife")
    assert [type(change) for change in seen.told] == [ContentChanged]
    assert not visit(FIRST, shop(goods[3:]), "a mask\na knife").told


def test_lines_that_only_changed_places_are_told_and_not_counted(visit: Visit, shop: Pages, goods: Goods) -> None:
    orders = ["a mask\nfins for two\na lamp", "fins for two\na lamp\na mask"]
    visit(FIRST, shop(goods), orders[0])
    seen = visit(FIRST, shop(goods), orders[1])
    [change] = seen.told
    assert isinstance(change, ContentChanged)
    assert (change.lines, change.moved, change.moves) == (0, ("a mask",), 1)
    assert not seen.content_changed
    told = [len(visit(FIRST, shop(goods), orders[turn % 2]).told) for turn in range(5)]
    assert told == [1, 1, 0, 0, 0], "a page in another order at each visit is told three times"
    assert len(visit(FIRST, shop(goods), f"{orders[1]}\na knife").told) == 1


def test_a_text_that_is_only_read_better_by_now_is_no_new_content(visit: Visit, shop: Pages, goods: Goods) -> None:
    visit(FIRST, shop(goods), "a mask\nfins\nall prices with tax")
    assert not visit(FIRST, shop(goods), "a mask\nfins", alike=("a mask\nfins", "a mask\nfins")).told
    [change] = visit(FIRST, shop(goods), "a mask\na lamp", alike=("a mask\nfins", "a mask\na lamp")).told
    assert isinstance(change, ContentChanged)
    assert (change.added, change.removed) == (("a lamp",), ("fins",))


def test_a_redesign_is_an_alarm_and_the_same_words_are_no_new_content(visit: Visit, shop: Pages, goods: Goods) -> None:
    visit(FIRST, shop(goods), "a mask of the harbour\nfins of the harbour")
    [change] = visit(FIRST, shop(goods, new=True), "a mask of the harbour fins of the harbour").told
    assert isinstance(change, LayoutChanged)
    assert (change.grade, change.template) == ("alarm", "a.example/goods")


def test_a_redesign_is_told_once_for_a_kind_of_pages(visit: Visit, shop: Pages, goods: Goods) -> None:
    pages = [f"https://a.example/goods?page={number}" for number in range(1, 6)]
    for place, page in enumerate(pages):
        visit(page, shop(goods[place:]))
    told = [change for place, page in enumerate(pages) for change in visit(page, shop(goods[place:], new=True)).told]
    assert [change.grade for change in told if isinstance(change, LayoutChanged)] == ["alarm"]


def test_what_was_told_is_stored(store: Store, visit: Visit, shop: Pages, goods: Goods) -> None:
    visit(FIRST, shop(goods))
    told = visit(FIRST, shop(goods, new=True)).told
    assert [restored(event) for event in store.events()] == list(told)


@pytest.mark.usefixtures("rule")
def test_records_are_taken_on_every_page_of_a_list(store: Store, visit: Visit, shop: Pages, goods: Goods) -> None:
    visit(FIRST, shop(goods[:8]))
    visit(SECOND, shop(goods[8:]))
    assert titles(store) == [title for title, _ in goods]
    assert store.rows("goods")[0].fields["link"].startswith("https://a.example/p/")


@pytest.mark.usefixtures("rule")
def test_one_page_is_enough_where_the_known_records_are_found_again(
    store: Store, watch: PageWatch, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods[:8]))
    fresh = [("Net of the harbour", "€17.50"), *goods[:7]]
    alarm, repair = visit(FIRST, shop(fresh, new=True)).told
    assert isinstance(alarm, LayoutChanged)
    assert isinstance(repair, RuleRepaired)
    assert (repair.checked_on, repair.rows_before, repair.rows_after) == ((FIRST,), 0, 8)
    assert titles(store) == [title for title, _ in [*goods[:8], fresh[0]]]
    assert condition(watch) == "probation"
    for _ in range(3):
        assert not visit(FIRST, shop(fresh, new=True)).told
    assert condition(watch) == "works"


@pytest.mark.usefixtures("rule")
def test_a_repair_is_put_in_force_by_a_second_page_without_a_gap(
    store: Store, watch: PageWatch, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods[:4]))
    visit(SECOND, shop(goods[4:8]))
    alarm, proposed = visit(FIRST, shop(goods[8:], new=True)).told
    assert isinstance(alarm, LayoutChanged)
    assert isinstance(proposed, RuleProposed)
    assert condition(watch) == "proposed"
    assert len(store.rows("goods")) == 8, "nothing is taken by a rule that is not sure"
    assert not visit(FIRST, shop(goods[8:], new=True)).told, "the same page again says nothing of the records"

    [repair] = visit(SECOND, shop(goods[4:8], new=True)).told
    assert isinstance(repair, RuleRepaired)
    assert repair.checked_on == (FIRST, SECOND)
    assert (repair.rows_before, repair.rows_after) == (0, 4)
    assert sorted(titles(store)) == sorted(title for title, _ in goods)
    saved = PageWatch(store, DefaultWatcher()).shelf.get("goods")
    assert saved is not None, "the rule is read back from the store"
    assert [version.rule.version for version in saved.versions] == [1, 2]
    reverted = saved.reverted()
    assert reverted is not None
    assert reverted.rule.version == 1


@pytest.mark.usefixtures("rule")
def test_a_likely_repair_waits_for_the_next_visit_of_the_same_page(
    store: Store, watch: PageWatch, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods))
    shuffled = [*goods[6:], *goods[:6]][::-1]
    assert isinstance(visit(FIRST, shop(shuffled, new=True)).told[-1], RuleProposed)
    [repair] = visit(FIRST, shop(shuffled, new=True)).told
    assert isinstance(repair, RuleRepaired)
    assert condition(watch) == "probation"
    assert len(store.rows("goods")) == len(goods)


@pytest.mark.usefixtures("rule")
def test_an_accepted_repair_takes_its_records_from_the_stored_page(
    store: Store, watch: PageWatch, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods[:6]))
    visit(FIRST, shop(goods[6:], new=True))
    saved = watch.shelf.get("goods")
    assert saved is not None
    now = datetime(2025, 4, 1, tzinfo=UTC)
    taken = watch.shelf.accept(saved, now)
    assert taken is not None
    keep(store, taken, now)
    assert titles(store) == [title for title, _ in goods]
    assert isinstance(restored(list(store.events())[-1]), RuleRepaired)
    assert condition(watch) == "probation"
    accepted = watch.shelf.get("goods")
    assert accepted is not None
    assert watch.shelf.accept(accepted, now) is None


@pytest.mark.usefixtures("rule")
def test_a_field_that_the_new_layout_lacks_is_left_out_and_found_again_later(
    watch: PageWatch, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods))
    [repair] = [
        change
        for change in visit(FIRST, without_prices(shop(goods, new=True))).told
        if isinstance(change, RuleRepaired)
    ]
    assert repair.dropped == ("price",)
    third = shop(goods, new=True).replace("article", "section").replace("card", "tile").replace("shop2", "shop3")
    told = visit(FIRST, third).told
    assert [change.dropped for change in told if isinstance(change, RuleRepaired)] == [()]
    saved = watch.shelf.get("goods")
    assert saved is not None
    assert list(saved.rule.fields) == ["title", "price", "link"]


@pytest.mark.usefixtures("rule")
def test_an_earlier_version_is_in_force_again_when_its_layout_is_back(
    watch: PageWatch, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods))
    visit(FIRST, shop(goods, new=True))
    told = visit(FIRST, shop(goods)).told
    assert [change.version for change in told if isinstance(change, RuleRolledBack)] == [1]
    assert condition(watch) == "works"


@pytest.mark.usefixtures("rule")
def test_a_repair_whose_values_become_strange_is_rolled_back_with_its_records(
    store: Store, watch: PageWatch, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods))
    visit(FIRST, shop(goods, new=True))
    sizes = [(f"Size {name[0]}", "as long as it is wide, and wider where the water is deep") for name, _ in goods]
    strange = [(f"{name} in all the colours of the sea and of the sky above it " * 4, text) for name, text in sizes]
    told = visit(FIRST, shop(strange, new=True)).told
    assert [change.version for change in told if isinstance(change, RuleRolledBack)] == [1]
    assert condition(watch) == "broken"
    assert titles(store) == [title for title, _ in goods]
    visit(FIRST, shop(strange[1:], new=True))
    assert condition(watch) == "broken", "the same repair is not tried again"


@pytest.mark.usefixtures("rule")
def test_a_page_without_any_records_breaks_the_rule_and_changes_nothing(
    store: Store, visit: Visit, shop: Pages, goods: Goods
) -> None:
    visit(FIRST, shop(goods))
    closed = "<html><body><div class='closed'><h1>We moved</h1><p>Write us a letter.</p></div></body></html>"
    told = visit(FIRST, closed).told
    assert {type(change) for change in told} == {LayoutChanged, RuleBroken}
    assert not [
        change for change in visit(FIRST, closed.replace("letter", "card")).told if isinstance(change, RuleBroken)
    ]
    assert visit(FIRST, shop(goods)).rows, "the old rule goes on when the old page is back"
    assert len(store.rows("goods")) == len(goods)


@pytest.mark.usefixtures("rule")
def test_an_empty_list_in_the_same_layout_is_not_broken(visit: Visit, shop: Pages) -> None:
    frame = "<div class='frame'><h1 class='name'>All goods of the harbour</h1><p class='intro'>Come and look.</p></div>"
    visit(FIRST, shop([]).replace("<body>", f"<body>{frame}"))
    assert not visit(FIRST, shop([]).replace("<body>", f"<body>{frame} ")).told
