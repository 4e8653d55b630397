from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.demo import DAY, HOUR, WEEK
from haenyeo.demo.chance import Chance
from haenyeo.demo.world.times import Happenings, drifting, moment_in_week, renewed, settling


@given(st.sampled_from(["office", "evening", "flat"]), st.floats(0, 1, exclude_max=True))
def test_a_share_of_the_week_is_a_moment_in_it(profile: str, share: float) -> None:
    assert 0 <= moment_in_week(profile, share) < WEEK


@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=2))
def test_later_shares_are_later_moments(shares: list[float]) -> None:
    moments = [moment_in_week("office", share) for share in sorted(shares)]
    assert moments == sorted(moments)


def test_offices_work_by_day_and_on_working_days() -> None:
    chance = Chance("office")
    moments = [moment_in_week("office", chance.random()) for _ in range(2000)]
    assert sum(at < 5 * DAY for at in moments) > 1700
    assert sum(8 * HOUR <= at % DAY < 18 * HOUR for at in moments) > 1500


@given(st.integers(), st.floats(0.05, 20))
def test_drifting_changes_follow_each_other(seed: int, per_week: float) -> None:
    times = list(islice(drifting(Chance(seed), -3 * WEEK, per_week), 50))
    assert all(earlier < later for earlier, later in pairwise(times))


def test_drifting_keeps_its_rate() -> None:
    happenings = Happenings(drifting(Chance(1), 0, 5))
    assert 400 < happenings.count(100 * WEEK) < 600


def test_a_page_without_rate_never_changes() -> None:
    assert Happenings(drifting(Chance(1), 0, 0)).count(1000 * WEEK) == 0


def test_settling_comes_to_an_end() -> None:
    counts = [Happenings(settling(Chance(seed), 0, 2.0)).count(float("inf")) for seed in range(500)]
    assert 1.5 < sum(counts) / len(counts) < 2.5


@given(st.lists(st.integers(0, 1000)), st.integers(-10, 1010), st.integers(-10, 1010))
def test_happenings_agree_with_a_list(times: list[int], first: int, second: int) -> None:
    times.sort()
    since, until = sorted((first, second))
    happenings = Happenings(iter(times))
    assert happenings.between(since, until) == [at for at in times if since < at <= until]
    assert happenings.count(until) == sum(at <= until for at in times)
    assert happenings.last(until) == max((at for at in times if at <= until), default=None)


@pytest.mark.parametrize(
    ("now", "at"),
    [
        (9.5 * HOUR, 9 * HOUR),
        (22.9 * HOUR, 21 * HOUR),
        (5 * DAY + 11 * HOUR, 5 * DAY + 9 * HOUR),
        (4.2 * HOUR, 3 * HOUR),
    ],
)
def test_newsrooms_renew_hourly_by_day_and_less_often_at_other_times(now: float, at: float) -> None:
    assert renewed(now) == at
