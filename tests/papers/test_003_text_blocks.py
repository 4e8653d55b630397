"""Kim and Kim (2021): frequencies of text blocks, the k-2 rule, and what it is compared with."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.paper import command
from haenyeo.model.errors import UsageError
from haenyeo.papers.texts import by_frequency, made, read_sites, score
from haenyeo.read.paper.frequency import frequency_limit
from haenyeo.read.paper.labeller import SequenceLabeller
from haenyeo.read.paper.nodes import all_nodes

TIDE = "On day {} the tide came late, and the divers brought {} shells up."


def html_of(number: int, menu: str = "Home") -> str:
    lines = "".join(f"<p>{TIDE.format(number, line)}</p>" for line in range(20, 23))
    return (
        f"<body><div class=menu>{menu}</div><div>Tides</div>{lines}<div>Tides</div><div>{menu}</div><div>{menu}</div>"
    )


def gold_of(number: int) -> str:
    return "\n".join(TIDE.format(number, line) for line in range(20, 23))


def test_blocks_of_the_two_highest_ranks_are_boilerplate() -> None:
    assert frequency_limit({1, 2, 15, 100}) == 2
    assert frequency_limit({1, 9}) == 0


def test_a_site_with_two_kinds_of_boilerplate_is_read_well() -> None:
    pages = [made(f"https://reef.example/{number}", html_of(number), gold_of(number)) for number in range(12)]
    assert min(score(pages, by_frequency(pages))) == pytest.approx(1.0)


def test_one_page_does_not_show_what_is_rare() -> None:
    pages = [made("https://reef.example/1", html_of(1, "Tides"), gold_of(1))]
    assert by_frequency(pages) == [[False] * 8]


def test_a_labeller_learns_from_tags_and_words() -> None:
    pages = [(nodes := all_nodes(html_of(n)), [node.text.startswith("On day") for node in nodes]) for n in range(8)]
    labeller = SequenceLabeller(size=1 << 12)
    labeller.fit(pages)
    nodes = all_nodes(html_of(50))
    assert labeller.label(nodes) == [node.text.startswith("On day") for node in nodes]
    assert labeller.label([]) == []


@pytest.mark.slow
def test_the_comparison_is_repeated_on_given_pages(tmp_path: Path) -> None:
    lines = [
        json.dumps({"site": "reef", "url": f"https://reef.example/{n}", "html": html_of(n), "gold": gold_of(n)})
        for n in range(12)
    ]
    data = tmp_path / "pages.jsonl.gz"
    data.write_bytes(gzip.compress("\n".join(lines).encode()))
    outcome = CliRunner().invoke(command, ["003", "--data", str(data), "--out", str(tmp_path), "--json"])
    assert outcome.exit_code == 0, outcome.output
    report = json.loads(outcome.stdout)
    methods = {row[0]: row[3] for row in report["tables"][0]["rows"]}
    assert set(methods) == {"frequency", "density", "labeller", "container"}
    assert methods["frequency"] == methods["labeller"] == pytest.approx(1.0)
    assert Path(report["figures"][0]).read_text(encoding="utf-8").startswith("<svg")


def test_lines_that_are_no_pages_are_named(tmp_path: Path) -> None:
    data = tmp_path / "pages.jsonl"
    data.write_text("[]\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        read_sites(data)
