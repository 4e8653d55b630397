"""Tries compiled code for a while; at the first difference, crash or standstill it says how to repeat it, and ends."""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.fuzz.sanitized import PLACE, ROOT, build, environment

PATIENCE = 20
"""Seconds that one input may take, with sanitizers watching."""
Targets = dict[str, Callable[[random.Random], None]]
REPORT = ROOT / "build" / "fuzz-report.txt"


def main() -> int:
    """Build, try, report; 0 if nothing was found."""
    options = _options()
    if options.worker:
        return work(options)
    place = build()
    told = PLACE / "now.txt"
    call = [sys.executable, "-m", "bench.fuzz", "--worker", str(told), *sys.argv[1:]]
    ended = subprocess.run(call, env=environment(place), cwd=ROOT, check=False, stderr=subprocess.PIPE, text=True)
    if ended.returncode == 0:
        return 0
    target, seed = told.read_text().split() if told.exists() else ("none", "0")
    why = "took too long" if ended.returncode == -signal.SIGALRM else f"exit code {ended.returncode}"
    repeat = f"python -m bench.fuzz --target {target} --seed {seed}"
    REPORT.write_text(f"{target} {seed}: {why}\n{ended.stderr}\nrepeat: {repeat}\n")
    print(f"{target} with seed {seed}: {why}\n{ended.stderr[-4000:]}\nrepeat: {repeat}\nwritten to {REPORT}")
    return 1


def work(options: argparse.Namespace) -> int:
    """Try inputs until the time is up; every one is told before it is tried."""
    from bench.fuzz.honest import HONEST
    from bench.fuzz.hostile import try_one
    from bench.fuzz.twins import TWINS

    targets: Targets = {**TWINS, **{f"hostile.{name}": partial(try_one, name) for name in HONEST}}
    faulthandler.enable()
    told = Path(options.worker).open("w")  # noqa: SIM115 - it is written to until the process ends
    if options.target:
        _try(targets, options.target, options.seed, told.fileno())
        return 0
    tried: Counter[str] = Counter()
    names, seed, end = list(targets), options.seed, time.monotonic() + options.seconds
    while time.monotonic() < end:
        for name in names:
            _try(targets, name, seed, told.fileno())
            tried[name] += 1
        seed += 1
    print(f"{sum(tried.values())} inputs, {seed - options.seed} for each of {len(names)} entry points: no report")
    return 0


def _try(targets: Targets, name: str, seed: int, told: int) -> None:
    os.pwrite(told, f"{name} {seed}".ljust(80).encode(), 0)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)  # ends the process where it stands still
    targets[name](random.Random(f"{name} {seed}"))
    signal.setitimer(signal.ITIMER_REAL, 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--target", help="one entry point, such as scanner.scan or hostile.scanner.scan")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
