"""Haenyeo: a topical web collector that finds, reads, watches and refreshes the part of the web about your topic."""

import logging

__version__ = "0.1.0"

logging.getLogger(__name__).addHandler(logging.NullHandler())
