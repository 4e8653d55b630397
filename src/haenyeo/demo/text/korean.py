"""Korean particles that agree with the sound before them."""

from __future__ import annotations

_FIRST, _LAST, _FINALS, _RIEUL = 0xAC00, 0xD7A3, 28, 8
_PAIRS = {"은": "는", "이": "가", "을": "를", "과": "와"}
_DIGITS_WITH_FINAL = "013678"


def with_particle(word: str, particle: str) -> str:
    """The word with its particle: 은/는, 이/가, 을/를, 과/와 and 으로/로 follow the final consonant.

    >>> with_particle("전복", "은"), with_particle("해녀", "은"), with_particle("물", "으로")
    ('전복은', '해녀는', '물로')
    """
    final = _final_consonant(word)
    if particle == "으로":
        return word + ("로" if final in {0, _RIEUL} else "으로")
    return word + (particle if final else _PAIRS.get(particle, particle))


def _final_consonant(word: str) -> int:
    """The number of the last syllable's final consonant, 0 when it ends in a vowel."""
    last = word[-1:]
    if not last:
        return 0
    if _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _FINALS
    return int(last in _DIGITS_WITH_FINAL)
