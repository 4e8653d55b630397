from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from haenyeo.find.frontier import Frontier


def _drain(frontier: Frontier, now: float = 0.0) -> list[tuple[str, int]]:
    """All links that can be had at once, each request ending as soon as it began."""
    links = []
    while (link := frontier.pop(now)) is not None:
        frontier.release(link[0], now)
        links.append(link)
    return links


def test_the_best_link_of_all_ready_sites_comes_first() -> None:
    frontier = Frontier()
    frontier.push("a", [1, 2], [0.2, 0.9])
    frontier.push("b", [3], [0.5])
    assert _drain(frontier) == [("a", 2), ("b", 3), ("a", 1)]
    assert len(frontier) == 0


def test_equal_scores_of_a_site_come_in_the_order_of_their_references() -> None:
    frontier = Frontier()
    for first in range(0, 5000, 50):
        frontier.push("a", range(first, first + 50), [0.5] * 50)
    assert _drain(frontier) == [("a", ref) for ref in range(5000)]


def test_sites_with_equal_scores_take_turns() -> None:
    frontier = Frontier()
    frontier.push_links(["a", "a", "b", "b", "c", "c"], range(6), [0.5] * 6)
    assert [site for site, _ in _drain(frontier)] == ["a", "b", "c", "a", "b", "c"]


def test_the_site_longest_not_asked_comes_first_among_equals() -> None:
    frontier = Frontier()
    frontier.push_links(["a", "b", "a"], range(3), [0.5] * 3)
    frontier.pop(0.0)
    frontier.release("a", 0.0)
    assert frontier.pop(0.0) == ("b", 1)


def test_a_busy_site_is_passed_over_until_its_slot_is_released() -> None:
    frontier = Frontier(per_site=2)
    frontier.push("a", [1, 2, 3], [0.9] * 3)
    frontier.push("b", [4], [0.1])
    assert [frontier.pop(0.0) for _ in range(4)] == [("a", 1), ("a", 2), ("b", 4), None]
    assert frontier.next_ready(0.0) is None
    frontier.release("a", 0.0)
    assert frontier.pop(0.0) == ("a", 3)


def test_a_site_rests_until_the_time_it_was_released_for() -> None:
    frontier = Frontier()
    frontier.push("a", [1, 2], [0.9, 0.8])
    frontier.pop(10.0)
    frontier.release("a", 11.0)
    assert frontier.pop(10.5) is None
    assert frontier.next_ready(10.5) == 11.0
    assert frontier.pop(11.0) == ("a", 2)


def test_a_postponed_site_waits_for_the_latest_time_set() -> None:
    frontier = Frontier()
    frontier.push("a", [1], [0.9])
    frontier.postpone("a", 30.0)
    frontier.postpone("a", 20.0)
    assert frontier.next_ready(0.0) == 30.0
    assert frontier.pop(29.9) is None
    assert frontier.pop(30.0) == ("a", 1)


def test_links_pushed_to_a_resting_site_do_not_wake_it() -> None:
    frontier = Frontier()
    frontier.postpone("a", 5.0)
    frontier.push("a", [1], [0.9])
    assert frontier.pop(1.0) is None
    assert frontier.pop(5.0) == ("a", 1)


def test_a_hanging_request_lends_its_slot() -> None:
    frontier = Frontier()
    frontier.push("a", range(20), [0.5] * 20)
    for ref in range(20):
        assert frontier.pop(float(ref)) == ("a", ref)
        frontier.lend("a", ref + 1.0)
    frontier.postpone("a", 100.0)
    frontier.push("a", [99], [0.5])
    assert frontier.next_ready(20.0) == 100.0


def test_a_link_that_became_worth_less_goes_back() -> None:
    frontier = Frontier()
    frontier.push("a", [1, 2, 3], [0.9, 0.8, 0.7])
    frontier.push("b", [4], [0.75])
    worth = {1: 0.1, 2: 0.72, 3: 0.7, 4: 0.75}
    popped = []
    while (link := frontier.pop(0.0, lambda ref, _: worth[ref])) is not None:
        frontier.release(link[0], 0.0)
        popped.append(link[1])
    assert popped == [4, 2, 3, 1]


