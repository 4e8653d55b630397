"""What does every part of a kind promise? Suites of tests for each socket, to be run on parts of one's own.

A suite is a class of pytest tests. They ask a fixture `part` for the part's class, so a plug-in is tested like this:

    import pytest
    from haenyeo.promises.scorers import LinkScorerPromises
    from my_package import ShortFirst

    @pytest.fixture(scope="module")
    def part():
        return ShortFirst

    class TestShortFirst(LinkScorerPromises):
        pass

pytest and hypothesis are needed; the extra `promises` installs them.
"""

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{suite}" for suite in ("scorers", "extractors", "watchers", "planners", "seeds"))
)
