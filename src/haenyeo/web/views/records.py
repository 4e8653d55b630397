"""Records: the tables that rules take from list pages, the rules' repairs, and downloads."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from urllib.parse import quote

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from haenyeo.collect.adapters.watching.saved_rules import SavedRule, Version
from haenyeo.collect.adapters.watching.shelf import Shelf
from haenyeo.collect.exporting.formats import cell
from haenyeo.store import Store, StoredRow
from haenyeo.web.desk import Desk
from haenyeo.web.render import page
from haenyeo.web.views.form import posted

SHOWN = 25
LONGEST_NAME = 80
HAS_PARQUET = find_spec("pyarrow") is not None


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A rule and the first of its records."""

    rule: SavedRule
    columns: list[str]
    rows: list[StoredRow]
    total: int

    @property
    def selectors(self) -> list[tuple[str, str]]:
        """Where the fields are, as CSS; the record itself first."""
        return [(name or "record", forms["css"]) for name, forms in self.rule.rule.selectors().items()]


def records(request: Request) -> Response:
    """All rules and the first rows of each."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        tables = [_table(store, rule) for rule in Shelf(store)]
    return page(request, "records.html", view="records", tables=tables, has_parquet=HAS_PARQUET)


def download_csv(request: Request) -> Response:
    """The records of a rule for a spreadsheet."""
    return _download(request, "csv", "text/csv; charset=utf-8", _csv)


def download_jsonl(request: Request) -> Response:
    """The records of a rule, one JSON object a line."""
    return _download(request, "jsonl", "application/x-ndjson", _jsonl)


def download_parquet(request: Request) -> Response:
    """The records of a rule as typed columns; raises 404 where pyarrow is not installed."""
    if not HAS_PARQUET:
        raise HTTPException(404, 'Parquet files need pyarrow: pip install "haenyeo[parquet]"')
    return _download(request, "parquet", "application/vnd.apache.parquet", _parquet)


def _download(request: Request, kind: str, media: str, write: Callable[[Sequence[StoredRow]], bytes]) -> Response:
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        rule = _rule(store, request.path_params["name"])
        content = write(store.rows(rule.name))
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in rule.name)[:LONGEST_NAME]
    return Response(content, media_type=media, headers={"content-disposition": f'attachment; filename="{name}.{kind}"'})


async def repair(request: Request) -> Response:
    """Accept a repair that waits for a second page, or put the version before the last one in force again."""
    fields = await posted(request)
    desk: Desk = request.app.state.desk
    name, action = request.path_params["name"], fields.get("action", "")
    with request.app.state.crawler.held(), Store.open(desk.folder, writing=True) as store:
        rule = _rule(store, name)
        changed = accepted(rule) if action == "accept" else rule.reverted() if action == "revert" else None
        if changed is None:
            raise HTTPException(409, "there is nothing to accept or revert in this rule")
        state = Shelf(store).put(changed)
        store.put_state(state.part, state.key, state.value)
    return RedirectResponse(f"/sites/{quote(changed.site)}" if fields.get("back") == "site" else "/records", 303)


def accepted(rule: SavedRule) -> SavedRule | None:
    """The rule with its pending repair in force; None if none is pending."""
    if rule.pending is None:
        return None
    why = "repaired, accepted by the user"
    return rule.with_version(Version(rule=rule.pending.rule, at=datetime.now(UTC), url=rule.versions[-1].url, why=why))


def _rule(store: Store, name: str) -> SavedRule:
    rule = Shelf(store).get(name)
    if rule is None:
        raise HTTPException(404, "there is no rule of this name")
    return rule


def _table(store: Store, rule: SavedRule) -> Table:
    rows = store.rows(rule.name)
    columns = list(dict.fromkeys(name for row in rows[:SHOWN] for name in row.fields))
    return Table(rule=rule, columns=columns or list(rule.rule.fields), rows=rows[:SHOWN], total=len(rows))


def _csv(rows: Sequence[StoredRow]) -> bytes:
    """Comma-separated values with the mark that spreadsheets look for; no value is run as a formula."""
    columns = list(dict.fromkeys(name for row in rows for name in row.fields))
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*columns, "page", "first_seen", "last_seen"])
    for row in rows:
        values = [cell(row.fields.get(name, "")) for name in columns]
        writer.writerow([*values, cell(row.page), row.first_at.isoformat(), row.last_at.isoformat()])
    return out.getvalue().encode("utf-8-sig")


def _parquet(rows: Sequence[StoredRow]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.Table.from_pylist([{**row.fields, "page": str(row.page), "last_seen": row.last_at} for row in rows])
    out = io.BytesIO()
    parquet.write_table(table, out, compression="zstd")
    return out.getvalue()


def _jsonl(rows: Sequence[StoredRow]) -> bytes:
    encode = msgspec.json.encode
    return b"".join(encode({**row.fields, "page": row.page, "last_seen": row.last_at}) + b"\n" for row in rows)
