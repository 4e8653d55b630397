"""Records: the tables that rules take from list pages, the rules' repairs, and downloads."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from urllib.parse import quote

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from haenyeo.collect.exporting.formats import cell
from haenyeo.store import StoredRow
from haenyeo.web.changing import change_rule
from haenyeo.web.desk import Desk
from haenyeo.web.queries.records import records_of, rule_tables
from haenyeo.web.render import page
from haenyeo.web.views.form import posted

SHOWN = 25
LONGEST_NAME = 80
HAS_PARQUET = find_spec("pyarrow") is not None


def records(request: Request) -> Response:
    """All rules and the first rows of each."""
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        tables = rule_tables(store, SHOWN)
    return page(request, "records.html", view="records", tables=tables, has_parquet=HAS_PARQUET)


def download_csv(request: Request) -> Response:
    """The records of a rule for a spreadsheet."""
    return _download(request, "csv", "text/csv; charset=utf-8", csv_of)


def download_jsonl(request: Request) -> Response:
    """The records of a rule, one JSON object a line."""
    return _download(request, "jsonl", "application/x-ndjson", jsonl_of)


def download_parquet(request: Request) -> Response:
    """The records of a rule as typed columns; raises 404 where pyarrow is not installed."""
    if not HAS_PARQUET:
        raise HTTPException(404, 'Parquet files need pyarrow: pip install "haenyeo[parquet]"')
    return _download(request, "parquet", "application/vnd.apache.parquet", _parquet)


def _download(request: Request, kind: str, media: str, write: Callable[[Sequence[StoredRow]], bytes]) -> Response:
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        content = write(records_of(store, request.path_params["name"]))
    letters = (letter if letter.isascii() and letter.isalnum() else "-" for letter in request.path_params["name"])
    name = "".join(letters)[:LONGEST_NAME]
    return Response(content, media_type=media, headers={"content-disposition": f'attachment; filename="{name}.{kind}"'})


async def repair(request: Request) -> Response:
    """Accept a proposed repair, or put the version before the last one in force again."""
    fields = await posted(request)
    state = request.app.state
    changed = change_rule(state.desk, state.crawler, request.path_params["name"], fields.get("action", ""))
    return RedirectResponse(f"/sites/{quote(changed.site)}" if fields.get("back") == "site" else "/records", 303)


def csv_of(rows: Sequence[StoredRow]) -> bytes:
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


def jsonl_of(rows: Sequence[StoredRow]) -> bytes:
    """Records as JSON objects, one a line."""
    encode = msgspec.json.encode
    return b"".join(encode({**row.fields, "page": row.page, "last_seen": row.last_at}) + b"\n" for row in rows)
