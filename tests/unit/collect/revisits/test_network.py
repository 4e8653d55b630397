from __future__ import annotations

from haenyeo.collect.revisits.network import FAILURES, LONGEST_WAIT, Network
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome

URL = Url("https://a.example/")
NO_ANSWER = Answer(url=URL, final_url=URL, outcome=Outcome.FAILED, reason="connection refused", retryable=True)
ERROR = Answer(url=URL, final_url=URL, outcome=Outcome.ERROR, reason="status 503", status=503, retryable=True)


def test_it_is_lost_when_nothing_answers_several_times_in_a_row() -> None:
    network = Network()
    lost = []
    for _ in range(FAILURES):
        network.note(NO_ANSWER, 0)
        lost.append(network.lost)
    assert lost == [False] * (FAILURES - 1) + [True]
    assert network.wait(0) > 0


def test_any_answer_shows_that_it_is_there_even_an_error() -> None:
    network = Network()
    for _ in range(9):
        network.note(NO_ANSWER, 0)
    network.note(ERROR, 1)
    assert not network.lost
    assert network.wait(1) == 0


def test_waits_grow_but_stay_bounded_even_when_the_clock_is_set_back() -> None:
    network = Network()
    for _ in range(30):
        network.note(NO_ANSWER, 1e9)
    assert network.wait(0) == LONGEST_WAIT
    assert network.wait(1e9 + LONGEST_WAIT) == 0


def test_requests_that_fail_together_make_one_wait() -> None:
    one, many = Network(), Network()
    for _ in range(FAILURES):
        one.note(NO_ANSWER, 0)
    for _ in range(40):
        many.note(NO_ANSWER, 0)
    assert many.wait(0) == one.wait(0)
