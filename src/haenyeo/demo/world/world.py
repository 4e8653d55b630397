"""All sites together, and how they link to each other."""

from __future__ import annotations

from typing import NamedTuple

from haenyeo.demo.chance import Chance
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.site import Site
from haenyeo.demo.world.spec import site_specs

_SAME_TOPIC, _SAME_FAMILY = 0.7, 0.1
_BROKEN = 0.04
_LINKED_KINDS = {"article", "product", "doc", "entry", "thread"}


class WrittenLink(NamedTuple):
    """A link as it is written: its words and where it leads."""

    words: str
    href: str


class World:
    """Every site of the demo web; `port` becomes part of the links between sites once they are served."""

    def __init__(self, seed: int, port: int = 0) -> None:
        self.seed, self.port = seed, port
        self.sites = {spec.host: Site(seed, spec) for spec in site_specs()}
        self._by_topic: dict[str, list[Item]] = {}
        self._families: dict[str, list[Item]] = {}
        self._off_topic: list[Item] = []
        for site in self.sites.values():
            for item in site.items[: site.spec.items]:
                self._register(item)

    def _register(self, item: Item) -> None:
        if item.members or item.born > 0:
            return
        if item.kind == "ad":
            self._off_topic.append(item)
        elif item.kind in _LINKED_KINDS:
            self._by_topic.setdefault(item.topic, []).append(item)
            self._families.setdefault(item.words.subjects[item.topic].family, []).append(item)

    def origin(self, host: str) -> str:
        """Where a site is reached, such as http://tidewatch.localhost:8000."""
        return f"http://{host}.localhost:{self.port}" if self.port else f"http://{host}.localhost"

    def url(self, item: Item) -> str:
        """The address an item had first; links to it keep it even when the item moves."""
        return self.origin(item.spec.host) + item.path

    def elsewhere(self, item: Item, count: int, chance: Chance) -> list[WrittenLink]:
        """Links from an item to other sites: mostly on its topic, some not, a few broken."""
        if item.kind == "ad":
            return [WrittenLink(found.title, self.url(found)) for found in chance.some(self._off_topic, count)]
        return [self._link(item, chance) for _ in range(count)]

    def _link(self, item: Item, chance: Chance) -> WrittenLink:
        target = self._target(item, chance)
        while target.spec.host == item.spec.host:
            target = self._target(item, chance)
        if chance.happens(_BROKEN):
            return WrittenLink(target.title, f"{self.origin(target.spec.host)}/missing/{target.number}.html")
        return WrittenLink(target.title, self.url(target))

    def _target(self, item: Item, chance: Chance) -> Item:
        draw = chance.random()
        family = item.words.subjects[item.topic].family
        if draw < _SAME_TOPIC and item.topic in self._by_topic:
            return chance.pick(self._by_topic[item.topic])
        if draw < _SAME_TOPIC + _SAME_FAMILY and family in self._families:
            return chance.pick(self._families[family])
        return self._anything(chance)

    def _anything(self, chance: Chance) -> Item:
        return chance.pick(self._by_topic[chance.pick(tuple(self._by_topic))])

    def collection(self, item: Item, count: int) -> list[tuple[Item, WrittenLink]]:
        """What a hub's item lists: things of every topic, most in the hub's language, some behind a redirect."""
        chance = Chance(*item.key, "collection")
        topics = [topic for topic in self._by_topic if topic in item.words.subjects]
        chosen: dict[str, tuple[Item, WrittenLink]] = {}
        while len(chosen) < count:
            target = chance.pick(self._by_topic[chance.pick(topics)]) if chance.happens(0.9) else self._anything(chance)
            through = f"/out/{target.spec.host}/{target.number}" if chance.happens(0.2) else self.url(target)
            chosen.setdefault(target.title, (target, WrittenLink(target.title, through)))
        return list(chosen.values())

    def advertisements(self, host: str, hour: int) -> list[WrittenLink]:
        """What is advertised on a site at the time: a few pages of the link farms."""
        return [
            WrittenLink(item.title, self.url(item))
            for item in Chance(self.seed, host, "ads", hour).some(self._off_topic, 3)
        ]

    def fronts(self) -> list[WrittenLink]:
        """The front pages of all sites but the link farms."""
        worthy = [(host, site.spec.name) for host, site in self.sites.items() if site.spec.kind != "farm"]
        return [WrittenLink(name, self.origin(host) + "/") for host, name in worthy]
