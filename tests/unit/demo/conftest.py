from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from haenyeo.demo import DemoWeb, PageTruth
from haenyeo.demo.answers import Reply

Get = Callable[..., Reply]
Parse = Callable[[Reply], LexborHTMLParser]


@pytest.fixture(scope="session")
def made() -> DemoWeb:
    return DemoWeb()


@pytest.fixture(scope="session")
def pages(made: DemoWeb) -> tuple[PageTruth, ...]:
    """The truth about all pages of the web when its clock stands at zero."""
    made.clock.now, made.port = 0, 0
    return tuple(made.pages())


@pytest.fixture
def web(made: DemoWeb) -> DemoWeb:
    """The web of seed 7, not served, its clock at zero; made once because asking does not change it."""
    made.clock.run(0)
    made.clock.now = 0
    made.port = 0
    return made


@pytest.fixture
def get(web: DemoWeb) -> Get:
    def ask(url: str, **headers: str) -> Reply:
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return web.answer(parts.netloc, target, {name.replace("_", "-"): value for name, value in headers.items()})

    return ask


@pytest.fixture
def parse() -> Parse:
    def read(reply: Reply) -> LexborHTMLParser:
        charset = "cp949" if b"charset=euc-kr" in reply.body[:400] else "utf-8"
        tree = LexborHTMLParser(reply.body.decode(charset))
        tree.strip_tags(["style", "script"])
        return tree

    return read
