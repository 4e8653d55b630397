"""The promises of watchers, and the one that the paper's pseudocode breaks: it has no pattern of a long list."""

from __future__ import annotations

import pytest

from haenyeo.promises.watchers import WatcherPromises
from haenyeo.watch.compare import Watcher
from haenyeo.watch.vilo_printed import ViloPrinted


@pytest.fixture(scope="module")
def part() -> type[Watcher]:
    return ViloPrinted


class TestThePrintedWatcher(WatcherPromises):
    def test_a_list_that_became_another_one_is_told_of(self, part: type[Watcher]) -> None:
        with pytest.raises(AssertionError):
            super().test_a_list_that_became_another_one_is_told_of(part)
