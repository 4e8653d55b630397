from __future__ import annotations

import msgspec

from haenyeo.find.learned.strategy import Learned
from haenyeo.model.pages import Link, Url
from haenyeo.model.parts import LinkedPage

SEA, TOWN = "whale ocean krill reef", "train station rails fare"


def page(key: int, text: str, *anchors: str) -> LinkedPage:
    links = tuple(Link(url=Url(f"https://b.example/{anchor}"), anchor=anchor, before=text) for anchor in anchors)
    targets = tuple(100 + len(anchor) for anchor in anchors)
    return LinkedPage(
        key=key, url=Url(f"https://a.example/{key}"), title=text[:5], text=text, links=links, targets=targets
    )


def lived() -> Learned:
    scorer = Learned(words="whale ocean")
    for key, text in ((1, SEA), (2, f"{SEA} pods"), (3, TOWN), (4, f"{TOWN} ticket")):
        scorer.example(page(key, text), relevant=key < 3)
    for key in range(10, 24):
        scorer.visit(page(key, SEA if key % 2 else TOWN, "whales", "tickets please", "about"))
        scorer.revise()
    return scorer


def test_a_waiting_page_is_explained_by_evidence_and_words() -> None:
    scorer = lived()
    seen = page(30, SEA, "whales")
    reasons = scorer.why_link(100 + len("whales"), seen.links)
    assert "words of the link" in {reason.what for reason in reasons}
    words = {reason.what: reason.weight for reason in reasons if reason.what.startswith('"')}
    assert words['"whale"'] > 0
    weights = [abs(reason.weight) for reason in reasons if reason.what.startswith('"')]
    assert weights == sorted(weights, reverse=True)


def test_of_a_page_that_is_not_known_nothing_is_said() -> None:
    assert lived().why_link(987_654, page(30, SEA, "whales").links) == []


def test_a_page_is_explained_by_the_evidence_and_the_words_it_says() -> None:
    reasons = lived().why_page("The whale", f"{SEA} {TOWN} xyzzy")
    weights = {reason.what: reason.weight for reason in reasons}
    assert weights['"whale"'] > 0 > weights['"train"']
    assert "what is usual for pages of a crawl" in weights
    assert all(weight for weight in weights.values())


def test_a_page_is_explained_by_the_verdicts_on_pages_like_it() -> None:
    scorer = lived()
    scorer.example(msgspec.structs.replace(page(11, SEA), said="volunteered"), relevant=False)
    scorer.settle()
    weights = {reason.what: reason.weight for reason in scorer.why_page("whale", SEA)}
    assert weights["your verdicts on pages like it: no"] < 0
    assert "your verdicts on pages like it: yes" not in weights


def test_words_that_are_not_on_the_page_are_no_reason() -> None:
    said = {reason.what for reason in lived().why_page("", "krill")}
    assert '"whale"' not in said
    assert '"krill"' in said
