from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.app import haenyeo, run


def test_new_makes_a_collection_and_says_what_is_next(tmp_path: Path) -> None:
    listed = tmp_path / "seeds.txt"
    listed.write_text("# good ones\nhttps://a.example/\n\nhttps://b.example/\n", encoding="utf-8")
    place = tmp_path / "reefs"
    result = CliRunner().invoke(haenyeo, ["new", str(place), "--topic", "coral reefs", "--seed", f"@{listed}"])
    assert result.exit_code == 0
    assert f"haenyeo crawl {place}" in result.output
    assert "https://b.example/" in (place / "haenyeo.toml").read_text(encoding="utf-8")


def test_a_saved_page_is_copied_into_the_collection(tmp_path: Path) -> None:
    page = tmp_path / "liked.html"
    page.write_text("<p>reef</p>", encoding="utf-8")
    place = tmp_path / "reefs"
    made = ["new", str(place), "--topic", "reefs", "--seed", "https://a.example/", "--like", str(page), "--json"]
    result = CliRunner().invoke(haenyeo, made)
    assert json.loads(result.output)["like"] == 1
    assert (place / "examples" / "000-liked.html").read_text(encoding="utf-8") == "<p>reef</p>"


def test_a_second_collection_in_the_same_place_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = ["new", str(tmp_path / "reefs"), "--topic", "reefs", "--seed", "https://a.example/"]
    assert run(made) == 0
    assert run(made) == 1
    assert "already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "reefs URL, or with a source of seeds"),
        (("--search", "http://127.0.0.1:8888"), "will ask http://127.0.0.1:8888 where to start"),
    ],
)
def test_a_collection_without_seeds_says_where_it_will_start(
    tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    made = CliRunner().invoke(haenyeo, ["new", str(tmp_path / "reefs"), "--topic", "reefs", *options])
    assert words in made.output


def test_a_seed_outside_of_the_hosts_is_refused_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [
        "new",
        str(tmp_path / "reefs"),
        "--topic",
        "reefs",
        "--seed",
        "https://b.example/x",
        "--host",
        "*.a.example",
    ]
    assert run(made) == 2
    said = capsys.readouterr().err
    assert "https://b.example/x" in said
    assert "--host 'b.example'" in said
    assert not (tmp_path / "reefs").exists()


def test_a_host_may_be_the_seeds_own_with_all_below_it(tmp_path: Path) -> None:
    made = ["new", str(tmp_path / "reefs"), "--topic", "reefs", "--seed", "https://a.example/", "--host", "*.a.example"]
    assert run(made) == 0
