"""WordNet 3.0: the senses of English nouns and verbs, and what each is a kind of.

G. A. Miller, 1995. The graph is shipped with haenyeo, packed by tools/pack_wordnet.py; see the licence beside it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from haenyeo.words.kinship import TermGraph

# Endings that inflections have and what lemmas have instead (morphy of WordNet's own library).
_ENDINGS = {
    "n": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
          ("men", "man"), ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
}  # fmt: skip


class WordNet(TermGraph):
    """The nouns and verbs of WordNet; `part` is n or v."""

    def __init__(self, data: bytes, part: str = "n") -> None:
        packed = np.load(io.BytesIO(data), allow_pickle=False)
        total, _, first_verb = packed["synsets"].tolist()
        super().__init__(total, packed["children"], packed["parents"], rooted=first_verb)
        self.part = part
        lemmas = packed["lemmas"].tobytes().decode().split("\n")
        ends = np.cumsum(packed["counts"].astype(np.int64)).tolist()
        flat = packed["senses"].tolist()
        self._senses = {
            lemma[2:]: flat[start:end]
            for lemma, start, end in zip(lemmas, [0, *ends], ends, strict=False)
            if lemma[0] == part
        }
        exceptions = (line.split() for line in packed["exceptions"].tobytes().decode().split("\n"))
        self._exceptions = {inflected: lemma for kind, inflected, lemma in exceptions if kind == part}

    def senses(self, word: str) -> Sequence[int]:
        """All senses of a word in any inflection."""
        found: dict[int, None] = {}
        for lemma in self._lemmas(word):
            found.update(dict.fromkeys(self._senses.get(lemma, ())))
        return list(found)

    def _lemmas(self, word: str) -> list[str]:
        """The word itself if it is a lemma, and the lemmas it may be an inflection of."""
        if word in self._exceptions:
            return [word, self._exceptions[word]]
        forms = [
            word.removesuffix(ending) + instead for ending, instead in _ENDINGS[self.part] if word.endswith(ending)
        ]
        return [word, *(form for form in forms if form in self._senses)]


@cache
def wordnet(part: str = "n") -> WordNet:
    """WordNet's nouns (n) or verbs (v), read once."""
    return WordNet(files("haenyeo.words").joinpath("data/wordnet.npz").read_bytes(), part)
