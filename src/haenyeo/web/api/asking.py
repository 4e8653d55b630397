"""What a question comes with."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from haenyeo.web.crawler import Crawler
from haenyeo.web.desk import Desk

Wanted = TypeVar("Wanted")


class Asked(msgspec.Struct, Generic[Wanted], frozen=True, kw_only=True):
    """A question: `path` are the values in the address, `question` those of its parameters or body."""

    desk: Desk
    crawler: Crawler
    path: dict[str, Any]
    question: Wanted
