"""All cases by name, one file a group."""

from __future__ import annotations

from hostile.cases import (
    addresses,
    charsets,
    markup,
    protocol,
    rate,
    redirects,
    robots,
    sitemaps,
    size,
    tls,
    transport,
    traps,
    urls,
)
from hostile.stage import Case

GROUPS = (
    redirects.case,
    addresses.case,
    size.case,
    transport.case,
    protocol.case,
    charsets.case,
    markup.case,
    traps.case,
    robots.case,
    rate.case,
    sitemaps.case,
    urls.case,
    tls.case,
)
CASES: dict[str, Case] = {name: case for group in GROUPS for name, case in group.items()}
