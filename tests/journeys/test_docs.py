"""Every command line in README and docs runs as it stands, on the demo web in place of example.org."""

from __future__ import annotations

import ast
import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from processes import wait_for_handlers

from haenyeo.cli.app import COMMANDS, MODULES
from haenyeo.demo import Address, DemoWeb

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN_WITH_OUTPUT = set((ROOT / "docs" / "tutorials").glob("*.md"))  # run by a test of their own
LINE = re.compile(r"^(?:    |\t)?(?:\$ )?(haenyeo [a-z].*)$")
WITHOUT_END = {"serve", "run"}
FINE = {"search": (0, 1), "diff": (0, 1, 2)}  # exit codes that answer
SAVED = ["saved/0.html", "saved/1.html"]
PAGE = "<title>Reefs</title><main><p>Divers know the tides, and they know every reef by its name.</main>"
ALONE = {"new", "extract", "diff", "paper", "demo"}  # commands that need no collection
LONG = {"paper", "demo"}  # measured for minutes, or run by a journey of its own: only their options are looked at
pytestmark = pytest.mark.slow


def commands(page: Path) -> list[str]:
    """The command lines in a page's code, explanations cut off; of alternatives the first, no options in brackets."""
    found = []
    for block in re.findall(
        r"(?:^(?:    |\t).*\n?)+|^```.*?^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        for line in block.splitlines():
            if match := LINE.match(line):
                command = re.split(r"\s{2,}(?![^\"]*\"\s)", match[1])[0]
                found.append(re.sub(r"\|\S+", "", re.sub(r"\s*\[[^\]]*\]", "", command)))
    return found


def ready(command: str, web: DemoWeb) -> list[str]:
    """The command for a test: the demo web's addresses, no waiting, few pages."""
    words = shlex.split(command)[1:]
    site, path = ("harbourshop", "/goods?cat=all") if words[0] in ("records", "watch") else ("tidewatch", "/")
    path = "/search?q={query}" if "{query}" in command else path
    words = [re.sub(r"^https://\S*example\S*", web.url(site, path), word) for word in words]
    words = [word.replace("*.example.org", f"*.{urlsplit(web.url(site, path)).hostname}") for word in words]
    words = [part for word in words for part in (SAVED if "*.html" in word else [word])]
    if words[0] == "crawl":
        words[words.index("--pages") + 1] = "25"
    return [*words, *(["--delay", "0"] if words[0] in ("crawl", "records", "refresh", "run", "watch") else [])]


def run(arguments: list[str]) -> None:
    """Run a command to its end; one without an end is stopped as a user would stop it."""
    environment = {**os.environ, "NO_COLOR": "1", "HAENYEO_CONTACT": "tests@example.org"}
    endless = arguments[0] in WITHOUT_END or "--http" in arguments
    listens = arguments[0] == "serve" or "--http" in arguments
    process = subprocess.Popen(
        [sys.executable, "-m", "haenyeo", *arguments, *(["--port", "0"] if listens else [])],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if endless:
        wait_for_handlers(process)
        time.sleep(1)  # something to do before it ends
        process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=200)
    assert "Traceback" not in out, out
    stopped = (0, 130, -signal.SIGINT) if endless else (0,)
    assert process.returncode in FINE.get(arguments[0], stopped), out


def warc_record(url: str, page: str) -> bytes:
    """A page as other programs record it."""
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}".encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-03-05T12:00:00Z\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def put_files(folder: Path, told: list[list[str]]) -> None:
    """The saved pages that the docs speak of."""
    (folder / "saved").mkdir()
    for name in [*SAVED, *(word for words in told for word in words if re.fullmatch(r"[\w-]+\.html", word))]:
        (folder / name).write_text(PAGE, encoding="utf-8")
    line = json.dumps({"url": "https://example.org/", "html": PAGE})
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress(line.encode()))
    (folder / "pages.jsonl").write_text(line, encoding="utf-8")
    (folder / "cdx-00000.gz").write_bytes(gzip.compress(b'{"url": "https://example.org/"}'))
    (folder / "token.txt").write_text("a-token-of-our-own", encoding="utf-8")
    (folder / "saved-pages").mkdir()
    (folder / "saved-pages" / "page.html").write_text(PAGE, encoding="utf-8")
    (folder / "old-crawl.warc.gz").write_bytes(gzip.compress(warc_record("https://example.org/old", PAGE)))
    with zipfile.ZipFile(folder / "browsed.wacz", "w") as packed:
        packed.write(folder / "old-crawl.warc.gz", "archive/data.warc.gz")


def allow_loopback(folder: Path) -> None:
    for settings in folder.glob("*/haenyeo.toml"):
        text = settings.read_text(encoding="utf-8")
        settings.write_text(text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'), encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if page not in SHOWN_WITH_OUTPUT], ids=lambda page: page.stem)
def test_every_command_line_runs(
    page: Path, web: tuple[DemoWeb, Address], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = [ready(command, web[0]) for command in commands(page)]
    put_files(tmp_path, told)
    made = {words[1] for words in told if words[0] == "new"}
    for name in {words[1] for words in told if words[0] not in ALONE} - made:
        run(["new", name, "--topic", "reefs", "--seed", web[0].url("tidewatch")])
        allow_loopback(tmp_path)
        run(["crawl", name, "--pages", "20", "--delay", "0"])
    for words in told:
        run([words[0], "--help"] if words[0] in LONG else words)
        allow_loopback(tmp_path)


def test_every_command_is_spoken_of() -> None:
    said = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in COMMANDS if f"haenyeo {name}" not in said] == []


def test_every_page_is_reached_by_links_that_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def spans(page: Path, begin: str) -> list[str]:
    """Code inside sentences and tables that begins like this."""
    return re.findall(rf"`({begin}[^`]*)`", page.read_text(encoding="utf-8").replace("\\|", "|"))


def options_of(name: str) -> set[str]:
    command = import_module(f"haenyeo.cli.{MODULES.get(name, name)}").command
    return {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)} | {
        "--help"
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_named_in_passing_have_the_options_they_are_named_with(page: Path) -> None:
    for line in spans(page, "haenyeo [a-z]"):
        _, name, *words = line.split()
        assert name in COMMANDS, line
        assert {word for word in words if word.startswith("--")} <= options_of(name), line


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_measures_are_made_by_scripts_that_are_there(page: Path) -> None:
    for line in spans(page, "python (?:-m bench|bench/|tools/)"):
        script = re.sub(r"^-m (\w+)\.(\w+)", r"\1/\2.py", line.removeprefix("python ")).split()[0]
        source = (ROOT / script).read_text(encoding="utf-8")
        assert [option for option in re.findall(r"--[a-z-]+", line) if f'"{option}"' not in source] == [], line
    for target in re.findall(r"^    make (\w+)", page.read_text(encoding="utf-8"), re.MULTILINE):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_in_the_docs_can_be_read_and_imports_what_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    indented = re.findall(r"^    (?:from|import) .*\n(?:    .*\n|\n)*", text, re.MULTILINE)
    blocks += [textwrap.dedent(block) for block in indented]
    for block in blocks:
        tree = compile(block, page.name, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("haenyeo"):
                module = import_module(node.module or "")
                assert [each.name for each in node.names if not hasattr(module, each.name)] == [], block
