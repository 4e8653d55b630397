from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.twins import originals
from haenyeo.model.pages import Url

REEF = "https://reef.example"


@pytest.mark.parametrize(
    ("twin", "original"),
    [
        ("/docs/_sources/a/tides.rst.txt", "/docs/a/tides.html"),
        ("/_sources/index.md.txt", "/index.html"),
        ("/tides?print=1", "/tides"),
        ("/tides?id=3&view=print", "/tides?id=3"),
        ("/tides?amp", "/tides"),
        ("/tides/amp", "/tides"),
        ("/2025/tides/print/", "/2025/tides/"),
        ("/print/tides", "/tides"),
        ("/tides.amp.html", "/tides.html"),
    ],
)
def test_a_form_leads_to_the_page_itself(twin: str, original: str) -> None:
    assert Url(REEF + original) in originals(Url(REEF + twin))


@pytest.mark.parametrize("path", ["/tides", "/camping", "/tides?view=list", "/sources/a.txt", "/blueprint", "/a.txt"])
def test_other_addresses_are_of_no_form(path: str) -> None:
    assert originals(Url(REEF + path)) == ()


@given(st.text(alphabet="amp/print?=&._sources:x1", max_size=40))
def test_no_address_is_an_original_of_itself(rest: str) -> None:
    url = Url(f"{REEF}/{rest}")
    assert url not in originals(url)
