"""Whatever Haenyeo says when something goes wrong stands on the page that explains it, and nothing else does."""

from __future__ import annotations

import re

from tools.messages import PAGE, messages, missing

from haenyeo.cli.crawl import SAYINGS
from haenyeo.cli.options import FOR_SHARDS
from haenyeo.collect.advice import OUT_OF_SCOPE, ROBOTS_UNREACHABLE, advice_for


def explained() -> dict[str, str]:
    """Each message of the page with its explanation."""
    rows = re.findall(r"^\| `([^`]+)`(?: \*)? \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {message.replace("\\|", "|"): meaning for message, meaning in rows}


def test_every_message_is_explained() -> None:
    assert len(messages()) > 150
    assert [f"{message.text}  ({message.where})" for message in missing(PAGE.read_text(encoding="utf-8"))] == []


def test_no_message_is_explained_that_nobody_says() -> None:
    said = {message.text for message in messages()}
    said |= {"no seed could be read", OUT_OF_SCOPE, ROBOTS_UNREACHABLE, FOR_SHARDS}
    assert explained().keys() - said == set()
    assert all(len(meaning) > 5 for meaning in explained().values())


def test_endings_and_reasons_are_found_in_the_code() -> None:
    said = {message.text for message in messages()}
    assert set(SAYINGS.values()) <= said
    assert all(advice_for(reason) for reason in ("robots.txt", "status 403", "needs a browser"))
    assert {"robots.txt", "status 403", "needs a browser"} <= said
