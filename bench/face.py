"""How quickly the dashboard and the search answer over a large collection, and how much memory the dashboard takes.

Usage:
    python bench/large_collection.py /tmp/large --pages 200000     once; minutes
    python bench/face.py /tmp/large                                 the index is made first if it is not there yet
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

from haenyeo.store.search import SearchIndex, SearchQuery

VIEWS = (
    "/",
    "/pages",
    "/pages?sort=best",
    "/frontier",
    "/sites",
    "/sites/{site}",
    "/pages/{page}",
    "/records",
    "/refresh",
)
APIS = ("/api/overview", "/api/pages", "/api/frontier", "/api/sites", "/api/freshness")
QUERIES = ("해녀", "굴", "제주 바람", "ba de", '"lu ma"', "bad*")
ROUNDS = 5
SETTLED = 40.0  # seconds until all background looks have been made at least once


def search_times(folder: Path) -> dict[str, float]:
    """The slowest of a few searches for each query, in milliseconds."""
    with SearchIndex(folder) as index:
        index.update()
        return {
            query: max(index.find(SearchQuery(words=query)).milliseconds for _ in range(ROUNDS)) for query in QUERIES
        }


def first_bytes(port: int, token: str, path: str) -> list[float]:
    """Milliseconds until an answer begins, for some requests one after another."""
    times = []
    for _ in range(ROUNDS):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        began = time.perf_counter()
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        times.append((time.perf_counter() - began) * 1000)
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status}")
        answer.read()
        connection.close()
    return times


def peak_megabytes(process: int) -> float:
    """The most memory a process ever had."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return int(found[1]) / 1000 if found else 0.0


def measure(folder: Path) -> dict[str, object]:
    """All of it."""
    searches = search_times(folder)
    server = subprocess.Popen(
        [sys.executable, "-m", "haenyeo", "serve", str(folder), "--port", "0", "--quiet"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        port, token = int(re.findall(r":(\d+)/", url)[0]), url.partition("token=")[2]
        time.sleep(SETTLED)
        paths = [view.format(site="site1.example.org", page=1000) for view in VIEWS]
        paths += [*APIS, *(f"/pages?q={quote(query)}" for query in QUERIES)]
        times = {path: first_bytes(port, token, path) for path in paths}
        memory = peak_megabytes(server.pid)
    finally:
        server.terminate()
        server.wait()
    return {
        "search_ms": searches,
        "first_byte_ms": {path: [statistics.median(each), max(each)] for path, each in times.items()},
        "peak_mb": memory,
    }


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = measure(options.folder)
    if options.json:
        print(json.dumps(measured, ensure_ascii=False, indent=1))
        return
    print("search, ms:", json.dumps(measured["search_ms"], ensure_ascii=False))
    times = measured["first_byte_ms"]
    assert isinstance(times, dict)
    for path, (median, slowest) in times.items():
        print(f"{median:7.0f} {slowest:7.0f} ms  {path}")
    print(f"peak memory {measured['peak_mb']:.0f} MB")


if __name__ == "__main__":
    main()
