"""`haenyeo paper`: repeat the experiment of one of the papers haenyeo stands on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from haenyeo import papers
from haenyeo.cli.options import as_json, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.papers.report import Report


class _PaperCommand(click.Command):
    """Lists the papers in its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Papers"):
            formatter.write_dl([(number, title) for number, (_, title) in sorted(papers.PAPERS.items())])


@click.command(cls=_PaperCommand)
@click.argument("number")
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True),
    help="Pages to repeat it on, as the paper's page in docs/ says; default: the demo web, or data made for it.",
)
@click.option(
    "--out", "--figure", type=click.Path(path_type=Path), default=Path(), help="Folder for the figures; default: here."
)
@as_json
@loudness
def command(number: str, data: Path | None, out: Path, as_json: bool, quiet: bool) -> None:
    """Repeat the experiment of paper NUMBER: prints its tables and saves its figures as SVG."""
    repeat = papers.experiment(number)
    report = repeat(data, (lambda _: None) if quiet or as_json else _say)
    paths = _save(report, number, out)
    if as_json:
        tables = [{"title": t.title, "columns": t.columns, "rows": t.rows} for t in report.tables]
        print_json({"paper": number, "tables": tables, "figures": list(map(str, paths)), "notes": report.notes})
        return
    _show(report)
    for path in paths:
        click.echo(f"figure: {path}")


def _say(line: str) -> None:
    click.echo(line, err=True)


def _save(report: Report, number: str, out: Path) -> list[Path]:
    paths = []
    out.mkdir(parents=True, exist_ok=True)
    for place, figure in enumerate(report.figures, 1):
        path = out / f"paper-{number}-figure-{place}.svg"
        path.write_text(figure.svg(), encoding="utf-8")
        paths.append(path)
    return paths


def _show(report: Report) -> None:
    """Print the tables and notes to the terminal."""
    from rich.console import Console
    from rich.table import Table

    from haenyeo.papers.report import written

    console = Console()
    for table in report.tables:
        shown = Table(*table.columns, title=table.title, title_justify="left")
        shown.columns[0].no_wrap = True
        for row in table.rows:
            shown.add_row(*map(written, row))
        console.print(shown)
    for note in report.notes:
        console.print(note, highlight=False)
