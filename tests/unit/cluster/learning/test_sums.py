"""Shards leave what they have learnt in files, and take up what all have learnt."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

from haenyeo.cluster.learning.sums import ALL, TOLD, JoinedLearning, ShardLearning
from haenyeo.collect.adapters.finding.finder import Finder
from haenyeo.store.shards.catalogue import shard_folder


class Scorer:
    """Learns a number; all together know the sum."""

    is_informed = False

    def __init__(self) -> None:
        self.visits, self.heard = 0, list[tuple[bytes, bytes]]()

    def told(self) -> bytes:
        return str(self.visits).encode()

    def hear(self, everything: bytes, own: bytes, number: int) -> None:
        assert number in range(3)
        self.heard.append((everything, own))

    @staticmethod
    def joined(each: dict[int, bytes]) -> bytes:
        return str(sum(map(int, each.values()))).encode()


class Topic:
    def __init__(self, scorer: object) -> None:
        self.scorer = scorer


class Finding:
    """A finder with one topic."""

    def __init__(self, scorer: object) -> None:
        self.topics, self.revised = {"whales": Topic(scorer)}, 0

    def revise(self) -> None:
        self.revised += 1


def shards(folder: Path, count: int) -> tuple[list[Scorer], list[ShardLearning], JoinedLearning]:
    """So many shards that share, and the one that joins."""
    for number in range(count):
        shard_folder(folder, number).mkdir(parents=True)
    scorers = [Scorer() for _ in range(count)]
    learning = [ShardLearning(folder, n, cast("Finder", Finding(scorer))) for n, scorer in enumerate(scorers)]
    joining = JoinedLearning(folder, count, Scorer)
    joining._pause = 0.0
    return scorers, learning, joining


def step(learning: list[ShardLearning], joining: JoinedLearning) -> None:
    for each in learning:
        each.step()
    joining.step()


def test_all_hear_the_sum_and_what_is_their_own_in_it(tmp_path: Path) -> None:
    scorers, learning, joining = shards(tmp_path, 3)
    scorers[0].visits, scorers[1].visits = 10, 20
    step(learning, joining)
    step(learning, joining)
    assert [scorer.heard for scorer in scorers] == [[(b"30", b"10")], [(b"30", b"20")], [(b"30", b"")]]


def test_nothing_more_is_told_before_the_last_was_joined(tmp_path: Path) -> None:
    scorers, learning, joining = shards(tmp_path, 1)
    scorers[0].visits = 10
    learning[0].step()
    before = (shard_folder(tmp_path, 0) / TOLD).read_bytes()
    scorers[0].visits = 100
    learning[0].step()
    assert (shard_folder(tmp_path, 0) / TOLD).read_bytes() == before
    step(learning, joining)
    step(learning, joining)
    assert (shard_folder(tmp_path, 0) / TOLD).read_bytes() != before


def test_a_damaged_or_missing_file_does_no_harm(tmp_path: Path) -> None:
    scorers, learning, joining = shards(tmp_path, 2)
    scorers[0].visits = scorers[1].visits = 10
    step(learning, joining)
    (shard_folder(tmp_path, 1) / TOLD).write_bytes(b"?")
    os.utime(shard_folder(tmp_path, 1) / TOLD, (1, 1))
    joining.step()
    (tmp_path / ALL).touch()
    learning[0].step()
    assert scorers[0].heard[-1][0] == b"10"
    (tmp_path / ALL).unlink()
    learning[0].step()


def test_links_are_trusted_once_something_was_read_or_heard(tmp_path: Path) -> None:
    scorers, learning, _ = shards(tmp_path, 1)
    assert learning[0].trust == 0.0
    scorers[0].visits = 1
    assert learning[0].trust == 1.0


def test_scorers_that_cannot_share_are_left_alone(tmp_path: Path) -> None:
    shard_folder(tmp_path, 0).mkdir(parents=True)
    learning = ShardLearning(tmp_path, 0, cast("Finder", Finding(object())))
    JoinedLearning(tmp_path, 1, object).step()
    learning.step()
    assert learning.trust == 1.0
    assert not (tmp_path / ALL).exists()
