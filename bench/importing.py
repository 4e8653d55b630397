"""What does it cost to import many pages, and does it cost the same from the first to the last?

    python -m bench.importing                       100,000 pages of 3,000 sites, from one WARC file
    python -m bench.importing --pages 5000 --sites 300
    python -m bench.importing --minutes 5           stops the import now and then, as Ctrl-C would, and goes on

A made-up web (`made_web.py`) is written into a WARC file as another program would write it, and `haenyeo import` takes
it in. Printed are, for each tenth of the pages: CPU seconds per 1,000 pages and peak memory so far.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bench.made_web import MadeWeb, address
from bench.many_sites import TOPIC_WORDS, used_by
from isal import igzip

from haenyeo.store import Store

TENTHS = 10
LOOK_SECONDS = 0.5


def write_warc(path: Path, sites: int, pages: int) -> int:
    """Write about so many pages, a site after the other as crawlers take them; how many there are."""
    web = MadeWeb(sites, pages)
    written = 0
    with path.open("wb") as file:
        for record in _records(web):
            file.write(igzip.compress(record, 1))
            written += 1
    return written


def _records(web: MadeWeb) -> Iterator[bytes]:
    for number in range(max(web.sizes)):
        for site, size in enumerate(web.sizes):
            if number < size:
                yield _record(address(site, number), web.page(site, number) or b"")


def _record(url: str, page: bytes) -> bytes:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-03-05T12:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def taken_in(folder: Path) -> int:
    """How many pages the collection has."""
    with Store.open(folder, writing=False) as store:
        return store.counts().visits


def run_once(command: list[str], folder: Path, pages: int, seconds: float) -> bool:
    """Import for some time and print what each tenth has cost; whether all is taken in."""
    process = subprocess.Popen(command)
    until = time.monotonic() + seconds
    step = max(1, pages // TENTHS)
    had = taken_in(folder)
    before, cpu = had, 0.0
    while process.poll() is None and time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        done = taken_in(folder)
        if done - before >= step or done >= pages > before:
            with suppress(OSError, IndexError):  # the process may just have ended
                used = used_by(process.pid)
                cost = (used["cpu s"] - cpu) / max(1, done - before) * 1000
                print(f"{done:>8} pages  {cost:5.2f} CPU s/1,000  peak {used['peak MB']:.0f} MB", flush=True)
                before, cpu = done, used["cpu s"]
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    code = process.wait()
    if code not in (0, 130, -signal.SIGINT):
        sys.exit(f"the import ended with {code}")
    return code == 0


def main() -> None:
    """Measure, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--sites", type=int, default=3_000)
    parser.add_argument("--minutes", type=float, default=10_000.0)
    parser.add_argument("--keep", type=Path, help="Leave the collection there.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary) / "made"
        warc = Path(temporary) / "made.warc.gz"
        pages = write_warc(warc, options.sites, options.pages)
        call = [sys.executable, "-m", "haenyeo"]
        subprocess.run([*call, "new", str(folder), "--topic", TOPIC_WORDS, "-q"], check=True)
        while not run_once([*call, "import", str(folder), str(warc), "-q"], folder, pages, options.minutes * 60):
            print("stopped; going on", flush=True)
        print(f"{taken_in(folder)} of {pages} pages are in the collection")


if __name__ == "__main__":
    main()
