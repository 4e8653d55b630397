"""Certificates to trust and not to trust; made for the run by the `openssl` command."""

from __future__ import annotations

import ssl
from collections.abc import Callable

from certificates import Authority

from hostile.answers import page, redirect
from hostile.crawl import Result
from hostile.pages import article
from hostile.server import Host
from hostile.stage import Cases, Expected, Stage

case = Cases()

Proof = Callable[[Authority, str], ssl.SSLContext]
"""Gives a server for a subject the certificate it shows."""


def _secure_host(stage: Stage, subject: str = "", proof: Proof = Authority.trusted) -> Host:
    """A second port of the stage's address that speaks TLS; the environment names the authority."""
    authority = Authority(stage.folder / "stage")
    stage.environment["SSL_CERT_FILE"] = str(authority.certificate)
    context = proof(authority, subject or f"IP:{stage.host.address}")
    secure = stage.another_host(stage.host.address, context)
    secure.on("/robots.txt", page("", "Content-Type: text/plain"))
    secure.on("/x", page(article("Page over TLS")))
    stage.links = (secure.url("/x"),)
    return secure


def _refused(secure: Host) -> Expected:
    def check(_: Result) -> None:
        assert not secure.requests, "a request was sent to a server that could not prove who it is"

    return Expected(fails=(secure.url("/x"),), check=check)


@case("tls-good")
def tls_good(stage: Stage) -> Expected:
    """A certificate of an authority given by the environment."""
    return Expected(read=(_secure_host(stage).url("/x"),))


@case("tls-wronghost")
def tls_wronghost(stage: Stage) -> Expected:
    """A certificate for another name."""
    return _refused(_secure_host(stage, "DNS:other.example"))


@case("tls-selfsigned")
def tls_selfsigned(stage: Stage) -> Expected:
    """A certificate that vouches for itself."""
    return _refused(_secure_host(stage, proof=Authority.selfsigned))


@case("tls-expired")
def tls_expired(stage: Stage) -> Expected:
    """A certificate that was good until yesterday."""
    return _refused(_secure_host(stage, proof=Authority.expired))


@case("tls-silent")
def tls_silent(stage: Stage) -> Expected:
    """A server that takes the TLS greeting and never returns it."""
    plain = stage.another_host(stage.host.address)
    address = plain.url("/x").replace("http:", "https:")
    stage.links = (address,)
    return Expected(fails=(address,))


@case("tls-downgrade")
def tls_downgrade(stage: Stage) -> Expected:
    """A redirect from https to http: a control."""
    secure = _secure_host(stage)
    secure.on("/x", redirect(stage.host.url("/open")))
    stage.host.on("/open", page(article("Page without TLS")))
    return Expected(read=("/open",))