def test_a_scorer_that_always_says_less_cannot_hold_up_a_pop() -> None:
    frontier = Frontier()
    frontier.push("a", range(50), [0.9] * 50)
    assert frontier.pop(0.0, lambda _, score: score * 0.99) is not None
    assert len(frontier) == 49


def test_all_links_of_a_site_can_be_scored_anew() -> None:
    frontier = Frontier()
    frontier.push("a", range(3000), np.linspace(0.1, 0.9, 3000))
    frontier.rescore("a", lambda refs, _: 1 / (1.0 + refs))
    assert frontier.waiting("a") == len(frontier) == 3000
    assert [link.ref for link in frontier.top(3)] == [0, 1, 2]
    assert frontier.pop(0.0) == ("a", 0)


def test_the_top_shows_waiting_links_without_taking_them() -> None:
    frontier = Frontier()
    frontier.push("a", [1, 2], [0.25, 0.75])
    frontier.push("b", [3], [0.5])
    assert [(link.site, link.ref, link.score) for link in frontier.top(2)] == [("a", 2, 0.75), ("b", 3, 0.5)]
    assert [link.ref for link in frontier.top(9, site="a")] == [2, 1]
    assert frontier.top(9, site="unknown") == []
    assert (list(frontier.sites()), frontier.waiting("a"), frontier.waiting("unknown")) == (["a", "b"], 2, 0)


def test_bulk_and_single_pushes_give_the_same_order() -> None:
    random = np.random.default_rng(3)
    counts = random.integers(0, 2000, 20)
    refs, scores = np.arange(counts.sum()), random.random(counts.sum())
    names = [f"s{number}" for number in range(20)]
    bulk, single = Frontier(), Frontier()
    bulk.push_groups(names, counts, refs, scores)
    single.push_links(np.repeat(names, counts).tolist(), refs, scores)
    assert len(bulk) == len(single) == counts.sum()
    assert _drain(bulk) == _drain(single)


def test_outdated_heap_entries_stay_few() -> None:
    frontier = Frontier()
    for ref in range(20_000):
        frontier.push("a", [ref], [ref / 20_000])
        frontier.next_ready(0.0)
    assert len(frontier._ready) < 200


def test_popping_an_empty_frontier_gives_nothing() -> None:
    assert Frontier().pop(0.0) is None
    assert Frontier().next_ready(0.0) is None


_SITES = st.sampled_from("abcd")


