"""Sizes and indices that no honest caller gives are refused, or do no harm."""

from __future__ import annotations

import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from haenyeo.model.pages import Block, Outlink, Url

Load = Callable[[str], ModuleType]

TABLE = 1 << 18
HUGE = 2**63 - 1


def _gathered() -> tuple[Any, ...]:
    return np.zeros((2, 9)), np.zeros(2, np.int64), np.zeros((2, 4), np.float32), np.zeros(2)


def _features(**changed: Any) -> tuple[Any, ...]:
    """One link with a feature of each kind to one page with two."""
    arrays = {
        "links": np.array([1, 2, 3, 4], np.int32),
        "link_ends": np.array([1, 2, 3, 4]),
        "in_address": np.array([5, 6], np.int32),
        "address_ends": np.array([2]),
        "targets": np.array([0]),
    }
    return tuple((arrays | changed).values())


def _tables() -> tuple[Any, Any]:
    return np.zeros((TABLE, 2), np.float32), np.zeros((TABLE, 2), np.float32)


_WRONG_FEATURES = [
    {"links": np.array([1, 2, 3, TABLE], np.int32)},
    {"links": np.array([-1, 2, 3, 4], np.int32)},
    {"in_address": np.array([5, 2**31 - 1], np.int32)},
    {"link_ends": np.array([1, 2, 3, 5])},
    {"link_ends": np.array([1, 3, 2, 4])},
    {"link_ends": np.array([-1, 2, 3, 4])},
    {"link_ends": np.array([1, 2, 3])},
    {"link_ends": np.array([1, 2, 3, HUGE])},
    {"address_ends": np.array([-(2**63)])},
    {"targets": np.array([1])},
    {"targets": np.array([HUGE])},
    {"links": b"123"},
]


@pytest.mark.parametrize("changed", _WRONG_FEATURES)
def test_links_with_features_that_are_not_there_are_not_weighed(compiled: Load, changed: dict[str, Any]) -> None:
    weighing, features = compiled("weighing"), _features(**changed)
    weights = _tables()[1]
    weights[:] = 7
    with pytest.raises(ValueError, match=r"feature|items"):
        weighing.weigh(features, *_tables(), 0, 1, np.zeros((1, 5)))
    with pytest.raises(ValueError, match=r"feature|items"):
        weighing.fit(features, np.array([0]), np.zeros(3), weights, np.zeros(4), 2, 1e-4, 0.4, 0.05)
    assert (weights == 7).all(), "weights are not moved halfway"


@pytest.mark.parametrize(
    "arguments",
    [
        (*_tables(), 0, 2, np.zeros((2, 5))),
        (*_tables(), -1, 1, np.zeros((2, 5))),
        (*_tables(), 2, 1, np.zeros((0, 5))),
        (*_tables(), 0, 1, np.zeros((1, 4))),
        (np.zeros((TABLE - 1, 2), np.float32), _tables()[0], 0, 1, np.zeros((1, 5))),
    ],
)
def test_sizes_that_do_not_fit_are_not_weighed(compiled: Load, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="items"):
        compiled("weighing").weigh(_features(), *arguments)


@pytest.mark.parametrize("rows", [[1], [-1], [HUGE]])
def test_rows_that_are_not_there_are_not_fitted(compiled: Load, rows: list[int]) -> None:
    weighing = compiled("weighing")
    with pytest.raises(ValueError, match="feature"):
        weighing.fit(_features(), np.array(rows), np.zeros(3), _tables()[0], np.zeros(4), 2, 1e-4, 0.4, 0.05)
    with pytest.raises(ValueError, match="items"):
        weighing.fit(_features(), np.array([0]), np.zeros(2), _tables()[0], np.zeros(4), 2, 1e-4, 0.4, 0.05)


def test_fewer_than_no_rounds_are_none(compiled: Load) -> None:
    results = np.zeros(4)
    compiled("weighing").fit(_features(), np.array([0]), np.zeros(3), _tables()[0], results, -1, 1e-4, 0.4, 0.05)
    assert results.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("source", "group", "relevance", "first"),
    [([1], [0], 1, 0), ([-1], [0], 1, 0), ([0], [-1], 1, 0), ([0], [0], 2, 0), ([0], [0], 1, -1), ([0, 0], [0], 1, 0)],
)
def test_evidence_of_pages_that_are_not_there_is_not_added(
    compiled: Load, source: list[int], group: list[int], relevance: int, first: int
) -> None:
    columns = np.array(source), np.array(group), np.ones(1, np.bool_), np.full(relevance, np.nan), np.ones(1, np.bool_)
    held = (*_tables(), np.zeros(3))
    with pytest.raises(ValueError, match=r"items|not known"):
        compiled("weighing").add_evidence(_features(), columns, held, first, np.zeros((1, 9)), np.zeros(1, np.int64))


