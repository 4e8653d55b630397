"""Train the judge of single pages on pages with known text, and say how well it does on sources it has not seen.

    python -m bench.train_reader PAGES.jsonl.zst ... --kinds kinds.json                   cross-validated by source
    python -m bench.train_reader PAGES.jsonl.zst ... --kinds kinds.json --out judge.npz   and trained on all, written

A line of the data is {"set", "site", "url", "kind", "html", "gold", "title"}; pages of set "single" have nothing in
common but their hosts, of any other site the first twenty articles are scored and the first eight learned from. The
file of kinds says for each site or set of single pages what kind of pages it has ({"reef-forum": "thread"}); those it
does not name teach no kind. Needs `catboost`, which the package itself does not. A quarter of an hour on one core.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from bench.read_examples import Example, load_examples

from haenyeo.model.pages import KINDS
from haenyeo.read.page.expected import best_cut
from haenyeo.read.page.features import second_features
from haenyeo.read.page.forest import Forest
from haenyeo.read.page.judge import kind_shares, mixed
from haenyeo.read.page.texts import Floats

FOLDS = 5
LEARNED_PER_SITE = 8
SETTINGS = {"learning_rate": 0.12, "border_count": 32, "l2_leaf_reg": 5, "thread_count": 1, "random_seed": 1}
BLOCKS = {**SETTINGS, "depth": 6, "rsm": 0.4, "bootstrap_type": "No", "score_function": "L2"}
PAGES = {**SETTINGS, "depth": 4, "rsm": 0.5, "iterations": 160, "loss_function": "MultiClass"}
FORESTS = 2  # of which the mean is taken
SEEN = 0.65  # of the blocks, by each
NEVER = 3e38  # above every value of a feature
LEAST_CHOSEN = 0.15  # of the blocks that weigh little

Judged = dict[int, Floats]
"""By number of an example, the probabilities of its blocks, by a forest that has not seen its source."""


class Trainer:
    """Trains on examples, and reads each by forests that have not seen its source."""

    def __init__(self, examples: list[Example], trees: int) -> None:
        self.examples, self.trees = examples, trees
        self.fitted: list[list[Forest]] = []
        sizes = Counter(example.part for example in examples)
        for example in examples:
            example.weight *= (200 / sizes[example.part]) ** 0.5

    def folded(self, fit: Callable[[list[int]], Callable[[int], Floats]]) -> Judged:
        """What is said of each example by what was fitted to the other folds."""
        said: Judged = {}
        for fold in range(FOLDS):
            ask = fit([number for number, example in enumerate(self.examples) if example.fold(FOLDS) != fold])
            for number, example in enumerate(self.examples):
                if example.fold(FOLDS) == fold:
                    said[number] = ask(number)
            print(f"fold {fold}", flush=True)
        return said

    def kind_forests(self, chosen: list[int]) -> list[Forest]:
        """A forest for each kind, which together say how likely each is."""
        from catboost import CatBoostClassifier

        known = [self.examples[number] for number in chosen if self.examples[number].kind and self._is_learned(number)]
        sizes = Counter(example.kind for example in known)
        weights = [(10 if example.is_single else 4) / sizes[example.kind] ** 0.5 for example in known]
        model = CatBoostClassifier(**PAGES, verbose=0, allow_writing_files=False, classes_count=len(KINDS))
        model.fit(
            np.concatenate([example.page for example in known], axis=1).T,
            [KINDS.index(example.kind) for example in known],
            sample_weight=weights,
        )
        return forests_in(model, len(KINDS))

    def block_forest(self, chosen: list[int], columns: Sequence[Floats]) -> Forest:
        """A forest that says of blocks whether they are text: the mean of some that have seen different blocks."""
        return mean_of([self._grown(chosen, columns, seed) for seed in range(FORESTS)])

    def _grown(self, chosen: list[int], columns: Sequence[Floats], seed: int) -> Forest:
        from catboost import CatBoostClassifier, Pool

        random = np.random.default_rng(seed)
        rows, truth, weights = [], [], []
        for number in filter(self._is_learned, chosen):
            example = self.examples[number]
            share = SEEN * example.chances(LEAST_CHOSEN)
            taken = random.random(len(share)) < share
            rows.append(columns[number][:, taken])
            truth.append(example.is_text[taken])
            weights.append((example.weight / np.maximum(share, 1e-9))[taken])
        settings = {**BLOCKS, "random_seed": seed + 1, "iterations": self.trees}
        model = CatBoostClassifier(**settings, verbose=0, allow_writing_files=False)
        table = np.ascontiguousarray(np.concatenate(rows, axis=1).T)
        model.fit(Pool(table, np.concatenate(truth), weight=np.concatenate(weights)))
        return forests_in(model, 1)[0]

    def _is_learned(self, number: int) -> bool:
        return self.examples[number].is_single or self.examples[number].nth < LEARNED_PER_SITE

    def with_kinds(self, kinds: Judged) -> list[Floats]:
        """The features of the blocks with the probabilities of the page's kinds."""
        return [
            np.concatenate([example.first, np.repeat(kinds[number][:, None], len(example.outline), axis=1)])
            for number, example in enumerate(self.examples)
        ]

    def asked_of_kinds(self, chosen: list[int]) -> Callable[[int], Floats]:
        """What forests fitted to these examples say of the kind of any."""
        forests = self.kind_forests(chosen)
        self.fitted.append(forests)
        return lambda number: kind_shares(forests, self.examples[number].page)

    def asked_of_blocks(self, columns: Sequence[Floats]) -> Callable[[list[int]], Callable[[int], Floats]]:
        """The same of the blocks, for any choice of examples."""

        def fit(chosen: list[int]) -> Callable[[int], Floats]:
            forest = self.block_forest(chosen, columns)
            self.fitted.append([forest])
            return lambda number: forest.probabilities(columns[number])

        return fit

    def second(self, columns: Sequence[Floats], judged: Judged) -> list[Floats]:
        """The features of the second forest."""
        return [
            second_features(example.outline, columns[number], judged[number])
            for number, example in enumerate(self.examples)
        ]

    def report(self, judged: Judged, name: str) -> None:
        """Print the mean F of each site and set."""
        scores = defaultdict(list)
        for number, example in enumerate(self.examples):
            kept, _ = best_cut(judged[number], example.outline.weight)
            scores[example.is_single, example.part].append(example.score(kept))
        print(name)
        for (_, part), values in sorted(scores.items()):
            print(f"  {part:24}{fmean(values):.4f}  {len(values)} pages")
        for single in (True, False):
            parts = [fmean(values) for (is_single, _), values in scores.items() if is_single == single]
            if parts:
                print(f"  {'single' if single else 'sites':24}{fmean(parts):.4f}  mean of the parts", flush=True)


