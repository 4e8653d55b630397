"""What kind of page is this? Told by how it is built, by its address, and by what it says of itself.

The kinds are those of `model.pages.KINDS`. What a page says of itself (schema.org, OpenGraph) is evidence, not truth.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection

import numpy as np

from haenyeo import native
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.places import FAR, PLACE_FEATURES
from haenyeo.read.page.texts import Floats

COMPILED = native.load("reading")


def _groups(groups: dict[str, str]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(words.split()) for words in groups.values())


_IN_ADDRESS = _groups(
    {
        "article": "article articles blog blogs entry magazine news opinion post posts press stories story",
        "documentation": "api dev doc docs documentation guide guides help javadoc kb learn library man manual"
        " reference tutorial tutorials wiki",
        "thread": "answers board boards comments community discuss discussion discussions forum forums question"
        " questions showthread t thread threads topic topics viewtopic",
        "product": "app buy dp item items listing p product products shop sku store",
        "list": "archive archives best browse c categoria categories category collection collections directory list"
        " search tag tags top",
    }
)
_IN_CRUMBS = _groups(
    {
        "article": "article articles blog blogs magazine news press nachrichten actualités noticias notizie notícias"
        " новости nieuws zprávy aktualności nyheter haberler 뉴스 블로그 기사 ニュース ブログ 新闻 博客",
        "documentation": "api doc docs documentation guide guides handbook help manual reference tutorial tutorials"
        " wiki dokumentation handbuch hilfe aide ayuda документация руководство справка 문서 가이드 도움말 매뉴얼"
        " ドキュメント ヘルプ 文档 手册 帮助",
        "thread": "discussion discussions forum forums thread threads foren foro foros fórum fórumok fóra fórun"
        " forumlar форум форумы форума fora 게시판 포럼 フォーラム 掲示板 论坛 論壇",
        "product": "catalog catalogue product products shop store boutique katalog produkte tienda productos loja"
        " produtos negozio prodotti магазин каталог товары 상품 쇼핑 쇼핑몰 ショップ 商品 商店",
    }
)
IN_FORUM = -3
"""The feature that says whether the page's own way from the start page leads through a forum."""

