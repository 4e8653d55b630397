"""Kim and Kim (2021): frequencies of text blocks, the k-2 rule, and what it is compared with."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from haenyeo.cli.extract import command as extract
from haenyeo.cli.paper import command
from haenyeo.model.errors import UsageError
from haenyeo.papers.text_pages import made, read_sites, stand_in
from haenyeo.papers.texts import PRINTED, PRINTED_SCORES, by_frequency, rank_accuracies, score
from haenyeo.read.paper.frequency import counts_of, frequency_limit
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


def test_section_iii_ten_blocks_of_the_same_text_have_frequency_10() -> None:
    pages = [
        all_nodes("<p>Add your own favourites</p><p>My vaccine diary</p>"),
        *[all_nodes("<p>Add your own favourites")] * 9,
    ]
    assert counts_of(pages) == {"Add your own favourites": 10, "My vaccine diary": 1}


def test_section_iii_frequencies_1_15_100_have_the_ranks_1_2_3() -> None:
    assert frequency_limit({100, 1, 15}) == 1, "k-2 is rank 1"
    assert [frequency_limit({100, 1, 15}, top_ranks=top) for top in (0, 1, 3)] == [100, 15, 0]


def test_section_4_5_of_23_frequencies_the_21st_is_the_limit() -> None:
    frequencies = {*range(1, 21), 95, 1990, 2000}
    assert len(frequencies) == 23
    assert frequency_limit(frequencies) == 95


@pytest.mark.parametrize("method", PRINTED)
def test_table_5_follows_from_tables_2_to_4(method: str) -> None:
    assert PRINTED[method][1].scores == pytest.approx(PRINTED_SCORES[method], abs=0.0006)
    assert PRINTED[method][1].kept + PRINTED[method][1].missed == 46_709, "and not 46,079, as section 4.1 has it"
    assert sum(PRINTED[method][1]) == 84_061


def test_figure_5_accuracy_falls_behind_rank_k_minus_2() -> None:
    pages = [made(f"https://reef.example/{number}", html_of(number), gold_of(number)) for number in range(12)]
    accuracies = [round(accuracy, 3) for _, accuracy in rank_accuracies(pages)]
    assert accuracies == [1.0, 0.75, 0.375], "three frequencies: the sentences, 24 times Tides, 36 times Home"


def test_short_blocks_stand_in_the_true_text_only_where_it_has_them() -> None:
    gold = "The tide came late on that day, says the harbour. It went out again before noon."
    blocks = ["noon", ".", "The tide came late on that day, says", "the harbour", ".", "It went out again before noon."]
    assert stand_in([*blocks, ".", "tide"], gold) == [False, False, True, True, True, True, False, False]


def test_one_page_is_told_why_it_has_no_text(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(html_of(1, "Tides"), encoding="utf-8")
    told = CliRunner().invoke(extract, ["--method", "frequency", str(page)])
    assert (told.exit_code, told.stdout.strip()) == (0, "")
    assert "different frequencies" in told.stderr
    assert "more pages of one site" in told.stderr
    assert CliRunner().invoke(extract, ["--method", "frequency", "-q", str(page)]).stderr == ""


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
    methods = {row[0]: row[6] for row in report["tables"][1]["rows"]}
    assert [row[:2] for row in report["tables"][0]["rows"]][:2] == [
        ["density", "table 2, printed"],
        ["density", "here"],
    ]
    assert set(methods) == {"frequency", "density", "labeller", "container"}
    assert methods["frequency"] == methods["labeller"] == pytest.approx(1.0)
    assert Path(report["figures"][0]).read_text(encoding="utf-8").startswith("<svg")


def test_lines_that_are_no_pages_are_named(tmp_path: Path) -> None:
    data = tmp_path / "pages.jsonl"
    data.write_text("[]\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        read_sites(data)
