"""What hostile servers cost: CPU and memory of a crawl of each hostile case of the tests.

    python bench/hostile.py                    all cases, the most expensive first
    python bench/hostile.py html size --json   those whose names contain one of the words

A crawl of two harmless pages is measured first; what a case takes beyond it, whatever the number of its pages, is an
upper bound for any one of them. Exit status 1 if a case takes more than 2 s of CPU a page or more than 600 MB.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "journeys"))

from hostile.cases import CASES
from hostile.crawl import crawl
from hostile.server import Web
from hostile.stage import Stage

MOST_CPU, MOST_MB = 2.0, 600.0
AT_A_TIME = 6  # most cases wait


class Cost(NamedTuple):
    """What a crawl took: CPU seconds beyond those of a harmless one, and memory."""

    case: str
    cpu: float
    memory_mb: float
    pages: int

    @property
    def is_bounded(self) -> bool:
        """Is it within the limits?"""
        return self.cpu <= MOST_CPU * max(1, self.pages) and self.memory_mb <= MOST_MB


def cost(name: str, web: Web, folder: Path) -> Cost:
    """Crawl the stage that the case sets; without a name, one with nothing hostile on it."""
    (folder / name).mkdir()
    stage = Stage(web, folder / name)
    try:
        if name in CASES:
            CASES[name](stage)
        result = crawl(stage)
    finally:
        stage.close()
    return Cost(name, result.crawl.cpu_seconds, result.crawl.memory_mb, len(result.records))


def all_costs(words: list[str]) -> list[Cost]:
    """The costs of the cases whose names have one of the words, the most expensive first."""
    names = [name for name in CASES if not words or any(word in name for word in words)]
    with tempfile.TemporaryDirectory() as folder, Web() as web, ThreadPoolExecutor(AT_A_TIME) as pool:
        harmless = cost("harmless", web, Path(folder)).cpu
        costs = list(pool.map(lambda name: cost(name, web, Path(folder)), names))
    return sorted((item._replace(cpu=item.cpu - harmless) for item in costs), key=lambda item: -item.cpu)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="parts of the names of cases")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    costs = all_costs(options.words)
    if options.json:
        print(json.dumps([item._asdict() for item in costs], indent=1))
    else:
        print(f"{'case':28}{'cpu s':>8}{'MB':>7}{'pages':>10}")
        for item in costs:
            print(f"{item.case:28}{item.cpu:8.2f}{item.memory_mb:7.0f}{item.pages:10}")
    return 0 if all(item.is_bounded for item in costs) else 1


if __name__ == "__main__":
    sys.exit(main())
