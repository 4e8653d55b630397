"""What is known of an answer at each step of taking it in: how it looks, what it says, what it amounts to."""

from __future__ import annotations

import msgspec

from haenyeo.collect.adapters.reading.crawl_reader import ReadPage
from haenyeo.collect.adapters.watching.page_watch import NOTHING_SEEN, Glance, Watched
from haenyeo.collect.links.jobs import NOTHING, Offer
from haenyeo.find.traps.fingerprint import TextFingerprint
from haenyeo.html.mime import ContentKind
from haenyeo.model.pages import Document, Markup
from haenyeo.model.visits import Outcome
from haenyeo.store import PartState


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What was read out of an answer; `suspect` if it may be only what the site says of all that is not there."""

    outcome: Outcome
    reason: str = ""
    read: ReadPage | None = None
    offer: Offer = NOTHING
    relevance: dict[str, float] = {}
    keepable: bool = False
    wanted: bool = True
    near: bool = False
    suspect: bool = False
    digest: bytes = b""
    simhash: int = 0
    watched: Watched = NOTHING_SEEN
    states: tuple[PartState, ...] = ()

    @property
    def kept(self) -> bool:
        """Does the page belong to the collection?"""
        return self.keepable and self.wanted

    @property
    def document(self) -> Document | None:
        """What the page says."""
        return self.read.document if self.read else None


class ReadAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says; `forgotten` are the containers its site had before it was redesigned, if this shows it."""

    markup: Markup
    page: ReadPage
    glance: Glance
    forgotten: tuple[str, ...] = ()


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What can be seen of an answer before anything is learnt from it; `flaw` says why it cannot be read.

    `said` is what it says, once it is read. `suspect` if it may be only what the site says of all that is not there.
    """

    kind: ContentKind | None = None
    markup: Markup | None = None
    flaw: str = ""
    page: TextFingerprint | None = None
    suspect: bool = False
    said: ReadAnswer | None = None
