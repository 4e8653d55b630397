from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from haenyeo.watch.address_patterns import list_patterns, matches, patterns_of, template_of

SITE = "https://a.example"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/2024/03/05/red-coral.html", "/2023/11/30/the-tide_table.html"),
        ("/goods?cat=all&page=2", "/goods?page=7&cat=masks"),
        ("/view.php?id=3", "/view.php?id=41"),
        ("/p/17/blue-mask", "/p/4/net-bag"),
        ("/wiki/%ED%95%B4%EB%85%80", "/wiki/%EC%A0%9C%EC%A3%BC"),
    ],
)
def test_pages_of_one_kind_have_one_template(one: str, other: str) -> None:
    assert template_of(SITE + one) == template_of(SITE + other)


@pytest.mark.parametrize(
    ("one", "other"), [("/about", "/contact"), ("/goods", "/goods?page=2"), ("/a/1", "/b/1"), ("/x.html", "/x.php")]
)
def test_pages_of_other_kinds_have_other_templates(one: str, other: str) -> None:
    assert template_of(SITE + one) != template_of(SITE + other)


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("", "/"),
        ("/", "/"),
        ("?b=1&a", "/?a&b"),
        ("/p/17/?c=2#d", "/p/{n}/?c"),
        ("/a" * 40, "/a" * 40),
    ],
)
def test_an_address_of_any_length_has_a_template(path: str, template: str) -> None:
    assert template_of(SITE + path) == f"a.example{template}"


def test_a_host_is_part_of_the_template() -> None:
    assert template_of("https://a.example/1") != template_of("https://b.example/1")


def test_patterns_describe_the_addresses_and_their_like() -> None:
    patterns = patterns_of(
        [f"{SITE}/p/{number}/{name}" for number, name in ((1, "mask"), (22, "fins"), (3, "net-bag"))]
    )
    assert patterns == (r"https://a\.example/p/\d+/[^/?#]+",)
    assert matches(patterns, f"{SITE}/p/9/knife")
    assert not matches(patterns, f"{SITE}/p/9/knife/reviews")


def test_addresses_built_in_several_ways_have_several_patterns_the_commonest_first() -> None:
    patterns = patterns_of([f"{SITE}/old?id=5", f"{SITE}/item/1", f"{SITE}/item/2"])
    assert len(patterns) == 2
    assert matches(patterns[:1], f"{SITE}/item/77")


def test_a_list_is_known_by_its_own_address_and_its_further_pages() -> None:
    patterns = list_patterns(f"{SITE}/goods?cat=7", [f"{SITE}/goods?cat=7&page=2"])
    assert matches(patterns, f"{SITE}/goods?cat=7")
    assert matches(patterns, f"{SITE}/goods?cat=7&page=31")
    assert not matches(patterns, f"{SITE}/goods?cat=8&page=2")


def test_any_query_may_stand_in_a_result_list() -> None:
    patterns = list_patterns(f"{SITE}/search?q={{query}}")
    assert matches(patterns, f"{SITE}/search?q=net%20bag")
    assert not matches(patterns, f"{SITE}/search?q=a&page=2")


@example(["https://a.example//", "https://a.example/0/"])
@given(st.lists(st.from_regex(r"https://a\.example/[a-z0-9./?=&%-]{0,40}", fullmatch=True), min_size=1, max_size=8))
def test_every_address_fits_a_pattern_made_from_it(urls: list[str]) -> None:
    patterns = patterns_of(urls)
    assert all(matches(patterns, url) for url in urls)
