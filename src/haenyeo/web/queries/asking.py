"""What would the judge ask next, and how good is what is kept?"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from haenyeo.collect.adapters.correcting.teaching import Questioner, TopicQuestion
from haenyeo.find.learned.judging.asking import Estimate
from haenyeo.model.config import Settings
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store


class NextQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The next question, None if there is none: `trouble` says why, if it is not that all is clear."""

    question: TopicQuestion | None = None
    estimate: Estimate | None = None
    trouble: str = ""


def asked_about(store: Store, settings: Settings, topic: str, skipped: Sequence[Url]) -> NextQuestion:
    """The next question about a topic, by what the crawl has stored last."""
    try:
        questioner = Questioner(store, settings, topic)
    except UsageError as error:
        return NextQuestion(trouble=f"{error}; {error.advice}" if error.advice else str(error))
    questions = questioner.questions(1, skipped) if questioner.pays() else []
    return NextQuestion(question=questions[0] if questions else None, estimate=questioner.estimate())
