"""Where the crawl may go: host globs and URL patterns of `[scope]`."""

from __future__ import annotations

import re

from haenyeo.collect.links.host_globs import hosts_like
from haenyeo.html.urls import origin_of
from haenyeo.model.config import ScopeSettings
from haenyeo.model.pages import Url

HOSTS_REMEMBERED = 100_000


class Scope:
    """Answers whether an address lies inside the settings' scope; an empty scope is the whole web.

    A host glob without a port (`*.example.org`) matches the host, and those below it, on every port; one with a port
    only on that port.
    """

    def __init__(self, settings: ScopeSettings) -> None:
        self._globs = hosts_like(settings.hosts)
        self._any_host = not settings.hosts
        self._patterns = [re.compile(pattern) for pattern in settings.patterns]
        self._max_depth = settings.max_depth
        self._hosts: dict[str, bool] = {}

    def holds(self, url: Url) -> bool:
        """Is this address inside?"""
        if not self._any_host and not self._host_fits(origin_of(url).partition("://")[2]):
            return False
        return not self._patterns or any(pattern.search(url) for pattern in self._patterns)

    def holds_depth(self, depth: int) -> bool:
        """May links this far from the seeds be followed?"""
        return self._max_depth is None or depth <= self._max_depth

    def _host_fits(self, host: str) -> bool:
        known = self._hosts.get(host)
        if known is None:
            if len(self._hosts) >= HOSTS_REMEMBERED:
                self._hosts.clear()
            bare = re.sub(r":\d+$", "", host)
            known = bool(self._globs.fullmatch(host) or self._globs.fullmatch(bare))
            self._hosts[host] = known
        return known
