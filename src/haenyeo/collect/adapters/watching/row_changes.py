"""Which records of a list are new, gone or have other values than at its last visit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haenyeo.collect.adapters.watching.changes import FieldEdit, RecordsChanged
from haenyeo.model.pages import Url
from haenyeo.store import NewRow, Store, StoredRow

SHOWN = 5
"""Records of each sort that a change remembers."""
_NAMES = ("title", "name", "link", "url")


def records_changed(store: Store, rule: str, url: Url, found: Sequence[NewRow]) -> RecordsChanged | None:
    """How the records of a page differ from those of its last visit; None when they do not, or it had none.

    A record without a key of its own is known by all its values, so an edited one is a new one and one that is gone.
    """
    before = _last_seen([row for row in store.rows(rule) if row.page == url])
    after = {row.key: row for row in found}
    if not before or not after:
        return None
    added = [row.fields for key, row in after.items() if key not in before]
    removed = [row.fields for key, row in before.items() if key not in after]
    edits = {key: _edits(before[key].fields, row.fields) for key, row in after.items() if key in before}
    changed = sum(map(bool, edits.values()))
    if not (added or removed or changed):
        return None
    return RecordsChanged(
        rule=rule,
        url=url,
        new=len(added),
        gone=len(removed),
        changed=changed,
        added=tuple(added[:SHOWN]),
        removed=tuple(removed[:SHOWN]),
        edited=tuple(edit for each in edits.values() for edit in each)[:SHOWN],
    )


def _last_seen(rows: Sequence[StoredRow]) -> dict[str, StoredRow]:
    """The records that the last visit has found, by key."""
    last = max((row.last_at for row in rows), default=None)
    return {row.key: row for row in rows if row.last_at == last}


def _edits(before: Mapping[str, str], after: Mapping[str, str]) -> list[FieldEdit]:
    record = next((after[name] for name in _NAMES if after.get(name)), next(iter(after.values()), ""))
    return [
        FieldEdit(record=record, field=name, before=before[name], after=value)
        for name, value in after.items()
        if name in before and before[name] != value
    ]
