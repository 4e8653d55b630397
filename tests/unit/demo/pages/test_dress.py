import pytest

from haenyeo.demo.pages.dress import make_dress
from haenyeo.demo.world.spec import SiteSpec, site_specs

_REDESIGNED = [(spec, layout) for spec in site_specs() for layout in range(len(spec.redesigns))]
_PARTS = ("main", "text", "list", "record", "row_title", "article", "title")


@pytest.mark.parametrize(("spec", "layout"), _REDESIGNED, ids=lambda value: getattr(value, "host", str(value)))
def test_a_redesign_changes_what_its_grade_says(spec: SiteSpec, layout: int) -> None:
    before, after = make_dress(7, spec, layout), make_dress(7, spec, layout + 1)
    changed = [part for part in _PARTS if before.opening[part] != after.opening[part]]
    grade = spec.redesigns[layout][1]
    if grade == "small":
        assert not changed
        assert (before.promo, after.promo) == (False, True)
    elif spec.naming == "none":
        assert changed
    else:
        assert set(changed) >= {"main", "text", "record", "row_title"}
    assert (before.order != after.order) == (grade == "full")


def test_no_two_sites_wear_the_same() -> None:
    dresses = [tuple(make_dress(7, spec, 0).opening.values()) for spec in site_specs()]
    assert len(set(dresses)) == len(dresses)


def test_another_seed_dresses_the_sites_anew() -> None:
    spec = site_specs()[0]
    assert any(make_dress(7, spec, 0) != make_dress(seed, spec, 0) for seed in (8, 9))
