"""The wishes that change something."""

from __future__ import annotations

from haenyeo.model.errors import NotThereError
from haenyeo.web import changing
from haenyeo.web.api import answers
from haenyeo.web.api.asking import Asked
from haenyeo.web.crawler import Wish
from haenyeo.web.queries.one_page import page_numbered, said_of


def crawl(asked: Asked[answers.CrawlWish]) -> answers.CrawlState:
    """Start, pause, resume or stop the crawl."""
    wish, crawler = asked.question, asked.crawler
    if wish.action == "start":
        crawler.start(Wish(pages=wish.pages, minutes=wish.minutes))
    else:
        getattr(crawler, wish.action)()
    now = crawler.condition
    return answers.CrawlState(state=now.state, message=now.message, process=now.process)


def verdict(asked: Asked[answers.VerdictWish]) -> answers.VerdictWish:
    """Say whether a page is about a topic; it counts at once."""
    desk, wish = asked.desk, asked.question
    with desk.reading() as store:
        page = page_numbered(store, asked.path["number"])
    if wish.topic not in desk.settings.topic:
        raise NotThereError(f"the collection's topics are: {', '.join(desk.settings.topic)}")
    changing.judge(desk, page.url, wish.topic, good=wish.verdict == "yes")
    with desk.reading() as store:
        said = said_of(store, page.url)
    return answers.VerdictWish(topic=wish.topic, verdict="yes" if said[wish.topic] else "no")


def steer(asked: Asked[answers.SteeringWish]) -> answers.SteeringState:
    """Block or boost a host or pattern, or take that back."""
    course = changing.steer(asked.desk, asked.question.pattern.strip(), asked.question.action)
    return answers.SteeringState(block=list(course.block), boost=list(course.boost))
