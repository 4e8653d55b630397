"""The collection as one WACZ file."""

from __future__ import annotations

import gzip
import hashlib
import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from haenyeo.collect.exporting.formats import as_stored
from haenyeo.collect.exporting.wacz import write_wacz
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _save(store: Store, number: int) -> None:
    url, body = Url(f"https://a.example/{number}"), f"<p>해녀 {number}</p>".encode()
    hop = Hop(url=url, status=200, headers=(("Content-Type", "text/html"),), body=body, at=MOMENT)
    answer = Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, body=body, hops=(hop,))
    document = Document(url=url, title=f"Page {number}", text=f"해녀 {number}")
    store.save(PageRecord(answer=answer, site="a.example", at=MOMENT, document=document, kept=True))


def test_it_holds_archive_index_and_pages_with_their_digests(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "divers")
    for number in (2, 1):
        _save(store, number)
    store.flush()
    out = io.BytesIO()
    assert write_wacz(map(as_stored, store.pages()), out, store=store) == 2
    store.close()

    packed = zipfile.ZipFile(out)
    package = msgspec.json.decode(packed.read("datapackage.json"))
    assert package["title"] == "divers"
    for resource in package["resources"]:
        data = packed.read(resource["path"])
        assert (len(data), f"sha256:{hashlib.sha256(data).hexdigest()}") == (resource["bytes"], resource["hash"])
    digest = msgspec.json.decode(packed.read("datapackage-digest.json"))["hash"]
    assert digest == f"sha256:{hashlib.sha256(packed.read('datapackage.json')).hexdigest()}"

    index = gzip.decompress(packed.read("indexes/index.cdx.gz")).decode().splitlines()
    assert [line.split(" ")[0] for line in index] == ["example,a)/1", "example,a)/2"]
    name = msgspec.json.decode(index[0].split(" ", 2)[2])["filename"]
    kinds = [record.rec_type for record in ArchiveIterator(io.BytesIO(packed.read(f"archive/{name}")))]
    assert kinds.count("response") == 2

    head, *pages = packed.read("pages/pages.jsonl").splitlines()
    assert msgspec.json.decode(head)["format"] == "json-pages-1.0"
    assert [msgspec.json.decode(page)["text"] for page in pages] == ["해녀 2", "해녀 1"]
    assert msgspec.json.decode(pages[0])["ts"] == "2026-03-01T12:00:00Z"
