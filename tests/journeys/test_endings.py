"""Every ending of a crawl names its causes, and says what can be done about them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from named_web import LOOPBACK, NOT_FOUND, NamedWeb, Reply, article, crawled, made, served

from haenyeo.cli.app import run
from haenyeo.cli.crawl import ending, told
from haenyeo.collect.collection import Collection, create_collection
from haenyeo.model.config import FetchSettings, ScopeSettings, Topic

pytestmark = pytest.mark.slow
HOST = "www.reef.test"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def web() -> Iterator[NamedWeb]:
    with served(NamedWeb(HOST)) as made_web:
        made_web.hosts[HOST] = lambda path: article("Home") if path == "/" else NOT_FOUND
        yield made_web


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command as a user would; its exit code and all it said."""

    def called(*arguments: object) -> tuple[int, str]:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out + err

    return called


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.5", 0))
        return int(taken.getsockname()[1])


@pytest.mark.parametrize(
    ("seed", "fetch", "reason", "advice"),
    [
        ("http://{host}:{port}/", FetchSettings(), "forbidden address", "allow_private"),
        ("http://nowhere.test:{port}/", LOOPBACK, "robots.txt unreachable: no such host", "spelling"),
        (
            "http://127.0.0.5:{closed}/",
            LOOPBACK,
            "robots.txt unreachable: connection refused",
            "whether the server runs",
        ),
        ("http://{host}:{port}/gone", LOOPBACK, "status 404", "check the address"),
    ],
)
def test_seeds_that_cannot_be_read_are_counted_with_their_reason(
    seed: str, fetch: FetchSettings, reason: str, advice: str, web: NamedWeb, tmp_path: Path
) -> None:
    url = seed.format(host=HOST, port=web.port, closed=closed_port())
    ended = crawled(made(tmp_path / "c", url, fetch=fetch), web).ended
    assert ended.seeds_lost
    assert (ended.seeds, ended.seeds_read) == (1, 0)
    [cause] = ended.causes
    assert (cause.reason, cause.seeds, cause.example) == (reason, 1, url)
    assert advice in cause.advice


def test_seeds_out_of_scope_are_named(web: NamedWeb, tmp_path: Path) -> None:
    scope = ScopeSettings(hosts=("elsewhere.test",))
    ended = crawled(made(tmp_path / "c", web.url(HOST)), web, scope=scope).ended
    assert ended.seeds_lost
    assert [(cause.reason, cause.seeds) for cause in ended.causes] == [("out of scope", 1)]


def test_a_server_that_wants_us_to_come_back_is_no_lost_seed(web: NamedWeb, tmp_path: Path) -> None:
    web.hosts[HOST] = lambda _: Reply("", 503, (("Retry-After", "100"),))
    ended = crawled(made(tmp_path / "c", web.url(HOST)), web).ended
    assert ended.why == "waiting"
    assert not ended.seeds_lost
    [cause] = ended.causes
    assert (cause.reason, cause.waiting) == ("robots.txt unreachable: status 503", 1)


def test_one_seed_that_was_read_is_enough(web: NamedWeb, tmp_path: Path) -> None:
    ended = crawled(made(tmp_path / "c", web.url(HOST), web.url(HOST, "/gone")), web).ended
    assert not ended.seeds_lost
    assert (ended.seeds, ended.seeds_read, ended.kept) == (2, 1, 1)
    assert [(cause.reason, cause.seeds) for cause in ended.causes] == [("status 404", 1)]


def test_an_example_that_cannot_be_read_is_named_and_read_with_retry(web: NamedWeb, tmp_path: Path) -> None:
    pages = {"/": article("Home", "/gone")}
    web.hosts[HOST] = lambda path: pages.get(path, NOT_FOUND)
    example, folder = web.url(HOST, "/example"), tmp_path / "c"
    topic = Topic(words="reef", seeds=(web.url(HOST),), like=(example,))
    create_collection(folder, topic, fetch=LOOPBACK)
    ended = crawled(folder, web, scorer="default").ended
    [cause] = ended.causes
    assert (cause.reason, cause.links, cause.seeds, cause.given, cause.example) == ("status 404", 2, 0, 1, example)
    assert told(cause).startswith(f"1 example page: status 404, as {example}; ")
    assert ending(folder, ended)[-1].endswith("--retry")
    pages["/example"] = article("Example")
    with Collection.open(folder) as opened:
        assert opened.retry()
    assert not crawled(folder, web, scorer="default").ended.causes


