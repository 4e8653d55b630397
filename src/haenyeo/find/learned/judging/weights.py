"""How much does each kind of evidence count? Learnt across webs by `bench/judge_weights.py`, shipped in a file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import numpy as np

from haenyeo.find.learned.judging.measures import EVIDENCE
from haenyeo.find.learned.memory import Floats

FILE = "weights.toml"
OFFSET = "offset"


@cache
def shipped_weights() -> Floats:
    """The weight of each kind of evidence, in log-odds, and last the offset."""
    stored = tomllib.loads((files(__package__) / FILE).read_text("utf-8"))
    return np.array([float(stored[name]) for name in (*EVIDENCE, OFFSET)])
