from __future__ import annotations

import pytest

from haenyeo.demo.clock import HOUR
from haenyeo.demo.pages.dress import make_dress
from haenyeo.demo.pages.shell import WORDS, links, list_of_links, make_shell, shell_key
from haenyeo.demo.world.world import World, WrittenLink


@pytest.fixture(scope="module")
def world() -> World:
    return World(7)


def test_links_are_escaped() -> None:
    odd = [WrittenLink("a < b & c", '/x?a=1&b="2"')]
    assert links(odd) == '<a href="/x?a=1&amp;b=&quot;2&quot;">a &lt; b &amp; c</a>'
    assert list_of_links(odd) == f"<ul><li>{links(odd)}</li></ul>"
    assert list_of_links([]) == "<ul></ul>"


def test_both_languages_have_the_same_words() -> None:
    assert WORDS["en"].keys() == WORDS["ko"].keys()


def test_a_shell_stays_as_long_as_its_key(world: World) -> None:
    for site in world.sites.values():
        dress = make_dress(7, site.spec, 0)
        now = make_shell(world, site, dress, 0)
        if shell_key(site, 0) == shell_key(site, HOUR / 2):
            assert make_shell(world, site, dress, HOUR / 2) == now
        assert site.spec.name.partition("&")[0] in now.top


def test_what_is_in_fashion_changes(world: World) -> None:
    site = next(site for site in world.sites.values() if site.spec.noise)
    dress = make_dress(7, site.spec, 0)
    later = site.spec.noise * HOUR
    assert shell_key(site, 0) != shell_key(site, later)
    shells = [make_shell(world, site, dress, later * step) for step in range(4)]
    assert len({shell.before + shell.after for shell in shells}) > 1
