"""The archive in another storage: finished files go there, verified, and are read there by all that reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest
from test_import import line_of, made

from haenyeo.cluster.resharding.reshard import reshard
from haenyeo.collect.collection import Collection
from haenyeo.collect.exporting.moving import move_finished, write_elsewhere
from haenyeo.collect.exporting.whole import ExportWish
from haenyeo.model.config import StorageSettings
from haenyeo.model.errors import StoreError, UsageError
from haenyeo.store import archive as archive_files
from haenyeo.store.elsewhere import move, moving, part_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection whose archive has several finished files."""
    monkeypatch.setattr(archive_files, "FULL_FILE", 4_000)
    (tmp_path / "pages.jsonl").write_text("\n".join(map(line_of, "abcdefghijklmnop")), "utf-8")
    place = made(tmp_path / "reef")
    with Collection.open(place) as opened:
        assert opened.import_([tmp_path / "pages.jsonl"]).pages == 16
    return place


def bodies(folder: Path) -> dict[str, bytes]:
    with Collection.open(folder, writing=False) as opened:
        return {
            str(page.url): opened.store.payload(list(opened.store.visits(page.url))[-1]).body for page in opened.pages()
        }


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_finished_files_go_and_what_they_hold_is_read_there(folder: Path, tmp_path: Path, kind: str) -> None:
    address = "memory://bucket/reef" if kind == "memory" else f"file://{tmp_path}/far/reef"
    before, files = bodies(folder), sorted((folder / "archive").glob("*.warc.gz"))
    assert len(files) > 3
    gone = move_finished(folder, StorageSettings(archive=address))
    left = sorted((folder / "archive").glob("*.warc.gz"))
    assert left == files[-1:], "only the file that is still written is here"
    assert gone == [f"{address}/{path.name}" for path in files[:-1]]
    assert bodies(folder) == before
    with Collection.open(folder) as opened:
        opened.export("wacz", tmp_path / "reef.wacz")
        again = opened.import_([tmp_path / "reef.wacz"])
    assert (again.pages, again.known) == (0, 16)
    assert move_finished(folder, StorageSettings(archive=address)) == []


def test_the_database_is_made_anew_from_there(folder: Path, tmp_path: Path, haenyeo: Callable[..., object]) -> None:
    before = bodies(folder)
    move_finished(folder, StorageSettings(archive=f"file://{tmp_path}/far"))
    (folder / "haenyeo.db").unlink()
    haenyeo("rebuild", "reef", "-q")
    assert bodies(folder) == before


def test_files_of_shards_go_into_folders_of_their_own(folder: Path) -> None:
    before = bodies(folder)
    reshard(folder, 2)
    gone = move_finished(folder, StorageSettings(archive="memory://shards"))
    assert {address.rpartition("/")[0] for address in gone} <= {f"memory://shards/shards/000{n}" for n in range(2)}
    assert len(gone) == len(set(gone)) > 1
    assert bodies(folder) == before


def test_files_may_stay_here_as_well(folder: Path) -> None:
    storage = StorageSettings(archive="memory://both", keep=True)
    files = sorted((folder / "archive").glob("*.warc.gz"))
    assert len(move_finished(folder, storage)) == len(files) - 1
    assert sorted((folder / "archive").glob("*.warc.gz")) == files
    assert move_finished(folder, storage) == []
    assert len(move_finished(folder, StorageSettings(archive="memory://both"))) == len(files) - 1, "now they may go"


def test_a_file_stays_if_what_arrived_is_not_what_was_sent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = min((folder / "archive").glob("*.warc.gz"))
    content = path.read_bytes()
    system = fsspec.filesystem("memory")

    def lose_a_byte(source: str, place: str) -> None:
        system.pipe_file(place, Path(source).read_bytes()[:-1])

    monkeypatch.setattr(type(system), "put_file", lambda _, source, place: lose_a_byte(source, place))
    with pytest.raises(StoreError, match="not what was sent"):
        move(path, "memory://lossy")
    assert path.read_bytes() == content
    monkeypatch.undo()
    move(path, "memory://lossy")
    assert not path.exists()
    assert part_of(path, 5, 20) == content[5:25]


def test_a_move_that_was_cut_off_is_done_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = min((folder / "archive").glob("*.warc.gz"))
    content = path.read_bytes()

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(moving, "_write_note", die)
    with pytest.raises(KeyboardInterrupt):
        move(path, "memory://cut")
    assert path.read_bytes() == content, "without a note the file is what counts"
    monkeypatch.undo()
    assert move(path, "memory://cut").length == len(content)
    assert not path.exists()


def test_exports_go_to_any_address(folder: Path) -> None:
    with Collection.open(folder, writing=False) as opened:
        done = write_elsewhere(opened.store, opened.settings, ExportWish(kind="jsonl"), "memory://out/reef.jsonl")
        many = write_elsewhere(opened.store, opened.settings, ExportWish(kind="markdown"), "memory://out/texts")
    system = fsspec.filesystem("memory")
    assert (done.count, done.out, done.card) == (16, "memory://out/reef.jsonl", "memory://out/reef.jsonl.card.md")
    assert len(system.cat_file("/out/reef.jsonl").splitlines()) == 16
    assert many.count == 16
    assert len([name for name in system.find("/out/texts") if name.endswith(".md")]) == 16


def test_an_address_without_its_library_is_explained(folder: Path) -> None:
    with pytest.raises(UsageError, match="names no storage"):
        move_finished(folder, StorageSettings(archive="nowhere://bucket"))


def test_a_crawl_moves_what_it_finished(
    tmp_path: Path, folder: Path, haenyeo: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAENYEO_STORAGE__ARCHIVE", f"file://{tmp_path}/far")
    haenyeo("add", "reef", "http://127.0.0.1:9/", "-q")
    told = haenyeo("crawl", "reef", "--pages", "1", code=1)
    assert f"files of the archive are at file://{tmp_path}/far now" in told.stdout  # type: ignore[attr-defined]
    assert len(list((folder / "archive").glob("*.warc.gz"))) == 1
    haenyeo("export", "reef", "--to", "csv", "--out", f"file://{tmp_path}/far/reef.csv")
    assert (tmp_path / "far" / "reef.csv").exists()
