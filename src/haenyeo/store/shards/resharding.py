"""Takes the sites of one shard to be out of the stores that have them now, with everything that belongs to them.

Rows get new numbers, and all that refers to them with them; archived records are copied as they are, one by one. What
belongs to no site (what topics have learnt) goes to every new shard. A link to a site of another shard leaves its
page's row and waits in that shard, where it knows the page it stands on. A payload that two shards need is copied to
both. A redirect that leads to another shard's site ends here as it does in a crawl in shards.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from haenyeo.html.urls import site_of
from haenyeo.model.pages import Url
from haenyeo.store.archive import file_name, members
from haenyeo.store.database import explaining
from haenyeo.store.elsewhere import opened
from haenyeo.store.encoding import unpack
from haenyeo.store.records import NewLink
from haenyeo.store.sealed import reading_address
from haenyeo.store.sqlite import Store
from haenyeo.store.warc import fields_of

Owns = Callable[[str], bool]
Remembers = Callable[[str, str], bool]
"""Says whether something is to be copied that a part has remembered under a key."""
ROWS = 500
LEFT = "redirect to a site of another shard"

_links = msgspec.msgpack.Decoder(list[NewLink])

# Columns that are not copied as they are, by what stands in their place; all others are, also those of later versions.
_PAGE = {
    "id": "n.new",
    "site": "(SELECT t.id FROM site t JOIN s.site o ON o.name = t.name WHERE o.id = r.site)",
    "moved_to": "m.new",
    "kept": "r.kept AND (r.moved_to IS NULL OR m.new IS NOT NULL)",
    "outcome": "iif(r.moved_to IS NULL OR m.new IS NOT NULL, r.outcome, 'refused')",
    "reason": f"iif(r.moved_to IS NULL OR m.new IS NOT NULL, r.reason, '{LEFT}')",
    "body_visit": "b.new",
}
_PAGES = (
    "FROM s.page r JOIN new_page n ON n.old = r.id LEFT JOIN new_page m ON m.old = r.moved_to"
    " LEFT JOIN new_body b ON b.old = r.id ORDER BY r.id"
)
_VISIT = {
    "id": "n.new",
    "page": "p.new",
    "ref": "l.new",
    "archive": "a.archive",
    "start": "coalesce(a.start, 0)",
    "length": "coalesce(a.length, 0)",
    "body_visit": "b.new",
}
_VISITS = (
    "FROM s.visit r JOIN new_visit n ON n.old = r.id JOIN new_page p ON p.old = r.page"
    " LEFT JOIN new_ref l ON l.old = r.ref LEFT JOIN new_visit b ON b.old = r.body_visit"
    " LEFT JOIN new_place a ON a.visit = r.id ORDER BY r.id"
)
_SETUP = """
DROP TABLE IF EXISTS temp.new_page; DROP TABLE IF EXISTS temp.new_visit; DROP TABLE IF EXISTS temp.new_ref;
DROP TABLE IF EXISTS temp.new_record; DROP TABLE IF EXISTS temp.new_place; DROP TABLE IF EXISTS temp.new_body;
CREATE TEMP TABLE new_page AS SELECT p.id AS old, row_number() OVER (ORDER BY p.id)
 + (SELECT coalesce(max(id), 0) FROM main.page) AS new FROM s.page p JOIN s.site ON site.id = p.site WHERE owns(name);
CREATE UNIQUE INDEX temp.new_page_old ON new_page (old);
CREATE TEMP TABLE new_visit AS SELECT v.id AS old, row_number() OVER (ORDER BY v.id)
 + (SELECT coalesce(max(id), 0) FROM main.visit) AS new FROM s.visit v JOIN new_page p ON p.old = v.page;