def test_groups_far_apart_take_too_much_room(compiled: Load) -> None:
    features = _features(
        links=np.array([1, 2, 3, 4] * 2, np.int32), link_ends=np.arange(1, 9), targets=np.zeros(2, np.int64)
    )
    columns = (
        np.zeros(2, np.int64),
        np.array([0, 2**60]),
        np.ones(2, np.bool_),
        np.full(1, np.nan),
        np.ones(1, np.bool_),
    )
    with pytest.raises(MemoryError):
        compiled("weighing").add_evidence(
            features, columns, (*_tables(), np.zeros(3)), 0, np.zeros((1, 9)), np.zeros(1, np.int64)
        )


@pytest.mark.parametrize(("first", "table", "pages"), [(-1, TABLE, 1), (0, TABLE - 1, 1), (0, TABLE, 0)])
def test_pages_that_are_not_there_are_not_named(compiled: Load, first: int, table: int, pages: int) -> None:
    asked, best = np.zeros(table, np.bool_), np.zeros((pages, 4), np.float32)
    with pytest.raises(ValueError, match="items"):
        compiled("weighing").note_names(_features(), first, asked, 3, 4, best)


@pytest.mark.parametrize("page", [2, -1, HUGE])
def test_pages_that_are_not_there_have_no_evidence(compiled: Load, page: int) -> None:
    with pytest.raises(ValueError, match="not known"):
        compiled("weighing").page_evidence(_gathered(), np.array([page]), 0.5, np.zeros((1, 13)))


@pytest.mark.parametrize("column", range(4))
def test_what_is_known_of_pages_is_known_of_all(compiled: Load, column: int) -> None:
    known = list(_gathered())
    known[column] = known[column][:1]
    with pytest.raises(ValueError, match="items"):
        compiled("weighing").page_evidence(tuple(known), np.array([0]), 0.5, np.zeros((1, 13)))


@pytest.mark.parametrize("place", [9, -1, 2**31 - 1, -(2**31)])
def test_words_outside_of_a_table_are_not_counted(compiled: Load, place: int) -> None:
    weighing, table, weights = compiled("weighing"), np.zeros(9, np.float32), np.ones(1, np.float32)
    places = np.array([place], np.int32)
    for name, arguments in (
        ("add", (table, places, 1.0)),
        ("match", (places, weights, table, table)),
        ("add_vector", (table, places, weights, table, 1.0)),
        ("sketch", (places, weights, table, np.zeros(512, np.float32))),
        ("measure", (places, weights, table, np.zeros(512), *_pool(1), np.zeros(512, np.float32))),
    ):
        with pytest.raises(ValueError, match="outside of the table"):
            getattr(weighing, name)(*arguments)


def test_a_word_has_a_weight(compiled: Load) -> None:
    table = np.zeros(9, np.float32)
    with pytest.raises(ValueError, match="items"):
        compiled("weighing").match(np.zeros(2, np.int32), np.ones(1, np.float32), table, table)


def _pool(rows: int) -> tuple[object, object, int]:
    return np.zeros((rows, 512), np.float32), np.zeros((rows, 2)), 5


@pytest.mark.parametrize(
    ("sketches", "values", "most"),
    [(512, 1, 5), (511, 2, 5), (512, 4, 5), (0, 2, 5), (512, 2, 33), (512, 2, -1), (512, 2, HUGE)],
)
def test_pages_are_only_looked_for_where_each_has_its_values(
    compiled: Load, sketches: int, values: int, most: int
) -> None:
    words = np.zeros(2, np.int32), np.ones(2, np.float32), np.ones(9, np.float32)
    pool = np.zeros(sketches, np.float32), np.zeros(values), most
    with pytest.raises(ValueError, match=r"needed|looked for"):
        compiled("weighing").measure(*words, np.zeros(512), *pool, np.zeros(512, np.float32))


@pytest.mark.parametrize("numbers", [0, 511, 513])
def test_a_sketch_has_as_many_numbers_as_are_written(compiled: Load, numbers: int) -> None:
    words, weights = np.zeros(2, np.int32), np.ones(2, np.float32)
    with pytest.raises(ValueError, match="512 are needed"):
        compiled("weighing").sketch(words, weights, np.ones(9, np.float32), np.zeros(numbers, np.float32))


