"""Seeds out of a file: one address a line; empty lines and those that begin with # are passed over."""

from __future__ import annotations

from collections.abc import Sequence

from haenyeo.html.urls import canonical
from haenyeo.model.config import SeedSettings
from haenyeo.model.errors import SeedError
from haenyeo.model.pages import Url
from haenyeo.model.parts import Ask, SeedsWanted


class ListedSeeds:
    """Reads `[seeds] file`, a path within the collection's folder."""

    def __init__(self, *, settings: SeedSettings) -> None:
        self.settings = settings

    async def seeds(self, wanted: SeedsWanted, ask: Ask) -> Sequence[Url]:
        """All addresses of the file; it is the user's own list, so there is no limit."""
        del ask
        if not self.settings.file:
            return []
        path = wanted.folder / self.settings.file
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise SeedError(f"seeds cannot be read from {path}: {error}") from error
        said = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
        addresses = {line: canonical(line) for line in said}
        bad = next((line for line, address in addresses.items() if address is None), None)
        if bad is not None:
            raise SeedError(f"{path}: {bad!r} is not an http or https address", advice="correct or remove the line")
        return [address for address in addresses.values() if address]
