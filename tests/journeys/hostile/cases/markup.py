"""HTML that costs parsers their stack, their time or their memory, and content that is not what its type says."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from hostile.answers import HTML, last, page, response
from hostile.crawl import Result
from hostile.pages import article, prose
from hostile.stage import SECRET, Cases, Expected, Stage

case = Cases()

CPU_SECONDS = 5.0  # the whole crawl; 2 s for the hostile page, the rest for start-up and the other pages
BEHIND = '<p><a href="/behind">what lies behind</a></p>'
MARK = "treasure at the bottom"


def _page(inner: str, extra_head: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>divers</title>{extra_head}</head><body>{inner}</body></html>"


def _link_behind(stage: Stage, body: str, content_type: str = HTML) -> Expected:
    """The page is followed by a link that must be found."""
    stage.x(page(body, content_type))
    stage.host.on("/behind", page(article("Page behind the hostile one")))
    return Expected(read=("/behind",), cpu_seconds=CPU_SECONDS)


@case("html-deep-div")
def html_deep_div(stage: Stage) -> Expected:
    """100,000 nested elements, then text and a link."""
    body = _page(f"{'<div>' * 100_000}<p>{MARK}: {prose('deep')}</p>{BEHIND}")
    stage.x(page(body))
    stage.host.on("/behind", page(article("Page behind the deep one")))
    return Expected(read=("/behind",), says={"/x": MARK}, cpu_seconds=CPU_SECONDS)


@case("html-nested-formatting")
def html_nested_formatting(stage: Stage) -> Expected:
    """Formatting elements nested so that every new block repeats all of them."""
    return _link_behind(stage, _page(f"<p>{prose('f')}</p>{'<b><i><u><font color=red><p>' * 3_000}{BEHIND}"))


@case("html-deep-table")
def html_deep_table(stage: Stage) -> Expected:
    """Tables in tables in tables."""
    return _link_behind(stage, _page(f"<p>{prose('t')}</p>{'<table><tr><td>' * 30_000}{BEHIND}"))


@case("html-foster")
def html_foster(stage: Stage) -> Expected:
    """A table full of text and formatting that has to be moved out of it, again and again."""
    return _link_behind(stage, _page(f"<p>{prose('o')}</p><table>{'<a>x<b>y<tr>' * 20_000}</table>{BEHIND}"))


@case("html-million-entities")
def html_million_entities(stage: Stage) -> Expected:
    """A million character references, half of them unknown."""
    return _link_behind(stage, _page(f"<p>{prose('e')}</p>{BEHIND}<p>{'&amp;&nosuch;' * 500_000}</p>"))


@case("html-one-line")
def html_one_line(stage: Stage) -> Expected:
    """10 MB in a single line."""
    words = prose("one line", 60)
    body = _page(f"<p>{MARK}</p>{BEHIND}<p>{words * (10_000_000 // len(words))}</p>")
    stage.x(page(body.replace("\n", " ")))
    stage.host.on("/behind", page(article("Page behind the long line")))
    return Expected(read=("/behind",), memory_mb=700)


@case("html-many-attrs")
def html_many_attrs(stage: Stage) -> Expected:
    """One tag with 200,000 attributes, and a link behind it."""
    attributes = " ".join(f"a{number}=1" for number in range(200_000))
    return _link_behind(stage, _page(f"<p>{prose('a')}</p><div {attributes}>{BEHIND}"))


@case("html-huge-attribute")
def html_huge_attribute(stage: Stage) -> Expected:
    """One attribute of 5 MB, and a link behind it."""
    return _link_behind(stage, _page(f'<p>{prose("h")}</p><div style="{"z" * 5_000_000}">{BEHIND}</div>'))


@case("html-redos-meta")
def html_redos_meta(stage: Stage) -> Expected:
    """180,000 unfinished meta, base and title tags."""
    unfinished = "<meta charset= <base href= <title " * 60_000
    stage.x(page(_page(f"<p>{prose('r')}</p>", extra_head=unfinished), "Content-Type: text/html"))
    return Expected(cpu_seconds=CPU_SECONDS)


@case("html-unclosed-textarea")
def html_unclosed_textarea(stage: Stage) -> Expected:
    """A textarea that is never closed, and a link in front of it."""
    return _link_behind(stage, _page(f"<p>{prose('u')}</p>{BEHIND}<textarea>{prose('inside')}"))


@case("html-unclosed-comment")
def html_unclosed_comment(stage: Stage) -> Expected:
    """200,000 comments that are never closed, and a link in front of them."""
    return _link_behind(stage, _page(f"<p>{prose('c')}</p>{BEHIND}{'<!-- ' * 200_000}"))


@case("html-unclosed-tag")
def html_unclosed_tag(stage: Stage) -> Expected:
    """A megabyte of less-than signs, and a link in front of them."""
    return _link_behind(stage, _page(f"<p>{prose('l')}</p>{BEHIND}{'<' * 1_000_000}"))


@case("html-many-links")
def html_many_links(stage: Stage) -> Expected:
    """200,000 links on one page, the good one first."""
    stage.pages = 60
    links = "".join(f'<a href="/many/{number}">{number}</a> ' for number in range(200_000))
    stage.host.on("/many/*", page(article("One of far too many")))
    return _link_behind(stage, _page(f"<p>{prose('m')}</p>{BEHIND}<p>{links}</p>"))


@case("html-base-data")
def html_base_data(stage: Stage) -> Expected:
    """A base element with a data: address; an absolute link still works."""
    base = '<base href="data:text/html,hello">'
    stage.x(page(_page(f'<p>{prose("b")}</p><a href="{stage.url("/behind")}">on</a>', extra_head=base)))
    stage.host.on("/behind", page(article("Page behind a strange base")))
    return Expected(read=("/behind",))


@case("html-xhtml-xxe")
def html_xhtml_xxe(stage: Stage) -> Expected:
    """XHTML with an external entity that names a local file."""
    secret = stage.folder / "stage" / "secret.txt"
    secret.parent.mkdir()
    secret.write_text(SECRET)
    body = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY secret SYSTEM "{secret.as_uri()}">]>'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>divers</title></head>'
        f"<body><p>{prose('xxe')}</p><p>&secret;</p></body></html>"
    )
    stage.x(page(body, "Content-Type: application/xhtml+xml"))
    return Expected()


@case("mime-zip-as-html")
def mime_zip_as_html(stage: Stage) -> Expected:
    """Zip bytes labelled text/html."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("page.html", article("Page in an archive"))
    stage.x(page(packed.getvalue(), HTML))
    return Expected(fails=("/x",))


