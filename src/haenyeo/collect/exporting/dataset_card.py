"""A card that says what an exported collection holds, for those who get it: counts, languages, hosts, dates, licence.

Its front matter is the one that Hugging Face reads; what only the owner can say is left to be filled in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from haenyeo.collect.exporting.formats import Row
from haenyeo.model.config import Topic

HOSTS_SHOWN = 30
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "n>1M"

Value = TypeVar("Value", datetime, str)


class DatasetCard:
    """Counts rows as they pass, and writes down what they were."""

    def __init__(self, name: str, topics: Iterable[Topic]) -> None:
        self._name = name
        self._topics = [topic.words for topic in topics if topic.words]
        self._languages, self._sites, self._notes = Counter[str](), Counter[str](), Counter[str]()
        self._fetched: list[datetime] = []
        self._published: list[str] = []
        self.pages = self.characters = 0

    def counting(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, counted."""
        for page, document in rows:
            self.pages += 1
            self.characters += len(page.text)
            self._languages[page.language or "unknown"] += 1
            self._sites[page.site] += 1
            self._notes.update([page.reason] if page.reason else [])
            self._fetched = _ends(self._fetched, page.fetched_at)
            self._published = _ends(self._published, document.published[:10] or None)
            yield page, document

    def take(self, other: DatasetCard) -> None:
        """Count what another card has counted, too."""
        self.pages += other.pages
        self.characters += other.characters
        self._languages.update(other._languages)
        self._sites.update(other._sites)
        self._notes.update(other._notes)
        for day in other._fetched:
            self._fetched = _ends(self._fetched, day)
        for date in other._published:
            self._published = _ends(self._published, date)

    def write(self, path: Path) -> None:
        """Write the card."""
        path.write_text(f"{self._front_matter()}\n{self._body()}", encoding="utf-8")

    def _front_matter(self) -> str:
        languages = [language for language, _ in self._languages.most_common() if language != "unknown"]
        size = next((name for least, name in _SIZES if self.pages < least), _LARGEST)
        lines = [
            f"pretty_name: {msgspec.json.encode(self._name).decode()}",
            'license: ""  # to be filled in: the pages belong to those who wrote them',
            f"language: {msgspec.json.encode(languages).decode()}",
            f"size_categories: {msgspec.json.encode([size]).decode()}",
        ]
        return "\n".join(["---", *lines, "---", ""])

    def _body(self) -> str:
        fetched = " to ".join(f"{day:%Y-%m-%d}" for day in self._fetched) or "unknown"
        parts = [
            f"# {self._name}",
            f"Topics: {'; '.join(self._topics) or 'none'}",
            f"{self.pages:,} pages, {self.characters:,} characters of text, {len(self._sites):,} sites.",
            f"Fetched: {fetched}. Published, as far as pages say: {' to '.join(self._published) or 'unknown'}.",
            "Licence: to be filled in.",
            _table("Language", self._languages.most_common()),
            _table("Site", self._sites.most_common(HOSTS_SHOWN)),
        ]
        if self._notes:
            parts.append(_table("Note", self._notes.most_common()))
        return "\n\n".join([*parts, "Collected with haenyeo.\n"])


def _ends(ends: list[Value], value: Value | None) -> list[Value]:
    """The least and the greatest value so far."""
    if value is None:
        return ends
    return [min(ends[0], value), max(ends[1], value)] if ends else [value, value]


def _table(heading: str, rows: Iterable[tuple[str, int]]) -> str:
    lines = [f"| {name} | {count:,} |" for name, count in rows]
    return "\n".join([f"| {heading} | Pages |", "| --- | ---: |", *lines])
