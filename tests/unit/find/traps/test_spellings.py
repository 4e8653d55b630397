from collections.abc import Callable

import pytest

from haenyeo.find.traps.spellings import Content, Spellings

_BASE = "https://a.example"


def _crawl(spellings: Spellings, urls: list[str], content: Callable[[str], Content]) -> list[str]:
    """Read pages in this order as a site's traps do; the addresses for which a key changed."""
    pages: list[tuple[str, Content]] = []
    changed = []
    for url in urls:
        text = content(url)
        same = next((page for page, other in pages if other[0] == text[0] or other[1] == text[1]), None)
        pages.append((url, text))
        if spellings.count(url, text) | (same is not None and spellings.suspect(url, same, pages)):
            changed.append(url)
    return changed


def _by_last_word(url: str) -> Content:
    return hash(url.rpartition("/")[2]), hash(url.rpartition("/")[2])


def _sessions(count: int) -> list[str]:
    return [f"{_BASE}/s/{1000 + number}/item/{number % 5}" for number in range(count)]


def test_a_session_number_is_learned_and_left_out() -> None:
    spellings = Spellings()
    changed = _crawl(spellings, _sessions(9), _by_last_word)
    assert len(changed) == 1
    assert spellings.key(f"{_BASE}/s/77/item/3") == spellings.key(f"{_BASE}/s/99/item/3")
    assert spellings.key(f"{_BASE}/s/77/item/3") != spellings.key(f"{_BASE}/s/77/item/4")
    assert spellings.key(f"{_BASE}/article/77/item/3") == f"{_BASE}/article/77/item/3"


def test_a_page_read_under_another_spelling_repeats() -> None:
    spellings = Spellings()
    assert not spellings.repeats(f"{_BASE}/s/77/item/3")
    _crawl(spellings, _sessions(9), _by_last_word)
    assert spellings.repeats(f"{_BASE}/s/77/item/3")
    assert not spellings.repeats(f"{_BASE}/s/77/item/8")
    assert not spellings.repeats(f"{_BASE}/else/77/item/3")


@pytest.mark.parametrize(
    "form",
    [
        "https://a.example/show?id={page}&token=x{session}",
        "https://s{session}.a.example/show/{page}",
        "https://a.example/{page}-{session}.html",
        "https://a.example/{session}/part/{session}/{page}",
    ],
)
def test_session_numbers_are_learned_wherever_they_stand(form: str) -> None:
    spellings = Spellings()
    pages = {form.format(page=number % 4, session=number): number % 4 for number in range(12)}
    _crawl(spellings, list(pages), lambda url: (pages[url], pages[url]))
    assert spellings.key(form.format(page=2, session=98)) == spellings.key(form.format(page=2, session=99))
    assert spellings.key(form.format(page=2, session=98)) != spellings.key(form.format(page=3, session=98))


def test_one_text_for_all_addresses_makes_no_part_meaningless() -> None:
    spellings = Spellings()
    assert _crawl(spellings, _sessions(60), lambda _: (1, 1)) == []
    assert spellings.key(f"{_BASE}/s/5/item/1") == f"{_BASE}/s/5/item/1"


def test_articles_of_which_some_say_removed_keep_their_numbers() -> None:
    spellings = Spellings()
    urls = [f"{_BASE}/article/{number}/{word}" for number in range(40) for word in ("text", "print")]
    assert _crawl(spellings, urls, lambda url: (0, 0) if "7" in url else (hash(url), hash(url))) == []


def test_a_remainder_with_two_texts_acquits() -> None:
    spellings = Spellings()
    urls = [f"{_BASE}/{lang}/{page}" for page in range(8) for lang in ("en", "de", "fr", "ko", "ja")]
    changed = _crawl(spellings, urls, lambda url: (hash(url),) * 2 if url[-1] in "02" else _by_last_word(url))
    assert changed == []


def test_exact_texts_convict_where_numbers_are_the_only_difference() -> None:
    spellings = Spellings()
    assert len(_crawl(spellings, _sessions(9), lambda url: (_by_last_word(url)[0], 1))) == 1


def test_near_duplicates_convict_where_every_page_shows_the_time() -> None:
    spellings = Spellings()
    assert len(_crawl(spellings, _sessions(9), lambda url: (hash(url), _by_last_word(url)[0]))) == 1


def test_suspicions_are_few_and_convictions_stay() -> None:
    spellings = Spellings()
    _crawl(spellings, _sessions(9), _by_last_word)
    for number in range(50):
        spellings.suspect(f"{_BASE}/a{number}/1", f"{_BASE}/a{number}/2", [])
    assert len(spellings.suspicions) < 20
    assert spellings.repeats(f"{_BASE}/s/77/item/3")
