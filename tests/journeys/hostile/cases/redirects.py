"""Redirects that loop, leak, lead astray or lead nowhere."""

from __future__ import annotations

from hostile.answers import page, redirect, text
from hostile.crawl import Result
from hostile.pages import article, prose
from hostile.server import Request, Wire
from hostile.stage import SECRET, Cases, Expected, Stage

case = Cases()


@case("redir-loop-self")
def redir_loop_self(stage: Stage) -> Expected:
    """A page redirects to itself."""
    stage.x(redirect("/x"))
    return Expected(fails=("/x",), at_most={"/x": 22})


@case("redir-loop-307-308")
def redir_loop_307_308(stage: Stage) -> Expected:
    """Two pages redirect to each other with the statuses that keep the method."""
    stage.x(redirect("/y", status="307 Temporary Redirect"))
    stage.host.on("/y", redirect("/x", status="308 Permanent Redirect"))
    return Expected(fails=("/x",), unread=("/y",), at_most={"/x": 12, "/y": 12})


@case("redir-unique")
def redir_unique(stage: Stage) -> Expected:
    """Every answer redirects to the same page with a new counter in the query."""

    async def next_number(wire: Wire, request: Request) -> None:
        number = int(request.target.partition("?n=")[2] or 0)
        await redirect(f"/x?n={number + 1}")(wire, request)

    stage.x(next_number)
    return Expected(fails=("/x",), at_most={"/x": 40})


@case("redir-unique-path")
def redir_unique_path(stage: Stage) -> Expected:
    """The counter stands in the path, and the address is relative."""

    async def next_number(wire: Wire, request: Request) -> None:
        number = int(request.path.rpartition("/")[2])
        await redirect(f"../climb/{number + 1}")(wire, request)

    stage.links = ("/climb/0",)
    stage.host.on("/climb/*", next_number)
    return Expected(fails=("/climb/0",), at_most={"/climb/*": 40})


@case("redir-cookie-retry")
def redir_cookie_retry(stage: Stage) -> Expected:
    """A page redirects to itself until the cookie it set comes back."""

    async def wants_cookie(wire: Wire, request: Request) -> None:
        if "taste=salt" in request.headers.get("cookie", ""):
            await page(article("Page behind a cookie"))(wire, request)
        else:
            await redirect("/x", "Set-Cookie: taste=salt; Path=/")(wire, request)

    stage.x(wants_cookie)
    return Expected(read=("/x",), at_most={"/x": 5})


@case("redir-auth-cross")
def redir_auth_cross(stage: Stage) -> Expected:
    """A host with a configured Authorization header redirects to another host."""
    other = stage.another_host()
    other.on("/landing", page(article("Landing page on another host")))
    stage.x(redirect(other.url("/landing")))
    stage.scope = (stage.name, other.address)
    stage.headers = {"Authorization": "Bearer salt-and-foam"}

    def check(result: Result) -> None:
        assert all("authorization" in request.headers for request in result.stage.host.asked("/x"))
        assert other.asked("/landing"), "the redirect was not followed"
        assert not any("salt-and-foam" in str(request.headers) for request in other.requests), "the secret went along"

    return Expected(controls=0, check=check)


@case("redir-offsite")
def redir_offsite(stage: Stage) -> Expected:
    """A page redirects to a host outside the scope."""
    other = stage.another_host()
    other.on("*", page(article("Page of a host outside the scope")))
    stage.x(redirect(other.url("/outside")))

    def check(result: Result) -> None:
        assert not other.asked("/outside"), "the scope ended at a redirect"
        assert not result.text_of(other.url("/outside"))

    return Expected(fails=("/x",), check=check)


@case("redir-no-location")
def redir_no_location(stage: Stage) -> Expected:
    """A redirect that does not say where to."""
    stage.x(page(article("Moved"), status="302 Found"))
    return Expected(fails=("/x",), at_most={"/x": 5})


@case("redir-many-locations")
def redir_many_locations(stage: Stage) -> Expected:
    """A redirect with two different addresses."""
    stage.host.on("/one", page(article("First of two targets")))
    stage.host.on("/two", page(article("Second of two targets")))
    stage.x(redirect("/one", "Location: /two"))

    def check(result: Result) -> None:
        assert not (result.stage.host.asked("/one") and result.stage.host.asked("/two")), "both were followed"

    return Expected(at_most={"/x": 5}, check=check)


@case("redir-file")
def redir_file(stage: Stage) -> Expected:
    """A redirect to a readable file of this machine."""
    stage.x(redirect(_secret_file(stage)))
    return Expected(fails=("/x",))


@case("redir-meta-file")
def redir_meta_file(stage: Stage) -> Expected:
    """A meta refresh to a readable file of this machine."""
    refresh = f'<meta http-equiv="refresh" content="0; url={_secret_file(stage)}">'
    stage.x(page(article("Page that sends readers to a file", extra_head=refresh)))
    return Expected()


