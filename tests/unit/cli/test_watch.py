from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from haenyeo.cli.app import haenyeo


def watch(divers: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(haenyeo, ["watch", str(divers), *options], standalone_mode=False)
    if done.exception is not None:
        return 2, str(done.exception)
    return int(done.return_value), done.output


def test_nothing_under_watch_is_said_in_words(divers: Path) -> None:
    assert watch(divers, "--look") == (0, "nothing is under watch; add a page: haenyeo watch NAME URL\n")


def test_a_page_is_put_under_watch_visited_and_let_go(divers: Path) -> None:
    closed = "http://127.0.0.1:9/list"
    code, told = watch(divers, closed, "--every", "30m", "--delay", "0", "--json")
    assert code == 1  # nobody answers there
    [page] = json.loads(told)["watched"]
    assert page["url"] == closed
    assert watch(divers, "--look")[0] == 1
    assert json.loads(watch(divers, closed, "--remove", "--json")[1])["watched"] == []
    assert "not under watch" in watch(divers, closed, "--remove")[1]
