"""What inputs are made of: texts, pages, blocks, links and numbers, most of them honest, some of them not."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from haenyeo.html.parse import scanned_in_python
from haenyeo.model.pages import Block, Markup, Outlink, Url

PAGE = Url("https://a.example/reefs/list.html")
WORDS = (
    *(
        "the",
        "coral",
        "reefs",
        "diving",
        "cities",
        "classes",
        "passed",
        "tuning",
        "bus",
        "x",
        "A1b2",
        "CS",
        "611",
        "2024",
    ),
    *(
        "해녀는",
        "바다에서",
        "물질을",
        "日本語の文章",
        "漢字",
        "Ελλάς",
        "ΣΟΦΟΣ",
        "İstanbul",
        "𝄞",
        "naïve",
        "Ada",
        "Lovelace",
    ),
    *(
        "«end.»",
        "said.”",
        "1,000",
        "no!",
        "ᚁ\u1680ᚂ",
        "\u3000",
        "\xa0",
        "\x85",
        "\x1c",
        "\t",
        "\n",
        "  ",
        "\ud800",
        "e\u0301",
    ),
)
TAGS = (
    *("p", "div", "ul", "li", "a", "b", "i", "table", "tr", "td", "th", "tbody", "caption", "form", "select", "option"),
    *(
        "script",
        "style",
        "title",
        "noscript",
        "svg",
        "math",
        "mi",
        "template",
        "h1",
        "h2",
        "pre",
        "br",
        "hr",
        "img",
        "area",
    ),
    *(
        "button",
        "object",
        "iframe",
        "textarea",
        "base",
        "meta",
        "link",
        "html",
        "head",
        "body",
        "dl",
        "dt",
        "dd",
        "image",
    ),
    *(
        "nobr",
        "span",
        "x-y",
        "frameset",
        "plaintext",
        "xmp",
        "ruby",
        "rt",
        "desc",
        "nav",
        "article",
        "main",
        "optgroup",
    ),
)
ATTRIBUTES = (
    *(
        "href=/a",
        'href="b.html?x=1&amp;y=2#z"',
        "href=//c.example/",
        "href='../d'",
        "href",
        "rel=next",
        "rel='no follow'",
    ),
    *(
        "class=a",
        "class='b a  b'",
        "class=해녀",
        "class='x>y [&>p]:z'",
        "id=main",
        "role=navigation",
        "itemprop=articleBody",
        "hidden",
        "style=display:none",
    ),
    *(
        "title='a  b'",
        "alt=Map",
        "name=robots",
        "content=noindex",
        "http-equiv=refresh",
        "lang=ko",
        "type=hidden",
        "src=/f",
        "=x",
    ),
)
PIECES = (
    "<!--",
    "-->",
    "--",
    "<!",
    "<?",
    "]]>",
    "<![CDATA[",
    "&amp;",
    "&#x41;",
    "&notit;",
    "&#128;",
    "&",
    "</",
    "<",
    ">",
    "\r\n",
    "'",
    '"',
)
NUMBERS = (
    0,
    1,
    -1,
    2,
    7,
    8,
    255,
    256,
    1 << 15,
    (1 << 18) - 1,
    1 << 18,
    1 << 31,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 32,
    1 << 40,
)
EXTREMES = (*NUMBERS, 1 << 62, (1 << 63) - 1, -(1 << 63), (1 << 64) - 1, 1 << 64)


def text(random: Random, most: int = 30) -> str:
    """Words with blanks between most of them."""
    words = random.choices(WORDS, k=random.randrange(most))
    made = "".join(word + random.choice((" ", " ", " ", "", "\n", "  ")) for word in words)
    return made * random.choice((1,) * 30 + (60,))


def tag(random: Random) -> str:
    """A tag, open or closed, now and then badly."""
    name = random.choice(TAGS)
    if random.random() < 0.4:
        return f"</{name}>"
    attributes = " ".join(random.choices(ATTRIBUTES, k=random.choice((0, 0, 1, 1, 2, 3, 5))))
    return f"<{name.upper() if random.random() < 0.05 else name} {attributes}{random.choice(('>', '>', '>', '/>', ''))}"


def page(random: Random) -> str:
    """A page: mostly sound, with a run of one piece now and then, and some places changed by chance."""
    parts = ["<!DOCTYPE html><html><title>Reefs</title>"] if random.random() < 0.5 else []
    for _ in range(random.randrange(60)):
        kind = random.random()
        part = tag(random) if kind < 0.55 else text(random, 8) if kind < 0.9 else random.choice(PIECES)
        parts.append(part * random.choice((1,) * 60 + (3, 300)))
    return mutated(random, "".join(parts))


def mutated(random: Random, whole: str) -> str:
    """The same with a few places cut out, doubled or changed."""
    for _ in range(random.choice((0, 0, 1, 2, 5))):
        start = random.randrange(len(whole) + 1)
        end = min(len(whole), start + random.choice((1, 2, 8, 60)))
        change = random.choice(("", whole[start:end] * 2, random.choice(PIECES), chr(random.randrange(1, 0x3000))))
        whole = whole[:start] + change + whole[end:]
    return whole


def markup(random: Random) -> Markup:
    """What a page says, the long way."""
    return scanned_in_python(page(random).encode("utf-8", "replace").decode(), PAGE)


def path(random: Random) -> str:
    """The path to a block."""
    steps = (
        "div.post-content",
        "ul.navMenu",
        "li",
        "p.articleBody",
        "main.a.b",
        "td",
        "h1",
        "figure.해녀",
        "ol.x",
        "nav",
        "a",
    )
    return ">".join(random.choices(steps, k=random.choice((0, 1, 2, 3, 5, 60))))


def blocks(random: Random) -> tuple[Block, ...]:
    """Blocks of all sorts."""
    signs = ("#comments", "@main", "!hidden", "#relatedPosts", "#x1", "#댓글", "@navigation")
    paths = [path(random) for _ in range(5)]
    return tuple(
        Block(text(random, 8), random.choice(paths), 0, " ".join(random.choices(signs, k=random.randrange(3))))
        for _ in range(random.randrange(12))
    )


def outlinks(random: Random, of: tuple[Block, ...]) -> list[Outlink]:
    """Links in these blocks, and some in none."""
    found = []
    for _ in range(random.randrange(9)):
        block = random.randrange(-1, len(of))
        length = len(of[block].text) if block >= 0 else 0
        start = random.randrange(length + 1)
        end = random.randrange(start, length + 1)
        found.append(Outlink(url=url(random), block=block, start=start, end=end, label=text(random, 3)))
    return found


def url(random: Random) -> Url:
    """An address, now and then none."""
    parts = (
        "http://",
        "https://",
        "a.example",
        "b.example",
        "/",
        "/reefs/",
        "x-12",
        "?q=/1",
        "#f",
        ":",
        "해녀",
        "%41",
        ".html",
        "//",
    )
    return Url(random.choice(("https://a.example/", "")) + "".join(random.choices(parts, k=random.randrange(8))))


def hashes(random: Random, most: int = 40) -> Any:
    """Hashes, some of them small, some of them equal."""
    some = [random.getrandbits(random.choice((3, 64))) for _ in range(random.randrange(1, 8))]
    return np.array([random.choice([*some, random.getrandbits(64)]) for _ in range(random.randrange(most))], np.uint64)
