"""What is hardly ever the text of a page, however well it is written: what readers wrote, dialogs, what is said twice.

And what is text though it does not look like it: listings in manuals, tables of facts in shops.

The forests see a block and its place. That a text stands on the page once more, or that a place belongs to one of the
few programs that ask for consent on most of the web, says more than both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from haenyeo.model.pages import KINDS, Block
from haenyeo.read.labels import KINDS as LABELLED
from haenyeo.read.page.expected import best_cut
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.places import PLACE_FEATURES, is_code
from haenyeo.read.page.sections import contents_of, end_around, heading_levels, label_rows, overlaps
from haenyeo.read.page.texts import Bools, Floats

_ARTICLE, _DOCUMENTATION, _THREAD, _PRODUCT, _LIST, _LANDING = range(len(KINDS))
_IN_TABLES = [PLACE_FEATURES.index(f"in {tag}") for tag in ("table", "dl")]
_TO_FACTS = PLACE_FEATURES.index("steps to facts")
_OWN = LABELLED.index("own")
_HARDLY = 0.1  # what is left of a block's odds
_NEVER = 0.05
_OF_OTHERS = 0.02  # of reviews, which are written like texts
_ELSEWHERE = 0.001  # of what is the text of another page
_SURELY = 3.0  # times the probability of a thread is left of the odds of comments
_FEWEST = 30  # characters of a text that is not said twice by chance, and is no button
_FAIR = 0.3  # how likely the first of equal texts must be to stand for all
_ASKING = ("onetrust", "optanon", "cookiebot", "didomi", "usercentrics", "cmplz", "iubenda", "qc-cmp", "wt-cli")
_MAY_ASK = (*_ASKING, "cookie", "consent", "gdpr", "osano", "truste", "cky-")
_CONSENT = re.compile(
    "|".join(_ASKING) + r"|\bgdpr|\bosano|\btruste\b|\bcky-"
    "|cookie[-_]?(?:consent|banner|notice|bar|popup|modal|law|dialog|overlay|settings|preferences)"
    "|consent[-_]?(?:banner|manager|modal|dialog|popup)"
)
_DIALOG, _ALERT, _TOOLTIP = "@dialog", "@alertdialog", "@tooltip"
_HIDDEN = PLACE_FEATURES.index("hidden")
_COOKIE = "cookie"
_POST, _POSTS = "#post-", re.compile(r"#post-\d+\b")
_LINKED, _TITLED = 0.8, 0.5  # of a heading: a link, and the words of the title
_SURE, _RATHER = 0.7, 0.6  # how likely the texts around a listing must be, and how likely it or a fact is then
_LITTLE, _SOME, _NEARLY = (
    150,
    3,
    0.9,
)  # words of a page, links beside them, and how many of the words these stand beside
_MORE = 2  # times as many words as the text has are in a menu beside it
_NEAR = 4  # steps to a name that tells of facts
_BLOG_COMMENTS = ("commentlist", "comment-list", "#div-comment-")
_MANY = 12  # entries of a menu: countries, quantities
_MAY_REVIEW = ("review", "bazaarvoice", "bv-", "bv_", "yotpo", "trustpilot")
_FAQ = re.compile(r"(?:\b|[-_])faqs?(?:\b|[-_])")
_QUOTE, _SIGNATURE = "quote", "signature"
_REVIEW = re.compile(r"(?:\b|[-_])reviews?(?:\b|[-_])|bazaarvoice|\bbv[-_]|yotpo|trustpilot")


def doubted(outline: PageOutline, likely: Floats, kinds: Floats, title: str = "") -> Floats:
    """The probabilities, less where text hardly ever stands; `kinds` says how likely the page is of each kind."""
    kind = int(kinds.argmax())
    if kind in (_PRODUCT, _LANDING):
        likely = _with_facts(outline, likely)
    likely = _without_comments(outline, likely, float(kinds[_THREAD]))
    likely = _less(likely, _at_consent(outline), _NEVER)
    likely = _less(likely, _in_dialogs(outline), _NEVER)
    if kind == _THREAD:
        likely = _with_originals(outline, _less(likely, _signatures(outline), _NEVER))
    else:
        likely = _less(likely, _posts_in_posts(outline), _NEVER)
    if kind in (_PRODUCT, _LIST):
        likely = _less(likely, _places(outline, _reviews) if _reviews(outline.names) else None, _OF_OTHERS)
        likely = _less(likely, _long_menus(outline), _HARDLY)
    if kind == _PRODUCT and _FAQ.search(outline.names):
        likely = _less(likely, _places(outline, lambda names: _FAQ.search(names) is not None), _HARDLY)
    if kind == _ARTICLE:
        likely = _less(likely, _of_other_pages(outline, likely, title), _ELSEWHERE)
    likely = _less(likely, contents_of(outline.blocks, outline.link_share, heading_levels(outline)), _NEVER)
    if kind == _DOCUMENTATION:
        return _with_contents(outline, _with_listings(outline, likely))
    twice = _said_twice(outline, likely)  # a manual says twice what it lists and explains
    if kind == _THREAD and twice is not None:
        twice = _whole_quotations(outline, twice)
    return _less(likely, twice, _NEVER)


def _with_facts(outline: PageOutline, likely: Floats) -> Floats:
    """The probabilities of what is for sale: tables and lists of terms that names or labels call facts are text."""
    places = outline.places
    in_table = places[_IN_TABLES].any(axis=0)
    if not in_table.any():
        return likely
    labelled = label_rows(outline, heading_levels(outline))[_OWN] > 0
    facts = in_table & ((places[_TO_FACTS] <= _NEAR) | labelled)
    return np.where(facts, np.maximum(likely, _RATHER), likely).astype(np.float32)


def _with_listings(outline: PageOutline, likely: Floats) -> Floats:
    """The probabilities of a manual: a listing between two likely texts is what they speak of.

    Short lines, such as the buttons of an editor, do not count as texts.
    """
    code = np.array([is_code(path) for path in outline.paths], np.bool_)[outline.where]
    if not code.any():
        return likely
    texts = ~code & (outline.characters >= _FEWEST)
    places = np.arange(len(code))
    before = np.maximum.accumulate(np.where(texts, places, -1))
    behind = np.minimum.accumulate(np.where(texts, places, len(code))[::-1])[::-1]
    inside = code & (before >= 0) & (behind < len(code))
    around = np.minimum(likely[before], likely[np.minimum(behind, len(code) - 1)])
    return np.where(inside & (around > _SURE), np.maximum(likely, _RATHER), likely).astype(np.float32)


def _with_contents(outline: PageOutline, likely: Floats) -> Floats:
    """The probabilities of a manual: on a page that says little, the links beside its text are what it is for.

    So a chapter lists its sections. Links that are hardly likely, or say much more than the text, are a menu.
    """
    kept, _ = best_cut(likely, outline.weight)
    total = float(outline.weight[kept].sum())
    links = (outline.link_share > _LINKED) & (likely > _HARDLY) & ~outline.silent
    if total > _LITTLE or links.sum() < _SOME:
        return likely
    tree = outline.tree
    (inside,) = tree.sums([outline.by_path(outline.weight * kept)])
    around = int(np.where((inside >= _NEARLY * total) & tree.may_contain, tree.depth, -1).argmax())
    links &= tree.is_inside(around)[outline.where]
    if outline.weight[links].sum() > _MORE * total:
        return likely
    return np.where(links, np.maximum(likely, _RATHER), likely).astype(np.float32)


def _less(likely: Floats, where: Bools | None, odds: float) -> Floats:
    """The probabilities with so much left of the odds there."""
    if where is None or not where.any():
        return likely
    less = np.minimum(likely * odds / (likely * odds + 1 - likely), likely)
    return np.where(where, less, likely).astype(np.float32)


def _without_comments(outline: PageOutline, likely: Floats, thread: float) -> Floats:
    """The probabilities, less where readers have written, unless the page is likely a thread, which is no more.

    Comments are written like texts. On a page of little else than comments they are still the likeliest. What a heading
    calls comments is that on any page, and so are what is hidden until it is asked for and the comments of a blog.
    """
    apart = outline.below_comments | (outline.places[_HIDDEN] > 0)
    if _of_blog(outline.names):
        apart = apart | _places(outline, _of_blog)
    left = np.where(apart, _HARDLY, odds_of_replies(thread))
    less = np.minimum(likely * left / (likely * left + 1 - likely), likely)
    return np.where(outline.at_comments, less, likely).astype(np.float32)


def _of_blog(names: str) -> bool:
    """Whether one of the names is that of the comments below an article, as most programs for blogs call them."""
    return any(map(names.__contains__, _BLOG_COMMENTS))


def odds_of_replies(thread: float) -> float:
    """What is left of the odds of what readers wrote on a page that is so likely a thread; all of them from 1/3 on."""
    return max(_HARDLY, min(1.0, _SURELY * thread))


def reconsidered(likely: Floats, comments: Bools, thread: float, of_site: float) -> Floats:
    """The probabilities as if the page, so likely a thread by itself, were one as likely as all pages of its site."""
    change = odds_of_replies(of_site) / odds_of_replies(thread)
    changed = likely * change / (likely * change + 1 - likely)
    return np.where(comments, changed, likely).astype(np.float32)


def _at_consent(outline: PageOutline) -> Bools | None:
    """Which blocks stand in a dialog that asks for consent; None if there is none."""
    return _places(outline, _asks) if _asks(outline.names) else None


def _in_dialogs(outline: PageOutline) -> Bools | None:
    """Which blocks stand in a dialog that asks at once or is mostly about cookies, or in a tooltip; None if none do."""
    if not any(map(outline.names.__contains__, (_DIALOG, _ALERT, _TOOLTIP))):
        return None
    dialogs: dict[str, list[int]] = {}
    found = np.zeros(len(outline), np.bool_)
    for number, block in enumerate(outline.blocks):
        found[number] = _TOOLTIP in block.signs or _ALERT in block.signs
        if _DIALOG in block.signs:
            dialogs.setdefault(block.signs.partition(_DIALOG)[0], []).append(number)
    for numbers in dialogs.values():
        asking = [number for number in numbers if _COOKIE in outline.blocks[number].text.lower()]
        found[numbers] |= 2 * outline.words[asking].sum() >= outline.words[numbers].sum()
    return found


def _of_other_pages(outline: PageOutline, likely: Floats, title: str) -> Bools | None:
    """Which blocks stand below headings that lead to other pages, like the page's own that leads nowhere; or None.

    Pages that go on without end show the articles that come next in full. None of these says more than the page's own,
    else they are its chapters, or what it lists.
    """
    levels = heading_levels(outline)
    leading = (levels > 0) & (outline.link_share > _LINKED)
    own = np.flatnonzero((levels > 0) & ~leading)
    if not leading.any() or not len(own):
        return None
    shares = overlaps([outline.blocks[number].text for number in own.tolist()], title)
    first = int(own[shares.argmax()])
    starts = np.flatnonzero(leading & (levels == levels[first]))
    starts = starts[starts > first]
    if shares.max() < _TITLED or not len(starts):
        return None
    said = likely * outline.weight
    most = float(said[first : starts[0]].sum())
    found = np.zeros(len(outline), np.bool_)
    for start in starts.tolist():
        above = np.flatnonzero((levels[start + 1 :] > 0) & (levels[start + 1 :] <= levels[first]))
        end = end_around(outline.blocks, start, start + 1 + int(above[0]) if len(above) else len(outline))
        if said[start:end].sum() > most:
            return None
        found[start:end] = True
    return found


def _posts_in_posts(outline: PageOutline) -> Bools | None:
    """Which blocks stand in a post that stands in another one, as their ids say: it is shown there as a teaser."""
    if _POST not in outline.names:
        return None
    return np.array([len(set(_POSTS.findall(block.signs))) > 1 for block in outline.blocks], np.bool_)


def _long_menus(outline: PageOutline) -> Bools:
    """Which blocks are entries of a menu to choose from that has many."""
    counts = np.bincount(outline.where, minlength=len(outline.paths))
    long = [count >= _MANY and path.endswith("option") for count, path in zip(counts, outline.paths, strict=True)]
    return np.array(long, np.bool_)[outline.where]


def _asks(names: str) -> bool:
    """Whether one of the names is that of a dialog; looked for where one may begin, which is quicker than anywhere."""
    for word in _MAY_ASK:
        place = names.find(word)
        while place >= 0:
            if _CONSENT.match(names, place):
                return True
            place = names.find(word, place + 1)
    return False


def _reviews(names: str) -> bool:
    """Whether one of the names is that of a part for reviews."""
    return any(map(names.__contains__, _MAY_REVIEW)) and _REVIEW.search(names) is not None


def _places(outline: PageOutline, is_meant: Callable[[str], bool]) -> Bools:
    """Which blocks stand at a place whose path and signs are meant."""
    known: dict[tuple[str, str], bool] = {}
    for block in outline.blocks:
        place = (block.path, block.signs)
        if place not in known:
            known[place] = is_meant(" ".join(place).lower())
    return np.array([known[block.path, block.signs] for block in outline.blocks], np.bool_)


def _said_twice(outline: PageOutline, likely: Floats) -> Bools | None:
    """Which blocks say at another place what is said elsewhere, as pages do for small screens; None if none does.

    The first of equal texts stays if it is likely at all, so that what stays is in order; otherwise the likeliest.
    """
    long = np.flatnonzero(outline.characters >= _FEWEST)
    keys = outline.keys[long].tolist()
    if len(set(keys)) == len(keys):
        return None
    equal: dict[str, list[int]] = {}
    for number in long.tolist():
        equal.setdefault(outline.blocks[number].text, []).append(number)
    twice = np.zeros(len(outline), np.bool_)
    for numbers in [numbers for numbers in equal.values() if len(numbers) > 1]:
        fair = (number for number in numbers if likely[number] >= _FAIR)
        first = next(fair, max(numbers, key=likely.__getitem__))
        for number in numbers:
            if outline.blocks[number].path != outline.blocks[first].path:
                twice[_alike(outline.blocks, first, number)] = True
    return twice


def _alike(blocks: Sequence[Block], one: int, other: int) -> slice:
    """The blocks around the `other` that say the same as those around the `one`, however short they are."""
    start, end = other, other + 1
    while start > 0 and one > other - start and blocks[start - 1].text == blocks[one - other + start - 1].text:
        start -= 1
    while end < len(blocks) and one - other + end < len(blocks) and blocks[end].text == blocks[one - other + end].text:
        end += 1
    return slice(start, end)


def _with_originals(outline: PageOutline, likely: Floats) -> Floats:
    """The probabilities of a thread: what one post quotes of another is at least as likely text where it was said."""
    inside = _quoted(outline)
    if not inside.any():
        return likely
    said: dict[str, int] = {}
    for number in np.flatnonzero(~inside & (outline.characters >= _FEWEST)).tolist():
        said.setdefault(outline.blocks[number].text, number)
    raised = likely.copy()
    for number in np.flatnonzero(inside & (outline.characters >= _FEWEST)).tolist():
        original = said.get(outline.blocks[number].text, number)
        raised[original] = max(raised[original], likely[number])
    return raised


def _whole_quotations(outline: PageOutline, twice: Bools) -> Bools:
    """What is said twice in a thread, with the short lines of quotations of which no other text is left."""
    inside = _quoted(outline)
    whole = twice.copy()
    borders = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    long = outline.characters >= _FEWEST
    for start, end in borders.reshape(-1, 2).tolist():
        texts = long[start:end]
        if texts.any() and (twice | outline.silent)[start:end][texts].all():
            whole[start:end] = True
    return whole


def _signatures(outline: PageOutline) -> Bools | None:
    """Which blocks are what members have put below all of their posts; None if there is none."""
    if _SIGNATURE not in outline.names:
        return None
    return np.array([_SIGNATURE in f"{block.path} {block.signs}".lower() for block in outline.blocks], np.bool_)


def _quoted(outline: PageOutline) -> Bools:
    """Which blocks stand in a quotation: in more elements named so than most of the text, which may stand in one."""
    if _QUOTE not in outline.names:
        return np.zeros(len(outline), np.bool_)
    depths = np.array([path.lower().count(_QUOTE) for path in outline.paths])[outline.where]
    by_depth = np.bincount(depths, outline.words)
    usual = int(np.searchsorted(by_depth.cumsum(), by_depth.sum() / 2))
    quoted: Bools = depths > usual
    return quoted
