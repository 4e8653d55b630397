from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.extract import extract_site
from haenyeo.read.listings import without_line_numbers

CODE = ["int main() {", "  int tides = 2;", "", "  return tides;", "}", "// 42 divers"]


@pytest.mark.parametrize("first", [1, 7, 98])
@pytest.mark.parametrize("form", ["{}{}", "{:>4}{}", "{} {}"])
def test_numbers_of_lines_are_cut_off(first: int, form: str) -> None:
    written = "\n".join(form.format(number, line) for number, line in enumerate(CODE, first))
    expected = [" " + line if form == "{} {}" else line for line in CODE]
    assert without_line_numbers(written) == "\n".join(expected)


@pytest.mark.parametrize("lines", [["1. Dive", "2. Rest"] * 3, ["1 a", "2 b", "4 c", "5 d", "6 e"], ["1", "2", "3"]])
def test_lists_and_numbers_that_do_not_count_on_stay(lines: list[str]) -> None:
    assert without_line_numbers("\n".join(lines)) == "\n".join(lines)


@given(st.text(alphabet="12345 \na.", max_size=60))
def test_what_is_cut_is_at_most_numbers_and_blanks(code: str) -> None:
    assert without_line_numbers(code).replace("\n", "").strip() in code.replace("\n", "") or len(
        without_line_numbers(code)
    ) < len(code)


def test_texts_and_markdown_have_code_without_the_numbers_of_its_lines() -> None:
    lines = "".join(f"<span class=ln>{number}</span><span>{line}\n</span>" for number, line in enumerate(CODE, 1))
    words = "<p>The divers wrote down how the tides came and went, and how many of them there were that day.</p>"
    document = extract_site([("https://a.example/", f"<article>{words}<pre>{lines}</pre>{words}{words}</article>")])[0]
    assert "int main() {\n  int tides = 2;" in document.text
    assert "int main() {\n  int tides = 2;" in document.markdown
    assert "1int" not in document.text + document.markdown
