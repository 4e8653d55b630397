"""The recipes whose libraries are large, and the archive in an object store: run by `make recipes`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_recipes import CHUNKS, Recipe, recipe
from test_storage import bodies, folder

from haenyeo.collect.collection import Collection
from haenyeo.collect.exporting.moving import move_finished, write_elsewhere
from haenyeo.collect.exporting.whole import ExportWish
from haenyeo.model.config import StorageSettings

__all__ = ["folder", "recipe"]
pytestmark = pytest.mark.filterwarnings("default")


def test_llama_index_has_a_node_for_each_chunk(recipe: Recipe) -> None:
    nodes = recipe("llama-index")
    assert len({node.node_id for node in nodes}) == CHUNKS
    assert nodes[0].source_node.node_id.startswith("http://a.example/")


def test_datasets_reads_the_chunks(recipe: Recipe) -> None:
    assert {"id", "url", "text", "headings"} <= set(recipe("datasets").column_names)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty bucket of a server that speaks S3."""
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {"ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "secret", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    s3fs.S3FileSystem(skip_instance_cache=True).mkdir("reefs")
    yield "s3://reefs"
    server.stop()


def test_an_object_store_has_the_archive_and_the_exports(folder: Path, bucket: str) -> None:
    before = bodies(folder)
    assert len(move_finished(folder, StorageSettings(archive=f"{bucket}/archive"))) > 2
    assert len(list((folder / "archive").glob("*.warc.gz"))) == 1
    assert bodies(folder) == before
    with Collection.open(folder, writing=False) as opened:
        done = write_elsewhere(opened.store, opened.settings, ExportWish(kind="wacz"), f"{bucket}/reef.wacz")
    assert done.count == len(before)
