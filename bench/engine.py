"""What a crawl costs: CPU, pages a second and memory of `haenyeo crawl`, beside Scrapy and a bare loop.

    python bench/engine.py                                   haenyeo alone
    python bench/engine.py --peer-python ~/peers/bin/python  beside the peers that this interpreter has
    python bench/engine.py --rounds 5 --json

The demo web (two thousand pages, 27 sites) is served by a process of its own; each crawler must fetch everything it can
reach by links, up to 1,500 pages. Haenyeo obeys robots.txt and writes WARC and SQLite; the peers write a JSON-lines
file. The crawlers take turns; the median of the rounds is shown. Machines differ: read the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
PEERS = {"scrapy": "scrapy", "bare loop": "aiohttp, selectolax"}
SCRIPTS = {"scrapy": HERE / "peers" / "scrapy_spider.py", "bare loop": HERE / "peers" / "bare_loop.py"}
Figures = dict[str, float]


def served() -> tuple[subprocess.Popen[str], str]:
    """The demo web in a process of its own, and the address of the page to start from."""
    code = (
        "import asyncio; from haenyeo.demo import DemoWeb, serve\n"
        "async def main():\n"
        "    web = DemoWeb()\n"
        "    async with serve(web):\n"
        "        print(web.topics()[0].seeds[0], flush=True)\n"
        "        await asyncio.Event().wait()\n"
        "asyncio.run(main())"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    return process, process.stdout.readline().strip()


def proxy_of(start: str) -> str:
    """The demo server is its own proxy, so that no crawler has to look up its made-up names."""
    return f"http://127.0.0.1:{start.rstrip('/').rpartition(':')[2]}"


def measured(command: list[str]) -> Figures:
    """Wall and CPU seconds and peak memory of one command."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(["timeout", "300", *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            output.seek(0)
            sys.exit(f"{' '.join(command)} ended with {child.returncode}:\n{output.read().decode()[-2000:]}")
    return {
        "wall s": time.perf_counter() - began,
        "cpu s": used.ru_utime + used.ru_stime,
        "peak MB": used.ru_maxrss / 1024,
    }


def run_haenyeo(start: str, folder: Path, strategy: str = "bfs") -> Figures:
    """One crawl of everything; counts the pages the store holds."""
    call = [sys.executable, "-m", "haenyeo"]
    place = folder / "collection"
    subprocess.run([*call, "new", str(place), "--topic", "sea", "--seed", start, "-q"], check=True)
    settings = place / "haenyeo.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'), encoding="utf-8")
    options = [
        "--strategy",
        strategy,
        "--delay",
        "0",
        "--pages",
        "1500",
        "-q",
        "--no-index",
        "--proxy",
        proxy_of(start),
    ]
    figures = measured([*call, "crawl", str(place), *options])
    status = subprocess.run([*call, "status", str(place), "--json"], check=True, capture_output=True, text=True)
    return figures | {"pages": json.loads(status.stdout)["counts"]["fetched"]}


def run_peer(name: str, python: str, start: str, folder: Path) -> Figures:
    """One crawl by a peer; counts the lines it wrote."""
    out = folder / "out.jsonl"
    figures = measured([python, str(SCRIPTS[name]), start, str(out), "1500", proxy_of(start)])
    return figures | {"pages": sum(1 for _ in out.open("rb"))}


def usable(name: str, python: str) -> bool:
    """Can this interpreter import what the peer needs?"""
    return subprocess.run([python, "-c", f"import {PEERS[name]}"], capture_output=True, check=False).returncode == 0


def judge(options: argparse.Namespace) -> dict[str, Figures]:
    """The medians of all rounds, by crawler."""
    peers = [name for name in PEERS if options.peer_python and usable(name, options.peer_python)]
    rounds: dict[str, list[Figures]] = {name: [] for name in ("haenyeo", *peers)}
    server, start = served()
    try:
        for _ in range(options.rounds):
            for name, rows in rounds.items():
                with tempfile.TemporaryDirectory() as folder:
                    place = Path(folder)
                    rows.append(
                        run_haenyeo(start, place)
                        if name == "haenyeo"
                        else run_peer(name, options.peer_python, start, place)
                    )
    finally:
        server.terminate()
    return {name: summary(rows) for name, rows in rounds.items()}


def summary(rows: list[Figures]) -> Figures:
    """Medians over the rounds."""
    return {
        "pages": median(row["pages"] for row in rows),
        "cpu ms/page": median(1000 * row["cpu s"] / row["pages"] for row in rows),
        "pages/s": median(row["pages"] / row["wall s"] for row in rows),
        "peak MB": median(row["peak MB"] for row in rows),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer-python", default="", help="interpreter that has the peers")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = judge(options)
    if options.json:
        print(json.dumps(figures, indent=1))
        return
    columns = list(figures["haenyeo"])
    print("| crawler |", " | ".join(columns), "|")
    print("| --- |", " | ".join("---:" for _ in columns), "|")
    for name, row in figures.items():
        print(
            f"| {name} |",
            " | ".join(f"{row[column]:.3g}" if column == "cpu ms/page" else f"{row[column]:.0f}" for column in columns),
            "|",
        )


if __name__ == "__main__":
    main()
