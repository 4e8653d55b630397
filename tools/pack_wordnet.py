"""Pack the nouns and verbs of WordNet 3.0 into src/haenyeo/words/data/wordnet.npz.

    python tools/pack_wordnet.py /usr/share/wordnet        # as in Debian's package wordnet-base

What is packed: who is a kind of whom (hypernyms and instance hypernyms), the senses of every lemma that is one word,
most frequent sense first, and the irregular inflections. Glosses and multi-word lemmas are left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

TARGET = Path(__file__).parents[1] / "src" / "haenyeo" / "words" / "data" / "wordnet.npz"
PARTS = ("noun", "verb")
HYPERNYMS = {"@", "@i"}


def synsets(folder: Path, part: str) -> dict[int, list[int]]:
    """The offsets of a part's synsets, each with those of its hypernyms."""
    found = {}
    for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        fields = line.partition("|")[0].split()
        words = int(fields[3], 16)
        start = 4 + 2 * words
        pointers = fields[start + 1 : start + 1 + 4 * int(fields[start])]
        quads = zip(*[iter(pointers)] * 4, strict=True)
        found[int(fields[0])] = [int(offset) for kind, offset, pos, _ in quads if kind in HYPERNYMS and pos == part[0]]
    return found


def senses(folder: Path, part: str) -> dict[str, list[int]]:
    """The offsets of each one-word lemma's senses."""
    found = {}
    for line in (folder / f"index.{part}").read_text(encoding="latin-1").splitlines():
        fields = line.split()
        if not line.startswith(" ") and "_" not in fields[0]:
            found[fields[0]] = [int(offset) for offset in fields[-int(fields[2]) :]]
    return found


def irregular(folder: Path, part: str) -> list[str]:
    """Lines `inflected lemma` of the part's exceptions."""
    pairs = (line.split()[:2] for line in (folder / f"{part}.exc").read_text(encoding="latin-1").splitlines())
    return [f"{part[0]} {inflected} {lemma}" for inflected, lemma in pairs if "_" not in inflected + lemma]


def main(folder: Path) -> None:
    """Write the file and say how large it is."""
    children, parents, lemmas, counts, flat, exceptions = [], [], [], [], [], []
    first = 0
    firsts = []
    for part in PARTS:
        firsts.append(first)
        known = synsets(folder, part)
        number = {offset: first + place for place, offset in enumerate(sorted(known))}
        for offset, above in known.items():
            children += [number[offset]] * len(above)
            parents += [number[other] for other in above]
        for lemma, offsets in senses(folder, part).items():
            lemmas.append(f"{part[0]} {lemma}")
            counts.append(len(offsets))
            flat += [number[offset] for offset in offsets]
        exceptions += irregular(folder, part)
        first += len(known)
    np.savez_compressed(
        TARGET,
        synsets=np.array([first, *firsts], np.int32),
        children=np.array(children, np.int32),
        parents=np.array(parents, np.int32),
        lemmas=np.frombuffer("\n".join(lemmas).encode(), np.uint8),
        counts=np.array(counts, np.uint8),
        senses=np.array(flat, np.int32),
        exceptions=np.frombuffer("\n".join(exceptions).encode(), np.uint8),
    )
    print(f"{TARGET}: {first} synsets, {len(lemmas)} lemmas, {TARGET.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
