import msgspec

from haenyeo.find.traps.fingerprint import fingerprint
from haenyeo.find.traps.pages import Match, PagesState, ReadTexts

_TEXT = (
    "the divers go down at low water and bring up abalone and sea urchin while the old women keep the fire alive on "
    "the shore and count the floats until every one of them has come back over the black rocks to the village"
)


def _meet(pages: ReadTexts, url: str, text: str, template: str = "t") -> Match:
    return pages.meet(url, template, fingerprint(text.encode()))


def test_equal_and_nearly_equal_texts_are_found() -> None:
    pages = ReadTexts()
    first = _meet(pages, "one", f"{_TEXT} at 10:31")
    near = _meet(pages, "two", f"{_TEXT} at 11:59")
    same = _meet(pages, "three", f"{_TEXT} at 10:31")
    other = _meet(pages, "four", " ".join(reversed(_TEXT.split())))
    assert (first.same, first.near) == (None, None)
    assert (near.same, near.near) == (None, "one")
    assert (same.same, same.near) == ("one", "one")
    assert (other.same, other.near) == (None, None)
    assert first.group == near.group == same.group != other.group


def test_a_look_tells_what_meeting_would_and_leaves_no_trace() -> None:
    pages = ReadTexts()
    texts = [f"{_TEXT} at 10:31", f"{_TEXT} at 11:59", f"{_TEXT} at 10:31", " ".join(reversed(_TEXT.split()))]
    for number, text in enumerate(texts):
        page = fingerprint(text.encode())
        before = msgspec.msgpack.encode(pages.dump())
        looked = pages.look(f"t{number}", page)
        assert msgspec.msgpack.encode(pages.dump()) == before
        met = pages.meet(f"page {number}", f"t{number}", page)
        assert (looked.same, looked.near, looked.templates) == (met.same, met.near, met.templates)


def test_short_texts_must_have_the_same_words() -> None:
    pages = ReadTexts()
    _meet(pages, "one", "the reef off Hado in spring")
    assert _meet(pages, "two", "the reef off Hado in autumn").near is None
    assert _meet(pages, "three", "the reef off Hado in spring 2024").near == "one"


def test_templates_of_a_text_are_counted_up_to_three() -> None:
    pages = ReadTexts()
    counts = [_meet(pages, str(number), _TEXT, template).templates for number, template in enumerate("aabbcde")]
    assert counts == [1, 1, 2, 2, 3, 3, 3]


def _number_text(number: int) -> str:
    letters = "".join(chr(97 + int(digit)) for digit in str(number))
    return " ".join(f"{letters}{chr(97 + place)} word{letters}" for place in range(20))


def test_the_oldest_texts_are_forgotten_and_numbers_of_groups_stay_true() -> None:
    pages = ReadTexts()
    groups = [_meet(pages, str(number), _number_text(number)).group for number in range(2000)]
    assert groups == list(range(2000))
    again = _meet(pages, "again", _number_text(1999) + " 5")
    assert (again.near, again.group) == ("1999", 1999)
    assert _meet(pages, "late", _number_text(3)).same is None
    state = pages.dump()
    assert len(state.urls) <= 512
    assert len(state.digests) <= 1024


def test_a_dumped_memory_goes_on_as_it_was() -> None:
    for count in (0, 5, 700):
        pages = ReadTexts()
        for number in range(count):
            _meet(pages, str(number), _number_text(number))
        stored = msgspec.msgpack.encode(pages.dump())
        copy = ReadTexts.load(msgspec.msgpack.decode(stored, type=PagesState))
        for number in (count // 2, count, 3 * count + 7, count):
            assert _meet(copy, "x", _number_text(number)) == _meet(pages, "x", _number_text(number))
