"""The service in numbers, for whoever collects metrics: name, help, labels and value of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from haenyeo.store.reading import CollectionReading


class Counter(NamedTuple):
    """One number; `kind` is counter (only grows) or gauge, as Prometheus calls them."""

    name: str
    help: str
    kind: str
    value: float
    labels: Mapping[str, str] = {}


def counters(store: CollectionReading) -> list[Counter]:
    """What the collection holds and what visits to it found so far; may be asked while the service works."""
    counts = store.counts()
    found = store.found_counts()
    return [
        Counter("haenyeo_pages_kept", "Pages that belong to the collection.", "gauge", counts.kept),
        Counter("haenyeo_links_found_total", "Links ever found.", "counter", counts.found),
        Counter("haenyeo_links_waiting", "Links that wait to be visited.", "gauge", store.waiting_count()),
        Counter("haenyeo_sites", "Sites with pages that were asked for.", "gauge", counts.sites),
        Counter("haenyeo_archive_bytes", "Size of the archive.", "gauge", counts.archive_bytes),
        Counter("haenyeo_database_bytes", "Size of the database.", "gauge", counts.database_bytes),
        *(
            Counter("haenyeo_visits_total", "Visits by what they found.", "counter", each.visits, {"found": each.found})
            for each in found
        ),
        *(
            Counter(
                "haenyeo_received_bytes_total",
                "Bytes received by what visits found.",
                "counter",
                each.bytes,
                {"found": each.found},
            )
            for each in found
        ),
        *(
            Counter("haenyeo_last_outcome", "Addresses by how the last visit ended.", "gauge", pages, {"outcome": name})
            for name, pages in counts.outcomes.items()
        ),
    ]


def as_prometheus(numbers: list[Counter]) -> str:
    """The numbers in the text format that Prometheus reads.

    >>> print(as_prometheus([Counter("a_total", "All.", "counter", 3, {"kind": "x"})]), end="")
    # HELP a_total All.
    # TYPE a_total counter
    a_total{kind="x"} 3
    """
    lines: list[str] = []
    told: set[str] = set()
    for number in numbers:
        if number.name not in told:
            lines += [f"# HELP {number.name} {number.help}", f"# TYPE {number.name} {number.kind}"]
            told.add(number.name)
        labels = ",".join(f'{name}="{_escaped(value)}"' for name, value in number.labels.items())
        lines.append(f"{number.name}{f'{{{labels}}}' if labels else ''} {number.value:.15g}")
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
