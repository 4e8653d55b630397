"""How fast and how large are the frontier and the set of seen addresses?

    python bench/frontier.py [--urls 5000000] [--json]

One huge site holds half of the links, ten thousand small sites the other half; links arrive in pages of fifty. Memory
is the resident size of the whole process, rates are per second of processor time. The last part has five links a site,
which makes a million sites of five million links, beside the first frontier.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Iterator

import numpy as np

from haenyeo.find.frontier import Frontier, Rescore
from haenyeo.find.seen import SeenSet

_PAGE = 50
_SMALL_SITES = 10_000
_POPS = 200_000


def main() -> None:
    """Run all parts and print their figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--urls", type=int, default=5_000_000)
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    figures = measure(options.urls)
    if options.json:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name:32}{figure:>14,.0f}")


def measure(urls: int) -> dict[str, float]:
    """The figures by name: rates per second, memory in MB."""
    random = np.random.default_rng(1)
    figures = {"resident_mb_at_start": _resident_mb()}
    frontier, seen = Frontier(), SeenSet()
    figures["pushes_per_second"], figures["seen_adds_per_second"] = _fill(frontier, seen, urls, random)
    figures["resident_mb_full"] = _resident_mb()
    figures["pops_per_second"] = _drain(frontier)
    figures["rescored_pops_per_second"] = _drain(frontier, lambda ref, score: score * (0.5 if ref % 5 == 0 else 1.0))
    figures["resident_mb_peak"] = _peak_mb()
    figures["bulk_pushes_per_second"] = _bulk(_SMALL_SITES, urls, random)
    figures["bulk_pushes_per_second_5_a_site"] = _bulk(urls // 5, urls, random)
    figures["resident_mb_peak_5_a_site"] = _peak_mb()
    return figures


def _pages(urls: int, random: np.random.Generator) -> Iterator[tuple[list[str], list[int], list[float]]]:
    """Pages of fifty links: half to the huge site, half spread over five small ones."""
    for first in range(0, urls, _PAGE):
        small = [f"site{number}.example" for number in random.integers(0, _SMALL_SITES, 5).tolist()]
        sites = ["huge.example"] * (_PAGE // 2) + small * (_PAGE // 10)
        yield sites, list(range(first, first + _PAGE)), random.random(_PAGE).tolist()


def _fill(frontier: Frontier, seen: SeenSet, urls: int, random: np.random.Generator) -> tuple[float, float]:
    pushing = adding = 0.0
    for sites, refs, scores in _pages(urls, random):
        hashes = random.integers(0, 2**64, _PAGE, dtype=np.uint64)
        start = time.process_time()
        seen.add(hashes)
        middle = time.process_time()
        frontier.push_links(sites, refs, scores)
        pushing += time.process_time() - middle
        adding += middle - start
    return urls / pushing, urls / adding


def _drain(frontier: Frontier, rescore: Rescore | None = None) -> float:
    """Pop best first, each site resting for a hundredth of a second after each request."""
    now = popped = 0.0
    start = time.process_time()
    for _ in range(_POPS):
        now += 1e-4
        link = frontier.pop(now, rescore)
        if link is not None:
            frontier.release(link[0], now + 0.01)
            popped += 1
    return popped / (time.process_time() - start)


def _bulk(sites: int, urls: int, random: np.random.Generator) -> float:
    """Rebuild a frontier from arrays grouped by site."""
    names = [f"site{number}.example" for number in range(sites)]
    counts = np.full(sites, urls // sites)
    refs, scores = np.arange(counts.sum()), random.random(int(counts.sum()))
    start = time.process_time()
    Frontier().push_groups(names, counts, refs, scores)
    return float(counts.sum()) / (time.process_time() - start)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _resident_mb() -> float:
    with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123
        return int(statm.read().split()[1]) * resource.getpagesize() / 1e6


if __name__ == "__main__":
    main()
