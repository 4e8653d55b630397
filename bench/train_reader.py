"""Train the judge of single pages on pages with known text, and say how well it does on pages it has not seen.

    python bench/train_reader.py PAGES.jsonl.gz                       cross-validated by site
    python bench/train_reader.py PAGES.jsonl.gz --out judge.npz       and trained on everything, written for the package

A line of the data is {"set", "site", "url", "kind", "html", "gold"}; pages of set "single" have nothing in common, of
any other site the first twenty articles are used. Takes some minutes on one core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.read.page.expected import best_cut
from haenyeo.read.page.features import first_features, second_features
from haenyeo.read.page.forest import Forest
from haenyeo.read.page.judge import judged
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Floats

PAGES_PER_SITE = 20
FOLDS = 5
TREES, DEPTH, RATE, BINS, SMOOTHING, COLUMNS = 80, 5, 0.15, 32, 5.0, 0.35
TOKEN = re.compile(r"[a-z0-9_]+|[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u9fff]|[^\W_a-z0-9\uac00-\ud7a3\u3040-\u9fff]+")


class Example:
    """A page with its features, and for each block whether it is text and how much that matters."""

    def __init__(self, page: dict[str, Any]) -> None:
        markup = parse_html(page["html"], Url("https://example.org/"))
        self.part = page["site"]
        self.group = page["url"] if page["set"] == "single" else page["site"]
        self.outline = PageOutline(markup.blocks)
        self.tokens = [tokens(block.text) for block in self.outline.blocks]
        self.gold = tokens(page["gold"])
        self.first = first_features(self.outline, markup.title) if len(self.outline) else np.zeros((1, 0), np.float32)
        self.second = self.first
        self.is_text = np.array(matched(self.tokens, self.gold), np.float64)
        sizes = np.array([min(300, len(words)) for words in self.tokens], np.float64)
        self.weight = np.where(self.outline.silent, 0, 10 * (sizes / max(50, len(self.gold))) ** 0.8)

    def score(self, likely: Floats) -> float:
        """Token F of what would be kept."""
        kept, _ = best_cut(likely, self.outline.weight)
        found = Counter(token for words, keep in zip(self.tokens, kept, strict=True) if keep for token in words)
        shared = (found & Counter(self.gold)).total()
        return 2 * shared / max(1, found.total() + len(self.gold))


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


# --------------------------------------------------------------------------------------------------------- growing


def grow(columns: Floats, is_text: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]) -> Forest:
    """Boost oblivious trees on the logistic loss."""
    random = np.random.default_rng(0)
    edges = [_edges(column) for column in columns]
    bins = [np.searchsorted(edge, column).astype(np.int64) for edge, column in zip(edges, columns, strict=True)]
    base = float(np.log((weight * is_text).sum() / (weight * (1 - is_text)).sum()))
    logits = np.full(columns.shape[1], base)
    features, thresholds, values = [], [], []
    for _ in range(TREES):
        likely = 1 / (1 + np.exp(-logits))
        slope, bend = weight * (is_text - likely), weight * likely * (1 - likely)
        choice = random.choice(len(edges), int(len(edges) * COLUMNS), replace=False)
        leaves = np.zeros(columns.shape[1], np.int64)
        asked = []
        for level in range(DEPTH):
            column, cut = _best_question(choice, edges, bins, (leaves, slope, bend), 1 << level)
            asked.append((column, edges[column][cut]))
            leaves = leaves * 2 + (bins[column] > cut)
        answers = RATE * np.bincount(leaves, slope, 1 << DEPTH) / (np.bincount(leaves, bend, 1 << DEPTH) + SMOOTHING)
        logits += answers[leaves]
        features.append([column for column, _ in asked])
        thresholds.append([threshold for _, threshold in asked])
        values.append(answers)
    return Forest(np.array(features), np.array(thresholds, np.float32), np.array(values), base)


def _edges(column: Floats) -> Floats:
    """Cuts between the values, so that it does not matter how those are rounded."""
    values = np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)).astype(np.float32))
    return ((values[:-1] + values[1:]) / 2).astype(np.float32)


def _best_question(
    choice: npt.NDArray[np.int64],
    edges: list[Floats],
    bins: list[npt.NDArray[np.int64]],
    state: tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]],
    parts: int,
) -> tuple[int, int]:
    """The column and cut that part the rows of all leaves best."""
    leaves, slope, bend = state
    best = (-1.0, 0, 0)
    for column in choice:
        size = len(edges[column]) + 1
        cells = leaves * size + bins[column]
        left = np.bincount(cells, slope, parts * size).reshape(parts, size).cumsum(axis=1)
        bent = np.bincount(cells, bend, parts * size).reshape(parts, size).cumsum(axis=1)
        right, right_bent = left[:, -1:] - left, bent[:, -1:] - bent
        gain = (left**2 / (bent + SMOOTHING) + right**2 / (right_bent + SMOOTHING)).sum(axis=0)[:-1]
        best = max(best, (float(gain.max(initial=-1)), int(column), int(gain.argmax()) if len(gain) else 0))
    return best[1], best[2]


# -------------------------------------------------------------------------------------------------------- training


def train(examples: Sequence[Example]) -> tuple[Forest, Forest]:
    """Both forests; the second learns from what a first forest said of pages it had not seen."""
    halves: tuple[list[Example], list[Example]] = ([], [])
    for example in examples:
        halves[zlib.crc32(example.group.encode()) // FOLDS & 1].append(example)
    for half, other in (halves, halves[::-1]):
        forest = _grown(other, "first")
        for example in half:
            likely = forest.probabilities(example.first)
            example.second = second_features(example.outline, example.first, likely)
    return _grown(examples, "first"), _grown(examples, "second")


def _grown(examples: Sequence[Example], stage: str) -> Forest:
    return grow(
        np.concatenate([getattr(example, stage) for example in examples], axis=1),
        np.concatenate([example.is_text for example in examples]),
        np.concatenate([example.weight for example in examples]),
    )


def cross_validate(examples: Sequence[Example], prefix: Path | None) -> None:
    """Print the mean F of each site and set, each read by forests that have not seen it."""
    fold_of = {example.group: fold_number(example.group) for example in examples}
    scores = defaultdict(list)
    for fold in range(FOLDS):
        forests = train([example for example in examples if fold_of[example.group] != fold])
        if prefix:
            save(forests, prefix.with_name(f"{prefix.stem}-fold{fold}.npz"))
        for example in examples:
            if fold_of[example.group] == fold:
                scores[example.part].append(example.score(judged(example.outline, example.first, forests)))
    for part, values in scores.items():
        print(f"{part:24}{fmean(values):.4f}  {len(values)} pages")


def fold_number(group: str) -> int:
    """The fold of a site or single page."""
    return zlib.crc32(group.encode()) % FOLDS


def save(forests: tuple[Forest, Forest], path: Path) -> None:
    """Write both forests in the form that the package reads."""
    arrays: dict[str, Any] = {}
    for stage, forest in enumerate(forests, 1):
        arrays[f"features{stage}"] = forest.features.astype(np.int16)
        arrays[f"thresholds{stage}"] = forest.thresholds
        arrays[f"values{stage}"] = forest.values.astype(np.float16)
        arrays[f"base{stage}"] = np.float32(forest.base)
    np.savez_compressed(path, allow_pickle=False, **arrays)


def load(path: Path) -> Iterator[Example]:
    """The examples of a data file."""
    seen: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            page = json.loads(line)
            seen[page["site"]] += page["kind"] != "other"
            if page["kind"] != "other" and (page["set"] == "single" or seen[page["site"]] <= PAGES_PER_SITE):
                example = Example(page)
                if len(example.outline):
                    yield example


def main() -> None:
    """Train, report and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, help="where to write the forests trained on everything")
    parser.add_argument("--folds", type=Path, help="where to write the forests of the folds: PREFIX-fold0.npz, ...")
    parser.add_argument("--no-validation", action="store_true")
    arguments = parser.parse_args()
    examples = list(load(arguments.data))
    print(f"{len(examples)} pages, {sum(len(example.outline) for example in examples)} blocks")
    if not arguments.no_validation:
        cross_validate(examples, arguments.folds)
    if arguments.out:
        save(train(examples), arguments.out)


if __name__ == "__main__":
    main()
