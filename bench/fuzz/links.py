"""Known links and pages with their features, for what is weighed."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from bench.fuzz.material import text, url

from haenyeo.find.learned.evidence import Standards
from haenyeo.find.learned.features import TABLE
from haenyeo.find.learned.memory import LinkMemory
from haenyeo.find.learned.regression import Regression
from haenyeo.model.pages import Link


def memory(random: Random) -> LinkMemory:
    """Pages that link to each other, some of them fetched."""
    made, pages = LinkMemory(), random.randrange(2, 8)
    for source in range(pages):
        refs = [random.randrange(pages) for _ in range(random.randrange(6))]
        links = [Link(url=url(random), anchor=text(random, 4), before=text(random, 4), path="p") for _ in refs]
        made.add_links(made.numbers([source], [url(random)])[0], url(random), refs, links)
    for number in range(made.pages):
        if random.random() < 0.5:
            made.rate(number, random.random())
        made.followed[number] = random.random() < 0.9
    return made


_TABLES = np.random.default_rng(1).normal(size=(2, TABLE, 2)).astype(np.float32)


def tables() -> tuple[Any, Any]:
    """Weights of words and of features; not to be written to."""
    return _TABLES[0], _TABLES[1]


def standards(random: Random) -> Standards:
    """What links are held against."""
    regression = Regression()
    words, regression.weights = tables()
    regression.offsets = np.array([random.gauss(0, 1), random.gauss(0, 1)])
    return Standards.of(words, regression, random.random())
