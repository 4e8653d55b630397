"""How far does one address travel through the code? Functions, files and changes of room of a visit, by a profiler.

    python tools/visit_path.py            the visit of one page by a crawl, a refresh and a watch round

Counted are the functions of the package that are entered from the moment the page is taken until its visit is over, in
the order in which each is entered first. A room is a folder below `haenyeo`, two levels deep within `collect`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "promises"))

from logged_web import LoggedWeb, served
from visitors import VISITORS, make, settings_of

from haenyeo.collect.collection import Collection
from haenyeo.collect.events import Event, Events, PageVisited

PACKAGE = str(Path(sys.modules["haenyeo"].__file__ or "").parent)
HOST = "reef.localhost"


class VisitPath:
    """What was entered since the last page was visited, and for the page before that."""

    def __init__(self) -> None:
        self._entered: dict[CodeType, None] = {}
        self.visits: list[list[CodeType]] = []

    def enter(self, frame: FrameType, event: str, _: object) -> None:
        """Note a function of the package that is entered."""
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            self._entered.setdefault(frame.f_code)

    def note(self, event: Event) -> None:
        """A page was visited: what comes from now on belongs to the next one."""
        if isinstance(event, PageVisited):
            self.visits.append(list(self._entered))
            self._entered.clear()


def room(code: CodeType) -> str:
    """The room in which a function lives."""
    parts = Path(code.co_filename).relative_to(PACKAGE).parts[:-1]
    return "/".join(parts[:2] if parts[:1] == ("collect",) else parts[:1])


def travelled(name: str, folder: Path) -> list[CodeType]:
    """The functions one of the visitors enters for a page in the midst of others."""
    path, events = VisitPath(), Events()
    events.listen(path.note)

    async def work() -> None:
        with Collection.open(folder) as collection:
            sys.setprofile(path.enter)
            await VISITORS[name](collection, settings_of(collection, 0.0), events)
            sys.setprofile(None)

    asyncio.run(work())
    return path.visits[3]


def main() -> None:
    """Print a line for each who visits."""
    with served(LoggedWeb()) as web, tempfile.TemporaryDirectory() as folder:
        make(Path(folder) / "c", [web.url(HOST, f"/{number}") for number in range(5)])
        door: dict[str, set[str]] = {}
        for name in ("crawl", "refresh", "watch"):
            web.version += 1
            entered = travelled(name, Path(folder) / "c")
            door[name] = {code.co_qualname for code in entered if room(code) == "collect/visit"}
            rooms = [room(code) for code in entered]
            changes = sum(one != other for one, other in pairwise(rooms))
            files = len({code.co_filename for code in entered})
            print(f"{name:8} {len(entered)} functions in {files} files, {changes} changes of room")
        shared = set.intersection(*door.values())
        print(f"of the {len(set.union(*door.values()))} functions in collect/visit all three enter {len(shared)}")


if __name__ == "__main__":
    main()
