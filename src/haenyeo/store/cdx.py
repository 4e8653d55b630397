"""Where in the archive is the answer to an address? Lines of an index (CDXJ) that replay tools read."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from haenyeo.model.errors import StoreError
from haenyeo.store.archive import explained, members
from haenyeo.store.warc import ANSWERS, fields_of

_WWW = re.compile(r"^www\d*\.")
_PARTS = re.compile(r"https?://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(:\d+)?([^#]*)")
_NUMERIC = re.compile(r"[\d.]+|\[.*")


def index_lines(path: Path, length: int, name: str = "") -> Iterator[str]:
    """A line for each answer in the first bytes of a WARC file, which may have another `name` where it is packed."""
    try:
        for start, size, record in members(path, length):
            line = _line(record, {"length": str(size), "offset": str(start), "filename": name or path.name})
            if line:
                yield line
    except OSError as error:
        raise explained(error, path) from error
    except (zlib.error, KeyError, ValueError) as error:
        raise StoreError(f"{path} has a record that cannot be read: {error}") from error


def sort_key(url: str) -> str:
    """An address turned around so that those of one site stand together, as replay tools look for it (SURT).

    >>> sort_key("https://www.news.example.org/A?b=1#c"), sort_key("http://127.0.0.1:81/")
    ('org,example,news)/a?b=1', '127.0.0.1:81)/')
    """
    parts = _PARTS.match(url)
    if parts is None:
        return url.lower()
    host, port, rest = parts.groups("")
    host = _WWW.sub("", host.lower())
    turned = host if _NUMERIC.fullmatch(host) else ",".join(reversed(host.split(".")))
    return f"{turned}{port}){(rest or '/').lower()}"


def _line(record: bytes, place: dict[str, str]) -> str:
    """The index line of a record, empty for a request and other records that answer nothing."""
    warc_head, _, block = record.partition(b"\r\n\r\n")
    facts = dict(fields_of(warc_head.decode("utf-8", "replace")))
    if facts.get("WARC-Type") not in ANSWERS:
        return ""
    head = block.partition(b"\r\n\r\n")[0].decode("latin-1")
    label = next((value for name, value in fields_of(head) if name.lower() == "content-type"), "")
    kind = "warc/revisit" if facts["WARC-Type"] == "revisit" else label.partition(";")[0].strip().lower()
    url = facts["WARC-Target-URI"]
    said = {
        "url": url,
        "mime": kind or "unk",
        "status": head.split(" ", 2)[1],
        "digest": facts.get("WARC-Payload-Digest", ""),
        **place,
    }
    moment = re.sub(r"\D", "", facts["WARC-Date"])[:14]
    return f"{sort_key(url)} {moment} {msgspec.json.encode(said).decode()}"
