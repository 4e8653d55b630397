"""How many dates of publication are right? On pages where htmldate and the page's own data for machines agree.

    python -m bench.dates PAGES.jsonl.gz ... --peer-python ~/peers/bin/python

The data is that of `read.py`. A date is right if it is at most a day from the one that both give: pages say their
times in zones of their own. Pages on which both agree, but Haenyeo finds nothing, are wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from bench.read import Page
from bench.read_examples import address_of, pages_in

from haenyeo.model.pages import Document, Url
from haenyeo.read.extract import ContainerMethod

SCRIPT = Path(__file__).parent / "peers" / "dates.py"
A_DAY = 1


def agreed(pages: Sequence[Page], python: str) -> list[str]:
    """The day that htmldate and the page agree on, or nothing, of each page."""
    asked = "\n".join(json.dumps({"html": page["html"]}) for page in pages)
    done = subprocess.run([python, str(SCRIPT)], input=asked, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [row["said"] if row["said"] and distance(row["said"], row["htmldate"]) <= A_DAY else "" for row in found]


def distance(one: str, other: str) -> int:
    """Days between two dates in ISO 8601; many if one of them is none."""
    try:
        return abs((date.fromisoformat(one[:10]) - date.fromisoformat(other[:10])).days)
    except ValueError:
        return 1_000_000


def document_alone(page: Page) -> Document:
    """What a page says by itself."""
    way = ContainerMethod()
    return way.read(way.learn(Url(address_of(page)), page["html"]))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--peer-python", required=True, help="interpreter that has htmldate")
    options = parser.parse_args()
    for path in options.data:
        pages = [page for page in pages_in(path) if page["kind"] != "other"]
        days = agreed(pages, options.peer_python)
        dated = [(page, day) for page, day in zip(pages, days, strict=True) if day]
        found = [(document_alone(page), day) for page, day in dated]
        right = sum(distance(document.published, day) <= A_DAY for document, day in found)
        sources = Counter(document.published_by or "nothing" for document, _ in found)
        share = f"{right / len(found):.3f}" if found else "-"
        print(f"{path.name}: {share} of {len(found)} pages with an agreed date right; found by {dict(sources)}")


if __name__ == "__main__":
    main()
