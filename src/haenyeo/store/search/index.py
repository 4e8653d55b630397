"""The full-text index: `search.db` beside the collection's database, an FTS5 table without content of its own.

It is brought up to date beside a crawl while that waits for servers, after it, and a little by whoever searches, from
the visits made since the last time; so it may be deleted at any moment and grows again. A row's number is twice the
visit that brought the text, and one more if the text was read better later on: a page gets a new row whenever its text
is another, and `entry` says which row of a page counts, and the digest of what is in it.
"""

from __future__ import annotations

import functools
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from haenyeo.model.errors import NoCollectionError, StoreError
from haenyeo.model.pages import Url
from haenyeo.store.database import PATIENCE, explaining
from haenyeo.store.encoding import microseconds, moment, unpack
from haenyeo.store.sealed import index_place, is_sealed, reading_address
from haenyeo.store.search.query import Hit, Hits, SearchQuery
from haenyeo.store.search.snippets import snippet_of
from haenyeo.store.search.terms import QueryPart, index_characters, index_terms, match_expression, normal, parse_query

FILE_NAME = "search.db"
VERSION = 2
PAGES_IN_STEP = 256
PAGES_IN_SHORT_STEP = 64
LONGEST_TEXT = 200_000  # characters of a page that are indexed
CANDIDATES = 5_000  # matches that are ranked, the newest; a word on every page must not cost seconds
CACHE_KIB = 8 * 1024
TITLE_WEIGHT, TEXT_WEIGHT, CHARACTER_WEIGHT = 6.0, 1.0, 1.0

SCHEMA = """
CREATE VIRTUAL TABLE words USING fts5 (
    title, text, characters, marks, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE entry (row INTEGER PRIMARY KEY, page INTEGER NOT NULL UNIQUE, digest BLOB NOT NULL);
CREATE TABLE progress (last_visit INTEGER NOT NULL);
INSERT INTO progress VALUES (0);
"""
NEW_TEXTS = (
    "SELECT 2 * visit.id, page.id, page.digest, page.title, page.site, page.language, text.text FROM c.visit"
    " JOIN c.page ON page.id = visit.page JOIN c.text ON text.page = page.id"
    " WHERE visit.id > ? AND visit.id <= ? AND visit.outcome = 'page' AND visit.changed IS NOT 0 ORDER BY visit.id"
)
BETTER_TEXTS = (
    "SELECT entry.row + 1, page.id, page.digest, page.title, page.site, page.language, text.text FROM entry"
    " JOIN c.page ON page.id = entry.page JOIN c.text ON text.page = page.id"
    " WHERE entry.row > ? AND entry.row % 2 = 0 AND entry.digest <> page.digest ORDER BY entry.row LIMIT ?"
)
UNINDEXED = (
    "SELECT count(DISTINCT page) FROM c.visit WHERE id > ? AND outcome = 'page' AND changed IS NOT 0"
    " AND EXISTS (SELECT 1 FROM c.text WHERE text.page = visit.page)"
)
# The filters are asked of every match, also those that let everything pass, so that there is one query only.
MATCHES = (
    "WITH found AS MATERIALIZED (SELECT rowid AS number, bm25(words, ?, ?, ?, 0.0) AS worth FROM words"
    " WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) SELECT page.id, worth, (SELECT count(*) FROM found) FROM found"
    " JOIN entry ON entry.row = number JOIN c.page ON page.id = entry.page WHERE (page.kept OR NOT ?)"
    " AND page.changed_us >= ? AND page.changed_us < ? AND (? = '' OR about(page.relevance, ?))"
    " AND (? = '' OR {kind} = ?) ORDER BY worth"
)
HIT = (
    "SELECT url, title, site.name, language, relevance, changed_us, text, kept, {kind} FROM c.page"
    " JOIN c.site ON site.id = page.site LEFT JOIN c.text ON text.page = page.id WHERE page.id = ?"
)
FOREVER = 1 << 62

_relevance = msgspec.msgpack.Decoder(dict[str, float])
Told = Callable[[int, int], None]
"""Is told how far the update is: visits looked at, visits to look at."""


