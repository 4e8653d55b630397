"""A PDF's text comes with headings, paragraphs and facts; what cannot be read is said so, and harms nobody."""

from __future__ import annotations

import asyncio
import os
import random
import signal

import pytest
from small_pdf import pdf_of

from haenyeo.html.parse import parse_html, parse_text
from haenyeo.model.pages import Url
from haenyeo.read.facts import facts_of
from haenyeo.read.pdf.process import HUNG, PdfProcess
from haenyeo.read.pdf.worker import DAMAGED, ENCRYPTED, NO_TEXT, PdfText, read_pdf

PAGES = [
    [
        (24, "Reefs of the south"),
        (11, ""),
        (11, "A reef is a ridge of rock, and many ani-"),
        (11, "mals live on it."),
    ],
    [(16, "Kelp"), (11, ""), (11, "Kelp grows quickly."), (11, ""), (11, ""), (11, "Urchins eat it.")],
]
FACTS = {"Title": "Reefs", "Author": "A. Diver", "CreationDate": "D:20240305120000Z"}


def test_headings_paragraphs_and_facts() -> None:
    found = read_pdf(pdf_of(PAGES, **FACTS))
    assert (found.pages, found.reason) == (2, "")
    markup = parse_text(found.html, Url("http://a.example/a.pdf"))
    assert [(block.path.rpartition(">")[2], block.text) for block in markup.blocks] == [
        ("h1", "Reefs of the south"),
        ("p", "A reef is a ridge of rock, and many animals live on it."),
        ("h2", "Kelp"),
        ("p", "Kelp grows quickly."),
        ("p", "Urchins eat it."),
    ]
    facts = facts_of(found.html)
    assert (markup.title, facts.author, facts.published) == ("Reefs", "A. Diver", "2024-03-05T12:00:00")


def test_links_are_followed_and_no_text() -> None:
    link = b"/Annots[<</Type/Annot/Subtype/Link/Rect[60 770 400 805]/A<</S/URI/URI(%s)>>>>]/Contents"
    plain = pdf_of(PAGES, **FACTS)
    linked = plain.replace(b"/Contents", link % b"https://b.example/reefs?a=1&b=2", 1)
    linked = linked[::-1].replace(b"/Contents"[::-1], (link % b"mailto:a@b.example")[::-1], 1)[::-1]
    found = read_pdf(linked)
    markup = parse_html(found.html, Url("http://a.example/a.pdf"))
    assert [(each.url, each.label) for each in markup.links] == [
        ("https://b.example/reefs?a=1&b=2", "Reefs of the south")
    ]
    assert markup.blocks == parse_html(read_pdf(plain).html, Url("http://a.example/a.pdf")).blocks


def test_without_a_title_the_largest_line_is_one() -> None:
    found = read_pdf(pdf_of(PAGES, Title="untitled.doc"))
    assert parse_text(found.html, Url("http://a.example/")).title == "Reefs of the south"


def test_where_no_line_is_larger_the_first_one_is_the_title() -> None:
    pages = [
        [(11, "1"), (11, ""), (11, ""), (11, "REEF\\(1\\)"), (11, ""), (11, ""), (11, "A reef is a ridge of rock.")]
    ]
    for sign in ([], [(11, ""), (24, "^")]):
        found = read_pdf(pdf_of([[*pages[0], *sign]]))
        assert parse_text(found.html, Url("http://a.example/")).title == "REEF(1)"


def test_a_page_of_running_text_has_no_title() -> None:
    found = read_pdf(pdf_of([[(11, "A reef is a ridge of rock where many animals live.")] * 6]))
    assert parse_text(found.html, Url("http://a.example/")).title == ""


def test_what_cannot_be_read_is_said_so() -> None:
    assert read_pdf(pdf_of([[]])).reason == NO_TEXT
    assert read_pdf(b"%PDF-1.4\nnothing").reason == DAMAGED
    encryption = (
        b"/Encrypt<</Filter/Standard/V 1/R 2/O(" + b"o" * 32 + b")/U(" + b"u" * 32 + b")/P -4>>/ID[(a)(a)]/Root"
    )
    assert read_pdf(pdf_of(PAGES).replace(b"/Root", encryption)).reason == ENCRYPTED


def _mutated(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 40)):
        place = chance.randrange(len(changed))
        if chance.random() < 0.7:
            changed[place] = chance.randrange(256)
        else:
            del changed[place : place + chance.randint(1, 30)]
    return bytes(changed)


@pytest.mark.slow
def test_broken_ones_harm_nobody_and_the_next_is_read() -> None:
    chance, whole = random.Random(5), pdf_of(PAGES, **FACTS)

    async def work() -> tuple[list[PdfText], PdfText]:
        process = PdfProcess()
        found = [await process.read(_mutated(whole, chance)) for _ in range(100)]
        last = await process.read(whole)
        await process.close()
        return found, last

    found, last = asyncio.run(work())
    assert all(each.html or each.reason for each in found)
    assert "ridge" in last.html


def test_a_process_that_dies_or_hangs_is_replaced() -> None:
    whole = pdf_of(PAGES, **FACTS)

    async def work() -> list[PdfText]:
        process = PdfProcess(seconds=20.0)
        found = [await process.read(whole)]
        assert process._process is not None
        process._process.kill()
        await process._process.wait()
        found.append(await process.read(whole))
        os.kill(process._process.pid, signal.SIGSTOP)
        process._seconds = 0.5
        found.append(await process.read(whole))
        process._seconds = 20.0
        found.append(await process.read(whole))
        await process.close()
        return found

    found = asyncio.run(work())
    assert [bool(each.html) for each in found] == [True, True, False, True]
    assert found[2].reason == HUNG
