"""Topics take turns: equal or weighted, each link once, none kept waiting by another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from haenyeo.find.frontier import Frontier
from haenyeo.find.topic_frontiers import CREDIT, LEAD, TakenLink, TopicFrontiers

NO = -1.0


def take(frontiers: TopicFrontiers, now: float = 0.0) -> TakenLink | None:
    taken = frontiers.pop(now, [lambda _, score: score] * len(frontiers.weights))
    if taken and not taken.shared:
        frontiers.begin(taken.topic)
    return taken


def finish(frontiers: TopicFrontiers, taken: TakenLink, ready_at: float = 0.0) -> None:
    frontiers.release(taken.site, ready_at)
    frontiers.end(taken.topic)


def drain(frontiers: TopicFrontiers, most: int = 10_000) -> list[TakenLink]:
    links: list[TakenLink] = []
    while len(links) < most and (taken := take(frontiers)) is not None:
        if not taken.shared:
            finish(frontiers, taken)
            links.append(taken)
    return links


def own_links(frontiers: TopicFrontiers, topic: int, refs: Sequence[int], score: float) -> None:
    frontiers.push(f"site{topic}", refs, [[score if each == topic else NO] * len(refs) for each in range(2)])


def test_two_topics_take_turns_however_high_one_scores() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    own_links(frontiers, 0, range(100), 0.99)
    own_links(frontiers, 1, range(100, 200), 0.01)
    turns = Counter(link.topic for link in drain(frontiers, 50))
    assert turns == {0: 25, 1: 25}


def test_a_topic_of_three_times_the_weight_has_three_turns_of_four() -> None:
    frontiers = TopicFrontiers((3.0, 1.0))
    own_links(frontiers, 0, range(100), 0.5)
    own_links(frontiers, 1, range(100, 200), 0.5)
    assert Counter(link.topic for link in drain(frontiers, 80)) == {0: 60, 1: 20}


def test_a_link_that_several_want_is_taken_once() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    frontiers.push("a", [1, 2, 3], [[0.9, 0.5, NO], [0.8, NO, 0.7]])
    assert len(frontiers) == 3
    assert sorted(link.ref for link in drain(frontiers)) == [1, 2, 3]
    assert len(frontiers) == 0


def test_a_link_waits_only_for_those_that_want_it() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    frontiers.push("a", [1, 2], [[0.9, NO], [NO, 0.1]])
    assert [(link.ref, link.topic) for link in drain(frontiers)] == [(1, 0), (2, 1)]


def test_a_topic_without_links_leaves_its_turns_and_begins_again_level_with_the_others() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    own_links(frontiers, 0, range(100), 0.5)
    assert len(drain(frontiers, 40)) == 40
    own_links(frontiers, 1, range(100, 200), 0.5)
    assert Counter(link.topic for link in drain(frontiers, 20)) == {0: 10, 1: 10}


def test_a_slot_that_one_topic_takes_is_taken_for_all() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    frontiers.push("a", [1, 2], [[0.9, NO], [NO, 0.9]])
    first = take(frontiers)
    assert first is not None
    assert take(frontiers) is None, "the site is busy"
    assert frontiers.under_way("a") == 1
    finish(frontiers, first, ready_at=5.0)
    assert take(frontiers) is None
    assert frontiers.next_ready(0.0) == 5.0
    assert take(frontiers, 5.0) == TakenLink("a", 2, 1)


def test_with_a_budget_of_pages_others_wait_for_a_topic_that_is_a_little_behind() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    frontiers.strictness = 0.9
    own_links(frontiers, 0, range(100), 0.5)
    own_links(frontiers, 1, range(100, 200), 0.5)
    frontiers.postpone("site1", 3.0)
    ahead = drain(frontiers)
    assert [link.topic for link in ahead] == [0] * LEAD
    assert frontiers.next_ready(0.0) == 3.0, "nothing is to be done until then"
    later = take(frontiers, 3.0)
    assert later is not None
    assert later.topic == 1


def test_without_a_budget_nobody_waits() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    own_links(frontiers, 0, range(100), 0.5)
    own_links(frontiers, 1, range(100, 200), 0.5)
    frontiers.postpone("site1", 3.0)
    assert len(drain(frontiers)) == 100


def test_what_can_be_caught_up_is_bounded() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    own_links(frontiers, 0, range(1000), 0.5)
    own_links(frontiers, 1, range(1000, 2000), 0.5)
    frontiers.count_spent([10_000, 0])
    turns = Counter(link.topic for link in drain(frontiers, CREDIT + 100))
    assert turns == {0: 50, 1: CREDIT + 50}


def test_turns_go_on_where_an_earlier_run_left_them() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    own_links(frontiers, 0, range(100), 0.5)
    own_links(frontiers, 1, range(100, 200), 0.5)
    frontiers.count_spent([30, 10])
    assert Counter(link.topic for link in drain(frontiers, 40)) == {0: 10, 1: 30}


def test_a_link_that_is_worth_less_than_nothing_now_waits_no_longer() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    frontiers.push("a", [1, 2], [[0.9, 0.8], [0.9, 0.8]])
    frontiers.rescore(
        0, "a", lambda refs, scores: [NO if ref == 1 else score for ref, score in zip(refs, scores, strict=True)]
    )
    assert [(link.ref, link.topic) for link in drain(frontiers)] == [(2, 0), (1, 1)]


links_of_pages = st.lists(
    st.lists(st.tuples(st.sampled_from("abc"), st.floats(0.01, 1)), min_size=1, max_size=6), min_size=1, max_size=8
)


@given(pages=links_of_pages)
def test_one_topic_alone_has_its_links_as_from_a_frontier(pages: list[list[tuple[str, float]]]) -> None:
    alone, frontier = TopicFrontiers(), Frontier()
    first = 0
    for page in pages:
        sites, scores = [site for site, _ in page], [score for _, score in page]
        refs = range(first, first + len(page))
        first += len(page)
        alone.push_links(sites, refs, [scores])
        frontier.push_links(sites, refs, scores)
        given, wanted = take(alone), frontier.pop(0.0)
        assert (given and given[:2]) == wanted
        assert len(alone) == len(frontier)
    for site in "abc":
        frontier.release(site, 0.0)
        alone.release(site, 0.0)
    while (wanted := frontier.pop(0.0)) is not None:
        assert (given := take(alone)) is not None
        assert given[:2] == wanted


def test_a_turn_that_cost_less_leaves_more_of_them() -> None:
    frontiers = TopicFrontiers((1.0, 1.0))
    own_links(frontiers, 0, range(500), 0.5)
    own_links(frontiers, 1, range(500, 1000), 0.5)
    turns: Counter[int] = Counter()
    while sum(turns.values()) < 60 and (taken := take(frontiers)) is not None:
        finish(frontiers, taken)
        turns[taken.topic] += 1
        if taken.topic == 0:
            frontiers.give_back_turn(0, 0.8)
    assert turns == {0: 50, 1: 10}
