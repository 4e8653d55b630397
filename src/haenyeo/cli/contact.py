"""Who is crawling? Asked once, kept in the user's configuration folder, sent in the User-Agent."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import click


def known_contact(*, ask: bool) -> str:
    """The contact from HAENYEO_CONTACT or the one remembered; asks for it the first time at a terminal."""
    if contact := os.environ.get("HAENYEO_CONTACT", ""):
        return contact
    path = _remembered_in()
    if path.exists():
        return path.read_text(encoding="utf-8").strip()
    if not (ask and sys.stdin.isatty() and sys.stderr.isatty()):
        return ""
    contact = str(
        click.prompt("An address or web page where site owners can reach you (empty: none)", default="", err=True)
    )
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(contact.strip() + "\n", encoding="utf-8")
    return contact.strip()


def _remembered_in() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(folder) if folder else Path.home() / ".config") / "haenyeo" / "contact"