class SearchIndex:
    """Finds pages by their words; one thread at a time. Any number of processes may search and update one index."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        database = folder / "haenyeo.db"
        if not database.exists():
            raise NoCollectionError(
                f"there is no collection at {folder}", advice="make one: haenyeo new NAME --topic ..."
            )
        with explaining(self._path):
            if is_sealed(folder) and not _is_complete(self._path, database):
                self._path = index_place(database)
            self._connection = _open(self._path)
            self._connection.execute("ATTACH ? AS c", (reading_address(database),))
            columns = self._connection.execute("SELECT name FROM pragma_table_info('page', 'c')").fetchall()
            # A collection of an earlier version is searched as it is: only who writes to it brings it up to date.
            self._kind_column = "page.kind" if ("kind",) in columns else "''"
            self._connection.create_function("about", 2, _is_about, deterministic=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()

    def behind(self) -> int:
        """How many visits the index has not looked at yet."""
        with explaining(self._path):
            return self._newest() - self._last_visit()

    def unindexed(self) -> int:
        """How many pages have a text that the index does not have yet."""
        with explaining(self._path):
            found = self._connection.execute(UNINDEXED, (self._last_visit(),))
            return int(found.fetchone()[0])

    def update(
        self, told: Told = lambda _done, _all: None, *, steps: int | None = None, seconds: float | None = None
    ) -> bool:
        """Take in what was fetched since the last time; False if `steps` or `seconds` were not enough for all of it."""
        until = None if seconds is None else time.monotonic() + seconds
        size = PAGES_IN_STEP if seconds is None else PAGES_IN_SHORT_STEP
        with explaining(self._path):
            begun, goal = self._last_visit(), self._newest()
            while (last := self._last_visit()) < goal:
                if (steps is not None and steps <= 0) or (until is not None and time.monotonic() >= until):
                    return False
                self._take_in(min(goal, last + size))
                steps = None if steps is None else steps - 1
                told(last - begun, goal - begun)
            if steps is None and seconds is None:
                self._take_better_texts()
        return True

    def find(self, query: SearchQuery) -> Hits:
        """The best matches for a query, with the places that match."""
        began = time.perf_counter()
        parts = parse_query(query.words)
        expression = match_expression(parts)
        if not expression:
            return Hits(hits=(), total=0, more=False, milliseconds=0.0)
        with explaining(self._path):
            rows, total, more = self._ranked(query, expression)
            hits = tuple(self._hit(page, worth, parts) for page, worth in rows)
        milliseconds = (time.perf_counter() - began) * 1000
        return Hits(hits=hits, total=total, more=more, milliseconds=milliseconds, unindexed=self.unindexed())

    def frequencies(self, parts: list[QueryPart]) -> tuple[int, list[int]]:
        """How many pages are indexed, and how many of them have each of these parts of a query."""
        with explaining(self._path):
            pages = self._connection.execute("SELECT count(*) FROM entry").fetchone()[0]
            query = "SELECT count(*) FROM words WHERE words MATCH ?"
            counts = [self._connection.execute(query, (match_expression([part]),)).fetchone()[0] for part in parts]
        return pages, counts

    def _take_in(self, until: int) -> None:
        """Index the visits up to one of this number, in one transaction."""
        with self._changing():
            last = self._last_visit()  # another process may have been here meanwhile
            self._put(self._connection.execute(NEW_TEXTS, (last, until)).fetchall())
            self._connection.execute("UPDATE progress SET last_visit = max(last_visit, ?)", (until,))

    def _take_better_texts(self) -> None:
        """Index those pages anew that were read better since: with what their sites have taught later on."""
        after = 0
        while True:
            with self._changing():
                rows = self._connection.execute(BETTER_TEXTS, (after, PAGES_IN_STEP)).fetchall()
                self._put(rows)
            if not rows:
                return
            after = rows[-1][0]

    def _put(self, rows: list[tuple[Any, ...]]) -> None:
        """Write texts into the index, of each page the last."""
        run = self._connection.execute
        for row, page, digest, named, site, language, packed in {row[1]: row for row in rows}.values():
            title, text = normal(named), normal(unpack(packed).decode("utf-8", "replace")[:LONGEST_TEXT])
            marks = f"site{site} {_language_mark(language)}"
            run("INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", (row, page, digest))
            run(
                "INSERT INTO words (rowid, title, text, characters, marks) VALUES (?, ?, ?, ?, ?)",
                (row, index_terms(title), index_terms(text), index_characters(f"{title} {text}"), marks),
            )

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """What is written inside is written whole or not at all."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _ranked(self, query: SearchQuery, expression: str) -> tuple[list[tuple[int, float]], int, bool]:
        """The pages of this part of the answer with their worth, how many there are, and whether there are more."""
        marks = self._marks(query)
        match = f"({expression}) AND marks : ({marks})" if marks else expression
        since = microseconds(query.since) if query.since else 0
        until = microseconds(query.until) if query.until else FOREVER
        matches = self._connection.execute(
            MATCHES.format(kind=self._kind_column),
            (
                *(TITLE_WEIGHT, TEXT_WEIGHT, CHARACTER_WEIGHT, match, CANDIDATES),
                *(query.kept_only, since, until, query.topic, query.topic, query.kind, query.kind),
            ),
        ).fetchall()
        rows = [(page, -worth) for page, worth, _ in matches[query.offset : query.offset + query.limit]]
        return rows, len(matches), bool(matches) and matches[0][2] >= CANDIDATES

    def _marks(self, query: SearchQuery) -> str:
        """The filters that the index knows itself."""
        marks = []
        if query.site:
            found = self._connection.execute("SELECT id FROM c.site WHERE name = ?", (query.site,)).fetchone()
            marks.append(f'"site{found[0] if found else 0}"')
        if query.language:
            marks.append(f'"{_language_mark(query.language)}"')
        return " AND ".join(marks)

    def _hit(self, number: int, score: float, parts: list[QueryPart]) -> Hit:
        row: tuple[Any, ...] = self._connection.execute(HIT.format(kind=self._kind_column), (number,)).fetchone()
        text = "" if row[6] is None else unpack(row[6]).decode("utf-8", "replace")
        return Hit(
            page=number,
            url=Url(row[0]),
            title=row[1],
            site=row[2],
            language=row[3],
            kind=row[8],
            relevance=_relevance.decode(row[4]) if row[4] else {},
            changed_at=None if row[5] is None else moment(row[5]),
            kept=bool(row[7]),
            score=score,
            snippet=snippet_of(text, parts),
        )

    def _last_visit(self) -> int:
        number: int = self._connection.execute("SELECT last_visit FROM progress").fetchone()[0]
        return number

    def _newest(self) -> int:
        number: int = self._connection.execute("SELECT coalesce(max(id), 0) FROM c.visit").fetchone()[0]
        return number


