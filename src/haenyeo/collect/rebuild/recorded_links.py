"""The links that led to what was recorded."""

from __future__ import annotations

from haenyeo.collect.links.jobs import SEED_DEPTH, Job, named_job
from haenyeo.collect.links.queue import CrawlQueue
from haenyeo.model.pages import Url
from haenyeo.store import Store
from haenyeo.store.rebuilding import LinkNumbers


def leading_to(url: Url, links: LinkNumbers, queue: CrawlQueue, store: Store) -> Job:
    """The link that led to the address; one that stands on no page is taken for a seed."""
    number = links.number_of(url)
    if number is None:
        queue.add([url], SEED_DEPTH)
        number = links.number_of(url)
    if number is None:
        return named_job(url)
    link = store.links([number])[0]
    return Job(ref=number, url=link.url, site=link.site, depth=link.depth, score=link.score)