def test_what_failed_is_asked_again_with_retry(web: NamedWeb, tmp_path: Path) -> None:
    seeds = web.url(HOST), web.url(HOST, "/later"), web.url(HOST, "/shut")
    pages = {"/": article("Home", "/linked"), "/robots.txt": Reply("User-agent: *\nDisallow: /shut\n")}
    web.hosts[HOST] = lambda path: pages.get(path, NOT_FOUND)
    folder = made(tmp_path / "c", *seeds)
    causes = {cause.reason: (cause.links, cause.seeds) for cause in crawled(folder, web).ended.causes}
    assert causes == {"status 404": (2, 1), "robots.txt": (1, 1)}
    pages |= {"/later": article("Later"), "/shut": article("Shut no more"), "/robots.txt": Reply("")}
    assert crawled(folder, web).kept == {seeds[0]}, "what has ended is not asked again by itself"
    before = len(web.log)
    with Collection.open(folder) as opened:
        assert opened.retry() == 2
    assert crawled(folder, web).kept == set(seeds)
    asked = [each.path for each in web.log[before:]]
    assert sorted(asked) == ["/later", "/robots.txt", "/shut"], "pages that were read, and links that are gone, are not"


def test_the_command_says_why_and_fails_when_no_seed_could_be_read(tmp_path: Path, command: Run) -> None:
    """By address, since commands look names up in earnest."""
    with served(NamedWeb(HOST)) as web:
        web.hosts[HOST] = lambda path: article("Home") if path == "/" else NOT_FOUND
        home = f"http://127.0.0.2:{web.port}/"
        folder = tmp_path / "c"
        assert command("new", folder, "--topic", "reef", "--seed", home, "--contact", "x")[0] == 0
        code, said = command("crawl", folder, "--strategy", "bfs", "--delay", 0)
        assert code == 1
        assert "no seed could be read" in said
        assert f"1 seed: forbidden address, as {home}; " in said
        assert "set allow_private" in said
        assert "--retry" in said
        told = msgspec.json.decode(command("crawl", folder, "--strategy", "bfs", "--delay", 0, "--json")[1])
        assert told["seeds_lost"]
        assert told["causes"][0]["reason"] == "forbidden address"
        settings = folder / "haenyeo.toml"
        settings.write_text(settings.read_text().replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'))
        assert command("crawl", folder, "--strategy", "bfs", "--delay", 0)[0] == 1, (
            "it has ended and is not asked again by itself"
        )
        code, said = command("crawl", folder, "--strategy", "bfs", "--delay", 0, "--retry")
        assert code == 0, said
        assert "1 kept" in said


def test_seeds_are_added_to_a_collection(tmp_path: Path, command: Run) -> None:
    with served(NamedWeb(HOST)) as web:
        web.hosts[HOST] = lambda path: NOT_FOUND if path in ("/robots.txt", "/gone") else article(path)
        home, more = (f"http://127.0.0.2:{web.port}{path}" for path in ("/", "/more"))
        folder = made(tmp_path / "c", home)
        assert command("crawl", folder, "--strategy", "bfs", "--delay", 0)[0] == 0
        (tmp_path / "list.txt").write_text(f"# some\n{more}\n")
        code, said = command("add", folder, home, f"@{tmp_path / 'list.txt'}")
        assert (code, said.splitlines()[0]) == (0, f"1 seed added, 1 known already; next: haenyeo crawl {folder}")
        assert "2 kept (+1)" in command("crawl", folder, "--strategy", "bfs", "--delay", 0)[1]
        assert command("add", folder, "not an address")[0] == 2
        told: dict[str, Any] = msgspec.json.decode(command("add", folder, more, "--json")[1])
        assert told["added"] == 0


def test_a_topic_without_words_is_refused(tmp_path: Path, command: Run) -> None:
    code, said = command("new", tmp_path / "c", "--topic", " ", "--seed", "http://a.example/")
    assert code == 2
    assert "--topic has no words" in said
    assert not (tmp_path / "c").exists()
