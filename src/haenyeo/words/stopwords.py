"""Words that say nothing about a topic."""

from __future__ import annotations

_LISTED = """
a about after all also an and any are as at be because been being between both but by can could did
do does each for from had has have he her his how i if in into is it its many may me more most my no
not of on one only or other our out over she should so some such than that the their them then there
these they this those through to two under up us was we were what when where which while who will
with would you your das dem den der die ein eine ist mit und von de des du est et la le les un une
che di il per con el es las los por que y
그 이 저 것 수 등 및 더 또는 그리고 있다 있습니다 없습니다 합니다 됩니다 있는 없는 대한 대해 위해
다음 경우
"""

STOP_WORDS = frozenset(_LISTED.split())
"""In English, and the most frequent of other languages, in lower case and unstemmed."""


def says_something(word: str) -> bool:
    """Whether a lower-case word is worth counting: no stop word, and no lone Latin letter."""
    return word not in STOP_WORDS and (len(word) > 1 or not word.isascii() or word.isdigit())
