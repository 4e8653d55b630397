"""Addresses that are spelt in many ways, or not meant to be followed."""

from __future__ import annotations

from hostile.answers import page
from hostile.crawl import Result
from hostile.pages import article
from hostile.stage import Cases, Expected, Stage

case = Cases()


def _asked_for(result: Result, wanted: set[str], unwanted: set[str]) -> None:
    targets = {request.target for request in result.stage.host.requests}
    assert wanted <= targets, f"never asked for {wanted - targets}; asked for {targets}"
    assert not unwanted & targets, f"asked for {unwanted & targets}"


@case("url-same-page")
def url_same_page(stage: Stage) -> Expected:
    """Many spellings of one address."""
    stage.live_at("127.0.0.1", "localhost")
    port = stage.host.port
    stage.links = (
        f"http://localhost:{port}/~same/page",
        f"HTTP://localhost:{port}/~same/page",
        f"http://LocalHost:{port}/~same/page",
        f"http://localhost.:{port}/~same/page",
        f"http://localhost:0{port}/~same/page",
        f"http://%6cocalhost:{port}/~same/page",
        f"//localhost:{port}/~same/page",
        "/~same/page",
        "~same/page",
        "/~same/./page",
        "/~same/other/../page",
        "/%7Esame/page",
        "/%7esame/page#top",
        "/~same/page#one",
        "  /~same/page&#10;",
        "/~same/pa&#9;ge",
        "\\~same\\page",
    )
    stage.host.on("/~same/page", page(article("Page of many names")))
    stage.host.on("/%7Esame/page", page(article("Page of many names")))
    stage.host.on("/%7esame/page", page(article("Page of many names")))

    def check(result: Result) -> None:
        targets = [request.target for request in result.stage.host.requests if request.target.endswith("page")]
        assert 1 <= len(targets) <= 3, f"fetched {len(targets)} times: {targets}"

    return Expected(check=check)


@case("url-long")
def url_long(stage: Stage) -> Expected:
    """An address of 100 KB."""
    stage.links = ("/" + "long" * 25_000, "/x")
    stage.x(page(article("Page after a long address")))
    stage.host.on("/long*", page("", status="414 URI Too Long"))
    return Expected(read=("/x",), at_most={"/long*": 6})


@case("url-entities")
def url_entities(stage: Stage) -> Expected:
    """Ampersands written as entities, once and twice."""
    stage.links = ("/q?a=1&amp;b=2", "/q?a=1&amp;amp;c=3")
    stage.host.on("/q", page(article("Page of a query")))
    wanted = {"/q?a=1&b=2", "/q?a=1&amp;c=3"}
    unwanted = {"/q?a=1&amp;b=2", "/q?a=1&c=3", "/q?a=1&amp;amp;c=3"}
    return Expected(check=lambda result: _asked_for(result, wanted, unwanted))


@case("url-path-utf8")
def url_path_utf8(stage: Stage) -> Expected:
    """Korean letters, a blank, a lone percent sign and an encoded slash in paths."""
    stage.links = ("/path/해녀/바다", "/path/a b", "/path/100%", "/path/a%2Fb", "/path/%ED%95%B4", "/path/q?말=물 질")
    stage.host.on("/path/*", page(article("Page of an odd path")))
    wanted = {
        "/path/%ED%95%B4%EB%85%80/%EB%B0%94%EB%8B%A4",
        "/path/a%20b",
        "/path/a%2Fb",
        "/path/%ED%95%B4",
        "/path/q?%EB%A7%90=%EB%AC%BC%20%EC%A7%88",
    }

    def check(result: Result) -> None:
        _asked_for(result, wanted, {"/path/a/b", "/path/a%252Fb", "/path/%25ED%2595%25B4"})
        assert {"/path/100%", "/path/100%25"} & {request.target for request in result.stage.host.requests}

    return Expected(check=check)


@case("url-empty-href")
def url_empty_href(stage: Stage) -> Expected:
    """Links to the page itself in four ways."""
    stage.links = ("", ".", "./", "?", "#", "/x")
    stage.x(page(article("Page after empty links")))
    return Expected(read=("/x",), at_most={"/": 4})


@case("url-nx")
def url_nx(stage: Stage) -> Expected:
    """Links to hosts that do not exist, any host allowed."""
    stage.open_scope()
    stage.links = ("http://no-such-host.invalid/x", "http://xn--ls8h.invalid/x", f"http://{'a' * 64}.invalid/x", "/x")
    stage.x(page(article("Page beside hosts that do not exist")))
    return Expected(read=("/x",), fails=("http://no-such-host.invalid/x",))


@case("url-not-http")
def url_not_http(stage: Stage) -> Expected:
    """Schemes that are not to be followed, and addresses that are none."""
    stage.open_scope()
    stage.links = (
        "javascript:alert(1)", "mailto:a@b.example", "tel:+82", "data:text/html,hi", "file:///etc/hostname", "blob:x",
        "http://", "http:///", "http://[::1", "http://a b/", "http://%zz/", "http://host:99999/", "http://1.2.3.4.5/",
        "//", "/x",
    )  # fmt: skip
    stage.x(page(article("Page beside addresses that are none")))
    return Expected(read=("/x",))


@case("url-port-closed")
def url_port_closed(stage: Stage) -> Expected:
    """Links to ports at which nobody listens, or which are not for the web."""
    stage.links = (f"http://{stage.name}:1/x", f"http://{stage.name}:25/x", f"http://{stage.name}:0/x", "/x")
    stage.x(page(article("Page beside closed ports")))
    return Expected(read=("/x",))
