"""Is there a browser to run? The browser extra, and a Chromium of the system's or of Playwright's own."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

from haenyeo.model.config import BrowserSettings

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
INSTALL = "pip install 'haenyeo[browser]', and Chromium (apt-get install chromium, or playwright install chromium)"
"""What a user must do to get one."""


def is_there(settings: BrowserSettings) -> bool:
    """Whether pages can be rendered."""
    if importlib.util.find_spec("playwright") is None:
        return False
    return program_of(settings) is not None or _has_own()


def program_of(settings: BrowserSettings) -> str | None:
    """The browser to be started; None to let Playwright start its own."""
    if settings.program:
        return settings.program if Path(settings.program).exists() else None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _has_own() -> bool:
    """Whether Playwright has downloaded a Chromium."""
    place = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or str(Path.home() / ".cache" / "ms-playwright")
    return any(Path(place).glob("chromium*/*/*chrom*"))
