"""What crawls for one topic tell each other: each learns from its own sites, and all judge by what all have learnt.

A crawl tells all it has learnt itself, not what is new, so that it does no harm if something is told twice or never:
the words of pages counted by relevance, the evidence pages were chosen on and what they turned out to be, and the
weights of links' features. Of all that is told, counts are summed and weights averaged (`joined`), and every crawl
takes its own part out again before it adds the rest to what it knows (`hear`). Links stay where they are.

Before, while little is known, each crawl learns from every page that others fetch (`witness`): one page may then change
what all links are worth. The sums replace these pages once they are of as many.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from haenyeo.find.learned.balance import Outcomes
from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.learner import Learner
from haenyeo.find.learned.regression import OUTCOMES, Regression
from haenyeo.find.learned.state import State, from_bytes, of, to_bytes, under
from haenyeo.find.learned.topic_words import WordCounts
from haenyeo.model.parts import LinkedPage

_MOST_ROWS = 600  # of evidence, of all crawls together
_TABLES = ("first", "second")


def told(learner: Learner) -> bytes:
    """What a learner has learnt by itself."""
    rows = learner.balance.outcomes(learner.memory, without=learner.heard.words)
    links = np.array(float(learner.regression.examples))
    found = learner.prospects.own
    counts = learner.topic.own
    if learner.heard:
        counts = counts.minus(learner.heard.counted(learner.memory))
    state = under("words", _counts_state(counts))
    state |= {"rows.evidence": rows.evidence.astype(np.float32), "rows.relevance": rows.relevance.astype(np.float32)}
    state |= {"links": links, "level": np.array([learner.balance.level])}
    state["prospects"] = np.zeros(0) if found is None else found
    for outcome, name in enumerate(_TABLES):
        state[f"weights.{name}"] = learner.regression.weights[:, outcome].astype(np.float16)
    return to_bytes({**state, "offsets": learner.regression.offsets})


def joined(each: Mapping[int, bytes]) -> bytes:
    """All that several crawls, known by numbers, have told, in one piece for `hear`."""
    states = {number: from_bytes(data) for number, data in each.items()}
    counts = WordCounts.none()
    sums: State = {}
    for state in states.values():
        counts = counts.plus(_counts_of(of("words", state)))
        _add(sums, _weighted(state))
    newest = max(1, _MOST_ROWS // max(1, len(states)))
    owners = [np.full(len(state["rows.relevance"][-newest:]), number) for number, state in states.items()]
    found = [state["prospects"] for state in states.values() if len(state["prospects"])]
    levels = np.concatenate([state["level"] for state in states.values()])
    rows = {
        "level.owner": np.array(list(states), np.int64),
        "level.value": levels,
        "prospects": np.mean(found, axis=0) if found else np.zeros(0),
        "rows.owner": np.concatenate([np.zeros(0, np.int64), *owners]),
        "rows.relevance": np.concatenate([state["rows.relevance"][-newest:] for state in states.values()]),
        "rows.evidence": np.concatenate([state["rows.evidence"][-newest:] for state in states.values()]),
    }
    return to_bytes({**under("words", _counts_state(counts)), **sums, **rows})


def hear(learner: Learner, everything: bytes, own: bytes, number: int) -> None:
    """Add what all others have learnt; `own` is the part of this crawl, known by this number, empty if it has none."""
    state, ours = from_bytes(everything), from_bytes(own) if own else {}
    counts = _counts_of(of("words", state))
    others = counts.minus(_counts_of(of("words", ours))) if ours else counts
    if len(learner.heard) > others.totals[0]:
        return  # more is known of the others page by page
    _forget_heard(learner)
    learner.topic.others = others
    foreign = state["rows.owner"] != number
    learner.balance.others = Outcomes(
        state["rows.evidence"][foreign].astype(np.float64), state["rows.relevance"][foreign].astype(np.float64)
    )
    levels = state["level.value"][state["level.owner"] != number]
    learner.balance.highest = float(levels.max(initial=-np.inf))
    learner.prospects.others = state["prospects"] if len(state["prospects"]) else None
    rest = dict(state)
    if ours:
        _add(rest, {name: -values for name, values in _weighted(ours).items()})
    _average(learner.regression, rest, float(learner.regression.examples))


def witness(learner: Learner, page: LinkedPage, words: PageWords) -> None:
    """Learn from a page that another crawl has fetched; the judge has seen it."""
    learner.learn(page.key, page.url, words)
    learner.heard.words[page.key] = words


def _forget_heard(learner: Learner) -> None:
    """Forget the words and outcomes of the pages that others have fetched; what their links led to stays known."""
    heard = learner.heard
    for (ref, words), relevance in zip(heard.words.items(), heard.relevance(learner.memory), strict=True):
        if not learner.uncount(ref):
            learner.topic.take_back(words, relevance)
    learner.balance.forget(heard.words)
    heard.words = {}


def _weighted(state: State) -> State:
    """The weights, each times the links they were learnt from, and how many those are where there is a weight."""
    links = float(state["links"])
    result: State = {"sums.offsets": state["offsets"] * links, "sums.links": np.array(links)}
    for name in _TABLES:
        weights = state[f"weights.{name}"].astype(np.float32)
        result[f"sums.{name}"] = weights * np.float32(links)
        result[f"times.{name}"] = (weights != 0) * np.float32(links)
    return result


def _add(sums: State, more: State) -> None:
    for name, values in more.items():
        sums[name] = values if name not in sums else sums[name] + values


def _average(regression: Regression, others: State, links: float) -> None:
    """Take the mean of our weights and those of others, each by the links it was learnt from."""
    for outcome, name in enumerate(_TABLES):
        ours = regression.weights[:, outcome]
        times = others[f"times.{name}"].clip(0)
        own = np.where(ours != 0, np.float32(links), np.float32(0))
        known = times + own > 0
        total = others[f"sums.{name}"] * (times > 0) + ours * own
        regression.weights[known, outcome] = total[known] / (times + own)[known]
    learnt = float(others["sums.links"])
    if learnt + links > 0 and len(regression.offsets) == OUTCOMES:
        regression.offsets = (others["sums.offsets"] + regression.offsets * links) / (learnt + links)


def _counts_state(counts: WordCounts) -> State:
    return {"relevant": counts.relevant, "all": counts.all, "totals": np.array(counts.totals)}


def _counts_of(state: State) -> WordCounts:
    totals: Numbers = state["totals"]
    return WordCounts(state["relevant"], state["all"], (float(totals[0]), float(totals[1])))
