"""How likely is each block of a page to be its text, and of what kind is the page? Told by the page alone.

A forest for each kind (`forest`, `kinds`) looks at the page as a whole. Then two forests look at its blocks: the first
sees a block, its place, its neighbours' form, and how likely the page is of each kind; the second also sees what the
first took the neighbours and the places around for. What they say is mixed. They were trained on pages with known text
by `bench/train_reader.py`.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Collection, Sequence
from importlib import resources
from typing import IO, NamedTuple, Self

import msgspec
import numpy as np

from haenyeo.model.compression import zstd
from haenyeo.model.pages import KINDS, Block, Markup
from haenyeo.read.page.doubts import doubted, reconsidered
from haenyeo.read.page.features import first_features, second_features
from haenyeo.read.page.forest import Forest
from haenyeo.read.page.kinds import IN_FORUM, kind_features
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Floats

FILE = "judge.npz"

_ARTICLE, _DOCUMENTATION, _THREAD, _LIST = map(KINDS.index, ("article", "documentation", "thread", "list"))
_TOLD = np.float32(0.5)  # of the shares of other kinds, what goes to threads where a page says it stands in a forum
_OF_FIRST = np.float32(0.5)
_UNSURE = np.float32(0.25)  # of the logits: less on other pages than articles and documentation

_decoder = msgspec.msgpack.Decoder(tuple[tuple[Block, ...], str, bytes, bytes, str, float])


class Forests(NamedTuple):
    """All that the judge asks: `kinds` has a forest for each of `KINDS`."""

    kinds: tuple[Forest, ...]
    first: Forest
    second: Forest


class PageJudgement(NamedTuple):
    """For each block, the probability that it is text; the likeliest kind of the page; how likely it is a thread."""

    likely: Floats
    kind: str
    thread: float = 0.0


class JudgedPage:
    """A page's outline and the probabilities of its blocks, which are computed when they are first asked for."""

    def __init__(self, outline: PageOutline, title: str, judgement: PageJudgement | None = None) -> None:
        self.outline, self.title = outline, title
        self._url, self._types = "", frozenset[str]()
        self._judgement = judgement

    @classmethod
    def of(cls, markup: Markup, outline: PageOutline | None = None, judgement: PageJudgement | None = None) -> Self:
        """The page that has this markup, and this outline and judgement if they are known."""
        page = cls(outline or PageOutline(markup.blocks), markup.title, judgement)
        page._url, page._types = markup.base, markup.types
        return page

    def to_bytes(self) -> bytes:
        """The judged page in a tenth of the memory, for `from_bytes`."""
        likely, kind, thread = self.judgement
        judged = (self.outline.blocks, self.title, self.outline.to_bytes(), likely.tobytes(), kind, thread)
        return zstd.compress(msgspec.msgpack.encode(judged), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The page that was packed."""
        blocks, title, numbers, likely, kind, thread = _decoder.decode(zstd.decompress(data))
        judgement = PageJudgement(np.frombuffer(likely, np.float32), kind, thread)
        return cls(PageOutline.from_bytes(blocks, numbers), title, judgement)

    @property
    def likely(self) -> Floats:
        """For each block, the probability that it is text."""
        return self.judgement.likely

    def likely_among(self, thread: float) -> Floats:
        """The same on a site whose pages are, on average, so likely threads: then what readers wrote is the text."""
        likely, _, own = self.judgement
        return reconsidered(likely, self.outline.at_comments & ~self.outline.below_comments, own, thread)

    @property
    def kind(self) -> str:
        """The likeliest kind of the page; empty for a page without text."""
        return self.judgement.kind

    @property
    def judgement(self) -> PageJudgement:
        """What is said of the page by itself."""
        if self._judgement is None:
            self._judgement = judge(self.outline, self.title, self._url, self._types)
            self.outline.forget()
        return self._judgement

    def judged(self) -> Self:
        """This page, after its probabilities have been computed."""
        _ = self.judgement
        return self

    @property
    def is_judged(self) -> bool:
        """Whether the probabilities have been computed."""
        return self._judgement is not None


def judge(outline: PageOutline, title: str, url: str = "", types: Collection[str] = ()) -> PageJudgement:
    """What is said of a page by itself; `types` are what it says it is (`html.head.said_types`)."""
    if not len(outline):
        return PageJudgement(np.zeros(0, np.float32), "")
    by = forests()
    features, page = first_features(outline, title)
    shares = kind_shares(by.kinds, kind_features(outline, page, url, types))
    features = np.concatenate([features, np.repeat(shares[:, None], len(outline), axis=1)])
    first = by.first.probabilities(features)
    likely = mixed(first, by.second.probabilities(second_features(outline, features, first)), shares)
    kind, thread = KINDS[int(shares.argmax())], float(shares[_THREAD])
    return PageJudgement(doubted(outline, likely, shares, title), kind, thread)


def mixed(first: Floats, second: Floats, kinds: Floats) -> Floats:
    """What both forests say of a page that is so likely of each kind; of articles and documentation only the second.

    It keeps together what stands together, as these do. The parts of other pages stand apart. Of these fewer are known,
    and they differ more: on those of unknown sources the forests are surer than they are right, so their odds count
    less.
    """
    others = 1 - kinds[_ARTICLE] - kinds[_DOCUMENTATION]
    share, power = _OF_FIRST * others, 1 - _UNSURE * others
    likely: Floats = share * first + (1 - share) * second
    odds = likely**power
    flatter: Floats = odds / (odds + (1 - likely) ** power)
    return flatter


def kind_shares(kinds: Sequence[Forest], page: Floats) -> Floats:
    """How likely each kind is, from the features of a page."""
    sums = np.array([forest.logits(page)[0] for forest in kinds])
    powers = np.exp(sums - sums.max())
    shares: Floats = (powers / powers.sum()).astype(np.float32)
    return in_forum(shares) if page[IN_FORUM, 0] else shares


def in_forum(shares: Floats) -> Floats:
    """The shares of a page that says it stands in a forum: the forests are believed half that it is no thread.

    They have seen few pages that say so. Lists of threads stand in forums, too.
    """
    others = [kind for kind in range(len(KINDS)) if kind not in (_THREAD, _LIST)]
    told = shares.copy()
    told[others] *= 1 - _TOLD
    told[_THREAD] += _TOLD * shares[others].sum()
    return told


@functools.cache
def forests() -> Forests:
    """The forests in the package."""
    return read_forests(io.BytesIO(resources.files(__package__).joinpath(FILE).read_bytes()))


def read_forests(packed: IO[bytes]) -> Forests:
    """The forests of a file that training wrote."""
    with np.load(packed) as file:

        def forest(name: str) -> Forest:
            features, thresholds, values = [file[f"{part}{name}"] for part in ("features", "thresholds", "values")]
            return Forest(features, thresholds, values, float(file[f"base{name}"]))

        kinds = tuple([forest(f"kind{number}") for number in range(len(KINDS))])
        return Forests(kinds, forest("1"), forest("2"))