def forests_in(model: Any, count: int) -> list[Forest]:
    """The trees of a fitted model: one forest, or one for each class, that ask the same questions."""
    path = Path("/tmp") / f"train_reader_{id(model)}.json"
    model.save_model(str(path), format="json")
    written = json.loads(path.read_text())
    path.unlink()
    scale, bias = written["scale_and_bias"]
    trees = written["oblivious_trees"]
    depth = max(len(tree["splits"] or ()) for tree in trees)
    features, thresholds, values = [], [], []
    for tree in trees:
        splits = list(reversed(tree["splits"] or ()))  # there the last question is the highest bit
        missing = depth - len(splits)
        features.append([0] * missing + [split["float_feature_index"] for split in splits])
        thresholds.append([NEVER] * missing + [split["border"] for split in splits])
        leaves = np.array(tree["leaf_values"]).reshape(-1, count) * scale
        values.append(np.concatenate([leaves, np.zeros(((1 << depth) - len(leaves), count))]))
    base = list(bias) if isinstance(bias, list) else [bias]
    table = np.array(values)
    columns = np.array(features, np.int32)
    borders = np.array(thresholds, np.float32)
    base += [0.0] * (count - len(base))
    return [Forest(columns, borders, table[:, :, number], base[number]) for number in range(count)]


def mean_of(forests: Sequence[Forest]) -> Forest:
    """One forest that says in logits what several say on average."""
    features, thresholds = (
        np.concatenate([getattr(one, name) for one in forests]) for name in ("features", "thresholds")
    )
    values = np.concatenate([one.values for one in forests]) / len(forests)
    return Forest(features, thresholds, values, fmean(float(one.base) for one in forests))


def save(path: Path, kinds: Sequence[Forest], blocks: tuple[Forest, Forest]) -> None:
    """Write all forests in the form that the package reads."""
    arrays: dict[str, Any] = {}
    for name, forest in zip(
        (*(f"kind{number}" for number in range(len(kinds))), "1", "2"), (*kinds, *blocks), strict=True
    ):
        arrays[f"features{name}"] = forest.features.astype(np.int16)
        arrays[f"thresholds{name}"] = forest.thresholds
        arrays[f"values{name}"] = forest.values.astype(np.float16)
        arrays[f"base{name}"] = np.float32(forest.base)
    np.savez_compressed(path, allow_pickle=False, **arrays)


def main() -> None:
    """Train, report and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--kinds", type=Path, required=True, help="JSON: the kind of each site's pages")
    parser.add_argument("--out", type=Path, help="where to write the forests trained on everything")
    parser.add_argument("--folds", type=Path, help="where to write the forests of the folds: PREFIX-fold0.npz, ...")
    parser.add_argument("--trees", type=int, default=150)
    arguments = parser.parse_args()
    trainer = Trainer(load_examples(arguments.data, json.loads(arguments.kinds.read_text())), arguments.trees)
    everything = list(range(len(trainer.examples)))
    kinds = trainer.folded(trainer.asked_of_kinds)
    columns = trainer.with_kinds(kinds)
    judged = trainer.folded(trainer.asked_of_blocks(columns))
    trainer.report(judged, "first forest")
    again = trainer.second(columns, judged)
    if arguments.out:
        blocks = trainer.block_forest(everything, columns), trainer.block_forest(everything, again)
        save(arguments.out, trainer.kind_forests(everything), blocks)
    judged_again = trainer.folded(trainer.asked_of_blocks(again))
    trainer.report({one: mixed(judged[one], judged_again[one], kinds[one]) for one in everything}, "both forests")
    for fold in range(FOLDS if arguments.folds else 0):
        kind_forests, (first,), (second,) = trainer.fitted[fold::FOLDS]
        save(arguments.folds.with_name(f"{arguments.folds.name}-fold{fold}.npz"), kind_forests, (first, second))


if __name__ == "__main__":
    main()
