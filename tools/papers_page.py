"""Write docs/papers.md: the five papers' tables as printed and as made here, and their figures.

    python tools/papers_page.py              # all five, some minutes
    python tools/papers_page.py 002 parts    # these sections only; the others stay as they are

Figures go to docs/images. Everything comes from `haenyeo paper NUMBER` on the bundled data: anyone can make the page.
The list of parts comes from the tutorial that shows them, whose commands are run by the tests.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from haenyeo.papers import PAPERS, experiment
from haenyeo.papers.report import Report, Table, written

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "papers.md"
HEAD = """# The papers

Haenyeo stands on five papers. Each experiment is repeated here on bundled data: the printed table, ours beside it,
and in a sentence each what held, what did not, and why. This page is written by `python tools/papers_page.py`;
`haenyeo paper NUMBER` prints the same, and `--data` repeats it on data of your own. Where a method as printed is
weaker than its idea, the default stands beside it.
"""
_SECTION = "<!-- paper {} -->"
PARTS = "parts"
TUTORIAL = DOCS / "tutorials" / "papers.md"
PARTS_HEAD = """## Every part, and the command that shows it

The systems of the five papers have 21 parts. [The tutorial for readers of the papers](tutorials/papers.md) shows each
by commands that anyone can type, with what they print; the tests run them.

| part | what | shown by |
| --- | --- | --- |
"""
_COMMAND = re.compile(r"haenyeo (?:(paper) (\d{3})|([a-z]+))")
_NOT_SHOWING = {"new", "demo"}


def main(numbers: Sequence[str]) -> None:
    """Write the sections of these papers, or of all."""
    known = _sections(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    for number in numbers or [*sorted(PAPERS), PARTS]:
        if number == PARTS:
            known[PARTS] = parts(TUTORIAL.read_text(encoding="utf-8"))
            continue
        print(f"repeating {number}: {PAPERS[number][1]}", file=sys.stderr)
        report = experiment(number)(None, lambda line: print(f"  {line}", file=sys.stderr))
        known[number] = section(number, report)
    sections = [HEAD, *(f"{_SECTION.format(number)}\n{known[number]}" for number in sorted(known))]
    PAGE.write_text("\n".join(sections), encoding="utf-8")


def section(number: str, report: Report) -> str:
    """What stands on the page of one paper; its figures are saved beside."""
    lines = [f"## {number}: {PAPERS[number][1]}", "", f"`haenyeo paper {number}`", ""]
    lines += [f"- {_plain(note)}" for note in report.notes]
    for table in report.tables:
        lines += ["", f"### {_plain(table.title)}", "", *markdown(table)]
    for place, figure in enumerate(report.figures, 1):
        name = f"paper-{number}-figure-{place}.svg"
        (DOCS / "images" / name).write_text(figure.svg(), encoding="utf-8")
        lines += ["", f"![{_plain(figure.title)}](images/{name})"]
    return "\n".join(lines) + "\n"


def parts(tutorial: str) -> str:
    """The parts by their headings in the tutorial, with the commands that stand below each."""
    rows = []
    for heading, text in re.findall(r"^### (\d{3}\.\d .*)\n((?:(?!##).*\n)*)", tutorial, re.MULTILINE):
        number, _, what = heading.partition(" ")
        said = (f"{paper} {one}" if paper else verb for paper, one, verb in _COMMAND.findall(text))
        commands = [f"`{command}`" for command in dict.fromkeys(said) if command not in _NOT_SHOWING]
        rows.append(f"| {number} | {what} | {', '.join(commands)} |")
    return PARTS_HEAD + "\n".join(rows) + "\n"


def markdown(table: Table) -> list[str]:
    """The table as lines of Markdown."""
    head = "| " + " | ".join(map(_plain, table.columns)) + " |"
    rows = ["| " + " | ".join(_plain(written(cell)) for cell in row) + " |" for row in table.rows]
    return [head, "|" + " --- |" * len(table.columns), *rows]


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def _sections(page: str) -> dict[str, str]:
    """The sections of the page as it is, by number."""
    pieces = re.split(r"^<!-- paper (\d{3}|parts) -->\n", page, flags=re.MULTILINE)
    return {number: text.rstrip("\n") + "\n" for number, text in zip(pieces[1::2], pieces[2::2], strict=True)}


if __name__ == "__main__":
    main(sys.argv[1:])
