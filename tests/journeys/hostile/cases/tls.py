"""Certificates to trust and not to trust; made for the run by the `openssl` command."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

from hostile.answers import page, redirect
from hostile.crawl import Result
from hostile.pages import article
from hostile.server import Host
from hostile.stage import Cases, Expected, Stage

case = Cases()


def _openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


class _Authority:
    """A certificate authority that lives as long as the case."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self.certificate = folder / "authority.pem"
        self._key = folder / "authority.key"
        self._sign(self._key, self.certificate, "/CN=Authority of the test", "basicConstraints=critical,CA:TRUE")

    def context(self, subject: str, *, trusted: bool = True) -> ssl.SSLContext:
        """What a server for this subject, such as `IP:127.0.0.2`, needs; one not trusted signs for itself."""
        key, certificate = self._folder / "server.key", self._folder / "server.pem"
        by = ("-CA", str(self.certificate), "-CAkey", str(self._key)) if trusted else ()
        self._sign(key, certificate, "/CN=server", f"subjectAltName={subject}", *by)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context

    def _sign(self, key: Path, certificate: Path, name: str, extension: str, *by: str) -> None:
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        files = ("-keyout", str(key), "-out", str(certificate))
        _openssl("req", "-x509", *curve, "-days", "2", "-subj", name, "-addext", extension, *by, *files)


def _secure_host(stage: Stage, subject: str = "", *, trusted: bool = True) -> Host:
    """A second port of the stage's address that speaks TLS; the environment names the authority."""
    authority = _Authority(stage.folder / "stage")
    stage.environment["SSL_CERT_FILE"] = str(authority.certificate)
    context = authority.context(subject or f"IP:{stage.host.address}", trusted=trusted)
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
    return _refused(_secure_host(stage, trusted=False))


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
