"""Settings: one frozen tree, read once from TOML, every unknown key refused with its path.

`haenyeo.toml` is written with comments by `collect.settings_file`; docs/settings.md says what each key means.
"""

from __future__ import annotations

import ipaddress
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import msgspec

from haenyeo.model.errors import SettingsError, UsageError
from haenyeo.model.zones import zone_named

LEAST_WEIGHT = 0.001  # of a topic; one that is to have nothing is better left out


class _Group(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of `haenyeo.toml`."""


class Topic(_Group, frozen=True, kw_only=True):
    """What one topic is about, `[topic.NAME]`: its words, pages like it and unlike it, and where to start.

    Pages whose relevance is below `threshold` are not kept; without one the judge finds a cut of its own, or it is 0.5.
    Of several topics each has the share of the crawl that its `weight` is of all weights.
    """

    words: str = ""
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    threshold: float | None = None
    weight: float = 1.0
    backlinks: str = ""


class SeedSettings(_Group, frozen=True, kw_only=True):
    """Where to start when a topic has neither seeds nor pages to like: sources by name, asked in this order."""

    sources: tuple[str, ...] = ("file", "searxng", "feeds")
    searxng: str = ""
    file: str = ""
    most: int = 30


class ScopeSettings(_Group, frozen=True, kw_only=True):
    """Where the crawl may go: host globs, regular expressions for addresses, links from a seed at most, sitemaps.

    Pages that are in none of the `languages`, if there are any, are not kept.
    """

    hosts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    max_depth: int | None = None
    sitemaps: bool = True


class PaceSettings(_Group, frozen=True, kw_only=True):
    """How fast: seconds between two requests to a site, requests at a time to a site and in all.

    `requests_per_page` bounds how many requests a crawl for so many pages may make: not every request brings a page.
    """

    delay: float = 1.0
    per_site: int = 1
    total: int = 64
    max_delay: float = 30.0
    requests_per_page: float = 5.0


class FetchSettings(_Group, frozen=True, kw_only=True):
    """How pages are asked for; `headers` maps a host, with a port or scheme if need be, to what is sent to it alone."""

    user_agent: str = ""
    contact: str = ""
    proxy: str | tuple[str, ...] = ""
    cookies: str = ""
    timeout: float = 30.0
    max_bytes: int = 16 * 1024 * 1024
    allow_private: tuple[str, ...] = ()
    headers: dict[str, dict[str, str]] = {}
    browser: Literal["never", "auto", "always"] = "auto"
    markdown: bool = False
    obey_robots: bool = True


class BrowserSettings(_Group, frozen=True, kw_only=True):
    """What pages that need a browser may cost: a share of the pages, and for each seconds, requests and memory.

    `images` lets pictures, fonts and media be loaded. `program` is the browser's; without one it is looked for.
    """

    share: float = 0.5
    seconds: float = 30.0
    requests: int = 60
    memory_mb: int = 1500
    images: bool = False
    sandbox: bool = True
    program: str = ""


class StorageSettings(_Group, frozen=True, kw_only=True):
    """Where finished files of the archive go, such as s3://bucket/folder, and whether they stay here as well.

    With `snapshots` shards send copies of their databases there, too. `disk` is a folder on each machine's own disk
    where its shards are kept then, with the machine's environment variables in it.
    """

    archive: str = ""
    keep: bool = False
    snapshots: bool = False
    disk: str = ""


class RefreshSettings(_Group, frozen=True, kw_only=True):
    """How fresh: the share of copies to keep up to date, with as few requests as that needs, and the most a day.

    `goal` is what requests are spent on, `max_age` the age no page may pass (such as "30d"). With a `fresh` of 0 all
    of the budget is spent. `time_zone` is that of weekdays and hours wherever revisits are planned or shown.
    """

    fresh: float = 0.97
    per_day: int = 1000
    goal: Literal["fresh", "capture"] = "fresh"
    max_age: str = ""
    time_zone: str = "UTC"


ToldKind = Literal[
    "content",
    "title",
    "records",
    "layout",
    "alarm",
    "broken",
    "proposed",
    "repair",
    "rollback",
    "works",
    "relearn",
    "trouble",
    "back",
]


class NotifySettings(_Group, frozen=True, kw_only=True):
    """Who is told of changes: an address that gets JSON, a command that reads it, services of apprise; and of which.

    `summary` is a command that reads the same JSON; what it writes goes along as a summary.
    """

    webhook: str = ""
    command: str = ""
    summary: str = ""
    apprise: tuple[str, ...] = ()
    kinds: tuple[ToldKind, ...] = (
        "alarm",
        "broken",
        "proposed",
        "repair",
        "rollback",
        "works",
        "trouble",
        "back",
    )


class StrategySettings(_Group, frozen=True, kw_only=True):
    """Names of the parts that do the work; entry points add more. `korean` says how Korean words are read."""

    scorer: str = "default"
    judge: str = "default"
    extractor: str = "default"
    watcher: str = "default"
    planner: str = "default"
    korean: Literal["particles", "kiwi"] = "particles"


class Settings(_Group, frozen=True, kw_only=True):
    """All of `haenyeo.toml`; `ontology` gives the broader terms of each term, in place of WordNet.

    `parts` has a table of options for each part that shall not have its own: the constants of the papers.
    """

    topic: dict[str, Topic] = {}
    seeds: SeedSettings = SeedSettings()
    scope: ScopeSettings = ScopeSettings()
    pace: PaceSettings = PaceSettings()
    fetch: FetchSettings = FetchSettings()
    browser: BrowserSettings = BrowserSettings()
    refresh: RefreshSettings = RefreshSettings()
    storage: StorageSettings = StorageSettings()
    notify: NotifySettings = NotifySettings()
    strategy: StrategySettings = StrategySettings()
    ontology: dict[str, tuple[str, ...]] = {}
    parts: dict[str, dict[str, bool | int | float | str | tuple[str, ...]]] = {}


def parse_settings(text: str, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings in a TOML text; raises `SettingsError` that names the key and says what is wrong with it.

    What an `environment` has under `HAENYEO_TABLE__KEY` takes the place of what the text says.
    """
    try:
        told = tomllib.loads(text)
        for table, key, value in _from_environment(environment or {}):
            told.setdefault(table, {})[key] = value
        settings = msgspec.convert(told, Settings)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"haenyeo.toml is not valid TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise _explained(error) from error
    _check(settings)
    return settings


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, object]]:
    """Table, key and value of each setting in an environment; a value that is no TOML is a text.

    >>> list(_from_environment({"HAENYEO_FETCH__PROXY": "http://proxy:8080", "HAENYEO_PACE__DELAY": "2.5"}))
    [('fetch', 'proxy', 'http://proxy:8080'), ('pace', 'delay', 2.5)]
    """
    for name, value in environment.items():
        found = re.fullmatch(r"HAENYEO_([A-Z]+)__([A-Z_]+)", name)
        if found:
            try:
                read: object = tomllib.loads(f"value = {value}")["value"]
            except tomllib.TOMLDecodeError:
                read = value
            yield found[1].lower(), found[2].lower(), read


