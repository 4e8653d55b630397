"""The phrases and sentence frames of a language, read from the data files beside this module."""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources
from typing import NamedTuple

import msgspec

_SLOT = re.compile(r"\{([A-Za-z]+)(\d?)(?::([^}]+))?\}")


class Gap(NamedTuple):
    """A gap in a frame: the text before it, what fills it, and how the filling is joined to the sentence.

    `again` says that the frame has another gap of the same slot, so that the filling must not be used already.
    """

    before: str
    slot: str
    particle: str
    capital: bool
    again: bool


class Frame(NamedTuple):
    """A sentence with gaps."""

    gaps: tuple[Gap, ...]
    tail: str


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What can be said about one topic: phrases by slot.

    `family` joins related topics of both languages; subjects nobody looks for have none.
    """

    name: str
    family: str
    label: str
    words: str
    phrases: dict[str, tuple[str, ...]]


class Lexicon(msgspec.Struct, frozen=True, kw_only=True):
    """A language: names of people, frames by register, and the topics it can speak about."""

    language: str
    names: tuple[str, ...]
    frames: dict[str, tuple[Frame, ...]]
    plain: dict[str, tuple[str, ...]]
    subjects: dict[str, Subject]


@functools.cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of "en" or "ko"."""
    text = resources.files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    topics = data.pop("topics")
    lists = {key: (values,) if isinstance(values, str) else tuple(values) for key, values in data.items()}
    return Lexicon(
        language=language,
        names=lists["names"],
        frames={key: tuple(map(parse_frame, values)) for key, values in lists.items()},
        plain=lists,
        subjects={name: _subject(name, topic) for name, topic in topics.items()},
    )


def _subject(name: str, topic: dict[str, str | list[str]]) -> Subject:
    phrases = {slot: tuple(values) for slot, values in topic.items() if isinstance(values, list)}
    said = {slot: value for slot, value in topic.items() if isinstance(value, str)}
    return Subject(name=name, family=said["family"], label=said["label"], words=said["words"], phrases=phrases)


def parse_frame(text: str) -> Frame:
    """The frame written as text with {slots}, whose digits tell several gaps of one slot apart.

    A slot written with a capital, or standing first in the sentence, capitalises what fills it.
    """
    gaps: list[Gap] = []
    found = list(_SLOT.finditer(text))
    slots = [match[1].lower() for match in found]
    end = 0
    for match, slot in zip(found, slots, strict=True):
        before = text[end : match.start()]
        first = not gaps and before in {"", '"'}
        gaps.append(Gap(before, slot, match[3] or "", first or match[1][0].isupper(), slots.count(slot) > 1))
        end = match.end()
    return Frame(tuple(gaps), text[end:])
