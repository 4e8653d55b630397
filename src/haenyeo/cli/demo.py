"""`haenyeo demo`: all four verbs on a small web on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from haenyeo.cli.options import as_json, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.cli.staging import Stages
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.events import CrawlEnded
    from haenyeo.demo import DemoWeb

PAGES = 400
FOLDER = "haenyeo-demo"
MARK = "DEMO"
STOPPING = (2, 15)  # SIGINT, SIGTERM
TOPICS = (0, 5)  # women divers in English and in Korean


@click.command()
@click.option(
    "--pages", type=click.IntRange(min=1), default=PAGES, show_default=True, help="Stop after this many pages."
)
@click.option("--out", type=click.Path(path_type=Path), default=FOLDER, show_default=True, help="Folder to make.")
@click.option("--seed", type=int, default=7, show_default=True, help="Another number makes another web.")
@click.option("--keep", is_flag=True, help="Serve web and dashboard until Ctrl-C.")
@click.option("--web", "web_alone", is_flag=True, help="Only serve the web until Ctrl-C, to try commands on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the web that is served alone.")
@click.option("--day", type=click.FloatRange(min=0), default=0.0, help="Day on the clock of the web served alone.")
@as_json
@loudness
def command(
    pages: int, out: Path, seed: int, keep: bool, web_alone: bool, port: int, day: float, as_json: bool, quiet: bool
) -> int:
    """Show all of it on a made-up web of two thousand pages on this machine, in less than a minute, without network.

    Finds the pages about two topics and reads them, takes records from a shop's list, meets the shop's redesign and
    repairs the rule, and six days later on the web's clock visits again what is due.
    """
    if web_alone:
        _serve_web(seed, port, day)
        return 0
    from haenyeo.cli.progress import CrawlTally, progress_for
    from haenyeo.cli.staging import Stages
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.overview import overview_of
    from haenyeo.demo import DemoWeb, serve_in_thread

    web, loud = DemoWeb(seed=seed), not (quiet or as_json)
    with serve_in_thread(web) as address:
        folder = _fresh_collection(web, out)
        if loud:
            click.echo(f"a web of {len(web.hosts)} sites is served on {address.host}:{address.port}; crawling it ...")
        tally = CrawlTally(pages)
        with Collection.open(folder) as collection:
            stages = Stages(collection, web)
            with progress_for(tally, quiet=not loud) as view:
                ended, code = stages.crawl(pages, view.note)
            topics = _topics_found(web, collection)
            told = {} if code else _later(stages, loud=loud)
            overview = overview_of(collection.store, collection.settings)
        if as_json:
            shown = {**msgspec.to_builtins(ended), "topics": topics, **told}
            print_json({**shown, "overview": msgspec.to_builtins(overview)})
        elif loud:
            _show(topics, told, ended)
        if keep and not code:
            _keep(folder)
        elif loud:
            call = _call()
            click.echo(f"look around:  {call} serve {folder}    {call} search {folder} diving")
            click.echo(f"with the web left running, so that the dashboard can crawl on:  {call} demo --keep")
    return code


def _serve_web(seed: int, port: int, day: float) -> None:
    """Serve the web alone, with its clock standing at a day, until Ctrl-C or SIGTERM."""
    import signal

    from haenyeo.demo import DAY, DemoWeb, serve_in_thread
    from haenyeo.model.errors import UsageError

    web = DemoWeb(seed=seed, now=day * DAY)
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        with serve_in_thread(web, port):
            click.echo(f"a web of {len(web.hosts)} sites is served; begin at {web.url('tidewatch')}; Ctrl-C stops it")
            signal.sigwait(STOPPING)
    except OSError as error:
        raise UsageError(
            f"cannot listen on port {port}: {error.strerror}", advice="choose another one: haenyeo demo --web --port N"
        ) from error


def _later(stages: Stages, *, loud: bool) -> dict[str, Any]:
    """Watch and refresh; what they came to."""
    say = click.echo if loud else (lambda _: None)
    say("learning a rule for the shop's list ...")
    rule = stages.learn_rule()
    say("six days later: the shop has a new layout ...")
    repair = stages.meet_redesign()
    say("visiting again what is due ...")
    refreshed = stages.refresh()
    return {
        "rule": rule.name,
        "fields": sorted(rule.rule.fields),
        "repair": msgspec.to_builtins(repair),
        "refresh": msgspec.to_builtins(refreshed),
    }


def _call() -> str:
    """How this command is called from here: by its path when the shell would not find it by its name."""
    import shutil
    import sys

    called = Path(sys.argv[0])
    found = shutil.which("haenyeo")
    return "haenyeo" if called.name != "haenyeo" or (found and called.samefile(found)) else str(called)


def _keep(folder: Path) -> None:
    """Serve the dashboard until Ctrl-C; the web stays with it, so that crawls can be started from there."""
    from haenyeo.web.serving import listen, serve

    served = listen(folder)
    click.echo(f"the dashboard is at\n\n    {served.url}\n\nCtrl-C stops it")
    serve(served)


def _fresh_collection(web: DemoWeb, out: Path) -> Path:
    """A new collection for this run; one of an earlier demo is replaced, anything else is left alone."""
    import shutil

    from haenyeo.collect.collection import create_collection
    from haenyeo.collect.settings_file import FILE_NAME, topic_name, write_settings
    from haenyeo.model.config import FetchSettings, Settings, Topic
    from haenyeo.model.errors import UsageError

    if out.exists():
        if not (out / MARK).exists():
            raise UsageError(
                f"{out} is there already and is no demo", advice="choose another place: haenyeo demo --out PLACE"
            )
        shutil.rmtree(out)
    chosen = [web.topics()[number] for number in TOPICS]
    topics = [Topic(words=each.words, like=each.like, unlike=each.unlike, seeds=each.seeds) for each in chosen]
    fetch = FetchSettings(allow_private=("127.0.0.0/8", "::1/128"))
    create_collection(out, topics[0], fetch=fetch)
    write_settings(out, Settings(topic={topic_name(topic.words): topic for topic in topics}, fetch=fetch))
    (out / MARK).write_text(f"Made by haenyeo demo; {FILE_NAME} has its settings.\n", encoding="utf-8")
    return out


def _topics_found(web: DemoWeb, collection: Collection) -> list[dict[str, object]]:
    """How many of the pages of each topic are in the collection now."""
    kept = {str(page.url) for page in collection.store.pages(kept_only=True)}
    return [
        {
            "topic": topic.label,
            "language": topic.language,
            "pages": len(topic.relevant),
            "found": len(kept & topic.relevant),
        }
        for topic in web.topics()
    ]


def _show(topics: list[dict[str, object]], told: dict[str, Any], ended: CrawlEnded) -> None:
    """What each verb came to, as a table."""
    from rich.console import Console
    from rich.table import Table

    wanted = [topics[number] for number in TOPICS]
    table = Table("verb", "what happened", title="all four verbs", title_justify="left")
    found = ", ".join(f"{topic['found']} of {topic['pages']} about {topic['topic']}" for topic in wanted)
    table.add_row("find", f"{ended.visited} pages asked for, {ended.kept} kept: {found}")
    table.add_row("read", f"{ended.visited / max(ended.seconds, 0.001):.0f} pages a second, their main text taken")
    if told:
        repair, refreshed = told["repair"], told["refresh"]
        fate = f"rule repaired, confidence {repair['confidence']:.0%}" if repair["repaired"] else "rule not repaired"
        table.add_row("watch", f"layout alarms: {repair['alarms']}, {fate}, {repair['records']} records")
        kinds = ", ".join(f"{count} {name}" for name, count in refreshed["found"].items())
        table.add_row("refresh", f"{refreshed['visited']} pages visited again: {kinds}")
    Console().print(table)