def is_host_pattern(text: str) -> bool:
    """Whether an entry of `allow_private` is a host or a pattern of hosts, and no network.

    >>> [is_host_pattern(text) for text in ("*.corp.internal", "wiki*", "10.0.0.0/8", "::1", "10.0.0.300", "home")]
    [True, True, False, False, False, False]
    """
    return re.fullmatch(r"(?=.*[A-Za-z])(?=.*[.*])[\w.*?-]+", text) is not None


def check_language(code: str) -> None:
    """Refuse what is no code of a language, with `UsageError`."""
    if not re.fullmatch("[a-z]{2,3}", code):
        raise UsageError(f"{code!r} is no language", advice="give its code of two letters, such as ko or en")


def _explained(error: msgspec.ValidationError) -> SettingsError:
    """The error with the key's whole path: msgspec names an unknown key beside its table's path."""
    message, _, where = str(error).partition(" - at ")
    path = where.strip("`") or "$"
    unknown = re.search(r"unknown field `([^`]+)`", message)
    if unknown:
        path = f"{path}.{unknown.group(1)}"
        return SettingsError(f"haenyeo.toml: unknown setting {path}", path=path, advice="remove it or correct its name")
    return SettingsError(f"haenyeo.toml: {path}: {message}", path=path, advice="correct the value in haenyeo.toml")


def _check(settings: Settings) -> None:
    """Refuse values of the right type that make no sense."""
    for name, value, least in (
        ("pace.delay", settings.pace.delay, 0),
        ("pace.per_site", settings.pace.per_site, 1),
        ("pace.total", settings.pace.total, 1),
        ("pace.requests_per_page", settings.pace.requests_per_page, 1),
        ("fetch.timeout", settings.fetch.timeout, 0.001),
        ("fetch.max_bytes", settings.fetch.max_bytes, 1024),
        ("refresh.per_day", settings.refresh.per_day, 0),
        ("seeds.most", settings.seeds.most, 1),
        *((f"topic.{name}.weight", topic.weight, LEAST_WEIGHT) for name, topic in settings.topic.items()),
        ("browser.share", settings.browser.share, 0),
        ("browser.seconds", settings.browser.seconds, 1),
        ("browser.requests", settings.browser.requests, 1),
        ("browser.memory_mb", settings.browser.memory_mb, 200),
    ):
        if not value >= least or value == float("inf"):
            raise SettingsError(f"haenyeo.toml: $.{name} is {value}; it must be at least {least}", path=f"$.{name}")
    _check_unbuilt(settings)
    _check_with(zone_named, settings.refresh.time_zone, "$.refresh.time_zone")
    for index, allowed in enumerate(settings.fetch.allow_private):
        if not is_host_pattern(allowed):
            _check_with(ipaddress.ip_network, allowed, f"$.fetch.allow_private[{index}]")
    for index, pattern in enumerate(settings.scope.patterns):
        _check_with(re.compile, pattern, f"$.scope.patterns[{index}]")
    for index, language in enumerate(settings.scope.languages):
        _check_with(check_language, language, f"$.scope.languages[{index}]")


def _check_unbuilt(settings: Settings) -> None:
    """Refuse values of settings for which there is only one part so far, instead of ignoring them."""
    if settings.strategy.judge != "default":
        raise SettingsError(
            f"haenyeo.toml: $.strategy.judge is {settings.strategy.judge!r}, but the only judge of pages is 'default'",
            path="$.strategy.judge",
            advice="leave it out; $.strategy.scorer chooses how links are scored",
        )


def _check_with(reader: Callable[[str], object], value: str, path: str) -> None:
    try:
        reader(value)
    except (ValueError, re.error, UsageError) as error:
        raise SettingsError(f"haenyeo.toml: {path}: {error}", path=path) from error
