"""What does the user type? One file per command; heavy imports wait inside the commands."""

from __future__ import annotations

YOUNG_OBJECTS = 100_000
"""Made between two looks for unreachable ones. What modules bring stays, and so need not be looked at; a page makes
about a thousand, and leaves none behind that need the look."""


def main() -> None:
    """Run the command line and end the process with its exit code."""
    import gc
    import os
    import sys

    from haenyeo.cli.front_page import asked_for, columns_of_terminal, front_page

    if asked_for(sys.argv[1:]):
        print(front_page(columns_of_terminal()))  # noqa: T201 - click would load for ten times as long as this takes
        return
    gc.set_threshold(YOUNG_OBJECTS)

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrix here is worth a second thread

    from haenyeo.cli.app import run

    code = run(sys.argv[1:])
    gc.freeze()  # the system takes back all memory sooner than anybody could look through it
    sys.exit(code)
