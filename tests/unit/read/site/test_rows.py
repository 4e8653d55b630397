"""A label is text where what it labels is."""

from __future__ import annotations

from haenyeo.model.pages import Block
from haenyeo.read.extract import extract_site
from haenyeo.read.site.rows import row_labels

WORDS = ("tide", "shell", "winter", "boat", "island", "breath", "water", "stone", "basket", "rope", "kelp", "urchin")
ROW = "div>table.facts>tr"


def blocks(*paths: str) -> list[Block]:
    return [Block(text=path, path=path) for path in paths]


def test_the_label_of_a_kept_cell_is_found() -> None:
    assert row_labels(blocks(f"{ROW}>th>a", f"{ROW}>td", "dl>dt", "dl>dd>p"), [1, 3]) == [0, 2]


def test_other_tables_other_cells_and_texts_are_no_labels() -> None:
    assert row_labels(blocks("table>tr>th", f"{ROW}>td"), [1]) == []
    assert row_labels(blocks(f"{ROW}>td", f"{ROW}>td"), [1]) == []
    assert row_labels(blocks("dl>dt", "p"), [1]) == []
    assert row_labels(blocks("dl>dt", "dl>dd>table>tr>td"), [1]) == []
    assert row_labels(blocks("p"), [0]) == []


def test_what_is_kept_is_not_named_again() -> None:
    assert row_labels(blocks("dl>dt", "dl>dd"), [0, 1]) == []


def module(number: int) -> str:
    """A page of a manual: facts with their labels, as only some pages have, and a text."""
    text = "".join(f"<p>{' '.join(WORDS[(number * 5 + part * 3 + at) % 12] for at in range(40))}." for part in range(5))
    own = f"{WORDS[number % 12]}_{number}"
    facts = (("Description:", f"Holds the {own} of divers"), ("Source File:", f"{own}.c"))
    rows = "".join(f"<tr><th><a href=/dict>{label}</a></th><td>{value}</td></tr>" for label, value in facts)
    menu = "<nav><a href=/>Start of the manual</a> <a href=/x>Index of it</a></nav>"
    return f"<title>{own}</title>{menu}<main><h1>{own}</h1><table class=facts>{rows}</table>{text}</main>"


def test_labels_that_every_page_has_stay_with_their_values() -> None:
    documents = extract_site([(f"http://manual.example/{number}", module(number)) for number in range(20)])
    assert all("Description:\nHolds" in document.text for document in documents)
    assert all("Source File:" in document.text for document in documents)
