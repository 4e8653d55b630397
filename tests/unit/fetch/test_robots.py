from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.robots import Robots, allowed

SITE = "http://h.example"


def may(rules: str, path: str) -> bool:
    return allowed(f"User-agent: *\n{rules}\n".encode(), "haenyeo", SITE + path)


def test_nothing_said_is_everything_allowed() -> None:
    assert allowed(b"", "haenyeo", SITE + "/a")
    assert may("", "/a")
    assert may("Disallow:", "/a")
    assert Robots().allows(SITE + "/a")


def test_a_rule_covers_all_that_begins_with_it() -> None:
    assert not may("Disallow: /a", "/a")
    assert not may("Disallow: /a", "/ab/c?d")
    assert may("Disallow: /a", "/A")
    assert may("Disallow: /a", "/b/a")


def test_the_robots_file_itself_is_always_allowed() -> None:
    assert may("Disallow: /", "/robots.txt")
    assert Robots(disallow=["/"]).allows(SITE + "/robots.txt")
    assert not Robots(disallow=["/"]).allows(SITE + "/")


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ("Disallow: /a\nAllow: /a/b", "/a/b/c"),
        ("Allow: /a\nDisallow: /a", "/a"),
        ("Disallow: /\nAllow: /$", "/"),
        ("Disallow: /*.htm\nAllow: /pages/*", "/pages/a.htm"),
        ("Disallow: /\nAllow: /folder/index.html", "/folder/"),
    ],
)
def test_a_longer_or_equal_rule_allows(rules: str, path: str) -> None:
    assert may(rules, path)


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ("Allow: /a\nDisallow: /a/b", "/a/b/c"),
        ("Disallow: /\nAllow: /$", "/a"),
        ("Allow: /p*\nDisallow: /*.htm", "/page.htm"),
        ("Disallow: /\nAllow: /folder/index.html", "/folder/b"),
    ],
)
def test_a_longer_rule_forbids(rules: str, path: str) -> None:
    assert not may(rules, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/*.php", "/a/b.php?c"),
        ("/*.php$", "/a/b.php"),
        ("/*.php$", "/a.php/b.php"),
        ("/a*b*c", "/axxbxxc"),
        ("/a**b", "/ab"),
        ("/a*$", "/abc"),
        ("*/b", "/a/b"),
        ("/*ab$", "/ab"),
        ("/a$b", "/a$b"),
        ("/a%2Ab", "/a*b"),
    ],
)
def test_a_pattern_matches(pattern: str, path: str) -> None:
    assert not may(f"Disallow: {pattern}", path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/*.php$", "/a/b.php?c"),
        ("/a*b*c", "/axxcxxb"),
        ("/a*ab$", "/ab"),
        ("/a$b", "/ab"),
        ("/a%2Ab", "/axb"),
        ("a", "/a"),
    ],
)
def test_a_pattern_does_not_match(pattern: str, path: str) -> None:
    assert may(f"Disallow: {pattern}", path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/바다", "/%EB%B0%94%EB%8B%A4"),
        ("/해녀", "/%ED%95%B4%EB%85%80"),
        ("/제", "/%EC%A0%9C"),
        ("/렠", "/%EB%A0%A0"),
        ("/%eb%b0%94%eb%8b%a4", "/%EB%B0%94%EB%8B%A4"),
        ("/%EB%B0%94", "/바다"),
        ("/%7Ejin", "/~jin"),
        ("/~jin", "/%7ejin"),
        ("/%61b", "/ab"),
        ("/a b", "/a%20b"),
        ("/a[b]|c", "/a%5Bb%5D%7Cc"),
    ],
)
def test_escapes_are_one_spelling(pattern: str, path: str) -> None:
    assert not may(f"Disallow: {pattern}", path)


def test_an_escaped_slash_is_no_slash() -> None:
    assert may("Disallow: /a/b", "/a%2Fb")


def test_groups_of_one_agent_are_merged() -> None:
    text = b"User-agent: haenyeo\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: Haenyeo\nDisallow: /b\n"
    robots = Robots.parse(text, "haenyeo")
    assert [robots.allows(SITE + path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_names_in_a_row_share_their_rules() -> None:
    text = b"User-agent: x\nSitemap: /s.xml\nUser-agent: haenyeo\nDisallow: /a\nUser-agent: y\nDisallow: /b"
    robots = Robots.parse(text, "haenyeo")
    assert not robots.allows(SITE + "/a")
    assert robots.allows(SITE + "/b")


def test_a_group_of_ones_own_replaces_that_for_everyone() -> None:
    text = b"User-agent: *\nDisallow: /\nCrawl-delay: 9\nUser-agent: haenyeo\nAllow: /\n"
    assert Robots.parse(text, "haenyeo").allows(SITE + "/a")
    assert Robots.parse(text, "haenyeo").crawl_delay is None
    assert not Robots.parse(text, "other").allows(SITE + "/a")


def test_rules_before_any_name_hold_for_nobody() -> None:
    assert allowed(b"Disallow: /\nUser-agent: *\nDisallow: /a", "haenyeo", SITE + "/b")


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("haenyeo", "HAENYEO"),
        ("haenyeo/0.1 (+http://h.example/bot)", "haenyeo"),
        ("haenyeo", "haenyeo/2.0"),
        ("haenyeo", "haenyeo the diver"),
        ("Mozilla/5.0 (compatible; haenyeo/0.1; +http://h.example)", "haenyeo"),
        ("bot2000", "Bot2000"),
        ("해녀", "해녀"),
    ],
)
def test_an_agent_is_known_by_its_product_name(agent: str, name: str) -> None:
    assert not allowed(f"User-agent: {name}\nDisallow: /".encode(), agent, SITE + "/a")


@pytest.mark.parametrize("name", ["haenyeobot", "haen", "hae nyeo", "*bot"])
def test_other_names_are_of_others(name: str) -> None:
    assert allowed(f"User-agent: {name}\nDisallow: /".encode(), "haenyeo", SITE + "/a")


@pytest.mark.parametrize(
    "line", ["DISALLOW:/a", "Disallow : /a # why", "Dissallow: /a", "disallow /a", " \tDisalow: /a"]
)
def test_common_slips_are_forgiven(line: str) -> None:
    assert not may(line, "/a")


@pytest.mark.parametrize("line", ["noindex: /a", ": /a", "disallow /a /b", "#Disallow: /a", "allow /a"])
def test_what_is_no_rule_forbids_nothing(line: str) -> None:
    assert may(line, "/a")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_line_ends_and_marks(end: str, mark: bytes) -> None:
    text = end.join(["User-agent: *", "Disallow: /a", ""])
    assert not allowed(mark + text.encode(), "haenyeo", SITE + "/a")


def test_utf16_is_read() -> None:
    assert not allowed("User-agent: *\nDisallow: /a".encode("utf-16"), "haenyeo", SITE + "/a")


def test_a_rule_far_down_counts() -> None:
    filler = b"# nothing to see here\n" * 24_000
    assert len(filler) > 500 * 1024
    assert not allowed(b"User-agent: *\n" + filler + b"Disallow: /a\n", "haenyeo", SITE + "/a")


def test_a_pattern_of_many_stars_is_matched_in_one_pass() -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /" + b"a*" * 5000 + b"b$", "haenyeo")
    assert robots.allows(SITE + "/" + "a" * 2000)
    assert not robots.allows(SITE + "/" + "a" * 5000 + "b")


def test_thousands_of_rules_are_found_among() -> None:
    rules = "".join(f"Disallow: /{page}/\nAllow: /{page}/open\nDisallow: /*?id={page}&\n" for page in range(5000))
    robots = Robots.parse(f"User-agent: *\n{rules}".encode(), "haenyeo")
    assert not robots.allows(SITE + "/4711/x")
    assert robots.allows(SITE + "/4711/open")
    assert not robots.allows(SITE + "/a?id=4999&b")
    assert robots.allows(SITE + "/5000/x")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("0.5", 0.5), (".5", 0.5), ("0", 0.0), ("10 # please", 10.0)]
    + [(nonsense, None) for nonsense in ("nan", "inf", "-5", "1e400", "", "soon", "9" * 400)],
)
def test_a_crawl_delay_is_seconds_or_nothing(value: str, seconds: float | None) -> None:
    assert Robots.parse(f"User-agent: *\nCrawl-delay: {value}".encode(), "haenyeo").crawl_delay == seconds


def test_sitemaps_belong_to_no_group() -> None:
    text = b"Sitemap: http://h.example/a.xml\nUser-agent: x\nDisallow: /\nsite-map: /b.xml\nSitemap: http://h.example/a.xml"
    assert Robots.parse(text, "haenyeo").sitemaps == ("http://h.example/a.xml", "/b.xml")


def test_the_path_is_found_in_any_address() -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /a\nDisallow: /?q", "haenyeo")
    assert not robots.allows("http://h.example:80/a#b")
    assert not robots.allows("http://h.example?q=1")
    assert not robots.allows("/a?next=http://i.example/b")
    assert robots.allows("http://h.example")


@given(st.binary(), st.text(), st.text())
def test_any_bytes_are_a_robots_file(data: bytes, agent: str, path: str) -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: " + data, agent)
    assert robots.allows(SITE + "/" + path) in {True, False}


@given(st.text(st.sampled_from("ab*$"), max_size=8), st.text(st.sampled_from("ab"), max_size=10))
def test_matching_piece_by_piece_is_matching(pattern: str, path: str) -> None:
    def matches(pattern: str, path: str) -> bool:
        if pattern in {"", "$"}:
            return not pattern or not path
        if pattern[0] == "*":
            return any(matches(pattern[1:], path[start:]) for start in range(len(path) + 1))
        return path[:1] == pattern[0] and matches(pattern[1:], path[1:])

    assert may(f"Disallow: /{pattern}", "/" + path) is not matches(pattern, path)


def test_a_name_with_a_blank_after_it_is_known() -> None:
    text = (
        b"User-agent: REEFBOT/3\nDisallow: /reef\n\nUser-agent: *\nDisallow: /\n\nUser-agent: ReefBot\nDisallow: /sea"
    )
    robots = Robots.parse(text, "Reefbot (+https://reef.example/bot)")
    assert [robots.allows(SITE + path) for path in ("/reef", "/sea", "/all")] == [False, False, True]
