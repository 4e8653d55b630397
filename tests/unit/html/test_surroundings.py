from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_html
from haenyeo.html.surroundings import all_surroundings, surroundings, windows_in_python, windows_of
from haenyeo.model.pages import Link, Url

PAGE = Url("http://reef.test/page")


def links(html: str, words: int = 10) -> list[Link]:
    return all_surroundings(parse_html(html, PAGE), words)


def test_words_before_and_after_are_taken_across_blocks() -> None:
    (link,) = links("<h2>The divers</h2><p>of <a href=/jeju>Jeju island</a> dive</p><ul><li>without<li>air</ul>", 3)
    assert (link.before, link.anchor, link.after) == ("The divers of", "Jeju island", "dive without air")


def test_the_paragraph_and_the_path_are_those_of_the_block() -> None:
    (link,) = links("<h2>Divers</h2><div class=text><p>See <a href=/jeju rel=nofollow>Jeju</a> now</p></div>")
    assert link == Link(
        url=Url("http://reef.test/jeju"),
        anchor="Jeju",
        before="Divers See",
        after="now",
        paragraph="See Jeju now",
        path="div.text>p",
        rel="nofollow",
    )


def test_korean_words_are_parted_by_blanks() -> None:
    (link,) = links("<p>제주 바다의 <a href=/haenyeo>해녀</a>는 숨을 참고 물질을 한다</p>", 2)
    assert (link.before, link.anchor, link.after) == ("제주 바다의", "해녀", "는 숨을")


def test_a_link_without_text_has_its_label_for_an_anchor_and_no_surroundings() -> None:
    (link,) = links("<p>one <a href=/map><img src=m alt='A map'></a> two</p>")
    assert (link.anchor, link.before, link.after, link.paragraph) == ("A map", "", "", "")


def test_no_words_asked_for_are_no_words() -> None:
    (link,) = links("<p>one <a href=/x>two</a> three</p>", 0)
    assert (link.before, link.after) == ("", "")


def test_the_source_is_passed_on() -> None:
    markup = parse_html("<base href=http://other.test/><p><a href=x>y</a>", PAGE)
    assert surroundings(markup, markup.links[0], source=PAGE).source == PAGE
    assert [link.source for link in all_surroundings(markup, source=PAGE)] == [PAGE]


word = st.text(alphabet="ab해", min_size=1, max_size=60)


@given(st.lists(word, max_size=15), st.lists(word, max_size=15), st.integers(0, 12))
def test_as_many_words_as_there_are_are_taken_whole(before: list[str], after: list[str], words: int) -> None:
    html = f"{''.join(f'<p>{word}</p>' for word in before)}<a href=/x>anchor</a> {' '.join(after)}"
    (link,) = links(html, words)
    assert link.before.split() == before[len(before) - min(words, len(before)) :]
    assert link.after.split() == after[:words]


@given(
    st.lists(st.sampled_from(["<p>", "<a href=/x>", "</a>", "one ", "two", "<img alt=z>"]), max_size=30).map("".join)
)
def test_one_link_at_a_time_gives_the_same(html: str) -> None:
    markup = parse_html(html, PAGE)
    assert [surroundings(markup, link) for link in markup.links] == all_surroundings(markup)


@given(st.text("ab \n\u00a0가", max_size=60), st.tuples(st.integers(0, 60), st.integers(0, 60)), st.integers(0, 4))
def test_compiled_code_takes_the_same_words(text: str, bounds: tuple[int, int], words: int) -> None:
    start, end = sorted(min(bound, len(text)) for bound in bounds)
    assert windows_of(text, [(start, end)], words) == windows_in_python(text, [(start, end)], words)


def test_words_without_end_are_cut() -> None:
    text = "x" * 50_000
    (quick,) = windows_of(text, [(25_000, 25_001)], 3)
    assert [quick] == windows_in_python(text, [(25_000, 25_001)], 3)
    assert len(quick[0]) < 20_000
