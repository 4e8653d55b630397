"""The questions that change nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from haenyeo.collect.adapters.finding.topic_view import topic_view
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.links.steering import read_course
from haenyeo.store import Store, StoredPage
from haenyeo.web import figures
from haenyeo.web.api import answers
from haenyeo.web.api.asking import Asked, NotThereError
from haenyeo.web.desk import Desk
from haenyeo.web.happenings import happening
from haenyeo.web.judging import said_of
from haenyeo.web.views import listing
from haenyeo.web.views.one_page import LARGEST_NUMBER

MOST_VISITS = 100


def overview(asked: Asked[None]) -> answers.Overview:
    """The collection at a glance."""
    desk = asked.desk
    pages, visits = desk.columns.pages, desk.columns.visits
    totals = figures.totals(pages)
    return answers.Overview(
        collection=desk.name,
        topics={name: topic.words for name, topic in desk.settings.topic.items()},
        asked=totals.asked,
        fetched=totals.fetched,
        kept=totals.kept,
        errors=totals.errors,
        sites=totals.sites,
        waiting=len(desk.waiting) if desk.counted else None,
        harvest=[answers.HarvestPoint(fetched=x, kept=y) for x, y in figures.harvest(pages)],
        breadth_first=[
            answers.HarvestPoint(fetched=x, kept=y)
            for x, y in figures.breadth_first(pages, visits, desk.first_scores, desk.first_worth)
        ],
        by_minute=figures.by_minute(visits, datetime.now(UTC)),
        crawl=asked.crawler.condition.state,
    )


def pages(asked: Asked[answers.PageSpan]) -> answers.PageList:
    """Pages, newest, best, or by full-text search."""
    wish = asked.question
    question = listing.Asked(
        q=wish.q,
        site=wish.site,
        language=wish.language,
        topic=wish.topic,
        since="" if wish.since is msgspec.UNSET else wish.since.isoformat(),
        sort=wish.sort,
        kept=wish.kept,
        offset=wish.offset,
        limit=wish.limit,
    )
    found = listing.listing(asked.desk, question)
    items = [
        answers.PageItem(
            id=row.id,
            url=row.url,
            title=row.title,
            site=row.site,
            language=row.language,
            relevance=row.relevance,
            changed_at=row.changed_at,
            kept=row.kept,
            snippet=row.snippet.text,
        )
        for row in found.rows
    ]
    return answers.PageList(pages=items, total=found.total, more=found.more)


def page(asked: Asked[None]) -> answers.PageDetail:
    """All about one page."""
    with asked.desk.reading() as store:
        found = stored_page(store, asked.path["number"])
        visits = store.visits(found.url)[-MOST_VISITS:]
        said = said_of(store, found.url)
    return answers.PageDetail(
        id=found.id,
        url=found.url,
        title=found.title,
        text=found.text,
        site=found.site,
        language=found.language,
        kept=found.kept,
        outcome=found.outcome.value,
        reason=found.reason,
        status=found.status,
        depth=found.depth,
        first_at=found.first_at,
        last_at=found.last_at,
        changed_at=found.changed_at,
        content_type=found.content_type,
        relevance=found.relevance,
        said=said,
        visits=[
            answers.VisitItem(
                id=visit.id,
                at=visit.at,
                outcome=visit.outcome.value,
                reason=visit.reason,
                status=visit.status,
                changed=visit.changed,
                seconds=visit.seconds,
                bytes=visit.size,
            )
            for visit in visits
        ],
    )


def stored_page(store: Store, number: int) -> StoredPage:
    """The page of this number; raises `NotThereError`."""
    rows = store.ask("SELECT url FROM page WHERE id = ?", (number,)) if number <= LARGEST_NUMBER else []
    found = store.page(rows[0][0]) if rows else None
    if found is None:
        raise NotThereError("there is no page of this number")
    return found


def frontier(asked: Asked[answers.LinkSpan]) -> answers.LinkList:
    """The links that wait, the best first."""
    wish, desk = asked.question, asked.desk
    if wish.topic:
        return _topic_frontier(desk, wish)
    best = dict(desk.waiting.best(wish.offset + wish.limit)[wish.offset :])
    with desk.reading() as store:
        links = store.links(list(best))
    items = [
        answers.LinkItem(
            url=link.url,
            site=link.site,
            score=best[link.ref],
            depth=link.depth,
            source=link.source,
            anchor=link.anchor,
            before=link.before,
            after=link.after,
        )
        for link in links
    ]
    return answers.LinkList(links=items, total=len(desk.waiting))


def _topic_frontier(desk: Desk, wish: answers.LinkSpan) -> answers.LinkList:
    if wish.topic not in desk.settings.topic:
        return answers.LinkList(links=[], total=0)
    with desk.reading() as store:
        view = topic_view(store, desk.settings, wish.topic, wish.offset + wish.limit)
    links = msgspec.convert(view.next[wish.offset :], list[answers.LinkItem], from_attributes=True)
    return answers.LinkList(links=links, total=view.waiting)


def sites(asked: Asked[answers.Span]) -> answers.SiteList:
    """The sites, those with most kept pages first."""
    wish, desk = asked.question, asked.desk
    found = figures.by_site(desk.columns.pages, desk.sites, desk.waiting.sites)
    part = found[wish.offset : wish.offset + wish.limit]
    return answers.SiteList(sites=[answers.SiteItem(**msgspec.structs.asdict(site)) for site in part], total=len(found))


def rules(asked: Asked[None]) -> answers.RuleList:
    """The rules that take records."""
    with asked.desk.reading() as store:
        counts = store.row_counts()
        found = [
            answers.RuleItem(
                name=rule.name,
                url=rule.url,
                version=rule.rule.version,
                confidence=rule.rule.confidence,
                state=rule.state,
                records=counts.get(rule.name, 0),
            )
            for rule in Shelf(store)
        ]
    return answers.RuleList(rules=found)


def records(asked: Asked[answers.Span]) -> answers.RecordList:
    """The records that a rule has taken."""
    wish, name = asked.question, asked.path["name"]
    with asked.desk.reading() as store:
        if Shelf(store).get(name) is None:
            raise NotThereError("there is no rule of this name")
        rows = store.rows(name)
    part = [row.fields for row in rows[wish.offset : wish.offset + wish.limit]]
    return answers.RecordList(records=part, total=len(rows))


def events(asked: Asked[answers.EventSpan]) -> answers.EventList:
    """What happened to layouts, contents and rules."""
    wish = asked.question
    told = [happening(event) for event in asked.desk.events if event.id > wish.after][: wish.limit]
    items = [
        answers.EventItem(
            id=one.id, at=one.at, kind=one.kind, grade=one.grade, title=one.title, url=one.url, facts=one.facts
        )
        for one in told
    ]
    return answers.EventList(events=items)


def freshness(asked: Asked[None]) -> answers.Freshness:
    """When pages change and how fresh the copies are."""
    desk = asked.desk
    visits = desk.columns.visits
    forecast = desk.outlook.ask(len(visits))
    return answers.Freshness(
        per_day=desk.settings.refresh.per_day,
        goal=desk.settings.refresh.goal,
        revisits=int((visits["changed"] >= 0).sum()),
        changes=int((visits["changed"] == 1).sum()),
        week=figures.week(visits).tolist(),
        ages=dict(figures.ages(desk.columns.pages, datetime.now(UTC))),
        by_budget=[answers.BudgetPoint(per_day=x, fresh=y) for x, y in desk.outlook.by_budget or ()],
        due=list(forecast.first) if forecast else [],
    )


def steering(asked: Asked[None]) -> answers.SteeringState:
    """What is blocked and boosted."""
    course = read_course(asked.desk.folder)
    return answers.SteeringState(block=list(course.block), boost=list(course.boost))