class FrontierAgainstAPlainList(RuleBasedStateMachine):
    """Any sequence of calls gives what a list searched from end to end would give."""

    def __init__(self) -> None:
        super().__init__()
        self.frontier = Frontier(per_site=2)
        self.links: list[tuple[float, int, str]] = []
        self.busy: Counter[str] = Counter()
        self.ready_at: dict[str, float] = {}
        self.asked: dict[str, int] = {}
        self.known: list[str] = []
        self.now = 0.0
        self.refs = self.turns = 0

    def _may_be_asked(self, site: str) -> bool:
        return self.busy[site] < 2 and self.ready_at.get(site, 0.0) <= self.now

    def _know(self, site: str) -> None:
        if site not in self.known:
            self.known.append(site)

    @rule(site=_SITES, scores=st.lists(st.sampled_from([0.125, 0.25, 0.5, 1.0]), min_size=1, max_size=20))
    def push(self, site: str, scores: list[float]) -> None:
        self._know(site)
        refs = list(range(self.refs, self.refs + len(scores)))
        self.refs += len(scores)
        self.frontier.push(site, refs, scores)
        self.links += [(-score, ref, site) for score, ref in zip(scores, refs, strict=True)]

    @rule()
    def pop(self) -> None:
        ready = [link for link in self.links if self._may_be_asked(link[2])]
        popped = self.frontier.pop(self.now)
        if not ready:
            assert popped is None
            return
        best = min(link[0] for link in ready)
        site = min(
            {link[2] for link in ready if link[0] == best},
            key=lambda name: (self.asked.get(name, 0), self.known.index(name)),
        )
        link = min(link for link in ready if link[2] == site)
        assert popped == (site, link[1])
        self.links.remove(link)
        self.busy[site] += 1
        self.turns += 1
        self.asked[site] = self.turns

    @rule(site=_SITES, rest=st.sampled_from([0.0, 1.0, 5.0]))
    def release(self, site: str, rest: float) -> None:
        if self.busy[site]:
            self.busy[site] -= 1
            self.frontier.release(site, self.now + rest)
            self.ready_at[site] = max(self.ready_at.get(site, 0.0), self.now + rest)

    @rule(site=_SITES, rest=st.sampled_from([0.5, 3.0]))
    def postpone(self, site: str, rest: float) -> None:
        self._know(site)
        self.frontier.postpone(site, self.now + rest)
        self.ready_at[site] = max(self.ready_at.get(site, 0.0), self.now + rest)

    @rule(seconds=st.sampled_from([0.5, 2.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @invariant()
    def the_next_time_is_right(self) -> None:
        times = [max(self.now, self.ready_at.get(site, 0.0)) for _, _, site in self.links if self.busy[site] < 2]
        assert self.frontier.next_ready(self.now) == min(times, default=None)
        assert len(self.frontier) == len(self.links)


TestFrontierAgainstAPlainList = FrontierAgainstAPlainList.TestCase
TestFrontierAgainstAPlainList.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=40)


@given(st.lists(st.tuples(_SITES, st.floats(0, 1)), max_size=300))
def test_every_link_comes_out_exactly_once(links: list[tuple[str, float]]) -> None:
    frontier = Frontier()
    frontier.push_links([site for site, _ in links], range(len(links)), [score for _, score in links])
    assert sorted(_drain(frontier), key=lambda link: link[1]) == [(site, ref) for ref, (site, _) in enumerate(links)]


def test_a_strict_frontier_waits_for_the_site_with_the_better_link() -> None:
    frontier = Frontier(strictness=0.9)
    frontier.push("good.example", [1, 2], [0.9, 0.8])
    frontier.push("poor.example", [3], [0.1])
    assert frontier.pop(0.0) == ("good.example", 1)
    assert frontier.pop(0.0) is None, "the better link waits for its site"
    assert frontier.next_ready(0.0) is None
    frontier.release("good.example", 1.0)
    assert frontier.next_ready(0.0) == 1.0
    assert frontier.pop(1.0) == ("good.example", 2)
    assert frontier.pop(1.0) == ("poor.example", 3)


def test_a_strict_frontier_gives_out_what_is_nearly_as_good_and_waits_for_nobody_long() -> None:
    frontier = Frontier(strictness=0.9)
    frontier.push("good.example", [1, 2], [0.9, 0.8])
    frontier.push("same.example", [3, 4], [0.79, 0.2])
    assert frontier.pop(0.0) == ("good.example", 1)
    assert frontier.pop(0.0) == ("same.example", 3)
    frontier.release("same.example", 0.0)
    frontier.release("good.example", 3600.0)
    assert frontier.pop(0.0) == ("same.example", 4), "a site that rests for an hour keeps no other waiting"


def test_nothing_waits_for_a_site_that_hangs() -> None:
    frontier = Frontier(strictness=0.9)
    frontier.push("good.example", [1, 2], [0.9, 0.9])
    frontier.push("other.example", [3], [0.1])
    assert frontier.pop(0.0) == ("good.example", 1)
    assert frontier.pop(0.0) is None
    frontier.lend("good.example", 5.0)
    assert frontier.pop(0.0) == ("other.example", 3)


def test_an_occupied_site_gives_out_no_link_until_it_is_released() -> None:
    frontier = Frontier(per_site=1)
    frontier.push("a.example", [1], [0.5])
    frontier.occupy("a.example")
    assert frontier.under_way("a.example") == 1
    assert frontier.pop(0.0) is None
    assert frontier.next_ready(0.0) is None
    frontier.release("a.example", 3.0)
    assert frontier.ready_at("a.example") == 3.0
    assert frontier.pop(2.0) is None
    assert frontier.pop(3.0) == ("a.example", 1)