@case("mime-image-as-html")
def mime_image_as_html(stage: Stage) -> Expected:
    """PNG, JPEG and PDF bytes labelled text/html."""
    stage.links = ("/png", "/jpeg", "/pdf")
    noise = zlib.compress(prose("noise", 99).encode())
    stage.host.on("/png", page(b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + noise, HTML))
    stage.host.on("/jpeg", page(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + noise, HTML))
    stage.host.on("/pdf", page(b"%PDF-1.7\n" + noise, HTML))
    return Expected(fails=stage.links)


@case("mime-html-as-plain")
def mime_html_as_plain(stage: Stage) -> Expected:
    """HTML with links, labelled text/plain."""
    stage.x(page(article("Page that calls itself plain", ["/behind"]), "Content-Type: text/plain"))
    return Expected(at_most={"/x": 3})


@case("mime-none")
def mime_none(stage: Stage) -> Expected:
    """HTML without any content type."""
    body = article("Page that does not say what it is")
    stage.x(last(response(body, "Connection: close").replace(HTML.encode() + b"\r\n", b"")))
    return Expected(read=("/x",))


@case("mime-traversal-path")
def mime_traversal_path(stage: Stage) -> Expected:
    """Paths that climb out of a folder, hold an encoded NUL, a device name or 3,000 characters."""
    stage.links = (
        "/../../../escaped-1.html",
        "/files/..%2f..%2f..%2fescaped-2.html",
        "/files/..%5c..%5cescaped-3.html",
        "/files/%2e%2e/%2e%2e/escaped-4.html",
        "/files/nul%00.html",
        "/files/CON",
        "/files/" + "long" * 750,
        "/files//etc/passwd",
    )
    stage.host.on("*", page(article("Page with a path that wants out")))

    def check(result: Result) -> None:
        strays = [path for path in result.collection.parent.parent.rglob("*escaped*") if path.is_file()]
        assert not strays, f"written outside the collection: {strays}"

    return Expected(check=check)
