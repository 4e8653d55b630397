"""Answers that are not quite HTTP."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hostile.answers import HTML, head, last, page, raw, response, stream
from hostile.pages import article
from hostile.stage import Cases, Expected, Stage

case = Cases()

INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n"


@case("http09")
def http09(stage: Stage) -> Expected:
    """A body without status line or headers."""
    stage.x(last(article("Page from before there were headers").encode()))
    return Expected(fails=("/x",), at_most={"/x": 6})


@case("status-999")
def status_999(stage: Stage) -> Expected:
    """A status that does not exist."""
    stage.x(page(article("Page of status 999"), status="999 Denied"))
    return Expected(fails=("/x",), at_most={"/x": 6})


@case("status-odd")
def status_odd(stage: Stage) -> Expected:
    """Statuses that are negative, too long, not a number, or 200 without its words (which is fine)."""
    stage.links = ("/minus", "/long", "/words", "/bare")
    for path, status in (("/minus", "-1 OK"), ("/long", "20000 OK"), ("/words", "fine OK"), ("/bare", "200")):
        stage.host.on(path, last(response(article(f"Page of status {status}"), "Connection: close", status=status)))
    return Expected(read=("/bare",), fails=("/minus", "/long", "/words"))


@case("1xx-flood")
def interim_flood(stage: Stage) -> Expected:
    """5,000 interim answers before the real one."""
    stage.x(raw(INTERIM * 5_000 + response(article("Page after much ado"))))
    return Expected(at_most={"/x": 6})


@case("1xx-endless")
def interim_endless(stage: Stage) -> Expected:
    """Interim answers without end."""
    stage.x(stream(lambda: itertools.repeat(INTERIM * 1_000)))
    return Expected(fails=("/x",), memory_mb=400)


@case("switching-protocols")
def switching_protocols(stage: Stage) -> Expected:
    """The server changes to another protocol unasked."""
    stage.x(last(head("Upgrade: sea/1.0", "Connection: Upgrade", status="101 Switching Protocols") + b"\x00\x01\x02"))
    return Expected(fails=("/x",), at_most={"/x": 6})


@case("header-obsfold")
def header_obsfold(stage: Stage) -> Expected:
    """A header folded over two lines."""
    stage.x(page(article("Page with a folded header"), HTML, "X-Folded: one\r\n  two"))
    return Expected(at_most={"/x": 6})


@case("header-badname")
def header_badname(stage: Stage) -> Expected:
    """A header name with a space, and an empty one."""
    stage.x(page(article("Page with odd headers"), HTML, "Bad Name: one", ": two"))
    return Expected(at_most={"/x": 6})


@case("header-nul")
def header_nul(stage: Stage) -> Expected:
    """A NUL and raw Latin-1 and UTF-8 bytes in header values."""
    stage.x(page(article("Page with binary headers"), HTML, "X-Nul: a\x00b", "X-Raw: \xe9\xec\xa0\x9c\xec\xa3\xbc"))
    return Expected(at_most={"/x": 6})


@case("header-endless")
def header_endless(stage: Stage) -> Expected:
    """Headers that never end."""

    def parts() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n"
        for number in itertools.count():
            yield b"X-Header-%d: %s\r\n" % (number, b"z" * 1_000)

    stage.x(stream(parts))
    return Expected(fails=("/x",), memory_mb=400, wire_mb=64)


@case("header-long-line")
def header_long_line(stage: Stage) -> Expected:
    """One header whose value never ends."""
    stage.x(stream(lambda: itertools.chain([b"HTTP/1.1 200 OK\r\nX-Long: "], itertools.repeat(b"z" * 10_000))))
    return Expected(fails=("/x",), memory_mb=400, wire_mb=64)


@case("ctype-dup")
def ctype_dup(stage: Stage) -> Expected:
    """Two Content-Type headers that disagree."""
    stage.x(page(article("Page of two kinds"), "Content-Type: image/png", HTML))
    return Expected(at_most={"/x": 6})


@case("empty-200")
def empty_200(stage: Stage) -> Expected:
    """Status 200 with no body."""
    stage.x(page(""))
    return Expected(unread=("/x",), at_most={"/x": 6})


@case("bare-lines")
def bare_lines(stage: Stage) -> Expected:
    """Header lines that end with a line feed only."""
    stage.x(last(response(article("Page of bare lines"), "Connection: close").replace(b"\r\n", b"\n")))
    return Expected(at_most={"/x": 6})
