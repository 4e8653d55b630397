from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from haenyeo.collect.settings_file import read_settings, topic_name, write_settings
from haenyeo.model.config import FetchSettings, ScopeSettings, Settings, Topic
from haenyeo.model.errors import NoCollectionError


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    topic = Topic(words="해녀 women divers", like=("https://a.example/1",), seeds=("https://a.example/",))
    given_settings = Settings(
        topic={"해녀": topic}, scope=ScopeSettings(hosts=("*.example",)), fetch=FetchSettings(contact="me@example.org")
    )
    write_settings(tmp_path, given_settings)
    assert read_settings(tmp_path) == given_settings


def test_the_file_as_written_changes_no_default(tmp_path: Path) -> None:
    write_settings(tmp_path, Settings())
    assert read_settings(tmp_path) == Settings()


@given(words=some.text(some.characters(codec="utf-8")))
def test_any_words_survive(tmp_path_factory: pytest.TempPathFactory, words: str) -> None:
    folder = tmp_path_factory.mktemp("words")
    topics = {topic_name(words): Topic(words=words)}
    write_settings(folder, Settings(topic=topics, fetch=FetchSettings(contact=words)))
    settings = read_settings(folder)
    assert [topic.words for topic in settings.topic.values()] == [words]
    assert settings.fetch.contact == words


def test_a_place_without_a_collection_is_told_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NoCollectionError) as caught:
        read_settings(tmp_path / "nothing")
    assert "haenyeo new" in caught.value.advice


def test_a_topic_is_named_by_its_first_words() -> None:
    assert topic_name("Women divers of the Jeju sea") == "women-divers-of-the"
    assert topic_name("…") == "topic"


def test_the_environment_comes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_settings(tmp_path, Settings())
    monkeypatch.setenv("HAENYEO_FETCH__ALLOW_PRIVATE", '["127.0.0.0/8"]')
    monkeypatch.setenv("HAENYEO_PACE__DELAY", "0.5")
    settings = read_settings(tmp_path)
    assert settings.fetch.allow_private == ("127.0.0.0/8",)
    assert settings.pace.delay == 0.5
