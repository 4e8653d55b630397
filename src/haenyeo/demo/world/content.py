"""What an item's page says in each of its versions: blocks of text, comments, price and rating."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from haenyeo.demo.chance import Chance, number
from haenyeo.demo.text import Voice
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.world import WrittenLink


class Passage(NamedTuple):
    """A block of text: "lead", "p", "quote", "h2", "list" (a line each), "table" (cells parted by tabs) or "code"."""

    kind: str
    text: str
    link: WrittenLink | None = None


class Comment(NamedTuple):
    """What a visitor wrote below an item."""

    author: str
    text: str
    at: int


def passages(item: Item, edits: int, references: Sequence[WrittenLink]) -> list[Passage]:
    """The item's text after this many edits (a product's edits change its price alone).

    `references` are woven into its paragraphs.
    """
    voice, (_, summary, _) = item.opening()
    body = [Passage("lead", summary), *_woven(_SHAPES[item.kind](voice, voice.chance), references, voice)]
    if item.kind != "product":
        for edit in range(max(0, edits - _EDITS_SEEN), edits):
            _edit(body, item, edit)
    return body


def _woven(body: list[Passage], references: Sequence[WrittenLink], voice: Voice) -> list[Passage]:
    """The body with a sentence that points to each reference at the end of some paragraph."""
    paragraphs = [place for place, passage in enumerate(body) if passage.kind == "p"]
    for place, reference in zip(voice.chance.some(paragraphs, len(references)), references, strict=False):
        pointer = voice.chance.pick(voice.fixed("pointer")).replace("{title}", reference.words)
        body[place] = Passage("p", f"{body[place].text} {voice.saying(pointer)}", reference)
    return body


def _edit(body: list[Passage], item: Item, edit: int) -> None:
    """One edit: a paragraph written anew, or one added at the end."""
    chance = Chance(*item.key, "edit", edit)
    voice = Voice(item.words, item.words.subjects[item.topic], chance)
    free = [place for place, passage in enumerate(body) if passage.kind == "p" and not passage.link]
    if free and chance.happens(0.7):
        body[chance.pick(free)] = Passage("p", voice.paragraph(3))
    else:
        body.append(Passage("p", voice.fixed("update")[0] + voice.paragraph(2)))


_EDITS_SEEN = 6  # earlier ones were undone by somebody, so that pages do not grow for ever


def _article(voice: Voice, chance: Chance) -> list[Passage]:
    body: list[Passage] = []
    for place in range(4 + chance.below(5)):
        if place and chance.happens(0.22):
            body.append(Passage("h2", voice.title()))
        if place and chance.happens(0.12):
            body.append(Passage("quote", voice.sentence()))
        body.append(Passage("p", voice.paragraph(3 + chance.below(3))))
    return body


def _entry(voice: Voice, chance: Chance) -> list[Passage]:
    values = [voice.saying(text) for text in ("{what}", "{year}", "{what}", "{n}")]
    body = [Passage("table", _rows(zip(voice.fixed("fields"), values, strict=True)))]
    body.append(Passage("p", voice.paragraph(4)))
    for heading in chance.some(voice.fixed("sections"), 2 + chance.below(3)):
        body.append(Passage("h2", heading))
        body += [Passage("p", voice.paragraph(3 + chance.below(2))) for _ in range(1 + chance.below(2))]
        if chance.happens(0.3):
            body.append(Passage("list", "\n".join(voice.sentence() for _ in range(3 + chance.below(3)))))
    return body


def _doc(voice: Voice, chance: Chance) -> list[Passage]:
    body = [Passage("p", voice.paragraph(3, "doc"))]
    for heading in chance.some(voice.fixed("sections"), 2 + chance.below(2)):
        body += [Passage("h2", heading), Passage("p", voice.paragraph(3, "doc")), Passage("code", voice.code())]
        body.append(Passage("p", voice.paragraph(2, chance.pick(("doc", "prose")))))
    options = [(f"--{option}", voice.sentence("doc")) for option in chance.some(voice.fixed("options"), 4)]
    return [*body, Passage("table", _rows(options))]


def _product(voice: Voice, chance: Chance) -> list[Passage]:
    body = [Passage("p", voice.paragraph(3, "product")), Passage("p", voice.paragraph(2 + chance.below(2)))]
    values = [voice.saying(chance.pick(text.split("|"))) for text in voice.fixed("spec_values")]
    return [*body, Passage("table", _rows(zip(voice.fixed("specs"), values, strict=True)))]


def _thread(voice: Voice, chance: Chance) -> list[Passage]:
    return [Passage("p", voice.paragraph(2 + chance.below(2), "question")) for _ in range(1 + chance.below(3))]


def _hub(voice: Voice, chance: Chance) -> list[Passage]:
    return [Passage("p", voice.paragraph(2 + chance.below(2)))]


def _advertisement(voice: Voice, chance: Chance) -> list[Passage]:
    return [Passage("p", voice.paragraph(1 + chance.below(2))) for _ in range(3 + chance.below(3))]


_SHAPES = {
    "article": _article,
    "entry": _entry,
    "doc": _doc,
    "product": _product,
    "thread": _thread,
    "hub": _hub,
    "ad": _advertisement,
}


def _rows(pairs: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{name}\t{value}" for name, value in pairs)


def comments(item: Item, now: float) -> list[Comment]:
    """The comments written up to this time, oldest first."""
    written = item.replies.between(item.born - 1, now)
    if not written:
        return []
    voice = Voice(item.words, item.words.subjects[item.topic], Chance(*item.key, "comments"))
    return [Comment(voice.name(), voice.paragraph(1 + voice.chance.below(3), "comment"), at) for at in written]


def price(item: Item, edits: int) -> str:
    """What a product costs after this many changes of its price, as written on the page."""
    amount = _CHEAP + number(*item.key, "price") % 17_000 / 100
    for change in range(edits):
        amount *= _PRICE_CHANGES[number(*item.key, "price", change) % len(_PRICE_CHANGES)]
        if not _CHEAP < amount < _DEAR:
            amount *= 2 if amount <= _CHEAP else 0.5
    if item.spec.language == "ko":
        return f"{round(amount * 13) * 100:,}원"
    return f"€{amount:.2f}"


_PRICE_CHANGES = (0.8, 0.9, 0.95, 1.05, 1.1, 1.25)
_CHEAP, _DEAR = 4, 300


def rating(item: Item) -> str:
    """How many of five stars a product has."""
    return f"{2 + number(*item.key, 'rating') % 31 / 10:.1f}"
