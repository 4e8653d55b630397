"""Do PDFs say what `pdftotext` finds in them, and does a broken one harm anybody?

    python -m bench.pdf FOLDER [--mutated 300]

Needs poppler's `pdftotext` and `pdfinfo`. Every PDF of the folder is read as a crawl reads it, by the process that is
made for it. Printed are F of the words against `pdftotext`, the title beside the one that `pdfinfo` tells, how many of
the mutated ones crashed or hung that process, and the most memory that it took.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import resource
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.read.pdf.process import CRASHED, HUNG, PdfProcess
from haenyeo.read.pdf.worker import PdfText

SEED = 7
_CJK = "\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff"
_DIVIDED = re.compile(r"(?<=\w)[\u00ad\u2010-]\n(?=[^\W\d_])")
_WORDS = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


def words_of(text: str) -> Counter[str]:
    """How often each word occurs, letters of Chinese, Japanese and Korean one by one; divided words are whole."""
    return Counter(_WORDS.findall(_DIVIDED.sub("", text).lower()))


def f_measure(one: str, other: str) -> float:
    """F of the words of two texts."""
    first, second = words_of(one), words_of(other)
    return 2 * sum((first & second).values()) / max(1, sum(first.values()) + sum(second.values()))


def told_by(*command: str) -> str:
    """What a program prints."""
    return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")


def title_by_pdfinfo(path: Path) -> str:
    """The title that a PDF says it has."""
    found = re.search(r"^Title:\s*(.*)$", told_by("pdfinfo", str(path)), re.MULTILINE)
    return found[1].strip() if found else ""


def mutated(documents: Sequence[bytes], count: int) -> Iterator[bytes]:
    """So many PDFs with bytes changed, parts cut out or doubled, or their ends missing."""
    chance = random.Random(SEED)
    for number in range(count):
        data = bytearray(documents[number % len(documents)])
        at, length = chance.randrange(len(data)), chance.randrange(1, 5000)
        way = chance.randrange(4)
        if way == 0:
            for _ in range(chance.randrange(1, 400)):
                data[chance.randrange(len(data))] = chance.randrange(256)
        elif way == 1:
            del data[at : at + length]
        elif way == 2:
            data[at:at] = data[at : at + length]
        else:
            del data[at:]
        yield bytes(data)


async def read_all(documents: Sequence[bytes]) -> list[PdfText]:
    """What each of them says, all read by one `PdfProcess`."""
    process = PdfProcess()
    try:
        return [await process.read(data) for data in documents]
    finally:
        await process.close()


def compared(paths: Sequence[Path], texts: Sequence[PdfText]) -> list[float]:
    """F of each against `pdftotext`, printed with titles."""
    found = []
    for path, text in zip(paths, texts, strict=True):
        said = parse_html(text.html, Url("https://example.org/")).text if text.html else ""
        found.append(f_measure(said, told_by("pdftotext", str(path), "-")))
        title = _TITLE.search(text.html)
        print(f"{found[-1]:.3f} {text.pages:>5} pages  {path.name:<44} {text.reason}", flush=True)
        print(f"      {title[1] if title else '':.60} | {title_by_pdfinfo(path):.60}")
    return found


def main() -> None:
    """Read the folder's PDFs, then mutated ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mutated", type=int, default=300)
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.pdf"))
    documents = [path.read_bytes() for path in paths]
    found = compared(paths, asyncio.run(read_all(documents)))
    print(f"F {mean(found):.3f} in the mean of {len(found)}, least {min(found):.3f}")
    endings = Counter(
        text.reason or "read" for text in asyncio.run(read_all(list(mutated(documents, options.mutated))))
    )
    print(f"{options.mutated} mutated: {dict(endings)}; crashed {endings[CRASHED]}, hung {endings[HUNG]}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"most memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
