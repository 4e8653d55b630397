"""Pages about one topic, each with a text of its own, so that none is taken for another's duplicate."""

from __future__ import annotations

import html
import random
from collections.abc import Iterable

TOPIC = "haenyeo women divers of Jeju gathering abalone and sea urchin"

_WHO = (
    "an old haenyeo", "the youngest diver", "every woman of the village", "a mother of three",
    "the leader of the group", "her grandmother", "two sisters from Udo", "the divers of Gimnyeong",
    "a student of diving",
)  # fmt: skip
_DOES = (
    "gathers", "looks for", "brings up", "sells", "counts", "carries home", "sorts", "dries", "weighs", "shares out",
)  # fmt: skip
_WHAT = (
    "abalone", "sea urchin", "turban shells", "octopus", "sea cucumber", "agar weed", "conch", "seaweed", "oysters",
)  # fmt: skip
_WHERE = (
    "below the black rocks", "at the reef off Hado", "in water of ten metres", "near the lighthouse",
    "on one long breath", "beside her orange float", "behind the stone wall", "in front of Seongsan",
    "where the current is weak",
)  # fmt: skip
_WHEN = (
    "before the tide turns", "in the cold of March", "after the morning fire", "when the wind drops", "until noon",
    "on the eighth day of the moon", "once the season opens", "while the whistle of breath is heard", "at low water",
)  # fmt: skip

KOREAN = (
    "제주 바다의 해녀들은 숨을 참고 물속으로 들어가 전복과 소라를 캐어 올린다. "
    "물질을 마친 해녀는 불턱에 둘러앉아 몸을 녹이며 오늘 잡은 성게와 문어 이야기를 나눈다. "
    "할머니에게서 어머니로, 어머니에게서 딸로 이어진 이 일은 바다의 흐름과 바람을 읽는 지혜이다."
)


def prose(seed: str, sentences: int = 14) -> str:
    """A text on the topic, always the same for the same seed."""
    chance = random.Random(seed)
    parts = (" ".join(map(chance.choice, (_WHO, _DOES, _WHAT, _WHERE, _WHEN))) for _ in range(sentences))
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def article(title: str, links: Iterable[str] = (), text: str = "", extra_head: str = "") -> str:
    """A plain page: a heading, two paragraphs of text, and a list of links, whose addresses are escaped for HTML."""
    return markup(title, (html.escape(link) for link in links), text, extra_head)


def markup(title: str, hrefs: Iterable[str], text: str = "", extra_head: str = "") -> str:
    """The same with `href` attributes that are already written as HTML."""
    items = "\n".join(
        f'<li><a href="{href}">the divers of Jeju, part {number}</a></li>' for number, href in enumerate(hrefs, 1)
    )
    return (
        f"<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>{title}</title>{extra_head}</head>\n<body>"
        f"<article><h1>{title}</h1>\n<p>{text or prose(title)}</p>\n<p>{prose(title + ' again')}</p></article>\n"
        f"<ul>\n{items}\n</ul></body></html>\n"
    )
