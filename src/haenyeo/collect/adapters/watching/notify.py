"""Tells others of changes: a webhook, a command, or any service that apprise knows.

What was told is remembered by the number of the last event, so a change is told again after a crash rather than never,
and a hook that fails gets the same changes at the next time.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import shlex
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec

from haenyeo.collect.adapters.watching.changes import (
    KINDS,
    Change,
    ContentChanged,
    LayoutChanged,
    RecordsChanged,
    restored,
)
from haenyeo.collect.adapters.watching.wording import details, headline
from haenyeo.model.config import NotifySettings
from haenyeo.model.errors import UsageError
from haenyeo.store import Store, StoredEvent

log = logging.getLogger(__name__)

PART, LAST = "notify", "last"
MOST_AT_ONCE = 500
LONGEST_SUMMARY = 4_000
PATIENCE = 30.0
"""Seconds a hook may take."""


async def notify(store: Store, settings: NotifySettings) -> int:
    """Hand the changes since the last time to the hooks of the settings; returns how many were told.

    Without hooks nothing is remembered as told. A hook that fails is logged, and gets the changes again next time.
    """
    if not (settings.webhook or settings.command or settings.apprise):
        return 0
    last = int((store.state(PART, LAST) or b"0").decode())
    news = [event for event in store.events(after=last) if event.kind in KINDS]
    chosen = [event for event in news if _is_wanted(event, settings)][:MOST_AT_ONCE]
    if chosen and not await _tell(store, settings, chosen):
        return 0
    if news:
        until = chosen[-1].id if len(chosen) == MOST_AT_ONCE else news[-1].id
        store.put_state(PART, LAST, str(until).encode())
        store.flush()
    return len(chosen)


def _is_wanted(event: StoredEvent, settings: NotifySettings) -> bool:
    """Whether the event's kind was asked for; `alarm` stands for layouts of that grade alone."""
    if event.kind in settings.kinds:
        return True
    change = restored(event) if event.kind == "layout" and "alarm" in settings.kinds else None
    return isinstance(change, LayoutChanged) and change.grade == "alarm"


async def _tell(store: Store, settings: NotifySettings, events: Sequence[StoredEvent]) -> bool:
    changes = [(event, change) for event in events if (change := restored(event)) is not None]
    told = {
        "collection": store.folder.absolute().name,
        "changes": [
            {"id": event.id, "at": event.at, "kind": event.kind, "words": headline(change), **_versions(change)}
            for event, change in changes
        ],
    }
    summary = await _summary(settings.summary, msgspec.json.encode(told)) if settings.summary else ""
    body = msgspec.json.encode({**told, "summary": summary} if summary else told)
    done = [
        not settings.webhook or await _post(settings.webhook, body),
        not settings.command or await _run(settings.command, body),
        not settings.apprise or await _send(settings.apprise, [change for _, change in changes], summary),
    ]
    return all(done)


def _versions(change: Change) -> dict[str, object]:
    """The change, with what the page said before and says now where its text or its records have changed."""
    facts: dict[str, object] = msgspec.to_builtins(change)
    if isinstance(change, ContentChanged):
        facts["before"] = [*change.removed, *(edit.before for edit in change.edited)]
        facts["after"] = [*change.added, *(edit.after for edit in change.edited)]
    if isinstance(change, RecordsChanged):
        facts["before"] = [
            *change.removed,
            *({"record": edit.record, edit.field: edit.before} for edit in change.edited),
        ]
        facts["after"] = [*change.added, *({"record": edit.record, edit.field: edit.after} for edit in change.edited)]
    return facts


async def _summary(command: str, body: bytes) -> str:
    """What a command makes of the changes; empty when it fails."""
    done = await _output(command, body)
    return "" if done is None else done.decode(errors="replace").strip()[:LONGEST_SUMMARY]


async def _post(url: str, body: bytes) -> bool:
    """Send the changes as JSON; True when the receiver took them."""
    if not url.lower().startswith(("http://", "https://")):
        raise UsageError(f"the webhook {url} is no http or https address", advice="correct it in haenyeo.toml")
    try:
        await asyncio.to_thread(_send_json, url, body)
    except HTTPError as error:
        log.warning("the webhook answered %s; it is told again next time", error.code)
    except (OSError, HTTPException, ValueError) as error:
        log.warning("the webhook could not be reached: %s; it is told again next time", error)
    else:
        return True
    return False


def _send_json(url: str, body: bytes) -> None:
    post = Request(url, body, {"Content-Type": "application/json"})  # noqa: S310  # the scheme was looked at
    with urlopen(post, timeout=PATIENCE):  # noqa: S310
        pass


async def _run(command: str, body: bytes) -> bool:
    """Run the command with the changes as JSON on its standard input; True when it ends with 0."""
    return await _output(command, body) is not None


async def _output(command: str, body: bytes) -> bytes | None:
    """What a command writes when it reads the changes; None when it does not end with 0."""
    try:
        process = await asyncio.create_subprocess_exec(
            *shlex.split(command), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
    except (OSError, ValueError) as error:
        log.warning("the command %s cannot be run: %s", command, error)
        return None
    try:
        written, _ = await asyncio.wait_for(process.communicate(body), PATIENCE)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        log.warning("the command %s took longer than %.0f seconds", command, PATIENCE)
        return None
    return None if process.returncode else written


async def _send(services: Sequence[str], changes: Sequence[Change], summary: str) -> bool:
    """Send the changes as a message through apprise, the summary first."""
    try:
        apprise = importlib.import_module("apprise")
    except ImportError as error:
        raise UsageError(
            "haenyeo.toml names apprise services, but apprise is not installed",
            advice='install it: pip install "haenyeo[notify]"',
        ) from error
    sender = apprise.Apprise()
    for service in services:
        sender.add(service)
    lines = [line for change in changes for line in (headline(change), *(f"    {each}" for each in details(change)))]
    message = "\n".join([*([summary] if summary else []), *lines])
    return bool(await asyncio.to_thread(sender.notify, body=message, title=f"haenyeo: {len(changes)} changes"))
