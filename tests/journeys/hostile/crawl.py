"""Runs the product on a stage as a user would: `haenyeo new`, settings edited, `haenyeo crawl`, `haenyeo export`."""

from __future__ import annotations

import json
import math
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hostile.pages import TOPIC
from hostile.stage import Stage

HAENYEO = (sys.executable, "-m", "haenyeo")
INSIDE = Path(__file__).parent / "inside"
SECONDS = 75.0
COMMAND_SECONDS = 60.0


@dataclass(frozen=True)
class Ended:
    """How one command ended."""

    exit_code: int
    output: str
    seconds: float
    cpu_seconds: float
    memory_mb: float


@dataclass(frozen=True)
class Record:
    """What the product noted about an address it asked for."""

    url: str
    outcome: str
    reason: str


@dataclass(frozen=True)
class Result:
    """All that can be seen from outside after a crawl."""

    stage: Stage
    crawl: Ended
    export: Ended
    collection: Path

    @cached_property
    def exported(self) -> list[dict[str, Any]]:
        """The pages that `haenyeo export` wrote."""
        with (self.collection.parent / "pages.jsonl").open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    @cached_property
    def connects(self) -> list[str]:
        """The addresses to which the crawl's process tried to connect, in order."""
        return (self.collection.parent / "connects").read_text().split()

    @cached_property
    def records(self) -> list[Record]:
        """The product's own notes about every address it asked for."""
        with closing(sqlite3.connect(f"file:{self.collection}/haenyeo.db?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT url, outcome, reason FROM page")
            return [Record(*row) for row in rows]

    def text_of(self, path: str) -> str:
        """The exported text of a page of the stage, or nothing if it was not exported."""
        wanted = self.stage.url(path)
        return next((str(row["text"]) for row in self.exported if row["url"] == wanted), "")

    def holds(self, text: str) -> bool:
        """Does this text turn up anywhere in the export?"""
        return any(text in json.dumps(row, ensure_ascii=False) for row in self.exported)


def crawl(stage: Stage) -> Result:
    """Collect from the stage with fresh settings, and export; `-v` shows tracebacks of defects that cost a page."""
    collection = stage.folder / "collection"
    made = _command(stage, "new", str(collection), "--topic", TOPIC, "--seed", stage.url(stage.seed))
    assert made.exit_code == 0, made.output
    _edit_settings(stage, collection / "haenyeo.toml")
    budget = () if stage.pages is None else ("--pages", str(stage.pages))
    ended = _command(stage, "crawl", str(collection), "-v", "--delay", "0", *budget, limit=SECONDS)
    export = _command(stage, "export", str(collection), "--to", "jsonl", "--out", str(stage.folder / "pages.jsonl"))
    return Result(stage, ended, export, collection)


def _edit_settings(stage: Stage, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = _set(text, "fetch", "allow_private", '["127.0.0.0/24"]')
    text = _set(text, "scope", "hosts", json.dumps(stage.scope))
    for topic in re.findall(r"(?m)^\[(topic\.[^\]]+)\]", text):
        text = _set(text, topic, "threshold", "0.0")  # what is read is kept, on the topic or not
    if stage.headers:
        text += f'\n[fetch.headers."{stage.name}:{stage.host.port}"]\n'
        text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in stage.headers.items())
    path.write_text(text, encoding="utf-8")


def _set(text: str, table: str, key: str, value: str) -> str:
    """The settings with one key of one table set, as with an editor."""
    before, header, after = text.partition(f"\n[{table}]\n")
    inside, border, rest = after.partition("\n[")
    kept = [line for line in inside.split("\n") if not line.startswith(f"{key} =")]
    return before + header + "\n".join([f"{key} = {value}", *kept]) + border + rest


def _command(stage: Stage, *arguments: str, limit: float = COMMAND_SECONDS) -> Ended:
    """Run one command to its end, or kill it at the time limit."""
    log, peak = stage.folder / f"{arguments[0]}.log", stage.folder / "peak_kb"
    peak.unlink(missing_ok=True)
    began = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*HAENYEO, *arguments],
            cwd=stage.folder,
            env=_environment(stage),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    killer = threading.Timer(limit, process.kill)
    killer.start()
    _, status, usage = os.wait4(process.pid, 0)
    killer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(
        exit_code=process.returncode,
        output=log.read_text(encoding="utf-8", errors="replace"),
        seconds=time.monotonic() - began,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        memory_mb=int(peak.read_text()) / 1024 if peak.exists() else math.inf,
    )


def _environment(stage: Stage) -> dict[str, str]:
    """The environment of a command: the watch inside it, and no settings of whoever runs the tests."""
    return {
        **os.environ,
        "PYTHONPATH": str(INSIDE),
        "HOSTILE_FOLDER": str(stage.folder),
        "XDG_CONFIG_HOME": str(stage.folder / "config"),
        **stage.environment,
    }
