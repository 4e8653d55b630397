"""Texts that say nearly the same are found, and others are told apart."""

from __future__ import annotations

import random

from haenyeo.collect.exporting.near_copies import NearCopies
from haenyeo.model.pages import Url

WORDS = [f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in "lmnrst"]


def text(seed: int, words: int = 300) -> list[str]:
    chance = random.Random(seed)
    return [chance.choice(WORDS) for _ in range(words)]


def changed(words: list[str], share: float) -> list[str]:
    """The text with some words in a row replaced."""
    count = int(share * len(words))
    return [*words[:40], *text(999, count), *words[40 + count :]]


def test_copies_with_few_changes_are_found_on_any_site() -> None:
    copies = NearCopies()
    for seed in range(60):
        original = Url(f"https://a.example/{seed}")
        assert copies.original(original, " ".join(text(seed))) == original
    for seed in range(60):
        copy = Url(f"https://b.example/{seed}")
        assert copies.original(copy, " ".join(changed(text(seed), 0.03))) == f"https://a.example/{seed}"


def test_other_texts_and_half_copies_are_told_apart() -> None:
    copies = NearCopies()
    copies.original(Url("https://a.example/1"), " ".join(text(1)))
    for url, words in (("2", text(2)), ("half", changed(text(1), 0.5))):
        assert copies.original(Url(f"https://b.example/{url}"), " ".join(words)) == f"https://b.example/{url}"


def test_short_texts_are_copies_only_if_they_are_equal() -> None:
    copies = NearCopies()
    assert copies.original(Url("https://a.example/"), "ten short words") == "https://a.example/"
    assert copies.original(Url("https://b.example/"), "ten short words") == "https://a.example/"
    assert copies.original(Url("https://c.example/"), "ten short ones") == "https://c.example/"
