"""Whether a page says something before its scripts run is seen at a glance."""

from __future__ import annotations

import time

import pytest

from haenyeo.fetch.browser.unscripted import (
    FEW_CHARACTERS,
    FULL_LINKS,
    FULL_PARAGRAPHS,
    is_drawing,
    is_full,
    shown_characters,
    wants_scripts,
)

WORDS = "<p>" + "word " * FEW_CHARACTERS + "</p>"
SCRIPT = "<script src=/app.js></script>"


@pytest.mark.parametrize(
    "page",
    [
        f"<!doctype html><title>Title</title><body><div id=root></div>{SCRIPT}",
        f"<head><meta name=description content='{'x' * 500}'></head><body><noscript>{WORDS}</noscript>{SCRIPT}",
        f"<body>{SCRIPT}<style>{'a' * 999}</style><template>{WORDS}</template><!-- {WORDS} -->Loading...",
        "<body><noscript><meta http-equiv=refresh content='0;/no'></noscript><script>let x = 1</script>",
        f"<body><noscript><iframe src=/count></iframe></noscript>{SCRIPT}",
    ],
)
def test_a_frame_that_a_script_fills_wants_scripts(page: str) -> None:
    assert wants_scripts(page.encode())


@pytest.mark.parametrize(
    "page",
    [
        f"<body>{WORDS}{SCRIPT}",
        "<body><p>Short, and nothing to run.</p>",
        "<body><p>Data only.</p><script type='application/ld+json'>{}</script>",
        f"<head><meta http-equiv='refresh' content='0;/there'></head><body>{SCRIPT}",
        f"<frameset cols=*><frame src=/a></frameset>{SCRIPT}",
        "",
    ],
)
def test_other_pages_do_not(page: str) -> None:
    assert not wants_scripts(page.encode())


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (f"<body><h1>Map</h1><img src=/map.png>{SCRIPT}", True),
        (f"<body><svg><path d='M0 0'></path><rect></rect></svg>{SCRIPT}", True),
        (f"<body><noscript><img src=/count.gif></noscript><div id=root></div>{SCRIPT}", False),
        (f"<body><img src=/logo.png><main class=app></main>{SCRIPT}", False),
        (f"<body><img src=/wait.gif><my-app></my-app>{SCRIPT}", False),
        (f"<body>Loading{SCRIPT}", False),
    ],
)
def test_a_drawing_has_nothing_to_be_filled(page: str, expected: bool) -> None:
    assert is_drawing(page.encode()) is expected


def test_words_in_a_drawing_are_shown() -> None:
    assert shown_characters(b"<body><svg><title>No</title><desc>no</desc><text>two words</text></svg>", 50) == 8


def test_a_glance_ends_when_there_is_enough() -> None:
    assert shown_characters(("<body>" + WORDS).encode(), 50) == 50
    assert shown_characters(b"<body>&nbsp; \n two <b>words</b>", 50) == 8


@pytest.mark.parametrize("piece", [b"<script", b"<script ", b"<meta ", b"<noscript>", b"<!--", b"<a", b"<noscript"])
def test_no_page_takes_long(piece: bytes) -> None:
    page = b"<body>" + piece * ((1 << 20) // len(piece))
    began = time.process_time()
    wants_scripts(page)
    is_drawing(page)
    assert time.process_time() - began < 5


def test_a_page_without_scripts_is_looked_at_no_further_and_its_head_does_not_count() -> None:
    assert is_full(b"<body><p>hardly a word")
    assert not is_full(b"<body><p>hardly a word<SCRIPT>fill()</SCRIPT>")
    head = b"<head><script>" + b"x = 1;" * 8_000 + b"</script></head>"
    assert not is_full(head + b"<body><div id=root></div>")
    assert is_full(head + b"<body>" + b"<p>one</p>" * FULL_PARAGRAPHS)
    assert is_full(head + b"<body>" + b" " * 4_000 + b"<a>one</a>" * (FULL_LINKS + 1))
