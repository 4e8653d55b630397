"""Calls `haenyeo` for a tool that judges it as a command, with the collection in one piece or in shards.

    TOOL --command "python -m bench.sharded" --strategy one --strategy 4 --strategy 4-apart

All arguments are passed on, but for a crawl's --strategy: `one` is a crawl in one piece, a number so many shards, each
with the sites that fall to it. `4-apart` puts the sites of the pages that the user likes into the first of four shards,
and all others into three that have no such page: they judge by what they are told. The crawl's own strategy is the
default.
"""

from __future__ import annotations

import subprocess
import sys
from array import array
from pathlib import Path

from haenyeo.cluster.layout import put_in_shards
from haenyeo.collect.settings_file import read_settings
from haenyeo.html.urls import canonical, site_of
from haenyeo.store.shards.catalogue import BUCKETS, Catalogue, bucket_of

CALL = [sys.executable, "-m", "haenyeo"]
APART = "-apart"


def keep_apart(folder: Path, shards: int) -> None:
    """Put the collection into shards, the sites of liked pages into the first and all others into the rest."""
    put_in_shards(folder, shards)
    likes = [url for topic in read_settings(folder).topic.values() for url in topic.like]
    liked = {bucket_of(site_of(url)) for like in likes if (url := canonical(like))}
    buckets = [0 if bucket in liked else 1 + bucket % (shards - 1) for bucket in range(BUCKETS)]
    Catalogue.create(folder, array("H", buckets))


def main(arguments: list[str]) -> int:
    """Pass the arguments on; returns the exit code."""
    if arguments[:1] == ["crawl"] and "--strategy" in arguments:
        place = arguments.index("--strategy")
        wish = arguments[place + 1]
        del arguments[place : place + 2]
        if wish != "one":
            shards = int(wish.removesuffix(APART))
            if wish.endswith(APART):
                keep_apart(Path(arguments[1]), shards)
            arguments += ["--shards", str(shards)]
    return subprocess.run([*CALL, *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
