"""The sites of the demo web as they are written down in `sites.toml`."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Literal

import msgspec

Kind = Literal["news", "blog", "shop", "docs", "wiki", "forum", "home", "hub", "farm"]
Grade = Literal["small", "names", "full"]


class SiteSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One site; the head of `sites.toml` says what the fields mean."""

    host: str
    name: str
    kind: Kind
    topics: dict[str, float]
    items: int
    per_week: int
    addresses: Literal["dated", "section", "board", "wiki", "docs", "shop", "tilde"]
    markup: Literal["semantic", "soup", "tables"]
    naming: Literal["kebab", "bem", "snake", "camel", "hashed", "terse", "none"]
    traits: frozenset[str]
    validators: Literal["both", "etag", "modified", "none"]
    language: Literal["en", "ko"] = "en"
    profile: Literal["office", "evening", "flat"] = "flat"
    noise: int = 0
    redesigns: tuple[tuple[float, Grade], ...] = ()
    outage: tuple[float, float, Literal["503", "dropped"]] | None = None
    latency: float = 0.0

    def has(self, trait: str) -> bool:
        """Whether the site has this trait."""
        return trait in self.traits

    @property
    def charset(self) -> str:
        """The encoding of its pages."""
        return "euc-kr" if self.has("euc-kr") else "utf-8"


@functools.cache
def site_specs() -> tuple[SiteSpec, ...]:
    """All sites, in the order of the file."""
    data = tomllib.loads(resources.files(__package__).joinpath("sites.toml").read_text(encoding="utf-8"))
    return msgspec.convert(data["site"], tuple[SiteSpec, ...])
