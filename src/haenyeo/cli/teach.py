"""`haenyeo teach`: answer questions about the pages the judge is least sure of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from haenyeo.cli.options import as_json, collection, loudness
from haenyeo.html.urls import readable

if TYPE_CHECKING:
    from haenyeo.collect.adapters.correcting.teaching import TeachingSession, TopicQuestion
    from haenyeo.find.learned.judging.asking import Estimate
    from haenyeo.model.pages import Url

_ANSWERS = {"y": True, "n": False}
_SKIP, _QUIT = "s", "q"


@click.command(epilog="Example:  haenyeo teach corals")
@collection
@click.option("--topic", default="", metavar="T", help="Name of the topic, if the collection has several.")
@click.option("--questions", default=10, show_default=True, metavar="N", help="Ask about at most so many pages.")
@as_json
@loudness
def command(name: Path, topic: str, questions: int, as_json: bool, quiet: bool) -> None:
    """Answer about the pages of NAME that its judge is least sure of, one key each: y(es), n(o), s(kip), q(uit).

    After every answer it says how good what is kept should be by now. It stops when no page is in doubt any more. All
    answers can be taken back with `haenyeo judge NAME --undo`. With --json each question is a line of JSON on standard
    output, and an answer (yes, no, skip or quit) is read as a line from standard input.
    """
    from haenyeo.collect.adapters.correcting.teaching import TeachingSession
    from haenyeo.collect.settings_file import read_settings

    with TeachingSession(name, read_settings(name), topic) as session:
        _say(session.questioner.estimate(), as_json=as_json, quiet=quiet)
        given = _ask_all(session, questions, as_json=as_json, quiet=quiet)
        session.finish()
        gained, lost = session.changed
    if as_json:
        _line({"answers": given, "now_kept": gained, "no_longer_kept": lost})
    else:
        click.echo(f"{given} answers; {gained} more pages are kept now, {lost} are no longer")


def _ask_all(session: TeachingSession, questions: int, *, as_json: bool, quiet: bool) -> int:
    """Ask until there is nothing to ask or the user has enough; returns how many answers were given."""
    read: Callable[[], str] = _read_line if as_json or not sys.stdin.isatty() else click.getchar
    given = 0
    skipped: list[Url] = []
    while given < questions:
        asked = session.questioner.questions(1, skipped)
        if not asked or not session.questioner.pays():
            click.echo("no page is in doubt any more", err=True)
            break
        _show(asked[0], given + 1, as_json=as_json)
        key = read().strip().lower()[:1] or _QUIT
        if key == _QUIT:
            break
        if key not in _ANSWERS:
            skipped.append(asked[0].url)
            continue
        given += 1
        _say(session.answer(asked[0].url, relevant=_ANSWERS[key]), as_json=as_json, quiet=quiet)
    return given


def _show(question: TopicQuestion, number: int, *, as_json: bool) -> None:
    if as_json:
        _line({"question": msgspec.to_builtins(question)})
        return
    click.echo(f"\n{number}. {question.title or '(no title)'}\n   {readable(question.url)}\n   {question.excerpt}")
    click.echo(f"   on the topic? the judge says {question.relevance:.2f}  [y/n/s/q] ", nl=sys.stdin.isatty() is False)


def _say(estimate: Estimate, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        _line({"estimate": msgspec.to_builtins(estimate)})
    elif not quiet:
        (low, high), (least, most) = estimate.precision_range, estimate.recall_range
        click.echo(
            f"\n{estimate.kept} pages kept; estimated precision {estimate.precision:.0%} ({low:.0%} to {high:.0%}),"
            f" recall {estimate.recall:.0%} ({least:.0%} to {most:.0%})"
        )


def _read_line() -> str:
    return sys.stdin.readline()


def _line(value: object) -> None:
    click.echo(msgspec.json.encode(value).decode())
    sys.stdout.flush()
