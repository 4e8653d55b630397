"""Korean words without particles and endings: by a list, or by the dictionary of kiwipiepy where that is installed.

The list costs nothing and needs no extra. kiwipiepy (the extra `ko`) knows stems from endings, but takes a third of a
millisecond for a new word and 500 MB of memory, so it is used only where the settings ask for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Literal

from haenyeo.model.errors import UsageError

Method = Literal["particles", "kiwi"]

_PARTICLES = """
은 는 이 가 을 를 의 에 에서 에게 에는 에서는 에서의 으로 로 으로는 로는 으로의 로의 으로서 로서 으로써 로써 와 과 도 만
까지 부터 보다 처럼 이나 나 이란 란 이라 라 인 이다 다 이면 면 이며 며 이고 고 이지만 들 들을 들이 들은 들의 때문에
하는 하여 하고 하면 한 할 해 하기 하려면 하지만 합니다 합니다만 하십시오 된 되는 되어 될 됩니다 시킵니다
입니다 습니다 니다 십시오 있는 없는
"""
PARTICLES = tuple(sorted(_PARTICLES.split(), key=len, reverse=True))
"""Particles and endings of the list, the longest first."""

_BY_LENGTH = {length: frozenset(end for end in PARTICLES if len(end) == length) for length in (4, 3, 2, 1)}
_MOST_PARTICLES = 2  # one behind the other, as in 에서 + 는
_MEANINGFUL = ("N", "VV", "VA", "XR", "XPN", "XSN", "MM", "MA")  # beginnings of kiwipiepy's tags of words with meaning

_chosen: Method = "particles"
_heard: list[Callable[[], None]] = []


def choose(method: Method) -> None:
    """Choose how Korean words are read from now on; raises `UsageError` if the method is not installed."""
    global _chosen  # noqa: PLW0603 - one process works with one method: what it learns hangs on it
    if method == _chosen:
        return
    if method == "kiwi":
        _kiwi()
    _chosen = method
    for forget in _heard:
        forget()


def chosen() -> str:
    """The name of the method in use with its dictionary's version; stored numbers of words are valid only for it."""
    if _chosen != "kiwi":
        return _chosen
    from importlib.metadata import version

    return f"kiwi {version('kiwipiepy').rpartition('.')[0]}"


def by_list() -> bool:
    """Whether the list is in use, and not a dictionary."""
    return _chosen == "particles"


def when_chosen(forget: Callable[[], None]) -> None:
    """Register a function to call when another method is chosen, so that it can forget the words read before."""
    _heard.append(forget)


def root(word: str) -> str:
    """What a Korean word has in common with its inflections."""
    return _analysed(word) if _chosen == "kiwi" else without_particles(word)


def without_particles(word: str) -> str:
    """The word without up to two particles or endings of the list.

    >>> [without_particles(word) for word in ("함수를", "시트에서는", "나이")]
    ['함수', '시트', '나이']
    """
    for _ in range(_MOST_PARTICLES):
        length = next((length for length, ends in _BY_LENGTH.items() if _has_particle(word, length, ends)), 0)
        if not length:
            break
        word = word[:-length]
    return word


def _has_particle(word: str, length: int, particles: frozenset[str]) -> bool:
    """Whether the word ends in a particle; one syllable counts only if two are left before it (나이 is a word)."""
    return word[-length:] in particles and len(word) - length >= (2 if length == 1 else 1)


def _analysed(word: str) -> str:
    """The parts of a word that have a meaning of their own."""
    parts = [part.form for part in _kiwi().tokenize(word) if part.tag.startswith(_MEANINGFUL)]
    return "".join(parts) or word


@cache
def _kiwi() -> Any:
    """The dictionary, read once; that takes seconds."""
    try:
        module = import_module("kiwipiepy")
    except ImportError as error:
        raise UsageError(
            'haenyeo.toml asks for korean = "kiwi", but kiwipiepy is not installed',
            advice="install it with: pip install 'haenyeo[ko]', or set korean = \"particles\"",
        ) from error
    return module.Kiwi(num_workers=1)
