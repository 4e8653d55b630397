"""Pages as tables for programs that reckon with them: a stream of Arrow record batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from haenyeo.collect.exporting.formats import Row, arrow_schema, arrow_table


def arrow_batches(rows: Iterable[Row], size: int) -> Any:
    """A reader of record batches with `size` rows each; raises `UsageError` where pyarrow is not installed."""
    schema = arrow_schema()
    import pyarrow as pa

    def batches() -> Iterator[Any]:
        waiting = iter(rows)
        while group := list(islice(waiting, size)):
            yield from arrow_table(group, schema).to_batches()

    return pa.RecordBatchReader.from_batches(schema, batches())