CREATE UNIQUE INDEX temp.new_visit_old ON new_visit (old);
CREATE TEMP TABLE new_ref (old INTEGER PRIMARY KEY, new INTEGER);
CREATE TEMP TABLE new_record (archive INTEGER, start INTEGER, to_archive INTEGER, to_start INTEGER, length INTEGER);
INSERT OR IGNORE INTO main.site (name) SELECT name FROM s.site WHERE owns(name);
"""
_PLACES = """
CREATE UNIQUE INDEX temp.new_record_from ON new_record (archive, start);
CREATE TEMP TABLE new_place AS SELECT v.id AS visit, r.to_archive AS archive, r.to_start AS start, r.length AS length
 FROM new_visit n JOIN s.visit v ON v.id = n.old LEFT JOIN new_visit b ON b.old = v.body_visit
 LEFT JOIN s.visit o ON o.id = v.body_visit AND b.new IS NULL
 JOIN new_record r ON r.archive = coalesce(o.archive, v.archive) AND r.start = iif(o.id IS NULL, v.start, o.start);
CREATE UNIQUE INDEX temp.new_place_visit ON new_place (visit);
CREATE TEMP TABLE new_body AS SELECT p.id AS old, coalesce(b.new, (SELECT max(v.new) FROM new_visit v JOIN s.visit w
 ON w.id = v.old WHERE w.page = p.id AND w.body_visit = p.body_visit)) AS new
 FROM s.page p JOIN new_page n ON n.old = p.id LEFT JOIN new_visit b ON b.old = p.body_visit
 WHERE p.body_visit IS NOT NULL;
