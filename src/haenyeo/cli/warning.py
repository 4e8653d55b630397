"""Events that a user should hear of while a command runs, each in a line."""

from __future__ import annotations

from haenyeo.collect.adapters.watching.changes import (
    LayoutChanged,
    PageTrouble,
    ReadingRelearned,
    RuleBroken,
    RuleProposed,
    RuleRepaired,
    RuleRolledBack,
)
from haenyeo.collect.events import ClockSet, Event, NetworkBack, NetworkLost, PageBroke, SiteSlowed
from haenyeo.html.urls import readable


def warning_of(event: Event) -> str:  # noqa: C901, PLR0911, PLR0912 - a line for each kind of event
    """The event in words; empty for what is no matter of concern."""
    match event:
        case LayoutChanged(grade="alarm"):
            return f"new layout: {event.template}"
        case RuleRepaired():
            return f"rule {event.rule} repaired, confidence {event.confidence:.0%}"
        case RuleBroken():
            return f"rule {event.rule} is broken: {'; '.join(event.broken)}"
        case RuleProposed():
            return f"rule {event.rule} is broken, repair proposed: {'; '.join(event.broken)}"
        case RuleRolledBack():
            return f"rule {event.rule} rolled back to version {event.version}: {'; '.join(event.why)}"
        case ReadingRelearned():
            return f"{event.site} was redesigned and is learned anew"
        case PageTrouble():
            return f"no answer from {readable(event.url)}: {event.reason}"
        case SiteSlowed():
            return f"{event.site} is asked every {event.delay:.0f} s now: {event.reason}"
        case PageBroke():
            return f"{readable(event.url)} could not be read: {event.error}"
        case NetworkLost():
            return "the network is lost; waiting for it"
        case NetworkBack():
            return f"the network is back after {event.seconds:.0f} s"
        case ClockSet():
            return f"the clock was set by {event.seconds:.0f} s"
        case _:
            return ""
