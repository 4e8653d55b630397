"""PDFs are pages of a collection: read, judged, archived, exported, imported; those that cannot be read say why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from named_web import NamedWeb, Reply, article, crawled, made, served
from small_pdf import pdf_of

from haenyeo.collect.collection import Collection
from haenyeo.collect.visit.pdf_pages import SAYS
from haenyeo.store.archive import archived_files, members

HOST = "papers.example"
LINES = [(11, f"A diver wrote reefline{place} about this reef and its kelp") for place in range(30)]
PAPER = pdf_of([[(22, "The reef paper"), (11, ""), *LINES]], Title="On reefs", Author="A. Diver")
LABEL = (("Content-Type", "application/pdf"),)


def answers(path: str) -> Reply:
    if path == "/":
        return article("Reef papers", "/paper.pdf", "/scan.pdf", "/broken.pdf")
    if path == "/paper.pdf":
        return Reply(PAPER.decode("ascii"), headers=LABEL)
    if path == "/scan.pdf":
        return Reply(pdf_of([[]]).decode("ascii"), headers=LABEL)
    if path == "/broken.pdf":
        return Reply("%PDF-1.4 and nothing more", headers=LABEL)
    return Reply("", 404)


@pytest.fixture
def web() -> Iterator[NamedWeb]:
    named = NamedWeb(HOST)
    named.hosts[HOST] = answers
    with served(named):
        yield named


def test_links_of_a_pdf_are_followed(tmp_path: Path) -> None:
    web = NamedWeb(HOST)
    with served(web):
        link = f"/Annots[<</Type/Annot/Subtype/Link/Rect[60 770 400 805]/A<</S/URI/URI({web.url(HOST, '/kelp')})>>>>]"
        linked = PAPER.decode("ascii").replace("/Contents", f"{link}/Contents", 1)
        web.hosts[HOST] = lambda path: {"/paper.pdf": Reply(linked, headers=LABEL), "/kelp": article("Kelp")}.get(
            path, Reply("", 404)
        )
        folder = made(tmp_path / "reef", web.url(HOST, "/paper.pdf"))
        done = crawled(folder, web)
    assert done.kept == {web.url(HOST, "/paper.pdf"), web.url(HOST, "/kelp")}


def outcomes(folder: Path) -> dict[str, tuple[str, str, str]]:
    with Collection.open(folder, writing=False) as opened:
        pages = opened.store.pages(kept_only=False)
        return {page.url.rpartition("/")[2]: (page.title, page.text, page.reason) for page in pages}


def test_a_pdf_is_read_archived_rebuilt_exported_and_imported(
    web: NamedWeb,
    tmp_path: Path,
    haenyeo: Callable[..., object],
    read_lines: Callable[[str], list[dict[str, Any]]],
) -> None:
    folder = made(tmp_path / "reef", web.url(HOST))
    done = crawled(folder, web)
    assert web.url(HOST, "/paper.pdf") in done.kept
    found = outcomes(folder)
    title, text, reason = found["paper.pdf"]
    assert (title, reason) == ("On reefs", SAYS)
    assert text.startswith("The reef paper\n\n")
    assert "reefline29" in text
    assert found["scan.pdf"][2] == "PDF: no text in it"
    assert found["broken.pdf"][2] == "PDF: damaged"
    (path,) = archived_files(folder)
    records = [record for _, _, record in members(path, path.stat().st_size)]
    assert any(b"WARC-Type: response" in record and PAPER in record for record in records)
    haenyeo("rebuild", "reef", "--strategy", "bfs", "-q")
    assert outcomes(folder)["paper.pdf"] == found["paper.pdf"]
    haenyeo("export", "reef", "--to", "jsonl", "--out", "reef.jsonl", "-q")
    row = next(row for row in read_lines("reef.jsonl") if row["url"].endswith("paper.pdf"))
    assert (row["content_type"], row["author"], row["text"]) == ("application/pdf", "A. Diver", text)
    haenyeo("read", "reef", "-q")
    assert outcomes(folder)["paper.pdf"] == found["paper.pdf"]
    made(tmp_path / "other")
    haenyeo("import", "other", str(path), "-q")
    assert outcomes(tmp_path / "other")["paper.pdf"] == found["paper.pdf"]
