"""Reads what a form of ours has sent, and nobody else's."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request

LARGEST = 64 * 1024  # bytes of a form
FIELD = "form_token"


async def posted(request: Request) -> dict[str, str]:
    """The fields of a form; raises 403 unless the form's token or the script's header came with it."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise HTTPException(413, "this form is too long")
    fields = {key: values[-1] for key, values in parse_qs(body.decode("utf-8", "replace")).items()}
    if request.scope.get("haenyeo.form") and not request.app.state.keys.fits_form(fields.get(FIELD, "")):
        raise HTTPException(403, "this form did not come from the dashboard; go back and load the page anew")
    return fields


def whole(fields: dict[str, str], name: str) -> int | None:
    """A whole number of at least 1, or None if the field was left empty; raises 400 for anything else."""
    given = fields.get(name, "").strip()
    if not given:
        return None
    if not given.isdecimal() or not 1 <= int(given) <= 10**9:
        raise HTTPException(400, f"{name} must be a whole number of at least 1")
    return int(given)
