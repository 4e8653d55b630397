"""What can go wrong, as one tree, so that `except HaenyeoError` catches everything this library raises on purpose.

HaenyeoError
 ├─ UsageError          the command or call asks for something that cannot be done as asked
 │   ├─ SettingsError   haenyeo.toml cannot be used; names the key
 │   ├─ UnknownPartError    no scorer, extractor, ... of this name is installed
 │   └─ NotThereError   the collection has no page, rule, ... of this number or name
 ├─ SeedError           a source of seeds cannot be asked, or does not answer as it should
 ├─ CollectionError     the collection's folder cannot be used
 │   ├─ NoCollectionError   there is none at this place
 │   ├─ CollectionBusyError another process works on it
 │   └─ StoreError      its files are foreign, damaged, of a newer version, or cannot be written
 │       └─ DiskFullError   no room left; what was committed is safe
 └─ PageError           one page cannot be used; the crawl records it and goes on
     ├─ AddressError    the URL cannot be parsed or has a scheme other than http and https
     ├─ FetchError      no usable answer came
     │   ├─ ForbiddenAddressError   the name leads to a private, local or special network
     │   └─ TooLargeError   more bytes, headers or redirects than allowed
     └─ MarkupError     the bytes are not a page that can be read

Expected outcomes (304, 404, a refusal by robots.txt) are values, not errors; see `model.visits`.
"""

from __future__ import annotations


class HaenyeoError(Exception):
    """The root of all errors raised on purpose.

    `advice` says what the user can do about it and is shown below the message.
    """

    def __init__(self, message: str, *, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice


class UsageError(HaenyeoError):
    """The command or call asks for something that cannot be done as asked."""


class SettingsError(UsageError):
    """`haenyeo.toml` cannot be used; `path` names the key, such as `$.pace.delay`."""

    def __init__(self, message: str, *, path: str = "$", advice: str = "") -> None:
        super().__init__(message, advice=advice)
        self.path = path


class UnknownPartError(UsageError):
    """No part of this kind and name is installed."""


class NotThereError(UsageError):
    """The collection has nothing of this number or name."""


class SeedError(HaenyeoError):
    """A source of seeds cannot be asked, or does not answer as it should."""


class CollectionError(HaenyeoError):
    """The collection's folder cannot be used."""


class NoCollectionError(CollectionError):
    """There is no collection at this place."""


class CollectionBusyError(CollectionError):
    """Another process works on the collection."""


class StoreError(CollectionError):
    """The collection's files are foreign, damaged, of a newer version, or cannot be written."""


class DiskFullError(StoreError):
    """There is no room left on the disk; what was committed is safe."""


class PageError(HaenyeoError):
    """One page cannot be used; `url` is the page, `reason` a short stable word for tables and counters."""

    reason = "error"

    def __init__(self, message: str, *, url: str = "", reason: str = "", advice: str = "") -> None:
        super().__init__(message, advice=advice)
        self.url = url
        self.reason = reason or type(self).reason


class AddressError(PageError):
    """The URL cannot be parsed, or has a scheme other than http and https."""

    reason = "bad address"


class FetchError(PageError):
    """No usable answer came: no connection, a time limit, a broken protocol."""

    reason = "network"


class ForbiddenAddressError(FetchError):
    """The name leads to a private, local or special network that the settings do not allow."""

    reason = "forbidden address"


class TooLargeError(FetchError):
    """More bytes, headers or redirects came than allowed."""

    reason = "too large"


class MarkupError(PageError):
    """The bytes are not a page that can be read."""

    reason = "not a page"
