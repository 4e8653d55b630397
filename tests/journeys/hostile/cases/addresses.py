"""Forbidden addresses in every spelling: a crawler must not be talked into asking the services of its own network."""

from __future__ import annotations

from hostile.answers import page, redirect
from hostile.crawl import Result
from hostile.pages import article
from hostile.stage import INTERNAL, Case, Cases, Expected, Stage

case = Cases()

SPELLINGS = {
    "ip": INTERNAL,
    "octal": "0177.011.011.011",
    "hex": "0x7f.0x9.0x9.0x9",
    "dword": "2131298569",
    "short": "127.592137",
    "dot": f"{INTERNAL}.",
    "fullwidth": "%EF%BC%91%EF%BC%92%EF%BC%97%E3%80%829.9.9",
    "v6mapped": f"[::ffff:{INTERNAL}]",
    "v6compat": f"[::{INTERNAL}]",
    "nat64": f"[64:ff9b::{INTERNAL}]",
    "6to4": "[2002:7f09:909::1]",
    "pct": "127.9.9.%39",
    "userinfo": f"127.0.0.1:80@{INTERNAL}",
}

SPECIAL = (
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.1.0.1", "169.254.1.1", "172.16.0.1", "192.0.0.1", "192.168.1.1",
    "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[::]", "[::1]", "[fc00::1]", "[fe80::1]", "[ff02::1]",
)  # fmt: skip


def _spelt(spelling: str) -> Case:
    """The page redirects to the internal service at 127.9.9.9, its address spelt like this."""

    def set_stage(stage: Stage) -> Expected:
        return _redirects_to(stage, stage.internal().url("/x", spelling))

    return set_stage


def _redirects_to(stage: Stage, address: str) -> Expected:
    stage.open_scope()
    stage.x(redirect(address))
    return Expected(fails=("/x",), check=_the_guard_is_the_reason)


def _the_guard_is_the_reason(result: Result) -> None:
    reasons = [record.reason for record in result.records if record.url == result.stage.url("/x")]
    assert any("forbidden" in reason for reason in reasons), f"stopped by chance, not by the guard: {reasons}"


for _name, _spelling in SPELLINGS.items():
    case(f"ssrf-redir-{_name}")(_spelt(_spelling))


@case("ssrf-redir-zero2")
def ssrf_redir_zero2(stage: Stage) -> Expected:
    """A redirect to host "0", which means this machine."""
    return _redirects_to(stage, stage.internal("127.0.0.1").url("/x", "0"))


@case("ssrf-redir-namedot")
def ssrf_redir_namedot(stage: Stage) -> Expected:
    """A redirect to a name with a trailing dot; the service it leads to waits at ::1."""
    stage.open_scope()
    stage.x(redirect(stage.internal("::1").url("/x", "localhost.")))
    return Expected(fails=("/x",))


@case("ssrf-redir-v6")
def ssrf_redir_v6(stage: Stage) -> Expected:
    """A redirect to the loopback address of IPv6."""
    return _redirects_to(stage, stage.internal("::1").url("/x"))


@case("ssrf-redir-rfc1918b")
def ssrf_redir_rfc1918b(stage: Stage) -> Expected:
    """A redirect to a private network on another port."""
    return _redirects_to(stage, "http://192.168.0.1:8081/x")


@case("ssrf-redir-linklocal")
def ssrf_redir_linklocal(stage: Stage) -> Expected:
    """A redirect to the address at which clouds keep their machines' credentials."""
    return _redirects_to(stage, "http://169.254.169.254/latest/meta-data/")


@case("ssrf-special-networks")
def ssrf_special_networks(stage: Stage) -> Expected:
    """Links to one address of every network that is not the public internet."""
    stage.open_scope()
    stage.links = tuple(f"http://{address}/x" for address in SPECIAL)
    return Expected(fails=stage.links)


@case("ssrf-redir-protocol-relative")
def ssrf_redir_protocol_relative(stage: Stage) -> Expected:
    """A redirect that names the internal host but no scheme."""
    return _redirects_to(stage, stage.internal().url("/x").removeprefix("http:"))


@case("ssrf-backslash")
def ssrf_backslash(stage: Stage) -> Expected:
    """The host is followed by a backslash and an @ with the internal address."""
    address = f"{stage.host.url('')}\\@{INTERNAL}:{stage.internal().port}/x"
    stage.open_scope()
    stage.x(redirect(address))
    stage.links = ("/x", address)
    stage.host.on("/@*", page(article("Page with an odd path")))
    return Expected()


@case("ssrf-link")
def ssrf_link(stage: Stage) -> Expected:
    """A plain link to an internal service."""
    stage.open_scope()
    address = stage.internal().url("/x")
    stage.links = (address,)
    return Expected(fails=(address,))


@case("ssrf-base")
def ssrf_base(stage: Stage) -> Expected:
    """A base element moves all relative links to an internal address; an absolute link stands beside them."""
    stage.open_scope()
    service = stage.internal()
    base = f'<base href="{service.url("/")}">'
    stage.x(page(article("Page with a base", ["relative", "/rooted", stage.url("/absolute")], extra_head=base)))
    stage.host.on("/absolute", page(article("Page behind an absolute link")))
    return Expected(read=("/x", "/absolute"), fails=(service.url("/relative"), service.url("/rooted")))


@case("ssrf-robots-redirect")
def ssrf_robots_redirect(stage: Stage) -> Expected:
    """The robots.txt redirects to an internal address."""
    stage.open_scope()
    stage.host.on("/robots.txt", redirect(stage.internal().url("/robots.txt")))
    stage.x(page(article("Page behind a strange robots.txt")))
    return Expected(controls=0)


@case("ssrf-robots-sitemap")
def ssrf_robots_sitemap(stage: Stage) -> Expected:
    """The robots.txt names a sitemap at an internal address."""
    stage.open_scope()
    stage.host.on("/robots.txt", page(f"Sitemap: {stage.internal().url('/sitemap.xml')}\n", "Content-Type: text/plain"))
    stage.x(page(article("Page beside a strange sitemap")))
    return Expected(read=("/x",))


@case("ssrf-refpolicy")
def ssrf_refpolicy(stage: Stage) -> Expected:
    """A Referrer-Policy header holds the dotted name of a Python function that could be imported."""
    stage.x(page(article("Page with a policy"), "Referrer-Policy: hostile_module.function"))

    def check(result: Result) -> None:
        assert not (result.stage.folder / "imported").exists(), "a name from the network was imported"

    return Expected(read=("/x",), check=check)
