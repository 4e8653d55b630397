"""Pages, links and stores to test with."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from haenyeo.html.urls import url_hash
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import NewLink, PageRecord, Store

BEGIN = datetime(2025, 3, 1, 12, tzinfo=UTC)


def _hop(url: str = "https://a.example/", body: bytes = b"<p>hello</p>", **facts: Any) -> Hop:
    given: dict[str, Any] = {
        "status": 200,
        "reason": "OK",
        "headers": (("Content-Type", "text/html"), ("Content-Length", str(len(body)))),
        "request_headers": (("Host", "a.example"), ("User-Agent", "haenyeo")),
        "address": "192.0.2.1",
        "at": BEGIN,
    }
    return Hop(url=Url(url), body=body, **(given | facts))


def _link(url: str = "https://b.example/", **facts: Any) -> NewLink:
    given: dict[str, Any] = {"site": "b.example", "score": 0.5}
    return NewLink(url=Url(url), **(given | facts))


def _record(number: int = 0, **facts: Any) -> PageRecord:
    """The visit to page `number`; two new links, both to pages of their own."""
    url = Url(f"https://a.example/{number}")
    body = f"<p>page {number}</p>".encode() * 200
    hop = _hop(url, body, at=BEGIN + timedelta(seconds=number))
    links = [_link(f"https://b.example/{number}/{index}") for index in range(2)]
    answer = Answer(
        url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=body, hops=(hop,)
    )
    given: dict[str, Any] = {
        "answer": answer,
        "site": "a.example",
        "at": BEGIN,
        "document": Document(url=url, title=f"Page {number}", text=f"해녀 page {number}", language="ko"),
        "relevance": {"divers": 0.75},
        "kept": True,
        "links": links,
        "targets": [url_hash(link.url) for link in links],
    }
    return PageRecord(**(given | facts))


def _failure(url: str = "https://a.example/0", **facts: Any) -> PageRecord:
    given: dict[str, Any] = {"outcome": Outcome.FAILED, "reason": "network"}
    answer = Answer(url=Url(url), final_url=Url(url), **(given | facts))
    return PageRecord(answer=answer, site="a.example", at=BEGIN + timedelta(days=1))


@pytest.fixture
def make_hop() -> Callable[..., Hop]:
    return _hop


@pytest.fixture
def make_link() -> Callable[..., NewLink]:
    return _link


@pytest.fixture
def make_record() -> Callable[..., PageRecord]:
    return _record


@pytest.fixture
def make_failure() -> Callable[..., PageRecord]:
    return _failure


@pytest.fixture
def kinds() -> Callable[[Path], list[str]]:
    """Reads a WARC file to its end with another program's eyes, digests checked, and gives the kinds of its records."""

    def read(path: Path) -> list[str]:
        with gzip.open(path) as whole:
            whole.read()
        with path.open("rb") as file:
            found = []
            for record in ArchiveIterator(file, check_digests="raise"):
                record.raw_stream.read()
                found.append(record.rec_type)
            return found

    return read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "collection"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with Store.create(folder) as opened:
        yield opened
