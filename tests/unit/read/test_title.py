from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.pages import Block
from haenyeo.read.title import naming_host, title_of, without_mark, without_site


def headings(*texts: str) -> list[Block]:
    return [Block(text, "div>h1") for text in texts]


@pytest.mark.parametrize(
    ("whole", "found", "title"),
    [
        ("Tides of Jeju | Reef News", ["Reef News", "Tides of Jeju"], "Tides of Jeju"),
        ("Tides of Jeju \u2014 Reef 3.2 documentation", ["Reef 3.2 documentation"], "Tides of Jeju"),
        ("Portage - Reef wiki", ["Portage"], "Portage"),
        ("Tides of Jeju", ["Welcome"], "Tides of Jeju"),
        (
            "The tides of Jeju in winter | Reef",
            ["Tides of Jeju in winter, explained"],
            "Tides of Jeju in winter, explained",
        ),
        ("", ["Welcome"], ""),
    ],
)
def test_the_title_is_the_pages_own(whole: str, found: list[str], title: str) -> None:
    assert title_of(whole, headings(*found)) == title


def test_a_heading_that_most_pages_have_is_not_the_title() -> None:
    blocks = headings("A day of tides", "Low")
    assert title_of("A day of tides :: Low", blocks, common=[0]) == "Low"


def test_a_name_of_the_site_that_is_the_pages_own_heading_is_not_believed() -> None:
    blocks = headings("Low tide")
    assert title_of("Low tide | Reef News", blocks, site="Low tide") == "Low tide"
    assert title_of("Reef News | Low tide", headings("Reef News", "Low tide"), site="Reef News") == "Low tide"
    assert title_of("Reef News | Low tide", headings("Reef News"), site="Reef News", common=[0]) == "Low tide"


def test_what_only_this_pages_title_has_is_its_own_even_if_menus_everywhere_name_it() -> None:
    blocks = headings("Low tide")
    assert title_of("Low tide - Reef News", blocks, common=[0]) == "Reef News"
    assert title_of("Low tide - Reef News", blocks, common=[0], repeated={"reef news"}) == "Low tide"
    assert title_of("Reef :: log :: Low tide", [], repeated={"reef", "log"}) == "Low tide"


def test_a_linked_heading_beside_the_pages_own_is_the_sites_name() -> None:
    own, banner = Block("Low tide today", "div>h3"), Block("Reef News", "div>h1", linked=9)
    assert title_of("Reef News: Low tide today", [banner, own]) == "Low tide today"
    assert title_of("Reef News: Low tide today", [banner]) == "Reef News"


@pytest.mark.parametrize("whole", ["Reef News - Tides of Jeju: Low", "The Reef of Jeju : Our Work", "In Talk: Mina Ko"])
def test_what_stands_behind_a_colon_is_not_taken_for_a_name(whole: str) -> None:
    assert title_of(whole, []) == whole
    assert title_of(whole, [], repeated={whole.rpartition(":")[2].strip().lower()}) == whole.rpartition(":")[0].strip()


def test_the_name_that_a_site_gives_itself_is_cut_off_at_both_ends() -> None:
    assert title_of("Reef: Low tide", [], site="Reef") == "Low tide"
    assert title_of("Low tide - the reef", [], site="The Reef") == "Low tide"
    assert title_of("", [], said="Low tide | Reef") == "Low tide"


def test_only_the_sign_that_links_to_a_heading_is_taken_off() -> None:
    assert [without_mark(text) for text in ("Tides \u00b6", "#Tides", "\u00b6")] == ["Tides", "Tides", "\u00b6"]


@given(st.text(), st.text(), st.lists(st.text(min_size=1)))
def test_any_page_has_a_title(whole: str, site: str, texts: list[str]) -> None:
    assert isinstance(title_of(whole, headings(*texts), site=site), str)
    assert without_site(whole, site) in whole


def test_a_day_before_the_title_in_a_heading_is_no_part_of_it() -> None:
    blocks = headings("06 Déc Les marées de Jeju en hiver")
    assert title_of("Les marées de Jeju en hiver - Récifs du Sud", blocks) == "Les marées de Jeju en hiver"


def test_a_heading_with_the_name_of_the_site_and_nothing_else_of_the_title_is_not_the_title() -> None:
    blocks = headings("2015 04 09 - log")
    whole = "2015 04 09 Tides and shells - log"
    assert title_of(whole, blocks, repeated=["log"]) == "2015 04 09 Tides and shells"


def test_a_heading_that_is_called_as_the_host_is_a_banner() -> None:
    whole, blocks = "ReefNews • View topic - Low tide", headings("ReefNews")
    assert (
        title_of(whole, blocks, host=naming_host("https://forum.reef-news.example/topic?9")) == "View topic - Low tide"
    )
    assert title_of(whole, blocks, host=naming_host("https://reefnews.example/")) == "ReefNews"