CREATE UNIQUE INDEX temp.new_body_old ON new_body (old);
"""


class ShardMaking(Store):
    """A new shard that grows from old stores."""

    def take_over(self, source: Path, owns: Owns, remembers: Remembers, *, first: bool) -> None:
        """Copy what belongs to the sites that are ours, and what belongs to none: events only of the `first` shard.

        Of what parts have remembered, that is copied which the shard `remembers`, unless it is here already.
        """
        with explaining(self._path):
            run = self._connection.execute
            run("PRAGMA temp_store = file")
            self._connection.create_function("owns", 1, owns, deterministic=True)
            run("ATTACH ? AS s", (reading_address(source / self.name),))
            run("BEGIN IMMEDIATE")
            self._run_all(_SETUP)
            self._copy_records(source, owns)
            self._run_all(_PLACES)
            self._copy_table("page", _PAGE, _PAGES)
            self._copy_links(owns)
            self._copy_table("visit", _VISIT, _VISITS)
            self._copy_rest(owns, first=first)
            self._copy_states(remembers)
            run("COMMIT")
            run("DETACH s")
        self._forget()

    def _copy_table(self, table: str, changed: dict[str, str], rows: str) -> None:
        names = [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")]
        values = ", ".join(changed.get(name, f"r.{name}") for name in names)
        self._connection.execute(f"INSERT INTO main.{table} ({', '.join(names)}) SELECT {values} {rows}")

    def _run_all(self, script: str) -> None:
        for statement in script.strip().split(";"):
            self._connection.execute(statement)

    def add_sent(self, links: Iterable[NewLink], depth: int) -> None:
        """Let links wait that were on their way between shards."""
        given = list(links)
        if given:
            self.add_seeds(given, depth)
            self.flush()

    def _copy_records(self, source: Path, owns: Owns) -> None:
        """Copy the archived records of our sites, a file for each file that has any."""
        wanted = self._bodies_wanted()
        query = "SELECT id, name, length FROM s.archive WHERE length > 0 ORDER BY id"
        rows = self._connection.execute(query).fetchall()
        for number, name, length in rows:
            last = self._connection.execute("SELECT coalesce(max(id), 0) FROM archive").fetchone()[0]
            target = self.folder / "archive" / file_name(last + 1, datetime.now(UTC))
            written = self._copy_file((source / "archive" / name, number, length), target, last + 1, owns, wanted)
            if written:
                self._connection.execute("INSERT INTO archive VALUES (?, ?, ?, 1)", (last + 1, target.name, written))

    def _bodies_wanted(self) -> set[tuple[int, int]]:
        """The places of records that our visits refer to, of pages that are not ours."""
        rows = self._connection.execute(
            "SELECT o.archive, o.start FROM new_visit n JOIN s.visit v ON v.id = n.old JOIN s.visit o"
            " ON o.id = v.body_visit WHERE o.id NOT IN (SELECT old FROM new_visit)"
        )
        return {(archive, start) for archive, start in rows}

    def _copy_file(
        self, source: tuple[Path, int, int], target: Path, number: int, owns: Owns, wanted: set[tuple[int, int]]
    ) -> int:
        """Copy the records of a file that are ours or wanted; returns how long the copy is, 0 if there is none."""
        path, old, length = source
        written, ours, places = 0, False, []
        with opened(path) as reading, target.open("wb") as writing:
            for start, size, record in members(path, length):
                site = _site_of_record(record)
                if site is not None and not owns(site) and (old, start) not in wanted:
                    continue
                reading.seek(start)
                writing.write(reading.read(size))
                places.append((old, start, number, written, size))
                written, ours = written + size, ours or site is not None
        if not ours:
            target.unlink()
            return 0
        self._connection.executemany("INSERT INTO new_record VALUES (?, ?, ?, ?, ?)", places)
        return written

    def _copy_links(self, owns: Owns) -> None:
        after = -1
        query = (
            "SELECT l.first_ref, l.depth, l.targets, l.links, p.url, n.new FROM s.link l"
            " LEFT JOIN s.page p ON p.id = l.page LEFT JOIN new_page n ON n.old = l.page"
            " WHERE l.first_ref > ? ORDER BY l.first_ref LIMIT ?"
        )
        self._links.reload()
        self._pages.reload()
        while rows := self._connection.execute(query, (after, ROWS)).fetchall():
            for first, depth, targets, packed, url, page in rows:
                self._copy_row(first, depth, array("Q", targets), _links.decode(unpack(packed)), url, page, owns)
            after = rows[-1][0]

    def _copy_row(  # noqa: PLR0913, PLR0917 - the columns of a row
        self,
        first: int,
        depth: int,
        targets: array[int],
        links: list[NewLink],
        url: str | None,
        page: int | None,
        owns: Owns,
    ) -> None:
        """Copy those links of a row that lead to our sites, with the row's page if it is ours."""
        places = [place for place, link in enumerate(links) if owns(link.site)]
        own = [links[place] for place in places]
        if page is None:
            own = [msgspec.structs.replace(link, source=link.source or url or "") for link in own]
        if not own and page is None:
            return
        home = None if page is None or url is None else (page, Url(url))
        begun = self._add_links(own, targets if page is not None else (), depth, home)
        self._connection.executemany(
            "INSERT INTO new_ref VALUES (?, ?)", [(first + place, begun + at) for at, place in enumerate(places)]
        )

    def _copy_rest(self, owns: Owns, *, first: bool) -> None:
        run = self._connection.execute
        run("INSERT INTO text SELECT n.new, text FROM s.text JOIN new_page n ON n.old = text.page")
        copy_event = (
            "INSERT INTO event (at_us, kind, url, data) SELECT at_us, kind, url, data FROM s.event WHERE id = ?"
        )
        for number, url in run("SELECT id, url FROM s.event ORDER BY id").fetchall():
            if owns(site_of(Url(url))) if url else first:
                run(copy_event, (number,))
        for number, page in run("SELECT id, page FROM s.record ORDER BY id").fetchall():
            if owns(site_of(Url(page))):
                run(
                    "INSERT OR IGNORE INTO record (rule, key, page, first_us, last_us, changed_us, fields)"
                    " SELECT rule, key, page, first_us, last_us, changed_us, fields FROM s.record WHERE id = ?",
                    (number,),
                )

    def _copy_states(self, remembers: Remembers) -> None:
        for part, key in self._connection.execute("SELECT part, key FROM s.state").fetchall():
            if remembers(part, key):
                self._connection.execute(
                    "INSERT OR IGNORE INTO state SELECT * FROM s.state WHERE part = ? AND key = ?", (part, key)
                )


def _site_of_record(record: bytes) -> str | None:
    """The site of an archived record; None for one that is about the file."""
    head = record.partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    target = dict(fields_of(head)).get("WARC-Target-URI")
    return site_of(Url(target)) if target else None
