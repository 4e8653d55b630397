"""Compares what a crawl did with what a good crawler does."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from pathlib import Path

from hostile.crawl import SECONDS, Result
from hostile.stage import SECRET, Expected

ALLOWED = ip_network("127.0.0.0/24")
CONTROLS = ("/control-1", "/control-2")
MEGABYTE = 1 << 20


def judge(result: Result, expected: Expected) -> None:
    """Fail with the first promise that was not kept."""
    ends_by_itself(result)
    stays_in_the_allowed_network(result)
    if expected.check:
        expected.check(result)
    uses_little_memory(result, expected)
    writes_only_into_the_collection(result)
    reads_the_good(result, expected)
    leaves_the_bad(result, expected)
    asks_little(result, expected)


def ends_by_itself(result: Result) -> None:
    """The commands end in time with exit code 0 and no traceback."""
    assert result.crawl.seconds < SECONDS, f"the crawl was stopped after {SECONDS:.0f} s\n{result.crawl.output}"
    for ended in (result.crawl, result.export):
        assert ended.exit_code == 0, f"exit code {ended.exit_code}\n{ended.output}"
        assert "Traceback (most recent call last)" not in ended.output, ended.output


def uses_little_memory(result: Result, expected: Expected) -> None:
    """Memory, and CPU where the case bounds it, stay below the limit."""
    used = result.crawl.memory_mb
    assert used <= expected.memory_mb, f"{used:.0f} MB of memory, {expected.memory_mb} allowed"
    if expected.cpu_seconds is not None:
        spent = result.crawl.cpu_seconds
        assert spent <= expected.cpu_seconds, f"{spent:.1f} s of CPU, {expected.cpu_seconds} allowed"


def stays_in_the_allowed_network(result: Result) -> None:
    """No connection leaves the part of loopback that plays the public web, and no internal text turns up."""
    assert result.connects, "the watch saw no connection at all: it cannot vouch for anything"
    strayed = {address for address in result.connects if ip_address(address) not in ALLOWED}
    assert not strayed, f"connected to {sorted(strayed)}"
    reached = [service.address for service in result.stage.internals if service.connections]
    assert not reached, f"internal services were reached: {reached}"
    assert not result.holds(SECRET), "the internal service's text was collected"


def writes_only_into_the_collection(result: Result) -> None:
    """Whatever an address looks like, files appear only where the user asked for them."""
    own = {
        "new.log",
        "crawl.log",
        "export.log",
        "connects",
        "peak_kb",
        "pages.jsonl",
        "pages.jsonl.card.md",
        "config",
        "stage",
    }
    strange = {path.name for path in result.collection.parent.iterdir()} - own - {result.collection.name}
    assert not strange, f"files outside the collection: {sorted(strange)}"
    inside = {path.relative_to(result.collection) for path in result.collection.rglob("*") if path.is_file()}
    foreign = {str(path) for path in inside if not _belongs(path)}
    assert not foreign, f"strange files in the collection: {sorted(foreign)}"


def _belongs(path: Path) -> bool:
    own = path.name.startswith(("haenyeo.", "search.db"))
    return own or (path.parts[0] == "archive" and path.name.endswith(".warc.gz"))


def reads_the_good(result: Result, expected: Expected) -> None:
    """Control pages and what else must be read are exported with their text."""
    for path in (*CONTROLS[: expected.controls], *expected.read):
        assert result.text_of(path), f"{path} was not read: {_record(result, path)}"
    for path, text in expected.says.items():
        assert text in result.text_of(path), f"{path} lacks {text!r}: {result.text_of(path)[:300]!r}"


def leaves_the_bad(result: Result, expected: Expected) -> None:
    """What is no good page is not exported; a failure has a reason on record."""
    for path in (*expected.fails, *expected.unread):
        assert not result.text_of(path), f"{path} was stored as a good page: {result.text_of(path)[:300]!r}"
    for path in expected.fails:
        wanted = result.stage.url(path)
        assert any(record.url == wanted and record.reason for record in result.records), (
            f"no reason on record for {path}: {_record(result, path)}"
        )


def asks_little(result: Result, expected: Expected) -> None:
    """Requests stay within the case's bounds."""
    host = result.stage.host
    for path in expected.unasked:
        assert not host.asked(path), f"{path} was asked for"
    for path, most in expected.at_most.items():
        assert len(host.asked(path)) <= most, f"{len(host.asked(path))} requests for {path}, {most} allowed"
    if expected.wire_mb is not None:
        taken = host.sent("/x") / MEGABYTE
        assert taken <= expected.wire_mb, f"{taken:.0f} MB taken off the wire, {expected.wire_mb} allowed"


def _record(result: Result, path: str) -> str:
    wanted = result.stage.url(path)
    records = [record for record in result.records if record.url == wanted]
    return f"records {records}, {len(result.stage.host.asked(path))} requests\n{result.crawl.output[-2000:]}"
