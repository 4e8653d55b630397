"""One writer on one topic: sentences, paragraphs and titles that keep coming back to the same few things."""

from __future__ import annotations

from haenyeo.demo.chance import Chance
from haenyeo.demo.text.korean import with_particle
from haenyeo.demo.text.lexicon import Frame, Lexicon, Subject, parse_frame

_FOCUS = {"what": 4, "who": 2, "where": 2, "name": 2}
_KEEPS_TO_FOCUS = 0.5
_MEMORY = 5  # sentences after which a frame may come again
_FIRST_YEAR, _YEARS = 1951, 73
_LEAST_NUMBER, _NUMBERS = 3, 57


class Voice:
    """Says things about a subject; what is said depends on the chance it was given and on the order of calls alone."""

    def __init__(self, words: Lexicon, subject: Subject, chance: Chance) -> None:
        self._frames = words.frames
        self._plain = words.plain
        self.chance = chance
        self._random = chance.random
        self._recent = [-1] * _MEMORY
        self._said = 0
        self._phrases = {**subject.phrases, "name": words.names}
        self._focus = {slot: chance.some(self._phrases[slot], size) for slot, size in _FOCUS.items()}

    def sentence(self, register: str = "prose") -> str:
        """A sentence in one of the lexicon's registers: prose, comment, question, product, doc, about."""
        frames = self._frames[register]
        place = int(self._random() * len(frames))
        while place in self._recent and len(frames) > _MEMORY:
            place = int(self._random() * len(frames))
        self._recent[self._said % _MEMORY] = place
        self._said += 1
        return self._fill(frames[place])

    def paragraph(self, sentences: int, register: str = "prose") -> str:
        """Several sentences."""
        return " ".join([self.sentence(register) for _ in range(sentences)])

    def title(self, register: str = "titles") -> str:
        """A title, without a full stop."""
        return self._fill(self.chance.pick(self._frames[register]))

    def goods(self) -> str:
        """The name of something to sell."""
        name = f"{self.chance.pick(self._plain['goods_adjectives'])} {self.chance.pick(self._phrases['goods'])}"
        return _capital(name)

    def term(self) -> str:
        """One of the things the subject is about, as it stands in sentences."""
        return self.chance.pick(self._phrases["what"])

    def name(self) -> str:
        """A person's name."""
        return self.chance.pick(self._phrases["name"])

    def fixed(self, name: str) -> tuple[str, ...]:
        """A list of the language that is used as it stands."""
        return self._plain[name]

    def saying(self, text: str) -> str:
        """A text with {slots}, filled."""
        return self._fill(parse_frame(text))

    def about(self, site: str) -> str:
        """What a site says about itself."""
        frames = [parse_frame(text) for text in self._plain["about"]]
        self._phrases["site"] = (site,)
        return " ".join(self._fill(frame) for frame in frames)

    def code(self) -> str:
        """A few lines of a program."""
        return self.saying(self.chance.pick(self._phrases["code"]))

    def _fill(self, frame: Frame) -> str:
        parts: list[str] = []
        used: list[str] = []
        for before, slot, particle, capital, again in frame.gaps:
            word = self._word(slot)
            if again:
                while word in used:
                    word = self._word(slot)
                used.append(word)
            if capital:
                word = _capital(word)
            parts += (before, with_particle(word, particle) if particle else word)
        parts.append(frame.tail)
        return "".join(parts)

    def _word(self, slot: str) -> str:
        random = self._random
        focus = self._focus.get(slot)
        if focus and random() < _KEEPS_TO_FOCUS:
            return focus[int(random() * len(focus))]
        pool = self._phrases.get(slot)
        if pool:
            return pool[int(random() * len(pool))]
        if slot == "year":
            return str(_FIRST_YEAR + int(random() * _YEARS))
        return str(_LEAST_NUMBER + int(random() * _NUMBERS))


def _capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
