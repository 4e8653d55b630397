"""Pages that others have collected: their own tools write them, and the collection has what those tools list."""

from __future__ import annotations

import gzip
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest
from named_web import NamedWeb, Reply, article, served
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]
from warcio.statusandheaders import StatusAndHeaders  # type: ignore[import-untyped]
from warcio.warcwriter import WARCWriter  # type: ignore[import-untyped]

from haenyeo.collect.collection import Collection, create_collection
from haenyeo.model.config import Topic
from haenyeo.model.visits import Outcome

DATE = "2024-03-05T12:00:00Z"


def html_of(name: str, words: int = 80) -> str:
    text = " ".join(f"{name}word{place}" for place in range(words))
    links = f'<a href="/linked/{name}">more on {name}</a>'
    return f"<!doctype html><title>About {name}</title><h1>{name}</h1><p>The reef page {name}: {text}</p>{links}"


def line_of(name: str) -> str:
    return json.dumps({"url": f"http://a.example/{name}", "html": html_of(f"n{name}"), "date": DATE})


def made(folder: Path) -> Path:
    """A collection that keeps whatever it reads."""
    create_collection(folder, Topic(words="reef", threshold=0.0))
    return folder


class _Writing:
    """A WARC file as warcio's users write it."""

    def __init__(self, path: Path, *, packed: bool = True) -> None:
        self._file = path.open("wb")
        self.writer = WARCWriter(self._file, gzip=packed)

    def __enter__(self) -> Self:
        info = self.writer.create_warcinfo_record("x.warc", {"software": "test"})
        self.writer.write_record(info)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, url: str, body: bytes, *headers: tuple[str, str], status: str = "200 OK", date: str = DATE) -> None:
        told = StatusAndHeaders(status, list(headers or (("Content-Type", "text/html"),)), protocol="HTTP/1.1")
        record = self.writer.create_warc_record(
            url, "response", payload=io.BytesIO(body), http_headers=told, warc_headers_dict={"WARC-Date": date}
        )
        self.writer.write_record(record)

    def add_revisit(self, url: str, of: str, date: str) -> None:
        told = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        record = self.writer.create_revisit_record(
            url, "sha1:X", of, DATE, http_headers=told, warc_headers_dict={"WARC-Date": date}
        )
        self.writer.write_record(record)


def chunked(data: bytes) -> bytes:
    halves = data[:50], data[50:]
    return b"".join(b"%x\r\n%s\r\n" % (len(half), half) for half in halves) + b"0\r\n\r\n"


@pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning")  # warcio's own
@pytest.mark.parametrize("packed", [True, False])
def test_a_warc_by_another_writer_becomes_visits_of_its_time(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / f"other.warc{'.gz' if packed else ''}"
    with _Writing(path, packed=packed) as out:
        out.add("http://a.example/plain", html_of("plain").encode())
        body = chunked(gzip.compress(html_of("coded").encode()))
        out.add(
            "http://a.example/coded",
            body,
            ("Content-Type", "text/html"),
            ("Content-Encoding", "gzip"),
            ("Transfer-Encoding", "chunked"),
        )
        out.add("http://a.example/liar", html_of("liar").encode(), ("Transfer-Encoding", "chunked"))
        out.add("http://a.example/old", b"", ("Location", "/new"), status="301 Moved")
        out.add("http://a.example/new", html_of("new").encode())
        out.add("http://a.example/robots.txt", b"User-agent: *\nDisallow: /\n", ("Content-Type", "text/plain"))
        out.add("http://a.example/picture.png", b"\x89PNG", ("Content-Type", "image/png"))
        out.add("http://a.example/gone", b"not here", status="404 Not Found")
        out.add_revisit("http://a.example/plain", "http://a.example/plain", "2024-04-05T12:00:00Z")
    folder = made(tmp_path / "reef")
    with Collection.open(folder) as opened:
        result = opened.import_([path])
        assert (result.pages, result.unread) == (5, ())
        names = {str(page.url): page for page in opened.pages()}
        assert {*names} == {f"http://a.example/{name}" for name in ("plain", "coded", "liar", "new")}
        for name in ("plain", "coded", "liar", "new"):
            assert f"{name}word79" in names[f"http://a.example/{name}"].text
        moved = opened.store.page("http://a.example/old")
        assert moved is not None
        assert str(moved.url) == "http://a.example/new"
        visits = list(opened.store.visits("http://a.example/plain"))
        assert [f"{visit.at:%Y-%m-%d}" for visit in visits] == ["2024-03-05", "2024-04-05"]
        assert opened.store.waiting_count() == 4
        again = opened.import_([path])
        assert again.pages == 0


def test_what_wget_has_recorded_is_what_is_kept(tmp_path: Path) -> None:
    web = NamedWeb("a.example")
    web.hosts["a.example"] = lambda path: (
        article(f"Reef {path}", "/one", "/two", "/three") if path in ("/", "/one", "/two", "/three") else Reply("", 404)
    )
    with served(web):
        address = f"http://{web.addresses['a.example']}:{web.port}/"
        subprocess.run(
            ["wget", "-q", "-r", "-l", "2", "--warc-file=wget", "-P", str(tmp_path / "mirror"), address],
            cwd=tmp_path,
            check=False,
            timeout=60,
        )
    path = tmp_path / "wget.warc.gz"
    with path.open("rb") as file:
        listed = {
            record.rec_headers.get_header("WARC-Target-URI").strip("<>")
            for record in ArchiveIterator(file)
            if record.rec_type == "response" and record.http_headers.get_statuscode() == "200"
        }
    folder = made(tmp_path / "reef")
    with Collection.open(folder) as opened:
        opened.import_([path])
        assert {str(page.url) for page in opened.pages()} == listed
        assert len(listed) == 4
    mirror = made(tmp_path / "mirrored")
    with Collection.open(mirror) as opened:
        assert opened.import_([tmp_path / "mirror"]).pages == 4
        assert {str(page.url) for page in opened.pages()} == listed


def test_our_own_archive_imported_again_gives_the_same_texts(tmp_path: Path, haenyeo: Callable[..., object]) -> None:
    lines = [
        json.dumps({"url": f"http://a.example/{name}", "html": html_of(name), "date": DATE}) for name in "abcdefgh"
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join([*lines, "no json", '{"url": "mailto:x", "html": ""}']), "utf-8")
    made(tmp_path / "first")
    made(tmp_path / "second")
    haenyeo("import", "first", "pages.jsonl", "-q")
    haenyeo("export", "first", "--to", "wacz", "--out", "first.wacz", "-q")
    haenyeo("import", "second", "first.wacz", "-q")
    texts = []
    for name in ("first", "second"):
        with Collection.open(tmp_path / name, writing=False) as opened:
            texts.append({page.url: (page.title, page.text, page.fetched_at) for page in opened.pages()})
    assert len(texts[0]) == 8
    assert texts[0] == texts[1]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A list of pages that takes some seconds."""
    path = tmp_path / "many.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as out:
        for number in range(400):
            out.write(
                json.dumps({"url": f"http://a.example/{number}", "html": html_of(f"n{number}"), "date": DATE}) + "\n"
            )
    return path


@pytest.mark.slow
def test_a_killed_import_goes_on_and_doubles_nothing(tmp_path: Path, many: Path) -> None:
    folder = made(tmp_path / "reef")
    arguments = [sys.executable, "-m", "haenyeo", "import", str(folder), str(many), "-q"]
    killed = 0
    for _ in range(2):
        process = subprocess.Popen(arguments)
        before = _visits(folder)
        until = time.monotonic() + 60
        while process.poll() is None and _visits(folder) < before + 30 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
    assert killed
    assert 0 < _visits(folder) < 400
    assert subprocess.run(arguments, check=False).returncode == 0
    with Collection.open(folder, writing=False) as opened:
        counts = opened.store.counts()
        assert (counts.asked, counts.visits) == (400, 400)
        assert opened.store.page("http://a.example/399").outcome is Outcome.PAGE  # type: ignore[union-attr]


def _visits(folder: Path) -> int:
    with Collection.open(folder, writing=False) as opened:
        return opened.store.counts().visits


def test_saved_pages_say_where_they_are_from(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    (saved / "b.example" / "sub").mkdir(parents=True)
    mark = "<!-- saved from url=(0024)https://c.example/marked -->"
    (saved / "marked.html").write_text(mark + html_of("marked"), "utf-8")
    (saved / "own.htm").write_text('<link rel="canonical" href="https://c.example/own">' + html_of("own"), "utf-8")
    (saved / "b.example" / "sub" / "index.html").write_text(html_of("placed"), "utf-8")
    (saved / "nobody.html").write_text(html_of("nobody"), "utf-8")
    folder = made(tmp_path / "reef")
    with Collection.open(folder) as opened:
        result = opened.import_([saved])
        assert (result.pages, result.other) == (3, 1)
        assert {str(page.url) for page in opened.pages()} == {
            "https://c.example/marked",
            "https://c.example/own",
            "http://b.example/sub/",
        }


def test_addresses_of_a_common_crawl_index_become_seeds(tmp_path: Path, haenyeo: Callable[..., object]) -> None:
    index = tmp_path / "index.gz"
    lines = (
        'org,example)/a 20240305 {"url": "https://example.org/a", "mime": "text/html", "status": "200"}',
        '{"urlkey": "org,example)/b", "url": "https://example.org/b", "mime": "text/html", "status": "200"}',
        'org,example)/c 20240305 {"url": "https://example.org/c", "mime": "image/png", "status": "200"}',
        'org,example)/d 20240305 {"url": "https://example.org/d", "mime": "text/html", "status": "404"}',
    )
    index.write_bytes(gzip.compress("\n".join(lines).encode()))
    folder = made(tmp_path / "reef")
    haenyeo("import", "reef", "--cc-index", "index.gz")
    added = (folder / "added-seeds.txt").read_text("utf-8").split()
    assert added == ["https://example.org/a", "https://example.org/b"]


def test_files_without_a_page_are_said_to_be_so(
    tmp_path: Path, haenyeo: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    made(tmp_path / "reef")
    (tmp_path / "other.jsonl").write_text('{"text": "no page"}\nno json\n', "utf-8")
    for _ in range(2):
        told = haenyeo("import", "reef", "other.jsonl", code=1)
        assert "no page was found" in told.stderr
        assert "url and html" in told.stderr
    (tmp_path / "some.jsonl").write_text(line_of("1"), "utf-8")
    assert "1 pages taken in" in haenyeo("import", "reef", "some.jsonl").stdout
    assert "1 records were read by an earlier import" in haenyeo("import", "reef", "some.jsonl").stdout


@pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.SpooledTemporaryFile:ResourceWarning")  # warcio's own
def test_a_warc_as_heritrix_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "IAH-20240305120000-00000.warc.gz"
    with _Writing(path) as out:
        for kind, url, content_type, body in (
            ("response", "dns:a.example", "text/dns", b"20240305120000\na.example. 300 IN A 192.0.2.1\n"),
            ("request", "http://a.example/one", "application/http; msgtype=request", b"GET /one HTTP/1.0\r\n\r\n"),
            (
                "metadata",
                "http://a.example/one",
                "application/warc-fields",
                b"via: http://a.example/\r\nhopsFromSeed: L\r\n",
            ),
            ("resource", "filedesc://IAH.warc.gz", "text/plain", b"1 0 InternetArchive\n"),
        ):
            facts = {"WARC-Date": DATE}
            record = out.writer.create_warc_record(
                url, kind, payload=io.BytesIO(body), warc_content_type=content_type, warc_headers_dict=facts
            )
            out.writer.write_record(record)
        out.add("http://a.example/one", html_of("one").encode())
        out.add("http://a.example/two", html_of("two").encode(), ("Content-Type", "text/html"), ("Server", "Apache"))
        out.add("http://a.example/late", b"", ("Content-Type", "text/html"), status="-5 Timeout")
    with Collection.open(made(tmp_path / "reef")) as opened:
        result = opened.import_([path])
        assert (result.pages, result.unread) == (2, ())
        assert {str(page.url) for page in opened.pages()} == {"http://a.example/one", "http://a.example/two"}
