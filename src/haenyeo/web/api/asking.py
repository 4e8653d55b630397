"""What a question comes with, and what keeps it from an answer."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from haenyeo.model.errors import UsageError
from haenyeo.web.crawler import Crawler
from haenyeo.web.desk import Desk

Wanted = TypeVar("Wanted")


class NotThereError(UsageError):
    """What was asked for is not there."""


class Asked(msgspec.Struct, Generic[Wanted], frozen=True, kw_only=True):
    """A question: `path` are the values in the address, `question` those of its parameters or body."""

    desk: Desk
    crawler: Crawler
    path: dict[str, Any]
    question: Wanted
