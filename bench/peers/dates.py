"""The dates of pages by htmldate, and as they say them for machines.   python dates.py < {"html"} lines > dates

A line has {"htmldate", "said"}: days as YYYY-MM-DD, or empty. What is said is found by patterns of its own, so that
neither reader is compared with itself.
"""

# mypy: ignore-errors
from __future__ import annotations

import json
import re
import sys

DAY = r"((?:19|20)\d\d-[01]\d-[0-3]\d)"
SAID = (
    re.compile(rf'"datePublished"\s*:\s*"{DAY}'),
    re.compile(rf'<meta[^>]+article:published_time["\'][^>]+content=["\']{DAY}', re.IGNORECASE),
    re.compile(rf'<meta[^>]+content=["\']{DAY}[^>]*article:published_time["\']', re.IGNORECASE),
    re.compile(rf'itemprop=["\']datePublished["\'][^>]+(?:content|datetime)=["\']{DAY}', re.IGNORECASE),
)


def main():
    """Read pages, write dates."""
    from htmldate import find_date

    for line in sys.stdin:
        html = json.loads(line)["html"]
        said = next((found[1] for pattern in SAID if (found := pattern.search(html))), "")
        try:
            guess = find_date(html, original_date=True, extensive_search=False) or "" if said else ""
        except Exception:  # noqa: BLE001 - it gives up on some pages in ways of its own: no date
            guess = ""
        print(json.dumps({"htmldate": guess, "said": said}))


main()