@pytest.mark.parametrize("thrift", [(0, 1), (-8, 1), (8, 0), (8, -1)])
def test_how_few_links_are_described_is_a_number_above_zero(compiled: Load, thrift: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        compiled("weighing").worth_describing(np.array([0]), np.zeros(1, np.int64), np.zeros(1), *thrift)


@pytest.mark.parametrize("target", [1, -1, HUGE])
def test_links_to_pages_that_are_not_there_are_not_counted(compiled: Load, target: int) -> None:
    weighing, one = compiled("weighing"), np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="not known"):
        weighing.worth_describing(np.array([target]), one, np.zeros(1), 8, 1)
    with pytest.raises(ValueError, match="not known"):
        weighing.mark_doors(np.array([target]), one, one, np.zeros(1, np.bool_))


def test_there_is_one_prefix_at_least(compiled: Load) -> None:
    reading = compiled("reading")
    for most in (0, -1, HUGE):
        with pytest.raises(ValueError, match="one prefix at least"):
            reading.path_tree(["p"], most, np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0, np.bool_))


def test_dimensions_past_all_memory_are_refused(compiled: Load) -> None:
    reading, floats, numbers = compiled("reading"), np.zeros(0, np.float32), np.zeros(0, np.int32)
    sums = np.zeros(1)
    for shape in ((2**62, 4), (2**32, 2**32), (-1, -1), (0, 2**40)):
        with pytest.raises(ValueError, match="items"):
            reading.add_trees(floats, shape, numbers, floats, floats, (0, 0), sums)
        with pytest.raises(ValueError, match=r"items|prefix"):
            reading.tree_rows(numbers, numbers, np.zeros(0, np.intp), 1, floats)
    for levels in (-1, 25, 63, 64, HUGE):
        with pytest.raises(ValueError, match="levels"):
            reading.add_trees(floats, (0, 1), numbers, floats, floats, (0, levels), sums)


def test_blocks_that_are_added_while_they_are_joined_do_not_count(compiled: Load) -> None:
    blocks = [Block("one", "p"), Block("two", "p")]

    def is_close(path: str) -> bool:
        blocks.extend([Block("x", path)] * 5000)
        return False

    assert compiled("reading").joined(blocks, {}, is_close) == "one\n\ntwo"


def test_paths_that_are_taken_away_while_they_are_numbered_stay(compiled: Load) -> None:
    class Path(str):
        __slots__ = ()

        def __hash__(self) -> int:
            paths.clear()
            return super().__hash__()

    paths = [Path("a>b"), Path("c>d")]
    ends, parents = np.zeros(2, np.int32), np.zeros(9, np.int32)
    found = compiled("reading").path_tree(paths, 9, ends, parents, np.zeros(9, np.bool_))
    assert found == ["", "a", "a>b", "c", "c>d"]


@pytest.mark.parametrize("spot", [None, (), (1, 0.5, 0.5, True, None), ("x", 0.5, 0.5, True, None, False, False), 7])
def test_what_is_no_spot_is_refused(compiled: Load, spot: object) -> None:
    reading = compiled("reading")
    spots = {hash("p"): spot}
    with pytest.raises(TypeError):
        reading.skim((Block("text", "p"),), spots, lambda _: spot, 1, bytes(3 << 15), lambda *_: False)


def test_whole_numbers_are_limits_too(compiled: Load) -> None:
    reading = compiled("reading")
    cells = bytes([3]) * (3 << 15)
    for limit, kept in ((5, [0]), (5.0, [0]), (2, []), (2.0, [])):
        spot = (1, 1.0, limit, False, None, False, False)
        assert (
            reading.skim((Block("text", "p"),), {hash("p"): spot}, lambda _: None, 0, cells, lambda *_: False) == kept
        )


def test_too_many_containers_are_refused(compiled: Load) -> None:
    reading = compiled("reading")
    for containers in (63, -63, -(2**31)):
        with pytest.raises(ValueError, match="containers"):
            reading.skim((), {}, None, containers, bytes(3 << 15), None)


