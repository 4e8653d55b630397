"""The questions that change nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from haenyeo.collect.links.steering import read_course
from haenyeo.web.api import answers
from haenyeo.web.api.asking import Asked
from haenyeo.web.desk import Desk
from haenyeo.web.queries import listing
from haenyeo.web.queries.frontier import best_links, links_of_topic
from haenyeo.web.queries.happenings import happening
from haenyeo.web.queries.one_page import page_numbered, said_of
from haenyeo.web.queries.overview import crawl_progress, reasons
from haenyeo.web.queries.records import records_of, rules_with_counts
from haenyeo.web.queries.refresh import changes_seen, week_ahead
from haenyeo.web.queries.sites import all_sites

MOST_VISITS = 100
MOST_REASONS = 50


def overview(asked: Asked[None]) -> answers.CollectionOverview:
    """The collection at a glance."""
    desk = asked.desk
    progress = crawl_progress(desk, datetime.now(UTC))
    totals = progress.totals
    return answers.CollectionOverview(
        collection=desk.name,
        topics={name: topic.words for name, topic in desk.settings.topic.items()},
        asked=totals.asked,
        fetched=totals.fetched,
        kept=totals.kept,
        errors=totals.errors,
        sites=totals.sites,
        waiting=progress.waiting,
        harvest=[answers.HarvestPoint(fetched=x, kept=y) for x, y in progress.harvest],
        breadth_first=[answers.HarvestPoint(fetched=x, kept=y) for x, y in progress.breadth_first],
        by_minute=progress.by_minute,
        reasons=[
            answers.ReasonItem(reason=each.reason, pages=each.pages, example=each.example, advice=each.advice)
            for each in reasons(desk, MOST_REASONS)
        ],
        crawl=asked.crawler.condition.state,
    )


def pages(asked: Asked[answers.PageSpan]) -> answers.PageList:
    """Pages, newest, best, or by full-text search."""
    wish = asked.question
    question = listing.PageQuestion(
        q=wish.q,
        site=wish.site,
        language=wish.language,
        kind=wish.kind,
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
            kind=row.kind,
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
        found = page_numbered(store, asked.path["number"])
        visits = store.visits(found.url)[-MOST_VISITS:]
        said = said_of(store, found.url)
    return answers.PageDetail(
        id=found.id,
        url=found.url,
        title=found.title,
        text=found.text,
        site=found.site,
        language=found.language,
        kind=found.kind,
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


def frontier(asked: Asked[answers.LinkSpan]) -> answers.LinkList:
    """The links that wait, the best first."""
    wish, desk = asked.question, asked.desk
    if wish.topic:
        return _topic_frontier(desk, wish)
    if not desk.counted:  # a view may say that it is still counting; a list without links would be taken at its word
        desk.count()
    items = [
        answers.LinkItem(
            url=link.url,
            site=link.site,
            score=score,
            depth=link.depth,
            source=link.source,
            anchor=link.anchor,
            before=link.before,
            after=link.after,
        )
        for link, score in best_links(desk, wish.limit, wish.offset)
    ]
    return answers.LinkList(links=items, total=len(desk.waiting))


def _topic_frontier(desk: Desk, wish: answers.LinkSpan) -> answers.LinkList:
    view = links_of_topic(desk, wish.topic, wish.offset + wish.limit)
    if view is None:
        return answers.LinkList(links=[], total=0)
    links = msgspec.convert(view.next[wish.offset :], list[answers.LinkItem], from_attributes=True)
    return answers.LinkList(links=links, total=view.waiting)


def sites(asked: Asked[answers.Span]) -> answers.SiteList:
    """The sites, those with most kept pages first."""
    wish, found = asked.question, all_sites(asked.desk)
    part = found[wish.offset : wish.offset + wish.limit]
    return answers.SiteList(sites=[answers.SiteItem(**msgspec.structs.asdict(site)) for site in part], total=len(found))


def rules(asked: Asked[None]) -> answers.RuleList:
    """The rules that take records."""
    with asked.desk.reading() as store:
        found = [
            answers.RuleItem(
                name=rule.name,
                url=rule.url,
                version=rule.rule.version,
                confidence=rule.rule.confidence,
                state=rule.state,
                records=count,
            )
            for rule, count in rules_with_counts(store)
        ]
    return answers.RuleList(rules=found)


def records(asked: Asked[answers.Span]) -> answers.RecordList:
    """The records that a rule has taken."""
    wish = asked.question
    with asked.desk.reading() as store:
        rows = records_of(store, asked.path["name"])
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
    seen, ahead = changes_seen(desk, datetime.now(UTC)), week_ahead(desk)
    return answers.Freshness(
        per_day=desk.settings.refresh.per_day,
        goal=desk.settings.refresh.goal,
        revisits=seen.revisits,
        changes=seen.changes,
        week=seen.week.tolist(),
        ages=dict(seen.ages),
        by_budget=[answers.BudgetPoint(per_day=x, fresh=y) for x, y in ahead.by_budget or ()],
        due=list(ahead.forecast.first) if ahead.forecast else [],
    )


def steering(asked: Asked[None]) -> answers.SteeringState:
    """What is blocked and boosted."""
    course = read_course(asked.desk.folder)
    return answers.SteeringState(block=list(course.block), boost=list(course.boost))
