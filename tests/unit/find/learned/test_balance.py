"""How much each kind of evidence counts."""

import numpy as np

from haenyeo.find.learned.balance import Balance
from haenyeo.find.learned.evidence import ALL_KINDS, ANCHOR, HUB, LEADS


def _evidence(kind: int, value: float) -> np.ndarray:
    evidence = np.zeros(ALL_KINDS)
    evidence[kind] = value
    return evidence


def _taught() -> tuple[Balance, np.ndarray]:
    """Where hubs tell all and anchors nothing."""
    balance = Balance()
    relevance = []
    for page in range(80):
        hub, anchor = page % 2, page // 2 % 2
        balance.note(page, _evidence(HUB, 2.0 * hub) + _evidence(ANCHOR, 2.0 * anchor))
        relevance.append(float(hub))
    return balance, np.array(relevance)


def test_to_begin_with_all_kinds_count_alike_but_where_links_lead_on() -> None:
    usual = Balance().usual
    assert len(set(np.delete(usual, LEADS))) == 1
    assert usual[LEADS] == 0


def test_evidence_that_told_the_truth_counts_more_than_before() -> None:
    balance, relevance = _taught()
    usual = balance.weights.copy()
    balance.learn(np.zeros((5, ALL_KINDS)), relevance, 0.5)
    assert balance.weights[HUB] > usual[HUB]
    assert balance.weights[ANCHOR] < usual[ANCHOR]
    assert (balance.weights >= 0).all()


def test_where_nearly_all_was_relevant_more_of_it_is_expected() -> None:
    balance = Balance()
    balance.offset = -3.0
    for page in range(40):
        balance.note(page, _evidence(HUB, 1.0))
    balance.learn(np.zeros((5, ALL_KINDS)), np.repeat([1.0, 0.0], [36, 4]), 0.9)
    assert 0.6 < balance.probability(_evidence(HUB, 1.0)[None, :])[0] < 0.95


def test_with_few_outcomes_the_usual_weights_stay() -> None:
    balance = Balance()
    usual = balance.weights.copy()
    balance.note(1, _evidence(HUB, 1.0))
    balance.learn(np.zeros((5, ALL_KINDS)), np.array([np.nan]), 0.5)
    assert (balance.weights == usual).all()


def test_parts_add_up_to_the_log_odds() -> None:
    balance = Balance()
    evidence = _evidence(HUB, 1.0) + _evidence(ANCHOR, 2.0)
    odds = balance.parts(evidence).sum() + balance.offset
    assert np.isclose(balance.probability(evidence[None, :])[0], 1 / (1 + np.exp(-odds)))


def test_a_restored_balance_is_the_same() -> None:
    balance, relevance = _taught()
    balance.learn(np.zeros((5, ALL_KINDS)), relevance, 0.5)
    again = Balance()
    again.restore(balance.state())
    assert again.chosen == balance.chosen
    assert (again.weights == balance.weights).all()
    assert again.offset == balance.offset
