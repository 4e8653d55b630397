"""All records on one screen: by source, by product or category, over time, with search and download."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from haenyeo.web.desk import Desk
from haenyeo.web.queries.record_search import RecordQuestion, RecordsFound, address_of, find_records, source_of
from haenyeo.web.render import is_fragment, page
from haenyeo.web.views.records import csv_of, jsonl_of

SHOWN = 25
LATEST_OFFSET = 100_000


def all_records(request: Request) -> Response:
    """The screen, or only what changes with the question."""
    asked = question_in(dict(request.query_params))
    return page(
        request,
        "parts/record_search.html" if is_fragment(request) else "record_search.html",
        view="records",
        asked=asked,
        found=_found(request, asked),
        shown=SHOWN,
        address_of=address_of,
        source_of=source_of,
        address_with=lambda **changes: address(asked, "/records/all", **changes),
        download=lambda kind: address(asked, f"/records/all.{kind}", offset=0),
    )


def download_csv(request: Request) -> Response:
    """All records that fit the question, for a spreadsheet."""
    return _download(request, "csv", "text/csv; charset=utf-8")


def download_jsonl(request: Request) -> Response:
    """All records that fit the question, one JSON object a line."""
    return _download(request, "jsonl", "application/x-ndjson")


def question_in(given: dict[str, str]) -> RecordQuestion:
    """The question in an address; what makes no sense is left out."""
    known = {
        key: value.strip()
        for key, value in given.items()
        if key in RecordQuestion.__struct_fields__ and key not in ("offset", "limit")
    }
    offset = given.get("offset", "")
    return RecordQuestion(**known, offset=min(int(offset), LATEST_OFFSET) if offset.isdecimal() else 0, limit=SHOWN)


def address(asked: RecordQuestion, path: str, **changes: str | int) -> str:
    """The address of the same question with some of it changed; it begins at the first record unless that is said."""
    given = msgspec.structs.asdict(asked) | {"offset": 0} | changes
    words = {key: value for key, value in given.items() if value and key != "limit" and value != "newest"}
    return f"{path}?{urlencode(words)}" if words else path


def _found(request: Request, asked: RecordQuestion) -> RecordsFound:
    desk: Desk = request.app.state.desk
    with desk.reading() as store:
        return find_records(store, asked)


def _download(request: Request, kind: str, media: str) -> Response:
    asked = msgspec.structs.replace(question_in(dict(request.query_params)), offset=0, limit=0)
    rows = _found(request, asked).rows
    content = csv_of(rows) if kind == "csv" else jsonl_of(rows)
    return Response(
        content, media_type=media, headers={"content-disposition": f'attachment; filename="records.{kind}"'}
    )
