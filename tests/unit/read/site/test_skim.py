from __future__ import annotations

from collections.abc import Callable
from typing import Any

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Markup, Url
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.site.reader import SiteReader


def parsed(page: tuple[str, str, str]) -> Markup:
    return parse_html(page[1], Url(page[0]))


def taught(pages: list[tuple[str, str, str]], **settings: Any) -> SiteReader:
    reader = SiteReader(**settings)
    for page in pages:
        reader.learn(JudgedPage.of(parsed(page)))
    return reader


def test_pages_are_skimmed_as_they_are_read(make_site: Callable[..., Any]) -> None:
    site = make_site(1)
    reader = taught([site.article(number) if number % 3 else site.product(number) for number in range(18)])
    for page in [site.article(20), site.product(21), site.article(22)]:
        markup = parsed(page)
        kept = reader.read(JudgedPage.of(markup)).kept
        assert reader.skim(markup.blocks) == [number for number, keep in enumerate(kept) if keep]


def test_few_judged_pages_are_enough_to_skim(make_site: Callable[..., Any]) -> None:
    site = make_site(2)
    reader = taught([site.article(number) for number in range(12)], judged=4, growth=1.0)
    page = site.article(20)
    markup = parsed(page)
    skimmed = reader.skim(markup.blocks)
    assert skimmed is not None
    assert "\n\n".join(markup.blocks[number].text for number in skimmed).endswith(page[2])


def test_a_site_that_is_hardly_known_is_not_skimmed(make_site: Callable[..., Any]) -> None:
    site = make_site(3)
    reader = taught([site.article(number) for number in range(4)])
    assert reader.skim(parsed(site.article(9)).blocks) is None


def test_a_page_of_another_template_is_not_skimmed(make_site: Callable[..., Any]) -> None:
    site = make_site(4)
    reader = taught([site.article(number) for number in range(8)])
    assert reader.skim(parsed(site.product(9)).blocks) is None


MANUAL = """<title>Tool {name}</title><ul><li><a href=/>Index</a><li><a href=/b>Guides</a></ul><div id=content>
<div class=sect><h2>SYNOPSIS</h2><div class=body><p>{first}</p></div></div>
<div class=sect><h2>DESCRIPTION</h2><div class=body><p>{second}</p></div></div></div>"""


def test_the_heading_that_every_page_begins_with_is_kept_with_what_it_heads(make_site: Callable[..., Any]) -> None:
    site = make_site(5)

    def manual(number: int) -> tuple[str, str, str]:
        first, *others = site.article(number)[2].split("\n\n")
        html = MANUAL.format(name=number, first=first, second=" ".join(others))
        return f"https://manual.example/tool-{number}", html, ""

    reader = taught([manual(number) for number in range(12)])
    markup = parsed(manual(20))
    texts = [block.text for block in markup.blocks]
    assert reader.read(JudgedPage.of(markup)).kept[texts.index("SYNOPSIS")]
    assert reader.containers
    assert texts.index("SYNOPSIS") in reader.skim_any(markup.blocks)


SHOP = """<title>{name}</title><ul><li><a href=/>Shop</a><li><a href=/b>Sale</a></ul><main><h1>{name}</h1>
<p class=lead>{first}</p><div class=promise><p>Free delivery for all of our customers on the island.</p></div>
<div class=promise><p>Send it back within thirty days, and we return your money.</p></div>
<div class=tab><h2>Description</h2><p>{second}</p></div></main>"""


def test_what_a_shop_promises_on_every_page_is_not_of_the_product(make_site: Callable[..., Any]) -> None:
    site = make_site(6)

    def product(number: int) -> tuple[str, str, str]:
        first, *others = site.article(number)[2].split("\n\n")
        html = SHOP.format(name=f"Basket {number}", first=first, second=" ".join(others))
        return f"https://shop.example/basket-{number}", html, ""

    reader = taught([product(number) for number in range(12)])
    markup = parsed(product(20))
    texts = [block.text for block in markup.blocks]
    kept = [texts[number] for number, keep in enumerate(reader.read(JudgedPage.of(markup)).kept) if keep]
    skimmed = [texts[number] for number in reader.skim_any(markup.blocks)]
    for found in (kept, skimmed):
        assert not [text for text in found if text.startswith(("Free delivery", "Send it back"))]
