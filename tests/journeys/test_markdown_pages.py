"""Text files in Markdown are pages: llms.txt is a seed like any other, and who offers Markdown is asked for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from named_web import LOOPBACK, NamedWeb, Reply, crawled, made, served

from haenyeo.collect.collection import Collection

HOST = "docs.reef.example"
TEXT = (("Content-Type", "text/plain; charset=utf-8"),)
MARKDOWN = (("Content-Type", "text/markdown; charset=utf-8"), ("Vary", "Accept"))
LLMS = """# Reef library

> All that divers of this reef have written.

## Guides

- [Kelp](/guides/kelp.md): how kelp grows
- [Urchins](/guides/urchins): what urchins eat
"""


def guide(name: str) -> str:
    told = " ".join(f"{name}word{place}" for place in range(60))
    return (
        f"---\ntitle: On {name}\n---\n\n# All about {name}\n\nA reef has **{name}** [here](/guides/pearls.md). {told}\n"
    )


def as_page(name: str) -> str:
    offer = '<link href="x.md" type="text/markdown" rel=alternate>'
    links = '<a href="/guides/kelp">kelp</a> <a href="/guides/pearls">pearls</a>'
    return f"<!doctype html><title>{name}</title>{offer}<body><h1>{name}</h1><p>{'A page with words. ' * 20}</p>{links}"


def answers(path: str) -> Reply:
    if path == "/llms.txt":
        return Reply(LLMS, headers=TEXT)
    name = path.removeprefix("/guides/")
    if path.endswith(".md"):
        return Reply(guide(name.removesuffix(".md")), headers=TEXT)
    return Reply(as_page(name)) if path.startswith("/guides/") else Reply("", 404)


@pytest.fixture
def web() -> Iterator[NamedWeb]:
    named = NamedWeb(HOST)
    named.hosts[HOST] = answers
    with served(named):
        yield named


def texts(folder: Path) -> dict[str, tuple[str, str]]:
    with Collection.open(folder, writing=False) as opened:
        return {page.url.rpartition("/")[2]: (page.title, page.text) for page in opened.pages()}


def test_llms_txt_leads_to_its_pages(web: NamedWeb, tmp_path: Path, haenyeo: Callable[..., object]) -> None:
    folder = made(tmp_path / "reef", web.url(HOST, "/llms.txt"))
    crawled(folder, web)
    found = texts(folder)
    assert {"llms.txt", "kelp.md", "urchins", "pearls.md"} <= found.keys()
    assert found["llms.txt"][0] == "Reef library"
    title, text = found["kelp.md"]
    assert title == "On kelp"
    assert text.startswith("All about kelp\n\nA reef has kelp here. kelpword0 ")
    haenyeo("read", "reef", "-q")
    haenyeo("rebuild", "reef", "--strategy", "bfs", "-q")
    assert texts(folder)["kelp.md"] == (title, text)


def test_a_page_in_markdown_is_exported_as_it_is_written(web: NamedWeb, tmp_path: Path) -> None:
    folder = made(tmp_path / "reef", web.url(HOST, "/llms.txt"))
    crawled(folder, web)
    with Collection.open(folder) as opened:
        opened.export("markdown", tmp_path / "out")
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "out").rglob("*.md")]
    written = next(page for page in pages if '/guides/kelp.md"' in page)
    assert "# All about kelp\n\nA reef has **kelp** [here](" in written


def test_who_offers_markdown_is_asked_for_it_if_the_settings_say_so(web: NamedWeb, tmp_path: Path) -> None:
    wishes: dict[str, list[str]] = {}

    def in_either_form(path: str) -> Reply:
        wish = next(asked.headers["accept"] for asked in reversed(web.log) if asked.path == path)
        wishes.setdefault(path, []).append(wish)
        if path.startswith("/guides/") and wish.startswith("text/markdown,"):
            return Reply(guide(path.removeprefix("/guides/")), headers=MARKDOWN)
        return answers(path)

    web.hosts[HOST] = in_either_form
    for markdown in (False, True):
        wishes.clear()
        fetch = msgspec.structs.replace(LOOPBACK, markdown=markdown)
        folder = made(tmp_path / f"reef-{markdown}", web.url(HOST, "/guides/start"), fetch=fetch)
        crawled(folder, web, fetch=fetch)
        asked = [
            any(wish.startswith("text/markdown") for wish in wishes[f"/guides/{name}"]) for name in ("start", "kelp")
        ]
        assert asked == [False, markdown]
        assert texts(folder)["kelp"][0] == ("On kelp" if markdown else "kelp")
