"""Verdicts on the pages of a small crawl: tried out, given, taken back, and asked for."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from haenyeo.collect.adapters.correcting.judging import judge, undo
from haenyeo.collect.adapters.correcting.preview import preview
from haenyeo.collect.adapters.correcting.teaching import TeachingSession
from haenyeo.collect.adapters.finding.handing import UserVerdict
from haenyeo.collect.adapters.finding.said import verdicts_on
from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.settings_file import read_settings
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.store import Store

Serve = Callable[[dict[str, tuple[dict[str, str], str]]], str]
HTML = {"Content-Type": "text/html; charset=utf-8"}
SEA = ["divers", "harvest", "abalone", "reef", "tide", "sea", "kelp", "breath", "shell"]
BANK = ["loans", "accounts", "interest", "bank", "credit", "money", "teller", "vault", "savings"]
POOL = ["divers", "pool", "tower", "water", "board", "jump", "score", "judge", "medal"]


def _page(words: list[str], number: int) -> tuple[dict[str, str], str]:
    text = " ".join(random.Random(number).choices(words, k=60))
    return HTML, f"<title>{words[0]} {number}</title><p>{text}"


@pytest.fixture
def folder(tmp_path: Path, serve: Serve) -> Path:
    """A collection about divers in the sea; some divers jump into pools."""
    pages = {f"/sea/{number}": _page(SEA, number) for number in range(12)}
    pages |= {f"/bank/{number}": _page(BANK, 100 + number) for number in range(20)}
    pages |= {f"/pool/{number}": _page(POOL, 200 + number) for number in range(8)}
    pages["/all"] = HTML, "<title>All</title>" + "".join(f"<a href={path}>{path}</a> " for path in list(pages))
    site = serve(pages)
    topic = Topic(words="divers sea abalone", like=(f"{site}/sea/0",), seeds=(f"{site}/all",))
    create_collection(tmp_path / "divers", topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    with Collection.open(tmp_path / "divers") as collection:
        for _ in collection.crawl(overrides=Overrides(delay=0.0)):
            pass
    return tmp_path / "divers"


def _state(folder: Path) -> dict[str, tuple[bool, float]]:
    with Store.open(folder, writing=False) as store:
        return {
            page.url.rpartition("127.0.0.1")[2].partition("/")[2]: (page.kept, max(page.relevance.values()))
            for page in store.judgements()
        }


def _url(folder: Path, path: str) -> Url:
    with Store.open(folder, writing=False) as store:
        return next(page.url for page in store.judgements() if page.url.endswith(path))


@pytest.mark.slow
def test_verdicts_are_tried_given_and_taken_back(folder: Path) -> None:
    settings = read_settings(folder)
    (topic,) = settings.topic
    before = _state(folder)
    pool = _url(folder, "/pool/1")
    tried = preview(folder, settings, UserVerdict(url=pool, topic=topic, relevant=False))
    assert _state(folder) == before, "a trial changes nothing"
    assert tried.now_kept == []
    done = judge(folder, settings, pool, relevant=False)
    after = _state(folder)
    assert done.now_kept == 0
    assert done.no_longer_kept == sum(kept and not after[path][0] for path, (kept, _) in before.items())
    assert {path for path, (kept, _) in before.items() if kept} - {
        path for path, (kept, _) in after.items() if kept
    } >= {page.url.rpartition("127.0.0.1")[2].partition("/")[2] for page in tried.no_longer_kept}
    assert after["pool/1"] == (False, 0.0)
    assert all(after[path][1] <= before[path][1] + 0.021 for path in before if path != "pool/1"), "a no raises nothing"
    with Store.open(folder, writing=False) as store:
        assert [(said.url, said.relevant, said.asked) for said in verdicts_on(store, topic)] == [(pool, False, False)]
    taken = undo(folder, settings)
    assert taken.undone
    again = _state(folder)
    assert [again[path][0] for path in before] == [before[path][0] for path in before]
    assert all(abs(again[path][1] - before[path][1]) < 0.05 for path in before)
    with pytest.raises(UsageError, match="no verdict"):
        undo(folder, settings)


@pytest.mark.slow
def test_answers_make_what_is_kept_better_and_are_stored_as_asked_for(folder: Path) -> None:
    settings = read_settings(folder)
    (topic,) = settings.topic
    asked = []
    with TeachingSession(folder, settings) as session:
        for _ in range(5):
            (question,) = session.questioner.questions(1)
            assert question.url not in asked, "nothing is asked twice"
            asked.append(question.url)
            estimate = session.answer(question.url, relevant="/sea/" in question.url)
            assert estimate.precision_range[0] <= estimate.precision <= estimate.precision_range[1]
    state = _state(folder)
    wrong = [path for path, (kept, _) in state.items() if kept != path.startswith("sea/")]
    assert len(wrong) <= 1
    with Store.open(folder, writing=False) as store:
        assert [(said.url, said.asked) for said in verdicts_on(store, topic)] == [(url, True) for url in asked]


@pytest.mark.slow
def test_an_answer_that_was_skipped_is_not_asked_for_again(folder: Path) -> None:
    with TeachingSession(folder, read_settings(folder)) as session:
        (first,) = session.questioner.questions(1)
        assert first.url not in [question.url for question in session.questioner.questions(10, [first.url])]


@pytest.mark.slow
def test_an_excerpt_is_of_whole_words(folder: Path) -> None:
    with TeachingSession(folder, read_settings(folder)) as session:
        questions = session.questioner.questions(10)
    assert all(set(question.excerpt.split()) <= {*SEA, *BANK, *POOL} for question in questions)
    assert any(len(question.excerpt) > 300 for question in questions)


@pytest.mark.slow
def test_dead_links_do_not_keep_the_first_pages_from_being_judged_again(
    tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {f"/sea/{number}": _page(SEA, number) for number in range(8)}
    pages |= {f"/bank/{number}": _page(BANK, 100 + number) for number in range(12)}
    links = [*pages, *(f"/dead/{number}" for number in range(40))]
    pages["/all"] = HTML, "<title>All</title>" + "".join(f"<a href={path}>{path}</a> " for path in links)
    site, folder = serve(pages), tmp_path / "divers"
    topic = Topic(words="divers sea abalone", like=(f"{site}/sea/0",), seeds=(f"{site}/all",))
    create_collection(folder, topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    with Collection.open(folder) as collection:
        for _ in collection.crawl(overrides=Overrides(delay=0.0)):
            pass
    settings = read_settings(folder)
    (name,) = settings.topic
    with Store.open(folder, writing=True) as store:
        judged = list(store.judgements())
        early = next(page.url for page in judged if "/bank/" in page.url)
        store.rejudge(early, {name: 0.9}, kept=True)  # as it was thought of when little was known
    monkeypatch.setattr("haenyeo.collect.adapters.finding.rejudging._MOST", len(judged))

    tried = preview(folder, settings, UserVerdict(url=_url(folder, "/bank/11"), topic=name, relevant=False))

    assert early in [page.url for page in tried.no_longer_kept]