@pytest.mark.parametrize(
    "counts", [(-1, 3), (3, -1), (17, 3), (3, 65)], ids=["no kinds", "no tags", "many kinds", "many tags"]
)
def test_names_of_too_many_kinds_are_refused_and_forgotten(counts: tuple[int, int]) -> None:
    """In a process of its own: the module would not know its names any more."""
    code = f"""
import importlib, numpy
reading = importlib.import_module("haenyeo.native._reading")
for kinds, tags in (({{}}, {{}}), ({{"a": 99}}, {{}}), ({{}}, {{"p": -1}}), ({{"a": 2**70}}, {{}})):
    try:
        reading.configure_places(kinds, {counts[0]}, tags, {counts[1]}, {{}}, {{}}, 0, None)
    except ValueError:
        pass
    else:
        raise SystemExit("accepted")
try:
    reading.places((), numpy.zeros(0, numpy.float32))
except RuntimeError as error:
    print(error)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stdout == "configure_places() has not been called\n", ended.stderr


@pytest.mark.parametrize(
    "code",
    [
        "from haenyeo.native import _scanner; _scanner.scan('<p>', print)",
        "from haenyeo.native import _reading; _reading.measure(['1'], bytearray(8), bytearray(2), bytearray(24))",
        "from haenyeo.native import _reading; _reading.skim((), {}, None, 1, bytes(3 << 15), None)",
    ],
)
def test_who_was_not_told_whom_to_ask_says_so(code: str) -> None:
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "has not been called" in ended.stderr


@pytest.mark.parametrize("end", [HUGE, HUGE - 1, 2**62, 5, 10])
def test_a_link_ends_within_the_text(compiled: Load, end: int) -> None:
    blocks = Block("one", "p"), Block("two", "p")
    outlink = Outlink(url=Url("http://a.example/"), block=1, start=0, end=end)
    with pytest.raises(ValueError, match="within the text"):
        compiled("surroundings").spans("one\ntwo", blocks, [outlink], 10)


def test_links_that_are_taken_away_while_they_are_looked_at_stay(compiled: Load) -> None:
    class Fading:
        start = end = 0

        @property
        def block(self) -> int:
            links.clear()
            return 0

    links: list[Any] = [Fading(), Fading()]
    assert len(compiled("surroundings").spans("one", (Block("one", "p"),), links, 10)) == 48

    class Number:
        def __index__(self) -> int:
            bounds.extend([(0, 0)] * 999)
            return 0

    bounds = [(Number(), 0), (1, 2)]
    assert compiled("surroundings").windows("a b", bounds, 2) == [("", "a b"), ("a", "b")]


@pytest.mark.parametrize("text", [b"\xbf" * 9000, b"\x80" * 4097, b"a" * 4000 + b"\xbf" * 4000, b"\xf0" * 8192])
def test_half_characters_are_read_no_further_than_they_go(compiled: Load, text: bytes) -> None:
    assert len(compiled("fingerprint").fingerprint(memoryview(text))) == 4


def test_sketches_and_tables_of_odd_sizes_are_refused(compiled: Load) -> None:
    fingerprint, seen, hashes = compiled("fingerprint"), compiled("seen"), array("Q", [1, 2])
    for sizes in ((0, 1), (3, 1), (1, 0), (4, 6)):
        with pytest.raises(ValueError, match="power of two"):
            fingerprint.mark(bytearray(sizes[0]), bytearray(sizes[1]), hashes)
    with pytest.raises(ValueError, match="none is nearest"):
        fingerprint.nearest(array("Q"), 1)
    for slots, filled in ((0, 0), (8, 2), (9, 1)):
        with pytest.raises(ValueError, match=r"bucket|items"):
            seen.add(np.zeros(slots, np.uint64), np.zeros(filled, np.uint8), hashes, set())
    with pytest.raises(ValueError, match="whole items"):
        seen.add(np.zeros(8, np.uint64), np.zeros(1, np.uint8), bytes(9), set())
    with pytest.raises(ValueError, match="whole items"):
        fingerprint.nearest(memoryview(bytes(17))[1:], 1)


def test_a_bucket_that_says_it_is_overfull_is_full(compiled: Load) -> None:
    filled, spilled = np.full(1, 200, np.uint8), set[int]()
    assert compiled("seen").add(np.zeros(8, np.uint64), filled, array("Q", [5]), spilled) == b"\1"
    assert spilled == {5}


def test_places_in_the_text_are_looked_at_when_they_are_used(compiled: Load) -> None:
    features, blocks = compiled("features"), (Block("one", "p"),)
    spans = np.zeros(6, np.int32)

    class Changing:
        block, label = 0, ""

        @property
        def url(self) -> str:
            spans[:] = 2**30
            return "http://a.example/"

    with pytest.raises(ValueError, match="within the text"):
        features.features_on_page("http://a.example/", "one", blocks, [Changing()], np.zeros(1, np.int64), spans)


@pytest.mark.parametrize("places", [[1], [-1], [0, 0], [HUGE]])
def test_places_of_links_that_are_not_there_are_refused(compiled: Load, places: list[int]) -> None:
    link = SimpleNamespace(block=-1, label="", url="http://a.example/")
    spans = np.full(6 * len(places), -1, np.int32)
    with pytest.raises(ValueError, match="ascend"):
        compiled("features").features_on_page("http://a.example/", "", (), [link], np.array(places), spans)


@pytest.mark.parametrize("words", [([1], []), ([], [None]), (["a"] * 2000, [])])
def test_words_are_strings_and_not_too_many(words: tuple[list[Any], list[Any]]) -> None:
    code = f"from haenyeo.native import _features; _features.use_words(*{words!r})"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "a word must be a string" in ended.stderr or "too many words" in ended.stderr


def test_answers_that_are_no_strings_are_refused() -> None:
    code = """
