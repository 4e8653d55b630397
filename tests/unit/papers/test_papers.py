from __future__ import annotations

import pytest

from haenyeo.model.errors import UsageError
from haenyeo.papers import PAPERS, experiment


@pytest.mark.parametrize("number", sorted(PAPERS))
def test_every_paper_has_an_experiment(number: str) -> None:
    assert experiment(number).__module__ == f"haenyeo.papers.{PAPERS[number][0]}"


def test_a_number_without_an_experiment_is_refused() -> None:
    with pytest.raises(UsageError, match="no experiment '999'"):
        experiment("999")
