from __future__ import annotations

from haenyeo.store import Store


def test_the_cache_of_a_connection_can_be_made_smaller(store: Store) -> None:
    store.limit_cache(512)
    assert store._connection.execute("PRAGMA cache_size").fetchone() == (-512,)