import importlib
scanner = importlib.import_module("haenyeo.native._scanner")
page = "<div class='해 녀' style='a:none' id=x><p>text<noscript><a href=x>y</a></noscript>"
wrong, right = lambda *_: 7, lambda *_: ""
told = lambda _: [(1, 2, 3)]
for asked in ((wrong, right, right), (right, wrong, right), (right, right, wrong), (right, right, told)):
    scanner.configure(tuple, tuple, *asked, wrong, {})
    try:
        scanner.scan(page, lambda told: None)
    except TypeError:
        print("refused")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stdout == "refused\n" * 4, ended.stderr


def test_bytes_that_are_no_utf_8_are_left_to_others(compiled: Load) -> None:
    scanner = compiled("scanner")
    for page in (b"<p>\xc3", b"<p>\xe4\xb8", b"\xff<p>", b"<p>\xed\xa0\x80"):
        assert scanner.scan(page, lambda _: None) is None


LONG = 1_000_000
_SLOW = {
    "dashes in a script": "<script><!--" + "-" * LONG,
    "dashes and blanks": "<script><!--" + "-- " * (LONG // 3),
    "scripts in a script": "<script><!--" + "<script>--" * (LONG // 10),
    "comments never ended": "<!--" * (LONG // 4),
    "dashes in a comment": "<!--" + "-" * LONG,
    "signs": "<" * LONG,
    "end signs": "</" * (LONG // 2),
    "quotes never ended": "<a b='" * (LONG // 6),
    "references": "&" * LONG,
    "references that are none": "&ampersand" * (LONG // 10),
    "attributes": "<a " + "b " * (LONG // 2) + ">",
    "equals signs": "<a " + "=" * LONG + ">",
    "one long class": "<p class='" + "a " * (LONG // 2) + "'>x",
    "titles never ended": "<title>" * (LONG // 7),
    "doctypes": "<!doctype " * (LONG // 10),
    "elements without end": "<i>" * (LONG // 3),
    "blanks": "<pre>" + " \n" * (LONG // 2),
    "nested links": "<a href=x>" * (LONG // 10),
    "tables": "<table>" * (LONG // 7),
}


@pytest.mark.parametrize("kind", _SLOW)
def test_no_page_takes_more_time_than_its_length(compiled: Load, kind: str) -> None:
    """CPU time; a second is what a scan that looks back over half of such a page would take a thousand times over."""
    scanner = compiled("scanner")
    before = time.process_time()
    scanner.scan(_SLOW[kind], lambda _: ("http://a.example", "http://a.example/", lambda _: None))
    assert time.process_time() - before < 1


def test_an_address_of_very_many_parts_takes_no_more_time_than_its_length(compiled: Load) -> None:
    path = "/" + "-".join(
        f"{number:x}".translate(str.maketrans("0123456789", "ghijklmnop")) for number in range(200_000)
    )
    before = time.process_time()
    found = np.frombuffer(compiled("features").address_features("a.example", path), np.int32)
    assert time.process_time() - before < 1
    assert len(set(found.tolist())) == len(found) > 50_000


@pytest.mark.parametrize(("sign", "rare", "start"), [(b"", 0, 0), (b"</p", 3, 0), (b"</p", -1, 0), (b"</p", 0, -1)])
def test_signs_are_looked_for_only_by_bytes_they_have(compiled: Load, sign: bytes, rare: int, start: int) -> None:
    with pytest.raises(ValueError, match="rare byte"):
        compiled("scanner").count(b"<p></p>", sign, rare, start, 7, 1)
