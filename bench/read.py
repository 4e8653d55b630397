"""How well, how fast and in how little memory are pages read? Measured on pages with known text.

    python -m bench.read PAGES.jsonl.gz                          all pages of each site together, and single pages
    python -m bench.read PAGES.jsonl.gz --pages-per-site 1 5 20 all --method frequency
    python -m bench.read PAGES.jsonl.gz --folds judge            by forests that have not seen the site
    python -m bench.read PAGES.jsonl.gz --memory                 bytes held of each site, while it is learned too

A line of the data is {"set", "site", "url", "kind", "html", "gold", "title"}; `train_reader.py --folds` writes the
forests. F is of the page's words as a multiset; the gold text with and without the title are both right. The judged
pages are the first twenty articles of a site. Single pages are read one by one.
"""

from __future__ import annotations

import argparse
import gc
import io
import re
import sys
import time
import tracemalloc
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.read_examples import address_of, pages_in, source_of

from haenyeo.collect.adapters.reading.site_texts import ContainerTexts
from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.read.extract import ContainerMethod, method_named
from haenyeo.read.page import judge

JUDGED = 20
FOLDS = 5
MEASURED = (1, 2, 3, 4, 5, 6, 8, 16, 32, 64, 200)  # pages of a site after which its memory is measured
TOKEN = re.compile(r"[a-z0-9_]+|[\uac00-\ud7a3]+|[\u3040-\u30ff\u3400-\u9fff]|[^\W_a-z0-9\uac00-\ud7a3\u3040-\u9fff]+")

Page = dict[str, Any]


def f_of(text: str, page: Page) -> float:
    """F of the words of a text against the true ones."""
    found, body = Counter(TOKEN.findall(text.lower())), Counter(TOKEN.findall(page["gold"].lower()))
    golds = [body, body + Counter(TOKEN.findall(page["title"].lower()))] if page.get("title") else [body]
    return max(2 * (found & gold).total() / max(1, found.total() + gold.total()) for gold in golds)


def read_group(pages: Sequence[Page], method: str) -> tuple[list[float], float, int]:
    """F of the judged pages of a group read together, the CPU seconds, and the bytes that were remembered."""
    way, began = method_named(method)(), time.process_time()
    prepared = [way.learn(Url(page["url"]), page["html"]) for page in pages]
    documents = [way.read(one) for one in prepared]
    seconds = time.process_time() - began
    scores = [f_of(doc.text, page) for doc, page in zip(documents, pages, strict=True) if page["judged"]]
    return scores, seconds, len(way.to_bytes())


def read_sites(sites: dict[str, list[Page]], size: str, method: str, use: Any) -> None:
    """Print F by site, with so many pages read together."""
    means, seconds, count, largest = {}, 0.0, 0, 0
    for number, (site, pages) in enumerate(sites.items()):
        use(number)
        judged = [page for page in pages if page["judged"]]
        step = len(pages) if size == "all" else int(size)
        source = pages if size == "all" else judged
        groups = [source[start : start + step] for start in range(0, len(source), step)]
        results = [read_group(group, method) for group in groups]
        means[site] = fmean(score for scores, _, _ in results for score in scores)
        seconds += sum(result[1] for result in results)
        count += sum(map(len, groups))
        largest = max(largest, *(result[2] for result in results))
    worst = min(means, key=means.__getitem__)
    print(
        f"{size:>4} pages a site: F {fmean(means.values()):.4f}, worst {worst} {means[worst]:.3f},"
        f" {1000 * seconds / count:.2f} ms a page, at most {largest / 1024:.0f} KB remembered of a site"
    )


def read_singles(pages: Sequence[Page], method: str, use: Any) -> None:
    """Print F of pages that have nothing in common."""
    scores: dict[str, list[float]] = defaultdict(list)
    seconds = 0.0
    for number, page in enumerate(pages):
        use(number)
        found, spent, _ = read_group([page], method)
        scores[page["site"]] += found
        seconds += spent
    for site, values in scores.items():
        print(f"single pages, {site}: F {fmean(values):.4f} of {len(values)}")
    print(f"single pages: {1000 * seconds / len(pages):.2f} ms a page")


