from __future__ import annotations

import os
from pathlib import Path

import pytest

from haenyeo.collect.links.steering import BOOST, FILE_NAME, Course, Steering, read_course, write_course
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url


def test_hosts_and_parts_of_addresses_are_told_apart(tmp_path: Path) -> None:
    write_course(tmp_path, Course(block=("*.shop.example", "/ads/"), boost=("news.example",)))
    steering = Steering(tmp_path)
    steering.look(1.0)
    assert steering.blocks(Url("https://a.shop.example/x"))
    assert steering.blocks(Url("https://other.example/ads/1"))
    assert steering.blocks(Url("https://shop.example/x"))
    assert not steering.blocks(Url("https://workshop.example/x"))
    assert steering.factor(Url("https://news.example/")) == BOOST
    assert steering.factor(Url("https://a.news.example/")) == 1.0


def test_without_a_file_nothing_is_steered(tmp_path: Path) -> None:
    steering = Steering(tmp_path)
    steering.look(1.0)
    assert steering.idle


def test_a_change_of_the_file_is_noticed(tmp_path: Path) -> None:
    steering = Steering(tmp_path)
    steering.look(1.0)
    write_course(tmp_path, Course().with_rule("a.example", blocks=True))
    steering.look(1.5)
    assert steering.idle, "it is too soon for another look"
    steering.look(5.0)
    assert steering.blocks(Url("https://a.example/"))
    write_course(tmp_path, read_course(tmp_path).without("a.example"))
    os.utime(tmp_path / FILE_NAME, (1, 1))
    steering.look(10.0)
    assert steering.idle


def test_a_pattern_has_one_meaning_at_a_time() -> None:
    course = Course().with_rule("a.example", blocks=True).with_rule("a.example", blocks=False)
    assert course == Course(boost=("a.example",))


@pytest.mark.parametrize("pattern", ["", " ", "*", "/", "x" * 300])
def test_patterns_that_cannot_be_meant_are_refused(pattern: str) -> None:
    with pytest.raises(UsageError):
        Course().with_rule(pattern, blocks=True)


@pytest.mark.parametrize("content", [b"", b"{", b'{"block": 3}', b"\xff"])
def test_a_damaged_file_steers_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    assert read_course(tmp_path) == Course()
