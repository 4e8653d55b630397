"""What would a small web look like? Seeded sites on loopback with topics, layouts that change, and a clock to turn."""

from haenyeo.demo.clock import DAY, EPOCH, HOUR, WEEK, DemoClock
from haenyeo.demo.server import Address, RequestLog, ServerPace, serve, serve_in_thread
from haenyeo.demo.truth import Change, PageTruth, TopicTruth
from haenyeo.demo.web import DemoWeb

__all__ = [
    "DAY",
    "EPOCH",
    "HOUR",
    "WEEK",
    "Address",
    "Change",
    "DemoClock",
    "DemoWeb",
    "PageTruth",
    "RequestLog",
    "ServerPace",
    "TopicTruth",
    "serve",
    "serve_in_thread",
]
