"""A module that no one has a reason to import: it leaves a trace when that happens."""

import os
from pathlib import Path

(Path(os.environ["HOSTILE_FOLDER"]) / "imported").touch()


def function() -> None:
    """Named, with its module, by a hostile header."""
