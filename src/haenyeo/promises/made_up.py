"""Made-up texts, links and pages: ordinary ones in two languages, and whatever else the web may send."""

from __future__ import annotations

from hypothesis import strategies as st

from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

SEA = "Divers of the island know every reef and the hour of each tide. They bring up abalone and conch on one breath."
TOWN = "The council met about parking fees and the new bus line. Tickets will cost more from the first of the month."
BADA = "해녀는 물때를 알고 바다에 들어가 전복과 소라를 캔다. 숨을 참고 깊은 바다로 내려간다."
ODD = [
    "",
    " ",
    "\0",
    "\ufeff",
    "\u200b" * 50,
    "a\u0301" * 20,
    "\ud800",
    "\U0001d56c",
    "\r\n\t",
    "가" * 500,
    "<!--",
    "]]>",
    "%00",
]
"""Texts that have tripped programs over."""

texts = st.one_of(
    st.sampled_from([SEA, TOWN, BADA, *ODD]), st.text(max_size=60), st.text(st.characters(codec=None), max_size=20)
)
"""Any text, half characters included."""

addresses = st.builds(
    lambda number, tail: Url(f"https://a{number % 5}.example/{number}{tail}"),
    st.integers(0, 30),
    st.sampled_from(["", "/", "?q=바다&p=2", "/index.html", "/" + "deep/" * 60, "#part", "/%zz"]),
)
"""Addresses of a few made-up sites."""

links = st.lists(
    st.builds(
        Link,
        url=addresses,
        source=st.none() | addresses,
        anchor=texts,
        before=texts,
        after=texts,
        paragraph=texts,
        path=st.sampled_from(["", "div>p", "ul.menu>li", "div.본문>p"]),
        rel=st.sampled_from(["", "nofollow"]),
    ),
    max_size=6,
)
"""The links of one page."""

_PIECES = [
    *(
        "<p>",
        "</p>",
        "<div class='a b'>",
        "</div>",
        "<ul>",
        "<li>",
        "</ul>",
        "<table>",
        "<tr>",
        "<td>",
        "<br>",
        "<pre>",
    ),
    *(
        "<a href='/x'>",
        "<a href='http://[bad'>",
        "</a>",
        "<h1>",
        "</h1>",
        "<script>",
        "</script>",
        "<style>",
        "<title>",
    ),
    *(
        "<img src=x alt='y'>",
        "<svg>",
        "<math>",
        "<template>",
        "<noscript>",
        "<!--",
        "-->",
        "<![CDATA[",
        "&#xD800;",
        "&",
    ),
]
markup = st.lists(st.one_of(st.sampled_from([*_PIECES, SEA, TOWN, BADA]), texts), max_size=25).map("".join)
"""Any page: pieces of HTML in any order, between texts."""


def page_of(number: int, text: str, *, found: tuple[Link, ...] = (), title: str = "A page") -> LinkedPage:
    """A page as a scorer sees it; the pages its links lead to are known by numbers made from their addresses."""
    return LinkedPage(
        key=number,
        url=Url(f"https://a.example/{number}"),
        title=title,
        text=text,
        depth=1,
        links=found,
        targets=tuple(1000 + len(link.url) * 97 % 5000 for link in found),
    )


def links_on(topic: str, count: int = 8) -> tuple[Link, ...]:
    """Links whose words are those of a text."""
    words = topic.split()
    return tuple(
        Link(
            url=Url(f"https://b.example/{'x' * number}"),
            anchor=" ".join(words[number : number + 3]),
            paragraph=topic,
            path="div>p",
        )
        for number in range(count)
    )


def article(text: str, *, title: str = "A day at sea", menu: str = "Home News About") -> str:
    """An ordinary page: a menu, a text in three paragraphs, and a footer."""
    entries = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in menu.split())
    return (
        f"<html><head><title>{title}</title><script>var hidden = 'xyzzy';</script></head><body>"
        f"<ul class='menu'>{entries}</ul><div class='content'><h1>{title}</h1>"
        f"<p>{text}</p><p>{text[::-1].capitalize()}</p><p>{title}. {text}</p></div>"
        "<div class='footer'>All rights reserved by nobody. <style>.plugh { color: red }</style></div></body></html>"
    )
