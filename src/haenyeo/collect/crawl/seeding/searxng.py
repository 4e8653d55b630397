"""Seeds out of a SearXNG, a search engine one runs oneself: what it finds for the topic's words."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import msgspec

from haenyeo.html.urls import canonical
from haenyeo.model.config import SeedSettings
from haenyeo.model.errors import SeedError
from haenyeo.model.pages import Url
from haenyeo.model.parts import Ask, SeedsWanted
from haenyeo.model.visits import Answer, Outcome

_MOST_PAGES = 10  # of results asked for


class _Result(msgspec.Struct, frozen=True):
    url: str = ""


class _Results(msgspec.Struct, frozen=True):
    results: list[_Result] = []


class SearxNG:
    """Asks the SearXNG at `[seeds] searxng` page by page, until there are enough results or no new ones."""

    def __init__(self, *, settings: SeedSettings) -> None:
        self.settings = settings

    async def seeds(self, wanted: SeedsWanted, ask: Ask) -> Sequence[Url]:
        """The addresses found for the topic's words, best first."""
        if not self.settings.searxng or not wanted.words:
            return []
        found: dict[Url, None] = {}
        for page in range(1, _MOST_PAGES + 1):
            answer = await ask(self._question(wanted.words, page))
            if found and answer.outcome is not Outcome.PAGE:
                break
            before = len(found)
            found.update(dict.fromkeys(self._addresses(answer)))
            if len(found) >= wanted.most or len(found) == before:
                break
        return list(found)[: wanted.most]

    def _question(self, words: str, page: int) -> Url:
        query = urlencode({"q": words, "format": "json", "pageno": page})
        address = canonical(f"{self.settings.searxng.rstrip('/')}/search?{query}")
        if address is None:
            raise SeedError(f"{self.settings.searxng!r} is not an http or https address")
        return address

    def _addresses(self, answer: Answer) -> list[Url]:
        if answer.outcome is not Outcome.PAGE:
            raise SeedError(
                f"SearXNG at {self.settings.searxng} gave no results: {answer.reason or answer.outcome}",
                advice="check its address, and that its settings.yml has json among search.formats",
            )
        try:
            results = msgspec.json.decode(answer.body, type=_Results).results
        except (msgspec.DecodeError, RecursionError) as error:
            raise SeedError(
                f"SearXNG at {self.settings.searxng} did not answer in JSON: {error}",
                advice="add json to search.formats in its settings.yml",
            ) from error
        return [address for result in results if (address := canonical(result.url))]
