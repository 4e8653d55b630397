"""Runs the commands of the tutorials, as a reader would, and holds what they print against what the pages show.

    python tools/tutorials.py              says which outputs are no longer what is shown
    python tools/tutorials.py --write      puts the new ones in their place

In a block of kind `console` a line that begins with `$ ` is a command and the lines below are its output; `...` stands
for any lines, and within a line for any words. A block of kind `python` whose first line is `# name.py` is written to
that file. Commands of a page run one after the other in a folder of their own; `haenyeo demo --web` runs beside them
until another one takes its place.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TUTORIALS = ROOT / "docs" / "tutorials"
PORT = "8640"
"""Of the demo web in all tutorials; while they run it is a free one."""
ANYTHING = "..."
MOST_LINES = 16
SECONDS = 120
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROGRESS = re.compile(r"0 of 0 \w+ · ")
_FRAME = re.compile(r"[\s┏┓┗┛┡┩└┘├┤━─┳┻╇┴┬╋┼╪═]*")


class Step(NamedTuple):
    """A command of a page and the output shown for it; `start` and `end` say where that output stands."""

    command: str
    shown: str
    start: int
    end: int


class Outcome(NamedTuple):
    """What became of a step: `output` as it would be shown."""

    step: Step
    output: str
    code: int

    @property
    def as_shown(self) -> bool:
        """Whether the page shows what came."""
        return not self.code and matches(self.step.shown, self.output)


class Script(NamedTuple):
    """A file that the reader is told to write."""

    name: str
    text: str


def steps_of(text: str) -> Iterator[Step | Script]:
    """The commands and files of a page, in order."""
    for block in _BLOCK.finditer(text):
        kind, body, at = block[1], block[2], block.start(2)
        if kind == "python":
            name = re.match(r"# (\w+\.py)\n", body)
            if name:
                yield Script(name[1], body)
            continue
        starts = [found.start() for found in re.finditer(r"^\$ ", body, re.MULTILINE)]
        for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
            found = re.match(r"\$ ((?:.*\\\n)*.*\n)", body[start:end])
            assert found is not None
            yield Step(found[1].strip(), body[start + found.end() : end], at + start + found.end(), at + end)


def matches(shown: str, output: str) -> bool:
    """Whether an output is the one shown, whatever its numbers, its blanks and the frames of its tables.

    What a command says of its progress every few seconds does not count: on a slow machine it comes more often.
    """
    wanted, lines = _plain(shown), _plain(output)
    pattern = "".join("(?:.*\n)*?" if line == ANYTHING else f"{_any_within(line)}\n" for line in wanted)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


def _any_within(line: str) -> str:
    return ".*".join(map(re.escape, line.split(ANYTHING)))


def _plain(text: str) -> list[str]:
    lines = [" ".join(re.sub(r"\d+(?:[.,:]\d+)*", "0", line).split()) for line in text.splitlines()]
    return [line for line in lines if not _FRAME.fullmatch(line) and not _PROGRESS.match(line)]


class Reader:
    """Follows a page in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = str(free.getsockname()[1])
        self._exports: list[str] = []
        self._web: subprocess.Popen[str] | None = None
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HAENYEO_")},
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "NO_COLOR": "1",
            "COLUMNS": "100",
        }

    def follow(self, text: str) -> Iterator[Outcome]:
        """Do what the page says; what came of each command."""
        try:
            for step in steps_of(text):
                if isinstance(step, Script):
                    (self._folder / step.name).write_text(step.text.replace(PORT, self._port), encoding="utf-8")
                else:
                    yield self._done(step)
        finally:
            self._stop_web()

    def _done(self, step: Step) -> Outcome:
        command = step.command.replace(PORT, self._port)
        if command.startswith("haenyeo demo --web"):
            return Outcome(step, self._shown(self._start_web(command)), 0)
        if command.startswith("export "):
            self._exports.append(command)
            return Outcome(step, "", 0)
        done = subprocess.run(
            ["bash", "-c", "\n".join([*self._exports, command])],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return Outcome(step, self._shown(done.stdout), done.returncode)

    def _start_web(self, command: str) -> str:
        self._stop_web()
        self._web = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], env=self._environment, stdout=subprocess.PIPE, text=True
        )
        assert self._web.stdout is not None
        return self._web.stdout.readline()

    def _stop_web(self) -> None:
        if self._web is not None:
            self._web.terminate()
            self._web.communicate()
            self._web = None

    def _shown(self, output: str) -> str:
        return "".join(f"{line.rstrip()}\n" for line in output.replace(self._port, PORT).splitlines())


def rewritten(text: str, outcomes: list[Outcome]) -> str:
    """The page with what came in place of what is shown, where the two differ."""
    for outcome in reversed(outcomes):
        if not outcome.as_shown:
            lines = outcome.output.splitlines(keepends=True)
            kept = "".join(lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], f"{ANYTHING}\n"])
            text = text[: outcome.step.start] + kept + text[outcome.step.end :]
    return text


def main() -> int:
    """Follow all tutorials, or those named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true", help="put what came in place of what is shown")
    options = parser.parse_args()
    wrong = 0
    for page in options.pages or sorted(TUTORIALS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            outcomes = list(Reader(Path(folder)).follow(text))
        for outcome in outcomes:
            if not outcome.as_shown:
                wrong += 1
                print(f"{page.name}: $ {outcome.step.command} ended with {outcome.code}\n{outcome.output}")
        if options.write:
            page.write_text(rewritten(text, outcomes), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
