from __future__ import annotations

from haenyeo.demo.clock import WEEK
from haenyeo.demo.world.content import comments, passages, price, rating
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.world import World, WrittenLink


def first(world: World, kind: str, language: str = "en") -> Item:
    sites = [site for site in world.sites.values() if site.spec.language == language]
    return next(item for site in sites for item in site.items if item.kind == kind)


def test_every_edit_changes_the_text(world: World) -> None:
    item = first(world, "article")
    versions = [tuple(passages(item, edits, ())) for edits in range(4)]
    assert len(set(versions)) == 4
    assert versions[0] == tuple(passages(item, 0, ()))
    assert all(version[0].kind == "lead" for version in versions)


def test_references_are_woven_into_paragraphs(world: World) -> None:
    link = WrittenLink("The long tide", "/tide")
    linked = [one for one in passages(first(world, "article"), 0, [link]) if one.link]
    assert [one.link for one in linked] == [link]
    assert "The long tide" in linked[0].text


def test_the_price_of_a_product_changes_and_its_text_does_not(world: World) -> None:
    product = first(world, "product")
    assert passages(product, 0, ()) == passages(product, 5, ())
    prices = [price(product, edits) for edits in range(30)]
    assert len(set(prices)) > 3
    assert all(2 <= float(each.removeprefix("€")) <= 600 for each in prices)
    assert 2.0 <= float(rating(product)) <= 5.0


def test_korean_prices_are_in_won(world: World) -> None:
    assert price(first(world, "product", "ko"), 0).endswith("00원")


def test_comments_are_only_added(world: World) -> None:
    thread = next(
        item
        for site in world.sites.values()
        for item in site.items
        if item.kind == "thread" and item.replies.count(WEEK) > 2
    )
    late = comments(thread, WEEK)
    early = comments(thread, late[1].at)
    assert late[: len(early)] == early
    assert [one.at for one in late] == sorted(one.at for one in late)
    assert comments(thread, thread.born - 1) == []
