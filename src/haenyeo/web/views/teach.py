"""The judge asks: one page at a time, and how good what is kept should be by now."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from haenyeo.find.learned.judging.asking import Estimate
from haenyeo.model.pages import Url
from haenyeo.web.changing import answer, take_back
from haenyeo.web.desk import Desk
from haenyeo.web.queries.asking import asked_about
from haenyeo.web.render import page
from haenyeo.web.views.form import posted

QUESTIONS = 10
MOST_SKIPPED = 50


def teach(request: Request) -> Response:
    """The next question, or that there is none."""
    desk: Desk = request.app.state.desk
    given = request.query_params
    topic = given.get("topic", "") or next(iter(desk.settings.topic), "")
    if topic not in desk.settings.topic:
        raise HTTPException(404, f"there is no topic {topic!r}")
    skipped = given.getlist("skip")[-MOST_SKIPPED:]
    with desk.reading() as store:
        asked = asked_about(store, desk.settings, topic, [Url(url) for url in skipped])
    return page(
        request,
        "teach.html",
        view="teach",
        topic=topic,
        topics=list(desk.settings.topic),
        asked=asked,
        answers=_number(given.get("answers", "")),
        questions=QUESTIONS,
        last=given.get("last", ""),
        before=_began(given.get("before", ""), asked.estimate),
        skipped=skipped,
        more=_number(given.get("more", "")),
        fewer=_number(given.get("fewer", "")),
    )


async def answered(request: Request) -> Response:
    """An answer, a page skipped, or the last answer taken back; leads to the next question."""
    fields = await posted(request)
    desk: Desk = request.app.state.desk
    topic, url, word = fields.get("topic", ""), Url(fields.get("url", "")), fields.get("answer", "")
    if topic not in desk.settings.topic or word not in ("yes", "no", "skip", "undo") or not url:
        raise HTTPException(400, "say yes, no or skip to one of the pages asked about")
    said = [("topic", topic), ("before", fields.get("before", ""))]
    said += [("skip", skipped) for skipped in fields.get("skipped", "").split()]
    answers = _number(fields.get("answers", ""))
    if word == "skip":
        said += [("skip", url), ("answers", str(answers))]
    else:
        done = take_back(desk, url, topic) if word == "undo" else answer(desk, url, topic, good=word == "yes")
        answers += -1 if word == "undo" else 1
        said += [("answers", str(max(answers, 0))), ("more", str(done.now_kept)), ("fewer", str(done.no_longer_kept))]
        said += [] if word == "undo" else [("last", url)]
    return RedirectResponse(f"/teach?{urlencode(said)}", 303)


def _began(given: str, now: Estimate | None) -> dict[str, float]:
    """Precision and recall as they were estimated before the first answer, which is now if none were handed on."""
    try:
        precision, recall = (min(max(float(word), 0.0), 1.0) for word in given.split())
    except ValueError:
        return {"precision": now.precision, "recall": now.recall} if now else {}
    return {"precision": precision, "recall": recall}


def _number(given: str) -> int:
    return int(given) if given.isdecimal() else 0