@case("redir-ftp")
def redir_ftp(stage: Stage) -> Expected:
    """A redirect to an ftp address at an internal service."""
    stage.open_scope()
    stage.x(redirect(stage.internal().url("/x").replace("http:", "ftp:")))
    return Expected(fails=("/x",))


@case("redir-meta-internal")
def redir_meta_internal(stage: Stage) -> Expected:
    """A meta refresh to an internal address."""
    stage.open_scope()
    refresh = f'<meta http-equiv="refresh" content="0; url={stage.internal().url("/x")}">'
    stage.x(page(article("Page that sends readers inside", extra_head=refresh)))
    return Expected()


@case("redir-chain-relative")
def redir_chain_relative(stage: Stage) -> Expected:
    """Four honest redirects with relative addresses, one of them in raw UTF-8: a control."""
    stage.x(redirect("way/1"))
    stage.host.on("/way/1", redirect("2"))
    stage.host.on("/way/2", redirect("바다".encode().decode("latin-1")))
    stage.host.on("/way/%EB%B0%94%EB%8B%A4", redirect("../end"))
    stage.host.on("/end", page(article("The end of a chain")))
    return Expected(read=("/end",))


@case("redir-into-disallowed")
def redir_into_disallowed(stage: Stage) -> Expected:
    """A redirect to a page that robots.txt disallows."""
    stage.host.on("/robots.txt", text("User-agent: *\nDisallow: /private\n"))
    stage.host.on("/private", page(article("Page that robots.txt protects")))
    stage.x(redirect("/private"))
    return Expected(fails=("/x",), unasked=("/private",))


@case("redir-meta-follow")
def redir_meta_follow(stage: Stage) -> Expected:
    """A meta refresh to a good page: a control."""
    refresh = "<meta http-equiv=Refresh content=\"1;URL='/next'\">"
    stage.x(page(f"<title>wait</title>{refresh}<p>Please wait.</p>"))
    stage.host.on("/next", page(article("Page behind a meta refresh")))
    return Expected(read=("/next",))


@case("redir-header-internal")
def redir_header_internal(stage: Stage) -> Expected:
    """A Refresh header that points at an internal address."""
    stage.open_scope()
    stage.x(page(article("Page with a refresh header"), f"Refresh: 0; url={stage.internal().url('/x')}"))
    return Expected()


@case("redir-meta-loop")
def redir_meta_loop(stage: Stage) -> Expected:
    """Pages that send readers on by meta refresh, each time to a new address."""

    async def next_number(wire: Wire, request: Request) -> None:
        number = int(request.target.partition("?n=")[2] or 0)
        refresh = f'<meta http-equiv="refresh" content="0; url=/x?n={number + 1}">'
        await page(f"<title>wait</title>{refresh}<p>Please wait.</p>")(wire, request)

    stage.x(next_number)
    return Expected(at_most={"/x": 40})


@case("redir-cookie-bomb")
def redir_cookie_bomb(stage: Stage) -> Expected:
    """Every redirect sets fifty more cookies of 4 KB: requests must not grow without bound."""

    async def more_cookies(wire: Wire, request: Request) -> None:
        number = int(request.target.partition("?n=")[2] or 0)
        cookies = (f"Set-Cookie: c{number}-{index}={'z' * 4_000}" for index in range(50))
        await redirect(f"/x?n={number + 1}", *cookies)(wire, request)

    def check(result: Result) -> None:
        longest = max(len(request.headers.get("cookie", "")) for request in result.stage.host.requests)
        assert longest <= 300_000, f"a Cookie header of {longest} bytes"

    stage.x(more_cookies)
    return Expected(at_most={"/x": 40}, check=check)


@case("redir-cookie-cross")
def redir_cookie_cross(stage: Stage) -> Expected:
    """A cookie of one host is not shown to the host it redirects to."""
    other = stage.another_host()
    other.on("/landing", page(article("Landing page on another host")))
    stage.scope = (stage.name, other.address)
    stage.x(redirect(other.url("/landing"), f"Set-Cookie: a=salt; Domain={other.address}", "Set-Cookie: b=foam"))

    def check(_: Result) -> None:
        assert other.asked("/landing"), "the redirect was not followed"
        assert not any(request.headers.get("cookie") for request in other.requests), "the cookie went along"

    return Expected(check=check)


@case("redir-long-location")
def redir_long_location(stage: Stage) -> Expected:
    """A redirect to an address of a megabyte."""
    stage.x(redirect("/" + "deep/" * 200_000))
    return Expected(fails=("/x",), at_most={"/x": 6})


def _secret_file(stage: Stage) -> str:
    path = stage.folder / "stage" / "secret.html"
    path.parent.mkdir()
    path.write_text(f"<title>secret</title><p>{SECRET} {prose('secret')}</p>", encoding="utf-8")
    return path.as_uri()
