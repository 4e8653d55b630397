from __future__ import annotations

import typing
from pathlib import Path

import msgspec
import pytest

from haenyeo.model.config import Settings, parse_settings
from haenyeo.model.errors import SettingsError

DOCS = Path(__file__).parents[3] / "docs" / "settings.md"


def test_an_empty_file_gives_the_defaults() -> None:
    settings = parse_settings("")
    assert settings.pace.delay == 1.0
    assert settings.fetch.allow_private == ()


def test_an_unknown_key_is_refused_with_its_whole_path() -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings("[pace]\ndealy = 3\n")
    assert caught.value.path == "$.pace.dealy"


def test_an_unknown_key_of_a_topic_is_refused_with_its_path() -> None:
    with pytest.raises(SettingsError, match="colour"):
        parse_settings('[topic.reefs]\nwords = "reefs"\ncolour = "blue"\n')


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[pace]\ndelay = -1", "$.pace.delay"),
        ("[pace]\ndelay = nan", "$.pace.delay"),
        ("[pace]\ndelay = inf", "$.pace.delay"),
        ("[pace]\nper_site = 0", "$.pace.per_site"),
        ('[pace]\ndelay = "fast"', "$.pace.delay"),
        ("[fetch]\nmax_bytes = 1", "$.fetch.max_bytes"),
        ('[fetch]\nallow_private = ["127.0.0.0/24", "home"]', "$.fetch.allow_private[1]"),
        ('[scope]\npatterns = ["("]', "$.scope.patterns[0]"),
        ('[refresh]\ngoal = "speed"', "$.refresh.goal"),
        ("[browser]\nseconds = 0", "$.browser.seconds"),
        ('[fetch]\nbrowser = "sometimes"', "$.fetch.browser"),
        ('[strategy]\njudge = "strict"', "$.strategy.judge"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_with_its_path(text: str, path: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings(text)
    assert caught.value.path == path
    assert path in str(caught.value)


def test_what_is_not_there_yet_is_refused_with_what_to_do_instead() -> None:
    with pytest.raises(SettingsError, match="the only judge of pages") as caught:
        parse_settings('[strategy]\njudge = "other"')
    assert "scorer" in caught.value.advice
    assert parse_settings('[fetch]\nbrowser = "never"\n[strategy]\njudge = "default"').strategy.judge == "default"


def test_broken_toml_is_told_from_wrong_settings() -> None:
    with pytest.raises(SettingsError, match="not valid TOML"):
        parse_settings("[pace")


def test_every_setting_is_documented() -> None:
    documented = DOCS.read_text(encoding="utf-8")
    for group in msgspec.structs.fields(Settings):
        kind = group.type if isinstance(group.type, type) else typing.get_args(group.type)[1]
        assert f"[{group.name}" in documented
        if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
            continue
        for field in msgspec.structs.fields(kind):
            assert f"| `{field.name}` |" in documented, f"{group.name}.{field.name}"


def test_an_ontology_is_a_table_of_broader_terms() -> None:
    settings = parse_settings('[ontology]\nhaenyeo = ["free diver"]\n"free diver" = ["person", "athlete"]\n')
    assert settings.ontology == {"haenyeo": ("free diver",), "free diver": ("person", "athlete")}
    with pytest.raises(SettingsError) as caught:
        parse_settings('[ontology]\nhaenyeo = "diver"\n')
    assert caught.value.path == "$.ontology[...]"


def test_the_environment_takes_the_place_of_what_the_file_says() -> None:
    told = {"HAENYEO_FETCH__PROXY": "http://proxy.example:8080", "HAENYEO_PACE__DELAY": "0.5", "HAENYEO_CONTACT": "x"}
    settings = parse_settings("[pace]\ndelay = 2.0\nper_site = 2", told)
    assert (settings.fetch.proxy, settings.pace.delay, settings.pace.per_site) == ("http://proxy.example:8080", 0.5, 2)
    with pytest.raises(SettingsError) as caught:
        parse_settings("", {"HAENYEO_PACE__DELAI": "1"})
    assert caught.value.path == "$.pace.delai"
