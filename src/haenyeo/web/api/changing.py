"""The wishes that change something."""

from __future__ import annotations

from haenyeo.collect.links.steering import Course, read_course, write_course
from haenyeo.web.api import answers
from haenyeo.web.api.asking import Asked, NotThereError
from haenyeo.web.api.reading import stored_page
from haenyeo.web.crawler import Wish
from haenyeo.web.judging import judge, said_of
from haenyeo.web.views.frontier import changed


def crawl(asked: Asked[answers.CrawlWish]) -> answers.CrawlState:
    """Start, pause, resume or stop the crawl."""
    wish, crawler = asked.question, asked.crawler
    if wish.action == "start":
        crawler.start(Wish(pages=wish.pages, minutes=wish.minutes))
    else:
        getattr(crawler, wish.action)()
    now = crawler.condition
    return answers.CrawlState(state=now.state, message=now.message, process=now.process)


def verdict(asked: Asked[answers.Verdict]) -> answers.Verdict:
    """Say whether a page is about a topic; it counts at once."""
    desk, wish = asked.desk, asked.question
    with desk.reading() as store:
        page = stored_page(store, asked.path["number"])
    if wish.topic not in desk.settings.topic:
        raise NotThereError(f"the collection's topics are: {', '.join(desk.settings.topic)}")
    judge(desk, page.url, wish.topic, good=wish.verdict == "yes")
    with desk.reading() as store:
        said = said_of(store, page.url)
    return answers.Verdict(topic=wish.topic, verdict="yes" if said[wish.topic] else "no")


def steer(asked: Asked[answers.SteeringWish]) -> answers.SteeringState:
    """Block or boost a host or pattern, or take that back."""
    folder, wish = asked.desk.folder, asked.question
    course: Course = changed(read_course(folder), wish.pattern.strip(), wish.action)
    write_course(folder, course)
    return answers.SteeringState(block=list(course.block), boost=list(course.boost))
