from __future__ import annotations

import json
from pathlib import Path

import pytest

from haenyeo.model.errors import UsageError
from haenyeo.papers.text_pages import FEWEST, MOST, first_pages, made, read_sites
from haenyeo.papers.texts import score


def line(number: int, **more: object) -> str:
    return json.dumps(
        {
            "site": "reef",
            "url": f"https://reef.example/{number}",
            "html": f"<p>Text {number}",
            "gold": f"Text {number}",
            **more,
        }
    )


def test_blocks_are_right_if_they_stand_in_the_true_text() -> None:
    page = made("https://reef.example/1", "<nav>Home</nav><p>The  tide\n came</p><p>late</p>", "The tide came\nlate")
    assert [(node.text, right) for node, right in zip(page.nodes, page.is_text, strict=True)] == [
        ("Home", False),
        ("The tide came", True),
        ("late", True),
    ]


def test_pages_without_a_true_text_and_single_ones_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    lines = [line(number) for number in range(MOST + 5)] + [line(98, gold=""), line(99, set="single")]
    path.write_text("\n".join(lines), encoding="utf-8")
    [pages] = read_sites(path).values()
    assert len(pages) == MOST + 5
    assert len(first_pages({"reef": pages})["reef"]) == MOST


def test_a_site_with_few_pages_is_not_enough(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(line(number) for number in range(FEWEST - 1)), encoding="utf-8")
    with pytest.raises(UsageError, match="no site with"):
        read_sites(path)


@pytest.mark.parametrize("bad", ["{", "[]", '{"gold": "x"}', "7"])
def test_a_line_that_is_no_page_is_named(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(f"{line(1)}\n{bad}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 2"):
        read_sites(path)


def test_precision_and_recall_are_of_blocks() -> None:
    page = made("https://reef.example/1", "<nav>Home</nav><p>one</p><p>two</p>", "one\ntwo")
    assert score([page], [[False, True, True]]) == (1.0, 1.0, 1.0)
    precision, recall, _ = score([page], [[True, True, False]])
    assert (precision, recall) == (0.5, 0.5)