def _open(path: Path) -> sqlite3.Connection:
    """The index at this place, made anew if there is none or it is of another version; as it is if it is sealed."""
    if is_sealed(path.parent):
        return sqlite3.connect(reading_address(path), uri=True, isolation_level=None, check_same_thread=False)
    for _ in range(2):
        connection = _connect(path)
        with closing(connection.execute("PRAGMA user_version")) as cursor:
            version = cursor.fetchone()[0]
        if version == VERSION:
            return connection
        if version == 0:
            return _made(connection)
        connection.close()
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    return _made(_connect(path))


def _is_complete(path: Path, database: Path) -> bool:
    """Whether a sealed index can be read and has everything that the collection has."""
    try:
        with closing(sqlite3.connect(reading_address(path), uri=True)) as connection:
            connection.execute("ATTACH ? AS c", (reading_address(database),))
            asked = connection.execute(
                "SELECT user_version, (SELECT last_visit FROM progress), (SELECT max(id) FROM c.visit)"
                " FROM pragma_user_version"
            )
            version, last, newest = asked.fetchone()
    except (sqlite3.Error, StoreError):
        return False
    return bool(version == VERSION and last >= (newest or 0))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path.absolute().as_uri(), uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("PRAGMA synchronous = normal")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    return connection


def _made(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection with the tables there; another process may make them at the same moment."""
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        for statement in SCHEMA.strip().split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    return connection


@functools.lru_cache(maxsize=1024)
def _language_mark(language: str) -> str:
    """A term for a language, without its region."""
    return "lang" + "".join(filter(str.isalnum, language.lower().replace("_", "-").partition("-")[0]))


def _is_about(packed: bytes, topic: str) -> bool:
    """Was the page judged for this topic at all, and not as worthless?"""
    return bool(packed) and _relevance.decode(packed).get(topic, 0.0) > 0.0
