"""Where the user has told the crawl not to go, or to go first: `steering.json` in the collection's folder.

It is a file of its own, not a setting, because it changes while a crawl runs: the crawl looks at it every few seconds,
and whoever steers replaces it whole, without having to be the one who writes in the database.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from haenyeo.collect.links.host_globs import hosts_like
from haenyeo.html.urls import host_of
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url

FILE_NAME = "steering.json"
BOOST = 2.0  # a boosted link counts as if its score were this many times as high
MOST_RULES = 200
LONGEST = 200  # characters of a pattern
LOOK_EVERY = 2.0  # seconds
HOSTS_REMEMBERED = 50_000


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """Patterns to leave out and to prefer: `*.example.org` is about hosts, `/shop/` about parts of addresses."""

    block: tuple[str, ...] = ()
    boost: tuple[str, ...] = ()

    def with_rule(self, pattern: str, *, blocks: bool) -> Course:
        """The course with one more pattern."""
        check(pattern)
        rest = self.without(pattern)
        if blocks:
            return msgspec.structs.replace(rest, block=(*rest.block, pattern))
        return msgspec.structs.replace(rest, boost=(*rest.boost, pattern))

    def without(self, pattern: str) -> Course:
        """The course with one pattern less."""
        return Course(
            block=tuple(known for known in self.block if known != pattern),
            boost=tuple(known for known in self.boost if known != pattern),
        )


def check(pattern: str) -> None:
    """Refuse a pattern that cannot be meant."""
    if not pattern.strip() or len(pattern) > LONGEST or pattern in ("*", "/"):
        raise UsageError(
            f"{pattern!r} cannot be steered by", advice="name a host such as *.example.org, or /part/ of addresses"
        )


def read_course(folder: Path) -> Course:
    """What the folder's file says; nothing if there is none or it cannot be read."""
    try:
        return msgspec.json.decode((folder / FILE_NAME).read_bytes(), type=Course)
    except (OSError, msgspec.DecodeError):
        return Course()


def write_course(folder: Path, course: Course) -> None:
    """Replace the folder's file, whole."""
    unfinished = folder / f"{FILE_NAME}.part"
    unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(course)) + b"\n")
    unfinished.replace(folder / FILE_NAME)


class Steering:
    """Says of addresses whether they are left out or preferred, and notices when the file changes.

    It is `idle` while there is nothing to heed.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._folder = folder
        self._stamp = self._look_at = 0.0
        self._block = self._boost = _Patterns(())
        self.idle = True

    def look(self, now: float) -> None:
        """Read the file again if it is time and it has changed."""
        if now < self._look_at:
            return
        self._look_at = now + LOOK_EVERY
        try:
            stamp = self._path.stat().st_mtime
        except OSError:
            stamp = 0.0
        if stamp != self._stamp:
            course = read_course(self._folder)
            self._stamp, self._block, self._boost = stamp, _Patterns(course.block), _Patterns(course.boost)
            self.idle = not (self._block or self._boost)

    def blocks(self, url: Url) -> bool:
        """Shall this address be left out?"""
        return self._block.fits(url)

    def factor(self, url: Url) -> float:
        """What the address's score is multiplied with."""
        return BOOST if self._boost.fits(url) else 1.0


class _Patterns:
    """Some patterns, with the hosts they were asked about remembered."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._parts = tuple(pattern for pattern in patterns if "/" in pattern)
        globs = [pattern for pattern in patterns if "/" not in pattern]
        self._hosts = hosts_like(globs) if globs else None
        self._known: dict[str, bool] = {}

    def __bool__(self) -> bool:
        return bool(self._parts or self._hosts)

    def fits(self, url: Url) -> bool:
        """Does any of them fit this address?"""
        if any(part in url for part in self._parts):
            return True
        return self._hosts is not None and self._host_fits(host_of(url))

    def _host_fits(self, host: str) -> bool:
        assert self._hosts is not None
        known = self._known.get(host)
        if known is None:
            if len(self._known) >= HOSTS_REMEMBERED:
                self._known.clear()
            known = self._known[host] = bool(self._hosts.fullmatch(host))
        return known
