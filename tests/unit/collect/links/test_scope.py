from __future__ import annotations

import pytest

from haenyeo.collect.links.scope import Scope
from haenyeo.model.config import ScopeSettings
from haenyeo.model.pages import Url


@pytest.mark.parametrize(
    ("hosts", "url", "inside"),
    [
        ((), "https://anywhere.example/", True),
        (("a.example",), "https://a.example/x", True),
        (("a.example",), "https://b.a.example/x", False),
        (("*.a.example",), "https://b.a.example/x", True),
        (("*.a.example",), "https://a.example/x", True),
        (("*.a.example",), "https://a.example:8080/x", True),
        (("*.a.example:8080",), "https://a.example/x", False),
        (("*.a.example",), "https://nota.example/x", False),
        (("a.example",), "https://a.example:8080/x", True),
        (("a.example:8080",), "https://a.example:8080/x", True),
        (("a.example:8080",), "https://a.example/x", False),
        (("A.Example",), "https://a.example/", True),
        (("127.0.0.1",), "http://127.0.0.1:4711/", True),
        (("a.example", "b.example"), "http://b.example/", True),
        (("a.example",), "http://a.example.evil.example/", False),
    ],
)
def test_hosts_are_matched_as_globs(hosts: tuple[str, ...], url: str, inside: bool) -> None:
    scope = Scope(ScopeSettings(hosts=hosts))
    assert scope.holds(Url(url)) is inside
    assert scope.holds(Url(url)) is inside, "the remembered answer is the same"


def test_one_of_the_patterns_must_be_found() -> None:
    scope = Scope(ScopeSettings(patterns=("/news/", r"\?id=\d+")))
    assert scope.holds(Url("http://a.example/news/1"))
    assert scope.holds(Url("http://a.example/?id=5"))
    assert not scope.holds(Url("http://a.example/about"))


def test_depth_is_bounded_only_when_asked() -> None:
    assert Scope(ScopeSettings()).holds_depth(10_000)
    assert Scope(ScopeSettings(max_depth=2)).holds_depth(2)
    assert not Scope(ScopeSettings(max_depth=2)).holds_depth(3)
