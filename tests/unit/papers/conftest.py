"""A web of a dozen pages, as the experiments about links take it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ABOUT = {"whale": "whale ocean krill", "train": "train rail station"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pages w0.. about whales and t0.. about trains; the hub links to all, every page to the next of its kind."""
    pages = {"hub": "".join(f'<p>{ABOUT[k]} <a href="{k}{n}">{k}</a></p>' for k in ABOUT for n in range(6))}
    for kind, words in ABOUT.items():
        for number in range(6):
            link = f'<p>{words} <a href="{kind}{(number + 1) % 6}">{kind}</a></p>'
            pages[f"{kind}{number}"] = f"<p>{words} {words}</p>{link}"
    lines = [json.dumps({"url": f"http://a.example/{name}", "html": html}) for name, html in pages.items()]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    topic = {
        "keywords": "whale ocean",
        "seed_urls": ["http://a.example/hub"],
        "example_urls": ["http://a.example/whale0", "http://a.example/whale1"],
        "background_urls": ["http://a.example/train0", "http://a.example/train1"],
        "relevant_urls": [f"http://a.example/whale{number}" for number in range(6)],
    }
    (tmp_path / "topics.json").write_text(json.dumps({"whales": topic}), encoding="utf-8")
    return tmp_path
