"""Why is a link worth its score, why was a page kept? The evidence that decided, then the words, strongest first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haenyeo.find.learned.evidence import (
    ANCHOR,
    AROUND_IT,
    ASKED,
    BESIDE,
    FROM_START,
    GROUP,
    HUB,
    KNOWN,
    NAMED,
    NAMED_BESIDE,
    NAMED_IN_ADDRESS,
    SOURCE,
)
from haenyeo.find.learned.features import WORD_IDS, PageWords
from haenyeo.find.learned.judging.judge import PageJudge
from haenyeo.find.learned.judging.measures import EVIDENCE
from haenyeo.find.learned.learner import Learner
from haenyeo.model.pages import Link
from haenyeo.model.parts import Reason
from haenyeo.words.tokens import words

_MEANING = {
    HUB: "what its source pages led to so far",
    GROUP: "what the links beside it led to",
    ANCHOR: "words of the link",
    AROUND_IT: "words around the link",
    ASKED: "words the topic names",
    NAMED: "the topic's words in the link",
    NAMED_BESIDE: "the topic's words beside the link",
    NAMED_IN_ADDRESS: "the topic's words in the address",
    FROM_START: "linked from a page the crawl began with",
    BESIDE: "named beside examples in a list",
    KNOWN: "what links like it led to",
    SOURCE: "relevance of the pages that link to it",
}
_SPEAKS = {
    "cover": "words of the topic on the page",
    "learnt": "words that pages of the topic have",
    "cover nearby": "words of the topic on the pages most like it",
    "learnt nearby": "words that pages of the topic have, on the pages most like it",
    "cover of examples": "words of the topic beside those the examples have",
    "opening of examples": "words of the topic in its opening beside the examples'",
    "address": "words of the topic in its address",
    "list": "an address as lists have",
    "share": "pages that have as much of the topic's words as the examples",
    "outstanding cover": "how far few pages stand out by the topic's words",
    "outstanding learnt": "how far few pages stand out by words that pages of the topic have",
    "offered": "named beside the examples in a list the crawl began with",
    "fetched with": "relevance of the pages fetched at about the same time",
    "few alike": "few pages that have as much of the topic's words as the examples",
    "leads alike": "relevance of the pages that lead where it leads",
    "listed beside": "relevance of the pages beside it in lists",
}
_OFFSET = "what is usual for pages of a crawl"
_LIKE_YES, _LIKE_NO = "your verdicts on pages like it: yes", "your verdicts on pages like it: no"
_OPENS_UP = "new pages it is expected to open up"


def why_link(learner: Learner, ref: int, links: Sequence[Link] = ()) -> list[Reason]:
    """What made the score of a page that waits; the words are those of the links to it, if these are given."""
    evidence = learner.evidence_of(ref)
    if evidence is None:
        return []
    parts = learner.balance.parts(evidence)
    reasons = _strongest([Reason(meaning, float(parts[kind])) for kind, meaning in _MEANING.items()])
    reasons.append(Reason(_OPENS_UP, learner.expected_gain(ref, evidence)))
    said = list(dict.fromkeys(word for link in links for word in words(f"{link.anchor} {link.before} {link.after}")))
    weights = learner.topic_weights([WORD_IDS[word] for word in said])
    found = [Reason(f'"{word}"', weight) for word, weight in zip(said, weights, strict=True)]
    return reasons + _strongest(found)


def why_page(judge: PageJudge, title: str, text: str, key: int | None = None) -> list[Reason]:
    """The evidence and the user's verdicts that made a page's log-odds, then its words, in units of their own."""
    page = PageWords.of(title, text)
    account = judge.account_of(page, key)
    if account is None:
        return []
    evidence = [Reason(_SPEAKS[name], float(part)) for name, part in zip(EVIDENCE, account.evidence[:-1], strict=True)]
    verdicts = account.verdicts
    heard = [Reason(_LIKE_YES, float(verdicts.clip(0).sum())), Reason(_LIKE_NO, float(-(-verdicts).clip(0).sum()))]
    weights = dict(zip(page.ids.tolist(), account.words.tolist(), strict=True))
    said = {WORD_IDS[word]: word for word in words(f"{text} {title}")}
    found = [Reason(f'"{said[place]}"', weight) for place, weight in weights.items() if place in said]
    return [Reason(_OFFSET, float(account.evidence[-1])), *_strongest(evidence + heard), *_strongest(found)]


def _strongest(reasons: list[Reason]) -> list[Reason]:
    return sorted((reason for reason in reasons if reason.weight), key=lambda reason: -np.abs(reason.weight))