_IN_NAMES = _groups(
    {
        "documentation": "admonition api apidoc docs document documentation headerlink javadoc mw reference rst sphinx"
        " toc toctree",
        "thread": "answer board forum forums message op phpbb poster postbody posts question quote replies signature"
        " thread threads topic topics vbulletin votes",
        "comments": "comment comments commentlist disqus respond",
        "product": "basket buy cart checkout price prices product quantity sku stock woocommerce",
        "list": "archive card cards grid item items listing listings products result results tile tiles",
        "landing": "benefits cta faq feature features hero pricing testimonial testimonials",
    }
)
_NAMES = {
    word: sum([1 << bit for bit, group in enumerate(_IN_NAMES) if word in group])
    for word in frozenset().union(*_IN_NAMES)
}
_TYPES = _groups(
    {
        "article": "article newsarticle blogposting reportagenewsarticle techarticle scholarlyarticle"
        " opinionnewsarticle",
        "thread": "discussionforumposting qapage question answer",
        "product": "product productgroup individualproduct",
        "offer": "offer aggregateoffer og:product",
        "list": "itemlist collectionpage searchresultspage offercatalog",
        "landing": "service localbusiness professionalservice softwareapplication webapplication faqpage",
        "article of OpenGraph": "og:article",
        "page of OpenGraph": "og:website",
    }
)
# The first of a place's features, and those behind them.
_TAGS = [number for number, name in enumerate(PLACE_FEATURES) if name.startswith("in ")]
_NAMED = [number for number, name in enumerate(PLACE_FEATURES) if name.startswith("steps to ")][:-2]
_WORDS = re.compile("[a-z]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_MOST_CRUMBS = 300  # characters
_CAMEL_HUMP = re.compile("(?<=[a-z])(?=[A-Z])")
_DATED = re.compile(r"/(?:19|20)\d\d/\d?\d")
_NUMBERED = re.compile(r"\d{4,}")
_PARAGRAPH, _SHORT = 200, 40  # characters
_MOSTLY = 0.5
_OF_LENGTHS = 6  # numbers that say how long the blocks are


def kind_features(outline: PageOutline, page: Floats, url: str, types: Collection[str]) -> Floats:
    """What can be said of a page as a whole: one column; `page` has the values that hold for all its blocks."""
    numbers, around = page_numbers(outline), len(_TAGS) + len(_NAMED)
    rows: list[Floats | list[float]] = [
        *(page, numbers[:around], _named_shares(outline), numbers[around:]),
        address_features(url),
        [float(not group.isdisjoint(types)) for group in _TYPES],
        [float(bool(types))],
        crumb_features(outline),
    ]
    return np.concatenate(rows).astype(np.float32)[:, None]


def page_numbers(outline: PageOutline) -> Floats:
    """How much of a page stands in each element and near each name, then how long its blocks are."""
    if COMPILED is None:
        return page_numbers_in_python(outline)
    rows = len(_TAGS) + len(_NAMED)
    numbers = np.empty(rows + _OF_LENGTHS, np.float32)
    blocks = (outline.characters, outline.link_share, outline.measures.sentences)
    COMPILED.page_numbers(outline.places, (len(_TAGS), rows), FAR, *blocks, numbers)
    return numbers


def page_numbers_in_python(outline: PageOutline) -> Floats:
    """The same as `page_numbers`, without compiled code."""
    characters = outline.characters
    share = characters / (characters.sum() + 1)
    in_order = np.sort(characters)
    short = (characters < _SHORT) & (outline.link_share < _MOSTLY)
    rows = [
        np.einsum("ij,j->i", outline.places[_TAGS], share),
        np.einsum("ij,j->i", (outline.places[_NAMED] < FAR).astype(np.float32), share),
        [np.log1p(outline.measures.sentences.sum()), (characters > _PARAGRAPH).sum(), short.mean()],
        [_at_share(in_order, 0.5), _at_share(in_order, 0.9), outline.link_share.mean()],
    ]
    return np.concatenate(rows).astype(np.float32)


def _at_share(in_order: Floats, share: float) -> float:
    """The value below which a share of all lies; between two values a part of the way."""
    place = (len(in_order) - 1) * share
    before = int(place)
    low, high = float(in_order[before]), float(in_order[min(before + 1, len(in_order) - 1)])
    return low + (high - low) * (place - before)


def _named_shares(outline: PageOutline) -> Floats:
    """Of the places of a page, how many have a name of each group in their last two steps."""
    last = {path[path.rfind(">", 0, max(0, path.rfind(">"))) + 1 :] for path in outline.paths}
    named = np.array(groups_in(list(last)))
    shares: Floats = (named[:, None] >> np.arange(len(_IN_NAMES)) & 1).mean(axis=0)
    return shares


def groups_in(steps: list[str]) -> list[int]:
    """For each of some steps, the groups that names in it belong to, a bit each."""
    if COMPILED is None:
        return groups_in_python(steps)
    groups: list[int] = COMPILED.named(steps, _NAMES, _groups_in)
    return groups


def groups_in_python(steps: list[str]) -> list[int]:
    """The same as `groups_in`, without compiled code."""
    return list(map(_groups_in, steps))


@functools.lru_cache(maxsize=1 << 14)
def _groups_in(step: str) -> int:
    """The groups that names in a step belong to."""
    groups = 0
    for word in _WORDS.findall(step if step.islower() else _CAMEL_HUMP.sub(" ", step).lower()):
        groups |= _NAMES.get(word, 0)
    return groups


@functools.lru_cache(maxsize=1 << 13)
def _words_in(names: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(names if names.islower() else _CAMEL_HUMP.sub(" ", names).lower()))


def address_features(url: str) -> list[float]:
    """What a page's address says of its kind: words in its host, its folders and its last part, and its form."""
    host, _, rest = url.partition("://")[2].partition("/")
    path, _, query = f"/{rest}".partition("?")
    *folders, last = [part for part in path.split("/") if part] or [""]
    places = (_words_in(host), frozenset().union(*map(_words_in, folders)), frozenset(_WORDS.findall(last.lower())[:2]))
    found = [float(not group.isdisjoint(words)) for group in _IN_ADDRESS for words in places]
    form = (bool(_DATED.search(path)), bool(_NUMBERED.search(last)), bool(query), not last)
    return [*found, *map(float, form), float(len(folders)), float(len(_WORDS.findall(last)))]


def crumb_features(outline: PageOutline) -> list[float]:
    """What the page's own way from the start page says of its kind, and whether it shows one.

    `Home » Forum » Installation` stands on pages of forums in any language and on hardly any other.
    """
    if not _names_crumbs(outline.names):
        return [0.0] * (len(_IN_CRUMBS) + 1)
    crumbs = " ".join([block.text for block in outline.blocks if _is_crumb(block.path, block.signs)])[:_MOST_CRUMBS]
    words = set(_LETTERS.findall(crumbs.lower()))
    return [*[float(not group.isdisjoint(words)) for group in _IN_CRUMBS], float(bool(crumbs))]


@functools.lru_cache(maxsize=1 << 14)
def _is_crumb(path: str, signs: str) -> bool:
    """Whether a block at this place belongs to the way from the start page: one of the elements near it says so."""
    return _names_crumbs(">".join(path.rsplit(">", 3)[-3:]).lower()) or _names_crumbs(signs.rpartition(" ")[2].lower())


def _names_crumbs(names: str) -> bool:
    """Whether one of these names, in small letters, is that of such a way."""
    return "crumb" in names or "navpath" in names or "pathway" in names
