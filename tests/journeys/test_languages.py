"""A collection in some languages: pages in others lead on, but are never kept."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from named_web import LOOPBACK, NamedWeb, Reply, crawled, served

from haenyeo.collect.collection import Collection, create_collection
from haenyeo.model.config import Topic, parse_settings
from haenyeo.model.errors import SettingsError, UsageError

Command = Callable[..., "subprocess.CompletedProcess[str]"]
ENGLISH = "The divers know every reef of the island by its name, and what the tide will bring to the women who wait."
GERMAN = "Die Taucherinnen kennen jedes Riff der Insel beim Namen und wissen, was die Flut den Frauen bringen wird."
KOREAN = "해녀들은 섬의 모든 암초 이름을 알고 있으며 밀물이 기다리는 여자들에게 무엇을 가져다줄지 알고 있다."


def page(title: str, text: str, *links: str) -> Reply:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return Reply(f"<title>{title}</title><h1>{title}</h1><p>{text * 3}</p><ul>{items}</ul>")


PAGES = {
    "/": page("Reef", ENGLISH, "/de/riff", "/en/reef"),
    "/en/reef": page("A reef", ENGLISH.replace("divers", "reef divers")),
    "/de/riff": page("Ein Riff (reef)", GERMAN, "/ko/reef"),
    "/ko/reef": page("암초 reef", KOREAN),
}


@pytest.mark.parametrize("scorer", ["default", "bfs"])
def test_pages_in_other_languages_are_passed_through(tmp_path: Path, scorer: str) -> None:
    web = NamedWeb("reef.example")
    with served(web):
        web.hosts["reef.example"] = lambda path: PAGES.get(path, Reply("", 404))
        topic = Topic(words="reef divers 암초", seeds=(web.url("reef.example"),))
        create_collection(tmp_path / "c", topic, languages=("en", "ko"), fetch=LOOPBACK)
        found = crawled(tmp_path / "c", web, scorer=scorer)
        told = crawled(tmp_path / "c", web, scorer=scorer)
    kept = {url.rpartition("example")[2].partition("/")[2] for url in found.kept}
    assert kept == {"", "en/reef", "ko/reef"} if scorer == "bfs" else "de/riff" not in kept
    assert "/ko/reef" in web.paths("reef.example"), "the German page leads there"
    assert told.kept == found.kept, "nor is it kept when all is judged again"
    with Collection.open(tmp_path / "c") as opened:
        german = opened.store.page(web.url("reef.example", "/de/riff"))
    assert german is not None
    assert (german.kept, german.reason) == (False, "another language")


def test_languages_are_written_into_the_settings(haenyeo: Command, tmp_path: Path) -> None:
    haenyeo("new", "c", "--topic", "reef", "--contact", "a@example.org", "--language", "ko", "--language", "en")
    settings = parse_settings((tmp_path / "c" / "haenyeo.toml").read_text(encoding="utf-8"))
    assert settings.scope.languages == ("ko", "en")


def test_what_is_no_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'Korean' is no language"):
        create_collection(tmp_path / "c", Topic(words="reef"), languages=("Korean",))
    with pytest.raises(SettingsError, match="languages"):
        parse_settings('[scope]\nlanguages = ["english"]')
