"""What can the user do about pages that were not read? A line of advice for each reason that has one."""

from __future__ import annotations

from haenyeo.fetch.browser.program import INSTALL
from haenyeo.read.pdf.process import INSTALL as INSTALL_PDF

ROBOTS_UNREACHABLE = "robots.txt unreachable"
"""The reason of pages that may not be asked for as long as robots.txt cannot be read; why not stands behind a colon."""

OUT_OF_SCOPE = "out of scope"
"""The reason of seeds that [scope] keeps the crawl from asking for."""

# Reasons by how they begin, the more particular first; those that say when to come back are left out.
_LASTING = {
    "forbidden address": "a private or special network, name or port: set allow_private in [fetch] if it may be asked",
    "bad address": "check how it is spelt",
    "no such host": "no name server knows this host: check its spelling",
    "name server failed": "names cannot be looked up: is this machine online?",
    "no network": "nothing answers: is this machine online?",
    "connection refused": "nothing listens there: check host and port, or whether the server runs",
    "proxy: no answer": "the proxy of [fetch] or --proxy does not answer: check its address, and whether it runs",
    "unreachable": "there is no way to this address from here",
    "certificate": "its certificate is not trusted: put its authority's into SSL_CERT_FILE if you trust it",
    "tls": "it does not speak TLS as it should: check https and the port",
    "robots.txt": "the site asks crawlers to stay away from it",
    "redirect: robots.txt": "the site asks crawlers to stay away from where it leads",
    "redirect out of scope": "it leads to a host outside [scope]: add that host to hosts",
    "another language": "in none of the languages of [scope]",
    OUT_OF_SCOPE: "not within hosts, patterns or max_depth of [scope]",
    "status 401": "it wants to know who you are: give it a header in [fetch.headers]",
    "status 403": "the server refuses us: it may want a header in [fetch.headers], or none of this",
    "status 404": "there is no such page: check the address",
    "status 410": "the page was taken away",
    "needs a browser: its share": "a larger share in [browser] renders more; then: haenyeo crawl --retry",
    "needs a browser: it does not start": "try sandbox = false or another program in [browser]; -v says what it says",
    "needs a browser:": "a browser could not show it within the limits of [browser]; haenyeo crawl --retry tries again",
    "needs a browser": f"{INSTALL}; then: haenyeo crawl --retry",
    "no text, in a browser": "it is a picture, or asks for a click first; nothing can be read there",
    "kind: application/pdf": f"{INSTALL_PDF}; then add it again: haenyeo add",
    "PDF: encrypted": "it wants a password",
    "PDF: no text": "its pages are pictures; nothing reads them here",
    "soft 404": "the server says of it what it says of addresses that cannot exist",
}
_PASSING = {
    "status 429": "the server wants fewer requests: go on later, or with a longer delay",
    "status 503": "the server is busy: go on later",
    "timeout": "the server takes too long: go on later, or with a longer timeout in [fetch]",
    "connection reset": "the server hangs up: go on later",
    "too large": "longer than max_bytes in [fetch]",
}


def advice_for(reason: str) -> str:
    """What the user can do about pages that were not read for this reason; empty if there is nothing to say.

    >>> advice_for("robots.txt unreachable: no such host")
    'no name server knows this host: check its spelling'
    """
    return _found(_LASTING, reason) or _found(_PASSING, reason)


def is_lasting(reason: str) -> bool:
    """Whether asking again will not help as long as nobody changes something."""
    return bool(_found(_LASTING, reason))


def _found(table: dict[str, str], reason: str) -> str:
    inner = reason.removeprefix(ROBOTS_UNREACHABLE).lstrip(": ")
    if reason.startswith(ROBOTS_UNREACHABLE) and not inner:
        return ""
    return next((advice for start, advice in table.items() if inner.startswith(start)), "")
