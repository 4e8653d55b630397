"""Words of relevant pages."""

import pytest

from haenyeo.find.learned.features import PageWords, place
from haenyeo.find.learned.topic_words import TopicWords


def _counted(words: str = "") -> TopicWords:
    topic = TopicWords(words=words)
    topic.count(PageWords.of("", "whale ocean"), 1.0)
    topic.count(PageWords.of("", "train ocean"), 0.0)
    return topic


def _odds(topic: TopicWords) -> dict[int, float]:
    places, odds = topic.log_odds()
    return dict(zip(places.tolist(), odds.tolist(), strict=True))


def test_words_of_relevant_pages_have_odds_above_those_of_others() -> None:
    odds = _odds(_counted())
    assert odds[place("whale")] > odds[place("ocean")] > odds[place("train")]
    assert place("unheard") not in odds


def test_words_the_topic_names_count_before_any_page_was_fetched() -> None:
    assert _odds(TopicWords(words="whale"))[place("whale")] > 0


def test_a_page_thought_more_relevant_later_lifts_its_words() -> None:
    topic = _counted()
    before = _odds(topic)[place("train")]
    topic.correct(PageWords.of("", "train ocean"), 0.9)
    assert _odds(topic)[place("train")] > before


def test_restored_counts_give_the_same_odds() -> None:
    topic, again = _counted("whale"), TopicWords(words="whale")
    again.restore(topic.state())
    assert _odds(again) == _odds(topic)


def test_a_page_taken_back_leaves_no_trace() -> None:
    topic, never = _counted(), _counted()
    page = PageWords.of("", "tram bread")
    topic.count(page, 0.7)
    topic.take_back(page, 0.7)
    assert _odds(topic) == pytest.approx(_odds(never))
