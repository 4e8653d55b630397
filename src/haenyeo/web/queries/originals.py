"""Pages as the archive has them: shown without scripts, and read again block by block to say what was kept and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec

from haenyeo.collect.adapters.archive import html_of
from haenyeo.html.parse import parse_html
from haenyeo.model.errors import MarkupError, StoreError
from haenyeo.model.pages import Url
from haenyeo.read.documents import document_of
from haenyeo.read.facts import facts_of
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.site.reader import SiteReader
from haenyeo.store import Store, StoredPage, StoredVisit

LARGEST = 8 << 20  # bytes of an original that are shown
MOST_BLOCKS = 2000
MOST_LINES = 3000
CONTEXT = 2  # lines around a change
BROUGHT = ("page", "duplicate")  # outcomes of visits that bring a page of their own
SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'"
PICKABLE = SANDBOX.replace("sandbox;", "sandbox allow-same-origin;")
"""As the sandbox, but the dashboard's own script may see where the user clicks; still nothing in the page runs."""
READ_PART = "read"
SCRIPTS = re.compile(r"<(script|noscript|iframe|object)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
LOADERS = re.compile(r"<(?:meta\b[^>]*http-equiv|link\b|base\b|embed\b)[^>]*>", re.IGNORECASE)
TAG = re.compile(r"<[a-z][^<>]*>", re.IGNORECASE)
LOADING = re.compile(
    r"(?<=[\s/\"'])(on\w+(?=\s*=)|(?:src|srcset|poster|background|data)(?=\s*=)(?!\s*=\s*[\"']?data:))", re.IGNORECASE
)
STYLE_LOADS = re.compile(r"@import[^;]*;?|url\((?!\s*[\"']?data:)[^)]*\)", re.IGNORECASE)


class BlockShown(msgspec.Struct, frozen=True, kw_only=True):
    """A block of a page in the order of the page; `reason` says why it was dropped."""

    text: str
    path: str
    kept: bool
    reason: str = ""


class DiffLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a comparison: kind is same, added, removed or gap."""

    kind: str
    text: str = ""


def original(store: Store, visit: StoredVisit) -> str:
    """The page that a visit brought; raises `StoreError` if the archive does not have it."""
    html = html_of(store, visit, most=LARGEST)
    if html is None:
        raise StoreError(f"the archive has no page for {visit.url}")
    return html


def harmless(html: str) -> str:
    """The page without what would run, lead away or load anything; the browser's sandbox holds what slips through."""
    quiet = LOADERS.sub("", SCRIPTS.sub("", html))
    tags = TAG.sub(lambda tag: LOADING.sub(r"data-\1", tag[0]), quiet)
    return STYLE_LOADS.sub("", tags)


def blocks_of(store: Store, page: StoredPage, html: str) -> list[BlockShown]:
    """The blocks of a page with what became of each."""
    try:
        markup = parse_html(html, Url(page.url))
    except MarkupError:
        return []
    state = store.state(READ_PART, page.site)
    reader = SiteReader.from_bytes(state) if state else SiteReader()
    document = document_of(Url(page.url), markup, reader.read(JudgedPage.of(markup)), facts_of(html), duplicate=False)
    reasons = {id(dropped.block): dropped.reason for dropped in document.dropped}
    shown = []
    for block in markup.blocks[:MOST_BLOCKS]:
        reason = reasons.get(id(block))
        shown.append(BlockShown(text=block.text, path=block.path, kept=reason is None, reason=reason or ""))
    return shown


def text_of(store: Store, page: StoredPage, visit: StoredVisit) -> str:
    """What the page said at that visit."""
    html = original(store, visit)
    return "\n".join(block.text for block in blocks_of(store, page, html) if block.kept)


def compare(old: str, new: str) -> list[DiffLine]:
    """The lines of two texts side by side in one list, long equal parts left out."""
    before, after = old.splitlines()[:MOST_LINES], new.splitlines()[:MOST_LINES]
    lines: list[DiffLine] = []
    for kind, low, high, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += _shortened(after[start:end], first=start == 0, last=end == len(after))
        lines += [DiffLine(kind="removed", text=line) for line in before[low:high] if kind in ("replace", "delete")]
        lines += [DiffLine(kind="added", text=line) for line in after[start:end] if kind in ("replace", "insert")]
    return lines


def _shortened(same: Sequence[str], *, first: bool, last: bool) -> list[DiffLine]:
    lines = [DiffLine(kind="same", text=line) for line in same]
    head, tail = (0 if first else CONTEXT), (0 if last else CONTEXT)
    if len(lines) <= head + tail + 1:
        return lines
    gap = DiffLine(kind="gap", text=f"{len(lines) - head - tail} lines are the same")
    return [*lines[:head], gap, *lines[len(lines) - tail :]]
