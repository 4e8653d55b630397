from __future__ import annotations

import msgspec
import pytest

from haenyeo.demo.world.spec import SiteSpec, site_specs


def test_every_site_has_a_host_of_its_own() -> None:
    hosts = [spec.host for spec in site_specs()]
    assert len(hosts) == len(set(hosts))


def test_redesigns_are_in_the_order_of_their_times() -> None:
    for spec in site_specs():
        times = [at for at, _ in spec.redesigns]
        assert times == sorted(times)


def test_a_site_that_names_a_trait_wrongly_is_refused() -> None:
    given = msgspec.to_builtins(site_specs()[0])
    with pytest.raises(msgspec.ValidationError, match="colour"):
        msgspec.convert({**given, "colour": "red"}, SiteSpec)


def test_the_encoding_is_a_trait() -> None:
    assert {spec.charset for spec in site_specs()} == {"utf-8", "euc-kr"}
    assert all(spec.language == "ko" for spec in site_specs() if spec.charset == "euc-kr")
