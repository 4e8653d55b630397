"""Which links lead to a page? Out of a file of the user's, and out of the pages the collection has read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path

import msgspec

from haenyeo.collect.adapters.archive import archived_markup
from haenyeo.html.surroundings import some_surroundings
from haenyeo.html.urls import canonical
from haenyeo.model.errors import SettingsError
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import Backlinks
from haenyeo.store import Inlink, Store

_MOST_SOURCES = 200  # pages of the collection looked through for links to one page


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the file: the page a link leads to, the one it stands on, and the words in and around it."""

    to: str
    source: str = ""
    anchor: str = ""
    before: str = ""
    after: str = ""


_lines = msgspec.json.Decoder(_Line)


def all_of(*sources: Backlinks) -> Backlinks:
    """The links that any of the sources knows."""
    return lambda url: chain.from_iterable(source(url) for source in sources)


def from_file(path: Path) -> Backlinks:
    """The links a file knows: JSON objects, one a line, with `to`, `anchor`, `before`, `after` and maybe `source`.

    Raises `SettingsError` that names the line.
    """
    known: dict[Url, list[Link]] = {}
    try:
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    link = _link(text, f"{path}:{number}")
                    known.setdefault(link.url, []).append(link)
    except OSError as error:
        raise SettingsError(f"backlinks cannot be read from {path}: {error.strerror or error}") from error
    return lambda url: known.get(url, ())


def from_store(store: Store, counts: Callable[[Url], bool]) -> Backlinks:
    """The links on pages that the collection has read and that count.

    Words that were not kept are read from the archive.
    """

    def known(url: Url) -> Iterator[Link]:
        for inlink in islice(store.inlinks(url), _MOST_SOURCES):
            if inlink.source is not None and counts(inlink.source):
                yield from _described(store, url, inlink)

    return known


def _link(text: bytes, where: str) -> Link:
    try:
        line = _lines.decode(text)
    except msgspec.DecodeError as error:
        raise SettingsError(f"{where}: {error}", advice="see docs/find.md for the form of this file") from error
    address = canonical(line.to)
    if address is None:
        raise SettingsError(f"{where}: {line.to!r} is not an http or https address")
    return Link(url=address, source=canonical(line.source), anchor=line.anchor, before=line.before, after=line.after)


def _described(store: Store, url: Url, inlink: Inlink) -> list[Link]:
    if inlink.link is not None:
        return [inlink.link.as_link()]
    page = store.page(inlink.source) if inlink.source else None
    markup = archived_markup(store, page) if page else None
    if markup is None:
        return []
    return some_surroundings(markup, [link for link in markup.links if link.url == url], source=inlink.source)
