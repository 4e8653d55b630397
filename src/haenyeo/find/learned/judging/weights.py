"""How much does each kind of evidence count? Learnt across webs by `bench/judge_weights.py`, shipped in a file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from haenyeo.find.learned.judging.measures import EVIDENCE
from haenyeo.find.learned.memory import Floats

FILE = "weights.toml"
OFFSET = "offset"


class Weights(NamedTuple):
    """The weight of each kind of evidence, in log-odds, and last the offset.

    `alone` is for pages of which is not known what links say, and to find that out; `together` is for all evidence.
    """

    alone: Floats
    together: Floats


@cache
def shipped_weights() -> Weights:
    """The weights of the package."""
    stored = tomllib.loads((files(__package__) / FILE).read_text("utf-8"))
    return Weights(*(np.array([float(stored[name][kind]) for kind in (*EVIDENCE, OFFSET)]) for name in Weights._fields))
