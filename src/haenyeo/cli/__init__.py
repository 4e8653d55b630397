"""What does the user type? One file per command; heavy imports wait inside the commands."""

from __future__ import annotations


def main() -> None:
    """Run the command line and end the process with its exit code."""
    import os
    import sys

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrix here is worth a second thread

    from haenyeo.cli.app import run

    sys.exit(run(sys.argv[1:]))
