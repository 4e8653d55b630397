"""Patterns of hosts as users write them: `*.example.org` is that host with all hosts below it."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable

_BELOW = "*."


def hosts_like(globs: Iterable[str]) -> re.Pattern[str]:
    """A pattern that fits whole every host that one of the globs means.

    >>> pattern = hosts_like(["*.example.org"])
    >>> [bool(pattern.fullmatch(host)) for host in ("example.org", "www.example.org", "anexample.org")]
    [True, True, False]
    """
    small = [glob.lower() for glob in globs]
    themselves = [glob.removeprefix(_BELOW) for glob in small if glob.startswith(_BELOW)]
    return re.compile("|".join(map(fnmatch.translate, [*small, *themselves])))
