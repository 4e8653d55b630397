"""Stored pages read again, from the archive: all that they say, and better texts once their sites are known well."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import timedelta

import msgspec

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.adapters.reading.crawl_reader import state_part
from haenyeo.collect.adapters.reading.whole_texts import is_whole_text, whole_document
from haenyeo.html.dates import moment
from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Document, Markup, Url
from haenyeo.model.registry import NO_OPTIONS, Options
from haenyeo.read.documents import PageDates, dates_of, posts_in
from haenyeo.read.extract import Method, method_named
from haenyeo.read.facts import Facts, facts_of
from haenyeo.read.markdown import with_markdown
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.products import product_of
from haenyeo.store import Store, StoredPage

MOST_SITES = 64
"""Sites whose readers are kept in memory."""
MOST_LEARNED = 200
"""Pages of a site that are learned from when it is read again; more would teach little more."""

_JUST_MADE = timedelta(hours=1)

Told = Callable[[int, int], None]
"""Is told how far the work is: pages read, pages to read."""


class Reread(msgspec.Struct, frozen=True, kw_only=True):
    """What came of reading a collection again; `lost` pages are not in the archive any more."""

    sites: int = 0
    pages: int = 0
    changed: int = 0
    lost: int = 0

    def __add__(self, other: Reread) -> Reread:
        return Reread(
            sites=self.sites + other.sites,
            pages=self.pages + other.pages,
            changed=self.changed + other.changed,
            lost=self.lost + other.lost,
        )


class StoredReader:
    """Says of stored pages all that can be said, with what their sites have taught."""

    def __init__(self, store: Store, extractor: str, parts: Options = NO_OPTIONS) -> None:
        self._store, self._kind = store, method_named(extractor, parts)
        self._part = state_part(extractor)
        self._methods: OrderedDict[str, Method] = OrderedDict()

    def described(self, page: StoredPage) -> Document:
        """The page with the facts in its markup; its text is as stored."""
        html = archived_html(self._store, page.url)
        facts = facts_of(html or "")
        told = page.kind and page.kind != "thread" and facts.published and facts.published_by != "time"
        markup = parse_text(html, page.url) if html and not told else None
        kind = page.kind or (JudgedPage.of(markup).kind if markup else "")
        dates = with_last_modified(_dates(page, markup, facts, kind), page)
        return Document(
            url=page.url,
            title=page.title,
            text=page.text,
            language=page.language,
            author=facts.author,
            published=dates.published,
            published_by=dates.published_by,
            modified=dates.modified,
            modified_by=dates.modified_by,
            description=facts.description,
            site_name=facts.site_name,
            licence=facts.licence,
            kind=kind,
            posts=posts_in(markup, _kept(page, markup), kind) if markup else (),
            product=product_of(facts, kind, page.title),
            facts=facts.all,
        )

    def read(self, page: StoredPage) -> Document:
        """The page read anew: Markdown, images, and the blocks that were kept and dropped, each with its reason."""
        return self.read_html(page, archived_html(self._store, page.url))

    def read_html(self, page: StoredPage, html: str | None) -> Document:
        """The same for a version of the page."""
        if not html:
            return Document(url=page.url, title=page.title, text=page.text, language=page.language)
        if is_whole_text(page.content_type, page.url):
            return with_markdown(whole_document(page.url, html), html)
        document = self._method_of(page.site).read(self._kind().learn(page.url, html))
        told = PageDates(document.published, document.published_by, document.modified, document.modified_by)
        dates = with_last_modified(told, page)
        document = msgspec.structs.replace(
            document, modified=dates.modified, modified_by=dates.modified_by, kind=page.kind or document.kind
        )
        return with_markdown(document, html)

    def text(self, site: str, url: Url, html: str) -> str:
        """What a version of a page of the site says."""
        return self._method_of(site).read(self._kind().learn(url, html)).text

    def _method_of(self, site: str) -> Method:
        if site not in self._methods:
            state = self._store.state(self._part, site)
            self._methods[site] = self._kind() if state is None else self._kind.from_bytes(state)
            if len(self._methods) > MOST_SITES:
                self._methods.popitem(last=False)
        self._methods.move_to_end(site)
        return self._methods[site]


def _dates(page: StoredPage, markup: Markup | None, facts: Facts, kind: str) -> PageDates:
    """The dates of a stored page; the blocks of its text are those that stand in it."""
    if markup is None:
        return dates_of(page.url, (), (), facts, kind)
    return dates_of(page.url, markup.blocks, _kept(page, markup), facts, kind)


def _kept(page: StoredPage, markup: Markup) -> list[bool]:
    """Which blocks of a stored page stand in its text."""
    lines = set(page.text.split("\n"))
    return [block.text.partition("\n")[0] in lines for block in markup.blocks]


def with_last_modified(dates: PageDates, page: StoredPage) -> PageDates:
    """The dates, with what the server said if nothing in the page tells when it was modified.

    A server that makes its pages when they are asked for tells only that, and is not believed.
    """
    said = moment(page.validators.last_modified) if page.validators.last_modified else None
    if said is None or dates.modified or page.changed_at is None or page.changed_at - said < _JUST_MADE:
        return dates
    return dates._replace(modified=said.isoformat(), modified_by="last-modified")


def read_again(
    store: Store, extractor: str, told: Told = lambda _done, _all: None, parts: Options = NO_OPTIONS
) -> Reread:
    """Read every page with text again, each site's together; what is better is stored, and so is what was learned."""
    total, done = Reread(), 0
    sites = store.texts_by_site()
    everything = sum(map(len, sites.values()))
    for site, urls in sites.items():
        total += _read_site(store, (extractor, method_named(extractor, parts)), site, urls)
        store.flush()
        done += len(urls)
        told(done, everything)
    return total


def _read_site(store: Store, way: tuple[str, type[Method]], site: str, urls: Sequence[Url]) -> Reread:
    extractor, kind = way
    method = kind()
    for url in urls[:: max(1, len(urls) // MOST_LEARNED)]:
        if html := archived_html(store, url):
            method.learn(url, html)
    looking = kind()  # what a page needs to be read comes from learning it, but all has been learned already
    changed = lost = 0
    for url in urls:
        html = archived_html(store, url)
        before = store.page(url)
        if not html or before is None:
            lost += 1
            continue
        if is_whole_text(before.content_type, before.url):
            continue
        text = method.read(looking.learn(url, html)).text
        if text and text != before.text:
            store.put_text(url, text)
            changed += 1
    store.put_state(state_part(extractor), site, method.to_bytes())
    return Reread(sites=1, pages=len(urls), changed=changed, lost=lost)
