"""How well do others read the same pages? F and CPU time beside trafilatura, Resiliparse and readability.

    python -m bench.extractors PAGES.jsonl.gz --peer-python ~/peers/bin/python [--folds PREFIX] [--json]

The data, F and the forests are those of `read.py`: with --folds Haenyeo reads a site by a forest that has not seen it.
Haenyeo reads the judged pages of a site together, as it does in a crawl; the others know one page at a time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from bench import read

from haenyeo.read.page import judge

SCRIPT = Path(__file__).parent / "peers" / "extractors.py"
NAMES = {"trafilatura": "trafilatura", "Resiliparse": "resiliparse", "readability": "readability"}
Groups = dict[str, list[read.Page]]
Figures = dict[str, float]


def judged_pages(path: Path) -> tuple[Groups, Groups]:
    """The judged pages by site, and the single pages by their collection."""
    sites, singles = read.load(path)
    alone: Groups = {}
    for page in singles:
        alone.setdefault(page["site"], []).append(page)
    return {site: [page for page in pages if page["judged"]] for site, pages in sites.items()}, alone


def own_figures(sites: Groups, singles: Groups, folds: Path | None) -> Figures:
    """Haenyeo's."""
    forests = read.forests_of(folds) if folds else []

    def scores(pages: Sequence[read.Page], name: str) -> tuple[list[float], float]:
        if forests:
            chosen = forests[read.fold_number(name)]
            judge.forests = lambda: chosen  # type: ignore[assignment]
        found, seconds, _ = read.read_group(pages, "container")
        return found, seconds

    together = [scores(pages, site) for site, pages in sites.items()]
    alone = [[scores([page], page["source"]) for page in pages] for pages in singles.values()]
    count = sum(len(found) for found, _ in together)
    return {
        "sites": fmean(fmean(found) for found, _ in together),
        "single pages": fmean(fmean(found[0] for found, _ in group) for group in alone) if alone else 0.0,
        "ms a page": 1000 * sum(seconds for _, seconds in together) / count,
    }


def peer_figures(name: str, python: str, sites: Groups, singles: Groups) -> Figures:
    """Another's; every page by itself."""
    groups = [*sites.values(), *singles.values()]
    pages = [page for group in groups for page in group]
    asked = "\n".join(json.dumps({"html": page["html"]}) for page in pages)
    done = subprocess.run([python, str(SCRIPT), name], input=asked, capture_output=True, text=True, check=True)
    *texts, last = [json.loads(line) for line in done.stdout.splitlines()]
    found = iter(read.f_of(text["text"], page) for text, page in zip(texts, pages, strict=True))
    means = [fmean(next(found) for _ in group) for group in groups]
    return {
        "sites": fmean(means[: len(sites)]),
        "single pages": fmean(means[len(sites) :]) if singles else 0.0,
        "ms a page": 1000 * last["seconds"] / len(pages),
    }


def measure(data: Path, python: str, folds: Path | None = None) -> dict[str, Figures]:
    """All of them that can be imported, Haenyeo first."""
    sites, singles = judged_pages(data)
    figures = {"Haenyeo": own_figures(sites, singles, folds)}
    for name, module in NAMES.items():
        known = subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False) if python else None
        if known is not None and known.returncode == 0:
            figures[name] = peer_figures(name, python, sites, singles)
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--peer-python", default="", help="interpreter that has the peers")
    parser.add_argument("--folds", type=Path, help="prefix of the forests that train_reader.py --folds has written")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, Any] = measure(options.data, options.peer_python, options.folds)
    if options.json:
        print(json.dumps(figures, indent=1))
        return
    print("| extractor | F, sites | F, single pages | CPU ms a page |\n| --- | ---: | ---: | ---: |")
    for name, row in figures.items():
        print(f"| {name} | {row['sites']:.3f} | {row['single pages']:.3f} | {row['ms a page']:.1f} |")


if __name__ == "__main__":
    main()
