-- Records that rules took from list pages, each once: `key` tells those of a rule apart. `page` is where it was seen last, `fields`
-- its values (JSON). Times are microseconds since 1970 (UTC): first seen, last seen, last change of a value.
CREATE TABLE record (
    id         INTEGER PRIMARY KEY,
    rule       TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    page       TEXT    NOT NULL,
    first_us   INTEGER NOT NULL,
    last_us    INTEGER NOT NULL,
    changed_us INTEGER NOT NULL,
    fields     BLOB    NOT NULL,
    UNIQUE (rule, key)
);
