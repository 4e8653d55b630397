"""Each entry point of compiled code beside its twin: given the same, both must say the same."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any, cast

import numpy as np
from bench.fuzz import links as known_links
from bench.fuzz import material as some

from haenyeo.find import seen
from haenyeo.find.learned import evidence, naming, regression, tables, weighing
from haenyeo.find.learned.features import TABLE, PageWords, in_address, links, mentions, words
from haenyeo.find.learned.judging import linkage, vectors
from haenyeo.find.traps import fingerprint, recent
from haenyeo.html import blocks as html_blocks
from haenyeo.html import parse, quick, surroundings
from haenyeo.html.guard import signs
from haenyeo.html.page_links import PageLinks
from haenyeo.model.pages import Block, Link, Markup, Url
from haenyeo.model.parts import LinkedPage
from haenyeo.model.visits import Hop
from haenyeo.read import documents, tags
from haenyeo.read.page import (
    composition,
    features,
    forest,
    kinds,
    places,
    sections,
    signposts,
    texts,
    tree,
)
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.site import kinds as site_kinds
from haenyeo.read.site import menus, skim
from haenyeo.read.site.reader import SiteReader
from haenyeo.store import encoding, warc

USERS = {
    "features": (in_address, linkage, words),
    "fingerprint": (fingerprint, recent),
    "reading": (
        composition,
        documents,
        features,
        forest,
        kinds,
        menus,
        places,
        sections,
        signposts,
        site_kinds,
        skim,
        tags,
        texts,
        tree,
    ),
    "scanner": (html_blocks, quick, signs),
    "seen": (seen,),
    "surroundings": (surroundings,),
    "weighing": (evidence, naming, mentions, regression, tables, vectors, weighing),
    "writing": (encoding, warc),
}
"""By compiled module, the modules that call it."""

Target = Callable[[Random], None]
TWINS: dict[str, Target] = {}
"""Each entry point by its name, such as `scanner.scan`."""


def of(*names: str) -> Callable[[Target], Target]:
    """Say which entry points a function tries."""

    def noted(target: Target) -> Target:
        TWINS.update(dict.fromkeys(names, target))
        return target

    return noted


def same(one: object, other: object) -> None:
    """Raise unless both are equal, arrays and all."""
    one, other = _plain(one), _plain(other)
    if one != other:
        raise AssertionError(f"compiled code says {one!r:.2000}\nand its twin {other!r:.2000}")


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tolist()
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value


def close(one: Any, other: Any, rounding: float = 1e-3) -> None:
    """Raise unless numbers are equal but for rounding."""
    if not np.allclose(one, other, rtol=rounding, atol=rounding, equal_nan=True):
        raise AssertionError(f"compiled code says {one!r:.2000}\nand its twin {other!r:.2000}")


@of("scanner.scan")
def scan(random: Random) -> None:
    """A page is read alike, or left to the twin; as text and as bytes."""
    page = some.page(random)
    found = quick.scanned(page, some.PAGE)
    if found is not None:
        same(found, parse.scanned_in_python(page, some.PAGE))
        same(quick.scanned(page.encode(), some.PAGE), found)
    quick.scanned(page.encode("utf-8", "surrogatepass")[random.randrange(3) :], some.PAGE)


@of("scanner.numbers_at")
def numbers_at(random: Random) -> None:
    """The same blocks stand at the places that are wanted."""
    blocks = some.blocks(random)
    levels, same_levels = (html_blocks.PathLevels(lambda path: len(path) % 3, most=2) for _ in range(2))
    same(html_blocks.numbers_at(blocks, levels), html_blocks.numbers_at_in_python(blocks, same_levels))
    same(html_blocks.numbers_at(list(blocks), levels), html_blocks.numbers_at_in_python(blocks, same_levels))


@of("scanner.count")
def counted_signs(random: Random) -> None:
    """A sign stands as often in a page."""
    page = bytes(random.choices(b"<a/", k=random.randrange(40)))
    sign = signs.Sign(bytes(random.choices(b"<a/", k=random.randrange(1, 4))), 0)
    sign = sign._replace(rare=random.randrange(len(sign.text)))
    stretch = (
        random.randrange(40),
        random.choice((random.randrange(60), 2**63 - 1)),
        random.choice((0, 1, 3, 2**63 - 1)),
    )
    assert signs.count_signs(page, sign, *stretch) == signs.count_in_python(page, sign, *stretch)


@of("scanner.behind")
def behind_signs(random: Random) -> None:
    """The same stands behind signs, in bytes and in text."""
    text = "".join(random.choices("<a/\u00e9\udc00" if random.random() < 0.2 else "<a/\u00e9", k=random.randrange(40)))
    page = text.encode("utf-8", "surrogatepass")
    sign = signs.Sign(bytes(random.choices(b"<a/", k=random.randrange(1, 4))), 0)
    sign = sign._replace(rare=random.randrange(len(sign.text)))
    how = (sign, random.randrange(4), random.choice((0, 1, 5, 2**63 - 1)))
    same(signs.behind_signs(text, *how), signs.behind_in_python(page, *how))
    same(signs.behind_signs(page, *how), signs.behind_in_python(page, *how))


@of("scanner.characters")
def characters(random: Random) -> None:
    """Characters are counted, bytes that are none are told."""
    data = bytearray(some.text(random).encode("utf-8", "surrogatepass"))
    if data and random.random() < 0.5:
        data[random.randrange(len(data))] = random.randrange(256)
    try:
        expected = len(data.decode())
    except UnicodeDecodeError:
        expected = -1
    same(quick.characters(bytes(data)), expected)


@of("surroundings.windows", "surroundings.spans")
def windows(random: Random) -> None:
    """The words around links are the same, as strings and as places."""
    blocks = some.blocks(random)
    outlinks, count = some.outlinks(random, blocks), random.choice((0, 1, 3, 10))
    whole = "\n".join(block.text for block in blocks)
    starts = [0]
    for block in blocks:
        starts.append(starts[-1] + len(block.text) + 1)
    bounds = [(starts[link.block] + link.start, starts[link.block] + link.end) for link in outlinks if link.block >= 0]
    expected = surroundings.windows_in_python(whole, bounds, count)
    same(surroundings.windows_of(whole, bounds, count), expected)
    assert surroundings.COMPILED is not None
    spans = np.frombuffer(surroundings.COMPILED.spans(whole, blocks, outlinks, count), np.int32).reshape(-1, 6)
    inside = spans[[link.block >= 0 for link in outlinks]].tolist()
    same([[start, end] for start, end, *_ in inside], [list(bound) for bound in bounds])
    same([(" ".join(whole[b:c].split()), " ".join(whole[d:e].split())) for _, _, b, c, d, e in inside], expected)


@of("reading.measure")
def measure(random: Random) -> None:
    """Texts are measured alike."""
    given = [some.text(random, 12) for _ in range(random.randrange(9))]
    same(texts.measure(given), texts.measure_in_python(given))


@of("reading.places")
def place_features(random: Random) -> None:
    """Places of blocks have the same features."""
    blocks = some.blocks(random)
    same(places.features_of(blocks), places.features_in_python(blocks))


@of("reading.compose", "reading.overlaps")
def composed(random: Random) -> None:
    """Texts are made of the same, and share the same with a title."""
    given = [some.text(random, 12) for _ in range(random.randrange(9))]
    same(composition.compose(given), composition.compose_in_python(given))
    title = some.text(random, 90)
    same(sections.overlaps(given, title), sections.overlaps_in_python(given, title))


@of("reading.block_features", "reading.page_numbers")
def block_features(random: Random) -> None:
    """Blocks have the same features, and so has the page."""
    blocks = [block for block in some.blocks(random) if block.text]
    if blocks:
        outline, title = PageOutline(blocks), some.text(random, 90)
        found, expected = features.first_features(outline, title), features.first_features_in_python(outline, title)
        for one, other in zip(found, expected, strict=True):
            close(one, other)
        close(kinds.page_numbers(outline), kinds.page_numbers_in_python(outline))


@of("reading.path_tree", "reading.tree_rows", "reading.tree_sums", "reading.tree_shared")
def path_tree(random: Random) -> None:
    """Paths have the same prefixes, which hang together alike."""
    paths = [some.path(random) for _ in range(random.randrange(12))]
    _, ends, parents, _ = found = tree.prefixes_of(paths)
    same(found, tree.prefixes_in_python(paths))
    levels = random.randrange(1, 7)
    same(tree.rows_of(ends, parents, levels), tree.rows_in_python(ends, parents, levels))
    values = np.array([[random.randrange(99) for _ in paths] for _ in range(levels)], np.float32)
    same(tree.sums_of(ends, parents, values), tree.sums_in_python(ends, parents, values))
    prefix = random.randrange(len(parents))
    same(tree.shared_with(ends, parents, prefix), tree.shared_in_python(ends, parents, prefix))


@of("reading.sums_by_place", "reading.windows", "reading.distances")
def rows_of_blocks(random: Random) -> None:
    """Rows of numbers about blocks are summed alike, and distances counted."""
    size, places = random.randrange(1, 40), random.randrange(1, 9)
    values = np.array([[random.random() for _ in range(size)] for _ in range(random.randrange(1, 4))], np.float32)
    where = np.array([random.randrange(places) for _ in range(size)], np.intp)
    same(tree.sums_by_place(where, values, places), tree.sums_by_place_in_python(where, values, places))
    reaches = [random.randrange(50) for _ in range(3)]
    same(tree.windows(values, reaches), tree.windows_in_python(values, reaches))
    marked = values[0] > random.random()
    same(tree.distances(marked), tree.distances_in_python(marked))


@of("reading.add_trees")
def trees(random: Random) -> None:
    """Trees add up alike."""
    chance = np.random.default_rng(random.getrandbits(32))
    levels, features = random.randrange(1, 6), random.randrange(1, 7)
    grown = forest.Forest(
        chance.integers(0, features, (9, levels)),
        chance.integers(0, 4, (9, levels)).astype(np.float32),
        chance.normal(size=(9, 1 << levels)),
        0.25,
    )
    columns = chance.integers(0, 5, (features, random.randrange(20))).astype(np.float32)
    expected = 1 / (1 + np.exp(-(grown.sums_in_python(columns) + grown.base)))
    same(grown.probabilities(columns), expected.astype(np.float32))


_READERS: list[SiteReader] = []


def _reader() -> SiteReader:
    """One that knows a site of some pages; made once, for learning takes long."""
    if not _READERS:
        reader, random = SiteReader(), Random(1)
        for number in range(12):
            words = random.choices(("whale", "crab", "kelp", "tide", "stone", "deep", "of", "the", "a"), k=99)
            body = "".join(f"<p>{' '.join(words[start : start + 33])} {number}.</p>" for start in (0, 33, 66))
            nav, foot = "<nav><ul><li>home<li>news</ul></nav>", "<footer><p>All rights of this site are kept.</footer>"
            page = f"<div class=page>{nav}<div class=text><h1>Day {number}</h1>{body}</div>{foot}</div>"
            reader.learn(JudgedPage.of(parse.parse_html(page, Url(f"http://a.example/{number}"))))
        reader.skim(parse.parse_html("<p>x", some.PAGE).blocks)
        _READERS.append(reader)
    return _READERS[0]


@of("reading.skim")
def skimmed(random: Random) -> None:
    """The same blocks of a known site are kept."""
    skimmer = _reader().skimmer
    assert skimmer is not None
    body = "".join(f"<p>{some.text(random, 9)}</p>" for _ in range(random.randrange(6)))
    nav = f"<nav><ul><li>home<li>{some.text(random, 2)}</ul></nav>"
    known = f"<div class=page>{nav}<div class=text>{body}<p>1 2 3</div></div>"
    blocks = parse.scanned_in_python(known, some.PAGE).blocks if random.random() < 0.7 else some.blocks(random)
    same(skimmer.kept(blocks), skimmer.kept_in_python(blocks))
    same(skimmer.kept_or_own(blocks), skimmer.kept_or_own_in_python(blocks))


@of("reading.joined")
def joined(random: Random) -> None:
    """Blocks make the same text."""
    blocks = some.blocks(random)
    same(documents.text_of(list(blocks)), documents.text_in_python(blocks))


@of("reading.perhaps_ways")
def perhaps_ways(random: Random) -> None:
    """The same links may be ways to the pages beside."""
    ways = (
        "Next",
        "prev",
        "[ < Tides ]",
        "Tides →",
        "Next: Tides, Up: Sea",
        "",
        "→",
        "다음",
        "Tides",
        some.text(random),
    )
    blocks = [Block(random.choice(ways), "p", random.randrange(3)) for _ in range(random.randrange(9))]
    same(signposts.perhaps_ways(blocks), signposts.perhaps_ways_in_python(blocks))


@of("reading.has_link_run")
def has_link_run(random: Random) -> None:
    """The same blocks have long runs of links."""
    blocks = tuple(Block("x" * random.randrange(4), "p", random.choice((0, 1, 2, 2, 2))) for _ in range(40))
    kept = [number for number in range(40) if random.random() < 0.9]
    same(menus.has_long_run(blocks, kept), menus.has_long_run_in_python(blocks, kept))


@of("reading.text_sizes")
def text_sizes(random: Random) -> None:
    """The same blocks are as long."""
    blocks = some.blocks(random)
    numbers = [random.randrange(len(blocks)) for _ in range(random.randrange(9))] if blocks else []
    same(site_kinds.text_sizes(blocks, numbers), site_kinds.text_sizes_in_python(blocks, numbers))


@of("reading.tags_named", "reading.tags_with")
def found_tags(random: Random) -> None:
    """The same tags are found."""
    page, most = some.page(random), random.randrange(1, 6)
    same(tags.tags_named(page, "meta", most), tags.tags_named_in_python(page, "meta", most))
    for word in ("a", "name=", "robots", "해녀"):
        same(tags.tags_with(page, word, most), tags.tags_with_in_python(page, word, most))


@of("reading.attributes")
def attributes(random: Random) -> None:
    """The same attributes are read, whatever they are written with."""
    page = some.page(random) + "".join(random.choices("ab= /\"'<>&A\u212a\u3000\n", k=random.randrange(60)))
    places = [random.randrange(len(page)) for _ in range(3)] if page else []
    same(
        [list(found.items()) for found in tags.attributes_at(page, places)],
        [list(found.items()) for found in tags.attributes_in_python(page, places, 1)],
    )


@of("reading.named", "reading.labels")
def named(random: Random) -> None:
    """The same groups and kinds are named."""
    words = [
        "postBody",
        "CommentList",
        "comments-2",
        "Related",
        "articles",
        "more",
        "of",
        "reef",
        "후기",
        "\u212a",
        "x" * 50,
    ]
    steps = [random.choice(" -._").join(random.choices(words, k=random.randrange(12))) for _ in range(9)]
    same(kinds.groups_in(steps), kinds.groups_in_python(steps))
    blocks = tuple(Block(step, "p") for step in steps)
    levels = np.array(random.choices((0, 0, 1, 3), k=len(blocks)), np.float32)
    may_be = np.array(random.choices((False, True), k=len(blocks)), np.bool_)
    same(sections.labels_among(blocks, levels, may_be), sections.labels_in_python(blocks, levels, may_be))


@of("seen.add")
def seen_before(random: Random) -> None:
    """The same hashes are new."""
    one, other = seen.SeenSet(), seen.SeenSet()
    for _ in range(random.randrange(1, 5)):
        given = some.hashes(random)
        same(one.add(given), other.add_in_python(given))
        same(len(one), len(other))


@of("fingerprint.fingerprint")
def fingerprints(random: Random) -> None:
    """A text has the same fingerprint; the sample is a set."""
    text = (some.text(random, 60) * random.choice((1, 1, 40))).encode("utf-8", "replace")
    one, other = fingerprint.fingerprint(text), fingerprint.fingerprint_in_python(text)
    same((one.digest, one.simhash, one.words, one.pairs), (other.digest, other.simhash, other.words, other.pairs))
    same(sorted(one.sample.tolist()), sorted(other.sample.tolist()))


@of("fingerprint.mark")
def marked(random: Random) -> None:
    """The same hashes are marked."""
    now, before = (bytearray(random.choices(range(2), k=1 << random.randrange(8))) for _ in range(2))
    again, given = bytearray(now), some.hashes(random)
    assert recent.COMPILED is not None
    same(recent.COMPILED.mark(now, before, given), recent.mark_in_python(again, before, given))
    same(now, again)


@of("fingerprint.nearest")
def nearest(random: Random) -> None:
    """The same simhash is nearest."""
    given, wanted = array("Q", [1, *some.hashes(random).tolist()]), random.getrandbits(64)
    same(fingerprint.nearest(given, wanted), fingerprint.nearest_in_python(given, wanted))


@of("features.word_ids", "features.page_words", "features.mentions", "features.use_words")
def word_places(random: Random) -> None:
    """Words have the same places."""
    title, text = some.text(random), some.text(random, 200)
    same(words.word_ids(text), words.word_ids_in_python(text))
    one, other = PageWords.of(title, text), words.page_words_in_python(title, text)
    same(one.ids, other.ids)
    close(one.weights, other.weights)
    asked, texts = words.word_ids(some.text(random)), (some.text(random), text)
    assert words.mentions(one.ids, texts, asked) == words.mentions_in_python(one.ids, texts, asked)


@of("features.address_features")
def address(random: Random) -> None:
    """Addresses have the same features."""
    url = some.url(random)
    same(in_address.address_features(url), in_address.address_features_in_python(*in_address._cut(url)))  # noqa: SLF001


@of("features.link_features")
def link_features(random: Random) -> None:
    """Links have the same features."""
    given: list[Link | None] = [
        Link(
            url=some.url(random),
            anchor=some.text(random, 9),
            before=some.text(random),
            after=some.text(random),
            path="p",
        )
        if random.random() < 0.8
        else None
        for _ in range(random.randrange(6))
    ]
    paths = [some.path(random) for _ in given]
    given = [link and Link(**{**_fields(link), "path": at}) for link, at in zip(given, paths, strict=True)]
    _same_features(links.link_features(some.PAGE, given, paths), links.link_features_in_python(some.PAGE, given, paths))


def _fields(link: Link) -> dict[str, Any]:
    return {name: getattr(link, name) for name in link.__struct_fields__}


def _same_features(one: links.LinkFeatures, other: links.LinkFeatures) -> None:
    same((one.flat, one.ends, one.group, one.groups), (other.flat, other.ends, other.group, other.groups))


def _markup(random: Random) -> Markup:
    """Blocks and links that no page need have; a text has no half characters."""
    blocks = tuple(Block(block.text.replace("\ud800", "?"), block.path) for block in some.blocks(random))
    found = [link for link in some.outlinks(random, blocks) if link.block < 0 or link.end > link.start]
    whole = "\n".join(block.text for block in blocks).encode()
    return Markup(base=some.PAGE, utf8=whole, blocks=blocks, links=tuple(found))


@of("features.features_on_page")
def features_on_page(random: Random) -> None:
    """Links have the same features where they stand."""
    whole = _markup(random) if random.random() < 0.7 else some.markup(random)
    page = PageLinks(whole, whole.links)
    chosen = np.array([place for place in range(len(page)) if random.random() < 0.7], np.int64)
    one = links.features_on_page(some.PAGE, page, chosen)
    _same_features(one, links.features_on_page_in_python(some.PAGE, PageLinks(whole, whole.links), chosen))


@of("features.page_linking")
def page_linking(random: Random) -> None:
    """Lists name the same pages."""
    whole = _markup(random) if random.random() < 0.7 else some.markup(random)
    keys = [random.choice((random.randrange(4), random.randrange(1 << 63), (1 << 32) + 1)) for _ in whole.links]
    page = LinkedPage(
        key=1, url=some.PAGE, links=PageLinks(whole, whole.links), targets=keys, depth=random.randrange(2)
    )
    same(linkage.PageLinking.of(page), linkage.PageLinking.of_in_python(page))


@of("weighing.weigh")
def weighed(random: Random) -> None:
    """Links weigh the same."""
    memory = known_links.memory(random)
    first = random.randrange(memory.links + 1)
    given = memory.features, *known_links.tables(), first
    close(weighing.weigh(*given), weighing.weigh_in_python(*given))


@of("weighing.fit")
def fitted(random: Random) -> None:
    """Weights are moved alike."""
    memory = known_links.memory(random)
    rows = np.array([row for row in range(memory.links) if random.random() < 0.7], np.int64)
    if not len(rows):
        return
    targets = np.random.default_rng(random.getrandbits(32)).random((len(rows), 2))
    one, other = regression.Regression(), regression.Regression()
    shares = np.full(len(rows), 1 / len(rows))
    found = one.fit(memory.features, rows, targets, shares)
    expected = other.fit_in_python(memory.features, rows, targets, shares, one.rounds)
    close(found, expected, 0.1)  # single precision here, double there, and every round builds on the last
    close(one.weights, other.weights, 0.1)


@of("weighing.add_evidence")
def added_evidence(random: Random) -> None:
    """The same evidence is added."""
    memory, standards = known_links.memory(random), known_links.standards(random)
    one, other = np.zeros((2, memory.pages, evidence.SUMS))
    links_of_one, links_of_other = np.zeros((2, memory.pages), np.int64)
    first = random.randrange(memory.links + 1)
    evidence.add_evidence(memory, standards, one, links_of_one, first)
    evidence.add_evidence_in_python(memory, standards, other, links_of_other, first)
    same(links_of_one, links_of_other)
    close(one, other)


@of("weighing.note_names")
def named_pages(random: Random) -> None:
    """Links name the same pages."""
    memory = known_links.memory(random)
    one, other = naming.Naming(words=some.text(random)), naming.Naming()
    other._asked = one._asked  # noqa: SLF001 - its words are the same
    first = random.randrange(memory.links + 1)
    for each in (one, other):
        each.best.grow(memory.pages)
    one._note_links(memory, first)  # noqa: SLF001
    other.note_links_in_python(memory, first)
    same(one.best.values, other.best.values)


@of("weighing.page_evidence")
def page_evidence(random: Random) -> None:
    """Pages have the same evidence."""
    chance = np.random.default_rng(random.getrandbits(32))
    sums, count = chance.normal(size=(9, evidence.SUMS)), chance.integers(0, 4, 9)
    gathered = evidence.PageColumns(sums, count, chance.random((9, 4), np.float32), chance.normal(size=9))
    pages = chance.integers(0, 9, random.randrange(12))
    mean = random.random()
    close(evidence.page_evidence(gathered, pages, mean), evidence.page_evidence_in_python(gathered, pages, mean))


@of("weighing.add", "weighing.add_vector", "weighing.match", "weighing.sketch")
def table_sums(random: Random) -> None:
    """A page's words add up alike."""
    page = PageWords.of(some.text(random), some.text(random))
    table, idf = known_links.tables()[0][:, 0].copy(), known_links.tables()[1][:, 0].copy()
    other = table.copy()
    tables.add(table, page, 0.5)
    tables.add_in_python(other, page, 0.5)
    close(table, other)
    tables.add_vector(table, page, idf, 2.0)
    tables.add_vector_in_python(other, page, idf, 2.0)
    close(table, other)
    close(tables.match(page, idf, table), tables.match_in_python(page, idf, table))
    folded, again = (np.empty(vectors.DIMENSIONS, np.float32) for _ in range(2))
    vectors.fold(page, idf, folded)
    vectors.fold_in_python(page, idf, again)
    close(folded, again)


