from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.facts import facts_of

JSON_LD = """<script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [
  {"@type": "Organization", "name": "Reef News"},
  {"@type": "NewsArticle", "author": [{"name": "Kim Soon-ja"}, {"name": "Ko Young"}],
   "datePublished": "2024-03-01T08:00:00+09:00", "dateModified": "2024-03-02", "publisher": {"name": "Reef News"}}]}
</script>"""


def test_json_ld_is_believed_first() -> None:
    facts = facts_of('<meta name="author" content="web master">' + JSON_LD)
    assert facts.author == "Kim Soon-ja, Ko Young"
    assert facts.published == "2024-03-01T08:00:00+09:00"
    assert facts.modified == "2024-03-02"
    assert facts.site_name == "Reef News"
    assert len(facts.all["json-ld"]) == 2


@pytest.mark.parametrize(
    "tag",
    [
        '<meta property="og:site_name" content="Reef &amp; Tide">',
        "<META content='Reef &amp; Tide' property='og:site_name' />",
        '<meta data-x="1" property=og:site_name content="Reef &amp; Tide"',
    ],
)
def test_meta_tags_are_read_however_they_are_written(tag: str) -> None:
    assert facts_of(tag).site_name == "Reef & Tide"


def test_the_first_tag_of_a_name_counts() -> None:
    assert facts_of("<meta name=description content=one><meta name=description content=two>").description == "one"


def test_microdata_and_time_elements_date_a_page() -> None:
    assert facts_of('<span itemprop="datePublished" content="2020-05-06">May</span>').published == "2020-05-06"
    assert facts_of('<time datetime="2019-01-02T03:04:05Z">').published == "2019-01-02T03:04:05+00:00"


def test_json_ld_in_a_comment_is_not_believed() -> None:
    assert facts_of(f"<!-- {JSON_LD} {JSON_LD} -->").site_name == ""
    assert facts_of(f"<!-- old --><script><!-- x</script>{JSON_LD}").site_name == "Reef News"


def test_json_ld_is_read_behind_what_only_speaks_of_it() -> None:
    assert facts_of(f"<p>We write ld+json, <b title=ld+json>thus</b>:{JSON_LD}").site_name == "Reef News"


@pytest.mark.parametrize("date", ["yesterday", "", "2020-13-45", "32"])
def test_what_is_no_date_dates_nothing(date: str) -> None:
    assert facts_of(f'<meta property="article:published_time" content="{date}">').published == ""


@pytest.mark.parametrize(
    "script", ["{", "[[[[[[[[[[{}]]]]]]]]]]", "null", '"text"', '{"@type": 7, "author": 3}', "[" * 9000]
)
def test_odd_json_is_passed_over(script: str) -> None:
    facts = facts_of(f'<script type="application/ld+json">{script}</script><meta name=author content=Ko>')
    assert facts.author == "Ko"


PIECES = [*"<>=\"'/ a", "<meta ", "<time ", "itemprop=", "datetime=", "ld+json", "<script ", "content=", "</script>"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_facts_are_read_from_any_text(html: str) -> None:
    facts_of(html)


@pytest.mark.parametrize(
    "html",
    [
        '<p>By <a class=name rel="author" href="/ko"> Ko  Young </a>',
        "<span itemprop=author itemscope><b><span itemprop='name'>Ko Young</span></b></span>",
        '<link rel="author" href="/humans.txt"><title>Reefs</title><p class=author>X<a rel="me author">Ko Young</a>',
    ],
)
def test_an_element_may_name_the_author(html: str) -> None:
    assert facts_of(html).author == "Ko Young"


@pytest.mark.parametrize(
    "html",
    [
        '<link rel="author" href="/humans.txt"><title>Reefs</title>',
        "<p class=author>Reefs</p> The author is unknown.",
        "<a rel=author></a>",
        f"<a rel=author>{'A long story ' * 9}</a>",
        "<a rel=author",
        "author " * 9000,
    ],
)
def test_no_author_is_made_up(html: str) -> None:
    assert facts_of(html).author == ""


@pytest.mark.parametrize("words", ["Last updated<!-- --> on <b>", '<span class="when">Zuletzt geändert am ', "수정: "])
def test_a_time_that_is_said_to_be_that_of_a_change_is_not_that_of_publication(words: str) -> None:
    facts = facts_of(f'<p>{words}<time datetime="2025-09-01T00:00:00Z">1 Sep 2025</time></p>')
    assert (facts.published, facts.modified) == ("", "2025-09-01T00:00:00+00:00")
    assert facts.modified_by == "time"


def test_words_further_away_say_nothing_of_a_time() -> None:
    facts = facts_of('<p>Updated weekly: the tide tables of all harbours.</p><p>By anna, <time datetime="2025-09-01">')
    assert (facts.published, facts.modified) == ("2025-09-01", "")


def test_meta_tags_may_be_written_in_any_case() -> None:
    facts = facts_of('<META Name="Description" Content="Where tides are low"><meta NAME="author" Content="Hana">')
    assert (facts.description, facts.author) == ("Where tides are low", "Hana")
