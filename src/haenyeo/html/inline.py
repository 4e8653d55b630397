"""What a reader sees of inline elements: which stand apart though no blank parts them, and which are not shown."""

from __future__ import annotations

import re
from typing import Any

APART = frozenset({"a", "button", "label", "small", "span", "time"})
"""Elements that stand inline, but that browsers are often told to show apart from others beside them."""

_DRAWN_BEHIND = "katex-mathml"  # the class of an element with a formula that is shown once more behind it
_RUNS_ON = re.compile(r"[A-Za-z0-9)%][0-9$\u00a3\u00a5\u20ac\u20a9\u20b9]|[a-z0-9)%][A-Z]")
_LINKS_RUN_ON = re.compile(r"[A-Za-z0-9][A-Za-z]")


def runs_on(border: str, *, between_links: bool) -> bool:
    """Whether two words would become one: `border` is the last character of the first and the first of the second.

    Parts of one word stand in elements of their own too, so two letters count only between links, or where a capital
    follows.

    >>> runs_on("12", between_links=False), runs_on("oR", between_links=False), runs_on("ab", between_links=False)
    (True, True, False)
    """
    return bool(_RUNS_ON.match(border) or (between_links and _LINKS_RUN_ON.match(border)))


def is_drawn_behind(formula: Any) -> bool:
    """Whether a formula of the tree is for machines alone, because the page shows it once more behind it (KaTeX)."""
    around = formula.parent
    return around.tag == "span" and _DRAWN_BEHIND in (around.attributes.get("class") or "").lower()