def forget_shared() -> None:
    """Empty what all sites share, but for the forests."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("haenyeo.read."):
            for part in vars(module).values():
                if part is not judge.forests:
                    getattr(part, "cache_clear", int)()


def crawled(pages: Sequence[Page]) -> ContainerTexts:
    """What a crawl holds of a site after these pages."""
    texts, html = ContainerTexts(), {page["url"]: page["html"] for page in pages}
    for page in pages:
        texts.read(Url(page["url"]), parse_html(page["html"], Url(page["url"])), str)
        if texts.may_settle:
            list(texts.settle(lambda url: parse_html(html[url], url)))
    return texts


def extracted(pages: Sequence[Page]) -> ContainerMethod:
    """What `extract_site` knows of a site when it has learned these pages, and read one."""
    method = ContainerMethod()
    for page in pages:
        prepared = method.learn(Url(page["url"]), page["html"])
    method.read(prepared)
    return method


def bytes_held(make: Callable[[Sequence[Page]], object], pages: Sequence[Page]) -> int:
    """The bytes that become free when what is known of a site after these pages is let go of."""
    held = make(pages)
    forget_shared()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    del held
    gc.collect()
    return before - tracemalloc.get_traced_memory()[0]


def print_memory(sites: dict[str, list[Page]]) -> None:
    """Print what is held of each site: after few pages, which wait to be settled, and after many."""
    print(f"{'KB held after pages':20}" + "".join(f"{count:6}" for count in MEASURED) + "   by extract_site")
    tracemalloc.start()
    most = 0
    for site, pages in sites.items():
        crawl = [bytes_held(crawled, pages[:count]) for count in MEASURED]
        extract = [bytes_held(extracted, pages[:count]) for count in MEASURED]
        most = max(most, *crawl, *extract)
        print(f"{site:20}" + "".join(f"{size / 1024:6.0f}" for size in [*crawl, max(extract)]), flush=True)
    print(f"at most {most / 1024:.0f} KB")


def load(path: Path) -> tuple[dict[str, list[Page]], list[Page]]:
    """The sites and the single pages of a data file."""
    sites: dict[str, list[Page]] = defaultdict(list)
    singles: list[Page] = []
    for page in pages_in(path):
        page |= {"source": source_of(page), "url": address_of(page)}
        article = page["kind"] != "other"
        if page["set"] == "single":
            singles.append({**page, "judged": True})
        else:
            place = sum(other["kind"] != "other" for other in sites[page["site"]])
            sites[page["site"]].append({**page, "judged": article and place < JUDGED})
    return sites, singles


def forests_of(prefix: Path) -> list[judge.Forests]:
    """The forests of each fold."""
    return [judge.read_forests(io.BytesIO(Path(f"{prefix}-fold{fold}.npz").read_bytes())) for fold in range(FOLDS)]


def main() -> None:
    """Read and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--method", default="container")
    parser.add_argument("--pages-per-site", nargs="+", default=["1", "5", "20", "all"])
    parser.add_argument("--folds", type=Path, help="prefix of the forests that train_reader.py --folds has written")
    parser.add_argument("--memory", action="store_true", help="say what a crawl holds of each site, and no more")
    arguments = parser.parse_args()
    sites, singles = load(arguments.data)
    if arguments.memory:
        print_memory(sites)
        return
    folds = forests_of(arguments.folds) if arguments.folds else []

    def using(names: Sequence[str]) -> Any:
        def use(number: int) -> None:
            if folds:
                chosen = folds[fold_number(names[number])]
                judge.forests = lambda: chosen  # type: ignore[assignment]

        return use

    for size in arguments.pages_per_site if sites else ():
        read_sites(sites, size, arguments.method, using(list(sites)))
    if singles:
        read_singles(singles, arguments.method, using([page["source"] for page in singles]))


def fold_number(group: str) -> int:
    """The fold of a site or single page, as `train_reader.py` deals them out."""
    return zlib.crc32(group.encode()) % FOLDS


if __name__ == "__main__":
    main()
