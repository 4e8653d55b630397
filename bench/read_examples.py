"""Pages with known text, as `train_reader.py` learns from them: features, and which blocks are the text."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from haenyeo.html.parse import parse_text
from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.read.page.features import first_features
from haenyeo.read.page.kinds import kind_features
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Bools

SCORED_PER_SITE = 20
SMALL_PAGE = 60  # blocks
TOKEN = re.compile(r"[a-z0-9_]+|[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u9fff]|[^\W_a-z0-9\uac00-\ud7a3\u3040-\u9fff]+")


class Example:
    """A page with its features, and for each block whether it is text and how much that matters."""

    def __init__(self, page: dict[str, Any], nth: int, kind: str) -> None:
        url = address_of(page)
        markup = parse_text(page["html"], Url(url))
        self.part, self.url, self.kind, self.nth = page["site"], page["url"], kind, nth
        self.is_single = page["set"] == "single"
        self.outline = PageOutline(markup.blocks)
        self.tokens = [tokens(block.text) for block in self.outline.blocks]
        self.gold = Counter(tokens(page["gold"]))
        self.titled = self.gold + Counter(tokens(page.get("title") or ""))
        self.source = source_of(page)
        if not len(self.outline):
            return
        self.first, whole = first_features(self.outline, markup.title)
        self.page = kind_features(self.outline, whole, url, markup.types)
        first_guess = matched(self.tokens, tokens(page["gold"]))
        self.is_text = np.array(polished(self.tokens, self.gold, first_guess), np.float64)
        sizes = np.array([min(300, len(words)) for words in self.tokens], np.float64)
        self.weight = np.where(self.outline.silent, 0, 10 * (sizes / max(50, self.gold.total())) ** 0.8)

    def fold(self, folds: int) -> int:
        """The fold of the page's source."""
        return zlib.crc32(self.source.encode()) % folds

    def chances(self, least: float) -> npt.NDArray[np.float64]:
        """How likely each block is to be chosen for training: all of a small page, few light ones of a large page."""
        weighs = self.weight > 0
        if len(self.weight) < SMALL_PAGE or not weighs.any():
            return weighs.astype(np.float64)
        heavy = max(float(np.quantile(self.weight[weighs], 0.6)), 1e-9)
        return np.where(weighs, np.clip(0.6 * self.weight / heavy, least, 1), 0)

    def score(self, kept: Bools) -> float:
        """Token F of what is kept, against the text with or without its title."""
        found = Counter(token for words, keep in zip(self.tokens, kept, strict=True) if keep for token in words)
        return max(
            2 * (found & gold).total() / max(1, found.total() + gold.total()) for gold in (self.gold, self.titled)
        )


def source_of(page: Mapping[str, Any]) -> str:
    """What a page shares with others: its site, or of single pages that of its host, or its name without numbers."""
    if page["set"] != "single":
        return str(page["site"])
    return site_of(page["url"]) if "://" in page["url"] else re.sub(r"[-\d]+$", "", address_of(page))


def address_of(page: Mapping[str, Any]) -> str:
    """The address of a page; those without one get one on the host of their site."""
    return str(page["url"]) if "://" in page["url"] else f"https://{page['site']}.example/{page['url']}"


def tokens(text: str) -> list[str]:
    """The words of a text, in lower case; a Chinese or Japanese character is a word."""
    return TOKEN.findall(text.lower())


def matched(blocks: Sequence[list[str]], gold: list[str]) -> list[bool]:
    """Which blocks stand in the gold text; short ones must stand where the text has come to."""
    places = defaultdict(list)
    for place, three in enumerate(zip(gold, gold[1:], gold[2:], strict=False)):
        places[three].append(place)
    found, cursor = [], 0
    for words in blocks:
        threes = list(zip(words, words[1:], words[2:], strict=False))
        known = [three for three in threes if three in places]
        if len(words) >= 8:  # noqa: SIM108 - two cases that are explained apart
            is_text = 2 * len(known) > len(threes)
        else:
            is_text = bool(words) and _stands_at(words, gold, cursor)
        if is_text and known:
            cursor = next((place for place in places[known[-1]] if place >= cursor), cursor)
        found.append(is_text)
    return found


def _stands_at(words: list[str], gold: list[str], cursor: int) -> bool:
    window = gold[max(0, cursor - 5) : cursor + 80]
    return any(window[start : start + len(words)] == words for start in range(len(window) - len(words) + 1))


def polished(blocks: Sequence[list[str]], gold: Counter[str], guess: Sequence[bool]) -> list[bool]:
    """The guess with each block turned whose turning gives a better F; twice, for one turn changes what others give."""
    chosen = list(guess)
    counts = [Counter(words) for words in blocks]
    found = sum((count for count, is_text in zip(counts, chosen, strict=True) if is_text), Counter[str]())
    right, size, wanted = (found & gold).total(), found.total(), gold.total()
    for number, count in [*enumerate(counts), *enumerate(counts)]:
        sign = -1 if chosen[number] else 1
        gain = sum(
            min(gold[token], found[token] + sign * n) - min(gold[token], found[token]) for token, n in count.items()
        )
        own = sign * count.total()
        if (own < 0 or own > 2) and (right + gain) * (size + wanted) > right * (size + own + wanted):
            chosen[number] = not chosen[number]
            right, size = right + gain, size + own
            (found.update if sign > 0 else found.subtract)(count)
    return chosen


def load_examples(paths: Sequence[Path], kinds: Mapping[str, str]) -> list[Example]:
    """The examples of data files, those without any text left out."""
    seen: Counter[str] = Counter()
    examples = []
    for page in (page for path in paths for page in pages_in(path)):
        nth = seen[page["site"]]
        seen[page["site"]] += page["kind"] != "other"
        if page["kind"] != "other" and (page["set"] == "single" or nth < SCORED_PER_SITE):
            example = Example(page, nth, kinds.get(page["site"], ""))
            examples += [example] if len(example.outline) else []
    print(f"{len(examples)} pages, {sum(len(example.outline) for example in examples)} blocks", flush=True)
    return examples


def pages_in(path: Path) -> Iterator[dict[str, Any]]:
    """The pages of a data file, packed by gzip or Zstandard."""
    if path.suffix == ".zst":
        import zstandard

        with path.open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as file:
            yield from map(json.loads, io.TextIOWrapper(file, encoding="utf-8"))
    else:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)