@of("weighing.measure")
def measured(random: Random) -> None:
    """A page has the same sketch, goes as far, and has the same pages nearby."""
    chance = np.random.default_rng(random.getrandbits(32))
    page = PageWords.of(some.text(random), f"tide {some.text(random)}")
    signed = chance.normal(size=TABLE).astype(np.float32)
    rows = random.randrange(1, 40)
    pages = chance.normal(size=(rows, vectors.DIMENSIONS)).astype(np.float32)
    pool = vectors.Pool(pages, chance.normal(size=(rows, 2)), random.randrange(1, 21))
    direction = chance.normal(size=vectors.DIMENSIONS)
    for one, other in zip(
        vectors.measure(page, signed, direction, pool),
        vectors.measure_in_python(page, signed, direction, pool),
        strict=True,
    ):
        close(np.array(one), np.array(other))


@of("weighing.worth_describing", "weighing.mark_doors")
def mentioned(random: Random) -> None:
    """The same links are described, the same doors marked."""
    chance = np.random.default_rng(random.getrandbits(32))
    targets = chance.integers(0, 9, random.randrange(12))
    count = chance.integers(0, random.choice((3, 40, 1 << 40)), 9)
    relevance = np.where(chance.random(9) < 0.5, np.nan, 0.5)
    again, thrift = count.copy(), mentions.Thrift(1 << random.randrange(5), 1 << random.randrange(3))
    same(
        mentions.worth_describing(targets, count, relevance, thrift),
        mentions.worth_describing_in_python(targets, again, relevance, thrift),
    )
    same(count, again)
    homes, around = chance.integers(0, 4, 9), chance.integers(0, 4, random.randrange(3))
    doors = chance.random(9) < 0.2
    others = doors.copy()
    mentions.mark_doors(targets, homes, around, doors)
    mentions.mark_doors_in_python(targets, homes, around, others)
    same(doors, others)


@of("writing.utf8")
def utf8(random: Random) -> None:
    """Texts are written alike."""
    text = some.text(random)
    same(encoding.utf8(text), encoding.utf8_in_python(text))


@of("writing.records")
def records(random: Random) -> None:
    """Records are written alike, or left to the twin."""
    names = ("Content-Type", "transfer-Encoding", "X-해녀", "", "Set-Cookie")
    headers = tuple((random.choice(names), some.text(random, 3).strip()) for _ in range(random.randrange(4)))
    body = some.text(random).encode("utf-8", "replace")
    hop = Hop(
        url=some.url(random),
        status=random.choice((200, 0, -1, 999_999)),
        reason=random.choice(("OK", "", "Nicht da", "그래")),
        headers=headers,
        body=body,
        cut=random.random() < 0.5,
        request_headers=tuple(reversed(headers)),
        address=random.choice(("192.0.2.1", "")),
        at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    digest = warc.payload_digest(body)
    found = warc._records_compiled(hop, digest, "urn:1", "urn:2")  # noqa: SLF001
    if found is not None:
        same(found, cast("object", warc._records_in_python(hop, digest, ("urn:1", "urn:2"), None)))  # noqa: SLF001
