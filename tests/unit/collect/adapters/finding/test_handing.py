from __future__ import annotations

import os
from pathlib import Path

from haenyeo.collect.adapters.finding.handing import FOLDER, Correction, UserVerdict, answer, hand_over, handed, settle
from haenyeo.model.pages import Url

GOOD = UserVerdict(url=Url("https://a.example/"), topic="reefs", relevant=True)
BAD = UserVerdict(url=Url("https://a.example/"), topic="reefs", relevant=False)
DONE = Correction(url=GOOD.url, topic="reefs", relevant=True, fetched=True, now_kept=2)


def test_verdicts_are_taken_in_the_order_they_were_given(tmp_path: Path) -> None:
    assert list(handed(tmp_path)) == []
    first, second = hand_over(tmp_path, GOOD), hand_over(tmp_path, BAD)
    assert list(handed(tmp_path)) == [(first, GOOD), (second, BAD)]


def test_the_answer_comes_once_the_verdict_was_taken_up(tmp_path: Path) -> None:
    path = hand_over(tmp_path, GOOD)
    assert answer(path) is None
    settle(path, DONE)
    assert list(handed(tmp_path)) == []
    assert answer(path) == DONE
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_files_that_are_no_verdicts_and_answers_nobody_asked_for_go_away(tmp_path: Path) -> None:
    path = hand_over(tmp_path, GOOD)
    settle(path, DONE)
    os.utime(path.with_suffix(".done"), (0, 0))
    (tmp_path / FOLDER / "0.json").write_bytes(b"\xff[")
    assert list(handed(tmp_path)) == []
    assert list((tmp_path / FOLDER).iterdir()) == []
