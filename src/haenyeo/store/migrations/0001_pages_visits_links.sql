-- Times are microseconds since 1970 (UTC). A hash is xxh3_64 of an address, read as a signed number.

CREATE TABLE site (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- Every address ever asked for, in the order of first visits. What the last visit said, and the last good content.
-- An address that redirects has a row with moved_to. The hash is the key; two addresses may share one, so url is compared too.
CREATE TABLE page (
    id            INTEGER PRIMARY KEY,
    hash          INTEGER NOT NULL,
    url           TEXT    NOT NULL,
    site          INTEGER NOT NULL REFERENCES site (id),
    depth         INTEGER NOT NULL,
    moved_to      INTEGER REFERENCES page (id),
    finished      INTEGER NOT NULL,
    kept          INTEGER NOT NULL,
    outcome       TEXT    NOT NULL,
    reason        TEXT    NOT NULL,
    status        INTEGER NOT NULL,
    visits        INTEGER NOT NULL,
    first_us      INTEGER NOT NULL,
    last_us       INTEGER NOT NULL,
    fetched_us    INTEGER,
    changed_us    INTEGER,
    body_visit    INTEGER REFERENCES visit (id),
    content_type  TEXT    NOT NULL,
    etag          TEXT    NOT NULL,
    last_modified TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    language      TEXT    NOT NULL,
    digest        BLOB    NOT NULL,
    simhash       INTEGER NOT NULL,
    relevance     BLOB    NOT NULL
);
CREATE INDEX page_hash ON page (hash, finished);

-- Main texts (gzip or zstd), apart from the facts so that counting pages does not read them.
CREATE TABLE text (
    page INTEGER PRIMARY KEY REFERENCES page (id),
    text BLOB NOT NULL
);

-- archive, start, length: the response or revisit record. body_visit: the visit whose record has the payload, if not this one.
CREATE TABLE visit (
    id         INTEGER PRIMARY KEY,
    page       INTEGER NOT NULL REFERENCES page (id),
    at_us      INTEGER NOT NULL,
    outcome    TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    status     INTEGER NOT NULL,
    changed    INTEGER,
    kept       INTEGER NOT NULL,
    size       INTEGER NOT NULL,
    seconds    REAL    NOT NULL,
    ref        INTEGER,
    digest     BLOB    NOT NULL,
    archive    INTEGER REFERENCES archive (id),
    start      INTEGER NOT NULL,
    length     INTEGER NOT NULL,
    body_visit INTEGER REFERENCES visit (id)
);
CREATE INDEX visit_page ON visit (page);

-- One row a page, or several for a page with very many links: the links found there. The new ones are numbered first_ref, first_ref + 1, ...; `sites` (uint32), `scores`
-- (float32) and the first of `targets` (uint64 hashes of all links of the page) belong to them in this order, `links` has their
-- addresses and words (msgpack, packed like texts). found_before counts the new links of all earlier rows. Seeds have no page.
CREATE TABLE link (
    first_ref    INTEGER PRIMARY KEY,
    page         INTEGER REFERENCES page (id),
    depth        INTEGER NOT NULL,
    count        INTEGER NOT NULL,
    found_before INTEGER NOT NULL,
    sites        BLOB    NOT NULL,
    scores       BLOB    NOT NULL,
    targets      BLOB    NOT NULL,
    links        BLOB    NOT NULL
);

CREATE TABLE event (
    id    INTEGER PRIMARY KEY,
    at_us INTEGER NOT NULL,
    kind  TEXT    NOT NULL,
    url   TEXT    NOT NULL,
    data  BLOB    NOT NULL
);
CREATE INDEX event_at ON event (at_us);

-- What the parts remember.
CREATE TABLE state (
    part  TEXT NOT NULL,
    key   TEXT NOT NULL,
    value BLOB NOT NULL,
    UNIQUE (part, key)
);

-- The files of archive/. Bytes past `length` belong to no committed page.
CREATE TABLE archive (
    id     INTEGER PRIMARY KEY,
    name   TEXT    NOT NULL UNIQUE,
    length INTEGER NOT NULL,
    closed INTEGER NOT NULL
);
