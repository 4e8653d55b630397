"""Writes a commented `haenyeo.toml` for a new collection and reads it back."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from haenyeo.model.config import Settings, Topic, parse_settings
from haenyeo.model.errors import NoCollectionError, SettingsError
from haenyeo.model.registry import check_options

FILE_NAME = "haenyeo.toml"
ONE_LINE = 2  # values of a list that stand on one line

_HEAD = "# A collection of haenyeo. Every setting is explained in docs/settings.md; unknown ones are refused.\n\n"
_REST = """
[seeds]
# Where to start when a topic has neither seeds nor pages to like; the sources are asked in this order.
# sources = ["file", "searxng", "feeds"]      # feeds are those the collection has read
SEARXNG
# file = "seeds.txt"                          # one address a line, in this folder
# most = 30                                   # addresses taken from a search or from feeds

[scope]
# Where the crawl may go. Nothing here means: wherever the topic leads.
HOSTS
LANGUAGES
# patterns = ["^https://example\\\\.org/news/"]  # regular expressions, one must match
# max_depth = 5                               # links away from a seed at most
sitemaps = true       # read the sitemaps that robots.txt names, and the feeds that pages name

[pace]
delay = 1.0           # seconds between two requests to one site; robots.txt may ask for more
per_site = 1          # requests to one site at a time
total = 64            # requests in all at a time
max_delay = 30.0      # the longest Crawl-delay that is obeyed to the letter
requests_per_page = 5.0   # with --pages: so many requests at most for each page, as some bring none

[fetch]
# user_agent = ""     # the whole User-Agent; default: haenyeo/VERSION with your contact
contact = CONTACT   # an address or page where site owners can reach you
# proxy = "http://127.0.0.1:8080"             # or "socks5://...", or a list: each host has one of them
# cookies = "cookies.txt"                     # of a browser, to be logged in; Netscape's file or JSON
timeout = 30.0        # seconds for one whole transfer
max_bytes = 16777216  # a longer page is not kept
allow_private = NETWORKS    # private networks that may be asked, such as ["127.0.0.0/24"]
browser = "auto"      # run the scripts of pages that say nothing without them; or "never", "always"
# markdown = false    # true: ask for Markdown where a server says that it has its pages in it, too
obey_robots = true
# [fetch.headers."example.org"]               # sent to this host alone, at the usual ports; or "example.org:8000"
# Authorization = "Bearer ..."

[browser]
# What pages that need a browser may cost; needs the browser extra and Chromium.
# share = 0.5         # of the pages that are asked for
# seconds = 30.0      # for one page, waits between requests included
# requests = 60       # for one page
# memory_mb = 1500    # of all its processes; one that takes more is replaced
# images = false      # load pictures, fonts and media as well
# sandbox = true      # of the browser; cannot be had as root, nor in some containers
# program = "/usr/bin/chromium"

[refresh]
fresh = 0.97          # the share of copies to keep up to date, with as few requests as that needs; 0: spend per_day
per_day = 1000        # the most requests a day for revisits
goal = "fresh"        # or "capture": see as many versions as possible
# max_age = "30d"     # no page is left alone for longer
# time_zone = "Asia/Seoul"   # of weekdays and hours in plans; default: UTC

[storage]
# archive = "s3://bucket/folder"   # finished files of the archive go there, or to any other address of fsspec
# keep = true                      # and stay here as well; default: they go when what arrived was read back
# snapshots = true                 # shards send copies of their databases there, too: one that is lost comes back
# disk = "$TMPDIR/haenyeo"         # with --ray and snapshots: shards are kept on the disks of the machines they run on

[notify]
# Who is told when a watched layout changes, a rule is repaired or broken, a watched page fails or comes back.
# webhook = "https://example.org/hook"          # gets the changes as JSON
# command = "notify-send haenyeo"               # is run with the changes as JSON on its standard input
# summary = "my-summary"                        # reads the same; what it writes goes along to webhook and apprise
# apprise = ["mailto://user:password@example.org"]   # needs the notify extra
# kinds = ["alarm", "broken", "proposed", "repair", "rollback", "works", "trouble", "back"]
#                                               # also: content, title, records, layout, relearn

[strategy]
# Names of parts; `haenyeo crawl --strategy NAME` overrides the scorer for one crawl.
scorer = "default"
# korean = "kiwi"     # reads Korean words with kiwipiepy, which needs the ko extra; default: "particles", by a list
"""


def write_settings(folder: Path, settings: Settings) -> None:
    """Write `haenyeo.toml` with topics, search engine, hosts, languages, contact and networks of `settings`.

    The rest is defaults. The file appears whole or not at all.
    """
    topics = "\n".join(_topic_table(name, topic) for name, topic in settings.topic.items())
    hosts, languages, engine = settings.scope.hosts, settings.scope.languages, settings.seeds.searxng
    rest = (
        _REST.replace(
            "HOSTS", f"hosts = {_list(hosts)}" if hosts else '# hosts = ["example.org", "*.example.org"]   # globs'
        )
        .replace(
            "LANGUAGES",
            f"languages = {_list(languages)}" if languages else '# languages = ["en", "ko"]   # no others are kept',
        )
        .replace("SEARXNG", f"searxng = {_quoted(engine)}" if engine else '# searxng = "http://127.0.0.1:8888"')
        .replace("CONTACT", _quoted(settings.fetch.contact))
        .replace("NETWORKS", _list(settings.fetch.allow_private))
    )
    unfinished = folder / f"{FILE_NAME}.part"
    unfinished.write_text(_HEAD + topics + rest, encoding="utf-8")
    unfinished.replace(folder / FILE_NAME)


def read_settings(folder: Path) -> Settings:
    """The settings of a collection, those of the environment first; says what to do when there is none."""
    path = folder / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoCollectionError(
            f"there is no collection at {folder}", advice=f'make one: haenyeo new {folder} --topic "words" --seed URL'
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    settings = parse_settings(text, os.environ)
    if settings.parts:
        check_options(settings.parts)
    return settings


def topic_name(words: str) -> str:
    """A short name for a topic made from its words."""
    return "-".join(re.findall(r"\w+", words.lower())[:4]) or "topic"


def _topic_table(name: str, topic: Topic) -> str:
    key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)
    lines = [f"[topic.{key}]", f"words = {_quoted(topic.words)}"]
    lines += [f"{field} = {_list(getattr(topic, field))}" for field in ("like", "unlike", "seeds")]
    threshold = "# threshold = 0.5   # pages judged below this are not kept; without it the judge finds the cut"
    lines.append(threshold if topic.threshold is None else f"threshold = {topic.threshold}")
    weight = "# weight = 1.0   # share of the crawl beside that of other topics"
    lines.append(weight if topic.weight == 1.0 else f"weight = {topic.weight}")
    return "\n".join(lines) + "\n"


def _list(values: Sequence[str]) -> str:
    if len(values) <= ONE_LINE:
        return "[" + ", ".join(map(_quoted, values)) + "]"
    return "[\n" + "".join(f"  {_quoted(value)},\n" for value in values) + "]"


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are a subset of TOML's once DEL is escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
