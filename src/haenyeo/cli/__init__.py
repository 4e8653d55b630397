"""What does the user type? One file per command; heavy imports wait inside the commands."""

from __future__ import annotations


def main() -> None:
    """Run the command line and end the process with its exit code."""
    import sys

    from haenyeo.cli.app import run

    sys.exit(run(sys.argv[1:]))
