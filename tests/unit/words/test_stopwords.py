"""Words that are not worth counting."""

from haenyeo.words.stopwords import says_something


def test_stop_words_and_lone_letters_say_nothing() -> None:
    assert not any(map(says_something, ("the", "with", "그리고", "x")))


def test_other_words_do() -> None:
    assert all(map(says_something, ("whale", "행", "7", "cs")))
