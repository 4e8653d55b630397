"""What the names that authors give to parts of a page say about them.

Class names and ids are made of a few words that mean the same on most of the web: `post-content`, `shareBar`,
`related_posts`. Each word belongs to one kind of part.
"""

from __future__ import annotations

import functools
import re

KINDS: dict[str, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in {
        "comment": "cmt cmts comment commentbody comments commentlist commenttext disqus discussion"
        " feedback guestbook livefyre replies reply respond responses",
        "related": "also breaking card cards carousel headlines latest more most mostread next outbrain popular prev"
        " previous promo promoted promotion readmore recirc recommend recommendation recommendations"
        " recommended related similar sponsor sponsored sponsors taboola teaser teasers trending",
        "share": "addthis email facebook follow like likes poll print rating ratings share sharedaddy shares"
        " sharing sns social twitter vote whatsapp",
        "picture": "caption captions credit figcaption gallery image img media photo picture player slideshow"
        " thumbnail video",
        "about": "author authors avatar bio byline categories category copyright date dateline details info"
        " license licensing meta metadata postmetadata profile published tag tagged tags time timestamp"
        " updated",
        "advert": "ad ads adsense adslot advert advertisement advertising banner dfp gpt",
        "menu": "breadcrumb breadcrumbs crumb crumbs dropdown menu menubar nav navbar navigation pager pagination"
        " sitemap skip subnav tab tableofcontents tabs toc toctree topbar",
        "edge": "archive archives aside blogroll bottom column complementary contentinfo footer footerlinks"
        " header left masthead rail right secondary sidebar top widget widgets",
        "dialog": "account alert btn button buttons consent cookie cookies dialog disclaimer form gdpr hidden hide"
        " legal login message modal newsletter notice overlay paywall policy popup privacy register screen"
        " search signin signup sr subscribe subscription terms tooltip visually",
        "facts": "attribute attributes characteristics datasheet facts ingredients properties spec specification"
        " specifications specs specsheet technical",
        "article": "article articletext blog entry hentry news post posts single story",
        "body": "articlebody body bodytext content copy description entrycontent field main maincontent markdown"
        " paragraph postcontent prose rich storybody text",
    }.items()
}
"""Kinds of parts, each with the words that name it."""

KIND_OF = {word: kind for kind, words in KINDS.items() for word in words}
"""The kind of part that each word names."""

_WORD = re.compile(r"[a-z]+")
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


@functools.lru_cache(maxsize=1 << 14)
def kinds_named(names: str) -> tuple[str, ...]:
    """The kinds of parts that the words in some class names or an id tell of, each once, in the order of the words.

    >>> kinds_named("postContent wide")
    ('article', 'body')
    """
    words = _WORD.findall(names if names.islower() else _CAMEL_HUMP.sub(" ", names).lower())
    return tuple(dict.fromkeys(KIND_OF[word] for word in words if word in KIND_OF))
