"""A certificate authority for a test, and servers it vouches for, or not; made by the `openssl` command."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path


class Authority:
    """A certificate authority that lives as long as its folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self.certificate, self._key = folder / "authority.pem", folder / "authority.key"
        self._vouch("authority", "/CN=Authority of the test", "basicConstraints=critical,CA:TRUE")

    def trusted(self, subject: str) -> ssl.SSLContext:
        """What a server for this subject, such as `IP:127.0.0.2` or `DNS:reef.test`, needs."""
        self._vouch("server", "/CN=server", f"subjectAltName={subject}", *self._by)
        return self._context()

    def selfsigned(self, subject: str) -> ssl.SSLContext:
        """The same for a server that vouches for itself."""
        self._vouch("server", "/CN=server", f"subjectAltName={subject}")
        return self._context()

    def expired(self, subject: str) -> ssl.SSLContext:
        """The same for a server whose certificate was good until yesterday."""
        request, names = self._folder / "server.csr", self._folder / "names"
        names.write_text(f"subjectAltName={subject}\n", encoding="ascii")
        _openssl("req", *_NEW_KEY, "-subj", "/CN=server", "-keyout", str(self._at("server.key")), "-out", str(request))
        _openssl(
            *("x509", "-req", "-in", str(request), "-days", "-1", "-extfile", str(names)),
            *(*self._by, "-out", str(self._at("server.pem"))),
        )
        return self._context()

    @property
    def _by(self) -> tuple[str, ...]:
        return "-CA", str(self.certificate), "-CAkey", str(self._key)

    def _at(self, name: str) -> Path:
        return self._folder / name

    def _context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._at("server.pem"), self._at("server.key"))
        return context

    def _vouch(self, name: str, subject: str, extension: str, *by: str) -> None:
        files = ("-keyout", str(self._at(f"{name}.key")), "-out", str(self._at(f"{name}.pem")))
        _openssl("req", "-x509", *_NEW_KEY, "-days", "2", "-subj", subject, "-addext", extension, *by, *files)


_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
