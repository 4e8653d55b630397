from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.model.pages import Block
from haenyeo.read.dates import date_in, date_in_address, seen_dates, without_date

DAY = date(2025, 3, 3)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Published on 3 March 2025",
            "Mar. 3rd, 2025 by Hana",
            "March 3, 2025",
            "2025-03-03T10:00:00",
            "Posted 2025/03/03",
        ),
        *("Veröffentlicht am 3. März 2025", "03.03.2025, 14:00 Uhr", "Montag, 3. Mrz 2025"),
        *("Publié le 3 mars 2025", "le 3 Mars 2025 à 10h", "Par Anne, 3 mars 2025"),
        *("Publicado el 3 de marzo de 2025", "3 marzo 2025", "lunes, 3 de marzo del 2025"),
        *("Pubblicato il 3 marzo 2025", "3 Mar 2025", "lunedì 3 marzo 2025"),
        *("Publicado em 3 de março de 2025", "3 mar 2025", "segunda-feira, 3 de março de 2025"),
        *("Опубликовано 3 марта 2025 г.", "3 мар 2025", "03.03.2025"),  # noqa: RUF001
        *("2025년 3월 3일", "작성일 2025.03.03", "2025. 3. 3. 오전 10:00"),
        *("2025年3月3日", "公開日: 2025/03/03", "发布于 2025-03-03"),
        *(
            "Geplaatst op 3 maart 2025",
            "3 mrt 2025",
            "Opublikowano 3 marca 2025",
            "3. března 2025",
        ),
    ],
)
def test_a_line_names_its_date_in_many_languages(line: str) -> None:
    assert date_in(line) == DAY


@pytest.mark.parametrize("line", ["03/04/2025", "Call 2025-99-99", "version 3.3.20255", "12 of 2025", "1234567890"])
def test_what_is_no_date_or_may_be_two_is_none(line: str) -> None:
    assert date_in(line) is None


def test_addresses_name_dates_by_year_month_and_day() -> None:
    assert date_in_address("https://reef.example/2025/03/03/low-tide") == DAY
    assert date_in_address("https://reef.example/2025-03-03-low-tide") == DAY
    assert date_in_address("https://reef.example/2025/03/low-tide") is None


def test_the_line_beside_the_text_counts_and_says_whether_it_was_changed() -> None:
    texts = [
        "1 May 2001",
        *["menu"] * 20,
        "Low tide",
        "3 March 2025",
        "The tide is low. " * 9,
        "Last updated: 4 March 2025",
    ]
    blocks = [Block(text, "p") for text in texts]
    kept = [len(text) > 40 or text == "Low tide" for text in texts]
    assert seen_dates(blocks, kept) == ("2025-03-03", "2025-03-04")
    assert seen_dates(blocks, kept, today=date(2020, 1, 1)) == ("", "")


@given(st.text())
def test_any_line_may_be_asked(line: str) -> None:
    date_in(line)
    date_in_address(line)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("anna, 3 March 2025", "anna, "),
        ("anna, 3.3.2025 and 28/3/2025 or 2025-03-03", "anna,  and  or "),
        ("28/3/25, room 12", "28/3/25, room 12"),
        ("no day of 2025", "no day of 2025"),
    ],
)
def test_a_line_is_known_without_its_dates(line: str, rest: str) -> None:
    assert without_date(line) == rest
