"""What the user may change: verdicts on pages, the course of the crawl, repairs of rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from haenyeo.collect.adapters.correcting import judging
from haenyeo.collect.adapters.finding.handing import Correction, UserVerdict
from haenyeo.collect.adapters.watching.new_rules import put_new_rule
from haenyeo.collect.adapters.watching.saved_rules import SavedRule
from haenyeo.collect.adapters.watching.sheets import Sheet, keep
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.links.steering import MOST_RULES, Course, read_course, write_course
from haenyeo.model.errors import CollectionError, UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store, StoredPage
from haenyeo.web.crawler import Crawler
from haenyeo.web.desk import Desk
from haenyeo.web.queries.one_page import original_html
from haenyeo.web.queries.picking import PickedField, picked_rule
from haenyeo.web.queries.records import rule_named

PATIENCE = 3.0  # seconds that a view waits for a crawl to take a verdict up


def judge(desk: Desk, url: Url, topic: str, *, good: bool) -> Correction:
    """Let the verdict count at once; a crawl under way takes it up while it goes on."""
    done = judging.judge(desk.folder, desk.settings, url, relevant=good, topic=topic, patience=PATIENCE)
    desk.judged()
    return done


def take_back(desk: Desk, url: Url, topic: str) -> Correction:
    """Take back the last verdict on a page, as if it had never been given."""
    done = judging.undo(desk.folder, desk.settings, topic=topic, url=url, patience=PATIENCE)
    desk.judged()
    return done


def answer(desk: Desk, url: Url, topic: str, *, good: bool) -> Correction:
    """Take in the answer to a question of the judge's."""
    verdict = UserVerdict(url=url, topic=topic, relevant=good, asked=True)
    done = judging.pronounce(desk.folder, desk.settings, verdict, patience=PATIENCE)
    desk.judged()
    return done


def steer(desk: Desk, pattern: str, action: str) -> Course:
    """Write down the course after a wish: block or boost a host or pattern, or forget that.

    Raises `UsageError` when the wish cannot be meant.
    """
    course = _steered(read_course(desk.folder), pattern, action)
    write_course(desk.folder, course)
    return course


def _steered(course: Course, pattern: str, action: str) -> Course:
    if action not in ("block", "boost", "forget") or not pattern:
        raise UsageError("name a host or a pattern, and whether to block or boost it")
    if action == "forget":
        return course.without(pattern)
    if len(course.block) + len(course.boost) >= MOST_RULES:
        raise UsageError(f"there are {MOST_RULES} rules already; take one back first")
    return course.with_rule(pattern, blocks=action == "block")


def change_rule(desk: Desk, crawler: Crawler, name: str, action: str) -> SavedRule:
    """Accept a proposed repair, its records taken from the stored page, or put the version before the last in force.

    The crawl stands still meanwhile. Raises `CollectionError` when there is nothing to accept or revert.
    """
    with crawler.held(), Store.open(desk.folder, writing=True) as store:
        rule = rule_named(store, name)
        shelf, now = Shelf(store), datetime.now(UTC)
        taken = shelf.accept(rule, now) if action == "accept" else shelf.revert(rule) if action == "revert" else None
        if taken is None:
            raise CollectionError("there is nothing to accept or revert in this rule")
        keep(store, taken, now)
        return shelf.get(name) or rule


def save_picked(desk: Desk, crawler: Crawler, page: StoredPage, fields: Sequence[PickedField]) -> SavedRule:
    """Save the rule that the picked fields stand for, with the records of the stored page.

    The crawl stands still meanwhile. Raises `UsageError` when the page has no records like the one picked.
    """
    with crawler.held(), Store.open(desk.folder, writing=True) as store:
        html = original_html(store, page)
        rule = picked_rule(html, fields)
        if rule is None:
            raise UsageError("no records like the one you pointed at were found", advice="pick another value of it")
        now = datetime.now(UTC)
        made = put_new_rule(Shelf(store), rule, Sheet(page.url, html, now), why="picked in the dashboard")
        keep(store, made.taken, now)
        return made.saved
