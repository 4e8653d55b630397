"""`haenyeo paper`: repeat the experiment of one of the papers haenyeo stands on.

An experiment is a function `repeat(data, note)` in a module of `haenyeo.papers`, known by the paper's number in
`PAPERS`; only the one asked for is imported.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from haenyeo.cli.options import as_json, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.papers.report import Report

PAPERS: dict[str, tuple[str, str]] = {
    "000": ("link_context", "Cho et al. 2005: focused crawling by the words around links"),
    "001": ("semantic_priority", "Kang & Kim 2020: paragraphs and the meaning of links"),
    "002": ("layout_change", "Park, Oh & Lee 2002: detecting that a page's layout changed"),
    "003": ("texts", "Kim & Kim 2021: main text by the frequency of text blocks across a site"),
    "004": ("cycles", "Cho, Lee & Choi 2013: when to come back to each page"),
}
"""Number: module of `haenyeo.papers` with the experiment, and what the paper is."""


class _Paper(click.Command):
    """Lists the papers in its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        if PAPERS:
            with formatter.section("Papers"):
                formatter.write_dl([(number, title) for number, (_, title) in sorted(PAPERS.items())])


@click.command(cls=_Paper)
@click.argument("number")
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True),
    help="Pages to repeat it on, as the paper's page in docs/ says; default: the demo web, or data made for it.",
)
@click.option("--out", type=click.Path(path_type=Path), default=Path(), help="Folder for the figures; default: here.")
@as_json
@loudness
def command(number: str, data: Path | None, out: Path, as_json: bool, quiet: bool) -> None:
    """Repeat the experiment of paper NUMBER: prints its tables and saves its figures as SVG."""
    repeat = _experiment(number)
    report = repeat(data, (lambda _: None) if quiet or as_json else _say)
    paths = _save(report, number, out)
    if as_json:
        tables = [{"title": t.title, "columns": t.columns, "rows": t.rows} for t in report.tables]
        print_json({"paper": number, "tables": tables, "figures": list(map(str, paths)), "notes": report.notes})
        return
    from haenyeo.papers.report import show

    show(report)
    for path in paths:
        click.echo(f"figure: {path}")


def _say(line: str) -> None:
    click.echo(line, err=True)


def _experiment(number: str) -> Callable[[Path | None, Callable[[str], None]], Report]:
    if number not in PAPERS:
        raise click.UsageError(f"there is no experiment {number!r}; known: {', '.join(sorted(PAPERS)) or 'none'}")
    repeat: Callable[[Path | None, Callable[[str], None]], Report]
    repeat = importlib.import_module(f"haenyeo.papers.{PAPERS[number][0]}").repeat
    return repeat


def _save(report: Report, number: str, out: Path) -> list[Path]:
    paths = []
    out.mkdir(parents=True, exist_ok=True)
    for place, figure in enumerate(report.figures, 1):
        path = out / f"paper-{number}-figure-{place}.svg"
        path.write_text(figure.svg(), encoding="utf-8")
        paths.append(path)
    return paths
