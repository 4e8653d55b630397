"""Sums over the features of links."""

import numpy as np
import pytest

from haenyeo.find.learned.features import TABLE, place
from haenyeo.find.learned.memory import LinkMemory
from haenyeo.find.learned.weighing import LEFT_OUT, entries, weigh, weigh_in_python
from haenyeo.model.pages import Link, Url

_RANDOM = np.random.default_rng(5)
_URLS = [Url(f"http://a.example/{name}") for name in ("", "whales/", "whales/blue.html", "trains/1996.html")]
_WORDS = ["whale", "boat", "train", "station", "Ada", "Lovelace", "CS", "611", "함수를"]


def _memory() -> LinkMemory:
    memory = LinkMemory()
    for page in range(3):
        refs = _RANDOM.integers(0, 4, 5).tolist()
        said = [" ".join(_RANDOM.choice(_WORDS, 3)) for _ in refs]
        links = [
            Link(url=_URLS[ref], anchor=text, before=text[::-1], path="p") for ref, text in zip(refs, said, strict=True)
        ]
        memory.add_links(memory.numbers([page], [_URLS[page]])[0], _URLS[page], refs, links)
    return memory


def test_a_link_weighs_what_its_words_weigh() -> None:
    memory = LinkMemory()
    link = Link(url=_URLS[1], anchor="whale boat", after="station")
    memory.add_links(memory.numbers([0], [_URLS[0]])[0], _URLS[0], [1], [link])
    words, weights = np.zeros((TABLE, 2), np.float32), np.zeros((TABLE, 2), np.float32)
    words[place("whale")] = 3, 1
    words[place("station")] = 2, 5
    anchor, around, asked, known, leads = weigh(memory.features, words, weights)[0]
    assert (anchor, around, known, leads) == (1, 1, 0, 0)
    assert asked == pytest.approx(1 / np.sqrt(3))


@pytest.mark.parametrize("first", [0, 7])
def test_compiled_code_weighs_the_same(first: int) -> None:
    features = _memory().features
    words, weights = _RANDOM.normal(size=(2, TABLE, 2)).astype(np.float32)
    plain = weigh_in_python(features, words, weights, first)
    assert np.allclose(weigh(features, words, weights, first), plain, atol=1e-5)


def test_links_left_out_weigh_nothing() -> None:
    features = _memory().features
    some = features._replace(targets=np.where(np.arange(15) % 2, features.targets, LEFT_OUT))
    words, weights = _RANDOM.normal(size=(2, TABLE, 2)).astype(np.float32)
    for found in (weigh(some, words, weights), weigh_in_python(some, words, weights)):
        assert not found[::2].any()
        assert np.allclose(found[1::2], weigh(features, words, weights)[1::2], atol=1e-5)


def test_the_features_of_a_link_are_a_vector_of_length_one() -> None:
    features = _memory().features
    _, values, owners = entries(features, np.arange(15))
    assert np.bincount(owners, values**2) == pytest.approx(np.ones(15), abs=1e-4)
