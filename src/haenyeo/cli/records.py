"""`haenyeo records`: take the records of list pages by rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from haenyeo.cli.options import as_json, collection, loudness, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from haenyeo.collect.adapters.watching.saved_rules import SavedRule
    from haenyeo.collect.collection import Collection
    from haenyeo.collect.crawl.parts import Parts
    from haenyeo.watch.rules.learn import SelectorSet

SHOWN = 20


@click.command(
    epilog="Example:  haenyeo records shop https://a.example/goods --field title='Red mug' --field price='12.00 $'"
)
@collection
@click.argument("url", required=False)
@click.option("--field", "fields", multiple=True, metavar="NAME=VALUE", help="A value of an example record; repeat.")
@click.option("--select", metavar="CSS|XPATH", help="Where the records are; --field NAME=SELECTOR: the fields.")
@click.option(
    "--import", "imported", type=click.Path(path_type=Path, dir_okay=False), help="Selectors from a JSON file."
)
@click.option("--pages", default=1, show_default=True, type=click.IntRange(1, 1000), help="Pages of the list to take.")
@click.option(
    "--items", default=0, type=click.IntRange(0), metavar="N", help="Fetch N of the listed items too, if not there yet."
)
@click.option("--rule", "rule_name", metavar="RULE", help="Show the records of this rule.")
@click.option("--selectors", is_flag=True, help="Show the rule as CSS and XPath, for other tools.")
@click.option("--accept", is_flag=True, help="Put a proposed repair in force; its records are taken from the archive.")
@click.option("--revert", is_flag=True, help="Put the version before the last repair in force again.")
@click.option("--delay", type=click.FloatRange(0), help="Seconds between two requests to a site.")
@as_json
@loudness
def command(
    name: Path,
    url: str | None,
    fields: tuple[str, ...],
    select: str | None,
    imported: Path | None,
    pages: int,
    items: int,
    rule_name: str | None,
    selectors: bool,
    accept: bool,
    revert: bool,
    delay: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Take the records of the list page URL into the collection NAME; without URL: show its rules.

    Records are found without labels, or from an example record given with --field, its values as they stand in the
    page; a field name that comes again begins a second example. With --select, CSS or XPath says where they are:
    --select 'li.item' --field title='h3' --field link='a::attr(href)'. The rule is saved, kept in every version, and
    repaired when the layout changes.
    """
    from haenyeo.collect.collection import Collection

    writing = url is not None or accept or revert
    home = _home(name, url, rule_name) if writing else name
    with Collection.open(home, writing=writing) as opened:
        if url is not None:
            wanted = _Wanted(_examples(fields), _selectors(select, imported, fields), pages, items)
            saved = _learn(opened, url, wanted, delay)
        elif rule_name is not None:
            saved = _changed(opened, rule_name, accept=accept) if accept or revert else _found(opened, rule_name)
        else:
            _show_rules(opened, as_json=as_json, quiet=quiet)
            return
        _show(opened, saved, selectors=selectors, as_json=as_json, quiet=quiet)


def _home(name: Path, url: str | None, rule: str | None) -> Path:
    """The folder that has the list or the rule: the collection's own, or that of a shard."""
    from haenyeo.cli.in_shards import homes
    from haenyeo.collect.adapters.watching.shelf import Shelf
    from haenyeo.collect.collection import Collection

    for home, named in homes(name, [url] if url else []):
        if named or home == name:
            return home
        with Collection.open(home, writing=False) as opened:
            if rule is not None and Shelf(opened.store).get(rule) is not None:
                return home
    raise click.UsageError(f"there is no rule {rule!r}; haenyeo records {name} shows those there are")


class _Wanted(NamedTuple):
    """What the user says of the records, and how many pages and items are taken."""

    examples: Sequence[dict[str, str]]
    selectors: SelectorSet | None
    pages: int
    items: int


def _selectors(select: str | None, imported: Path | None, fields: Sequence[str]) -> SelectorSet | None:
    """The selectors that the user wrote, here or in a file; None if there are none."""
    if select is None and imported is None:
        return None
    from haenyeo.watch.rules.learn import SelectorSet, read_selectors

    if imported is not None:
        try:
            return read_selectors(imported.read_bytes())
        except OSError as error:
            raise click.BadParameter(f"{imported} cannot be read: {error.strerror}", param_hint="--import") from error
    written = dict(field.partition("=")[::2] for field in fields)
    return SelectorSet(select=select or "", fields={name.strip(): text.strip() for name, text in written.items()})


def _examples(fields: Sequence[str]) -> list[dict[str, str]]:
    """The example records; a name that comes again begins the next one."""
    examples: list[dict[str, str]] = []
    for field in fields:
        name, equals, value = field.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise click.BadParameter(f"{field!r} is not NAME=VALUE", param_hint="--field")
        if not examples or name.strip() in examples[-1]:
            examples.append({})
        examples[-1][name.strip()] = value.strip()
    return examples


def _learn(opened: Collection, url: str, wanted: _Wanted, delay: float | None) -> SavedRule:
    from haenyeo.cli.running import run_with_parts
    from haenyeo.collect.service.rounds import Lesson, Round
    from haenyeo.html.urls import canonical

    address = canonical(url)
    if address is None:
        raise click.UsageError(f"{url!r} is not an http or https address")

    lesson = Lesson(
        url=address,
        examples=wanted.examples,
        pages=wanted.pages,
        items=wanted.items,
        selectors=wanted.selectors,
    )

    async def learn(parts: Parts) -> SavedRule:
        return await Round(parts).learn(lesson)

    return run_with_parts(opened, learn, delay)


def _found(opened: Collection, name: str) -> SavedRule:
    from haenyeo.collect.adapters.watching.shelf import Shelf

    shelf = Shelf(opened.store)
    saved = shelf.get(name)
    if saved is None:
        known = ", ".join(each.name for each in shelf) or "none yet"
        raise click.UsageError(f"there is no rule {name!r}; rules: {known}")
    return saved


def _changed(opened: Collection, name: str, *, accept: bool) -> SavedRule:
    """The rule with its proposed repair in force, or with the version before the last one."""
    from datetime import UTC, datetime

    from haenyeo.collect.adapters.watching.sheets import keep
    from haenyeo.collect.adapters.watching.shelf import Shelf

    saved, shelf, now = _found(opened, name), Shelf(opened.store), datetime.now(UTC)
    taken = shelf.accept(saved, now) if accept else shelf.revert(saved)
    if taken is None:
        raise click.UsageError(f"rule {name!r} has {'no proposed repair' if accept else 'one version only'}")
    keep(opened.store, taken, now)
    opened.store.flush()
    return shelf.get(name) or saved


def _show_rules(opened: Collection, *, as_json: bool, quiet: bool) -> None:
    from haenyeo.collect.adapters.watching.shelf import Shelf

    counts = opened.store.row_counts()
    rules = [
        {
            "rule": saved.name,
            "url": saved.url,
            "version": saved.rule.version,
            "records": counts.get(saved.name, 0),
            "condition": saved.condition,
            "state": saved.state,
        }
        for saved in Shelf(opened.store)
    ]
    if as_json:
        print_json({"collection": str(opened.folder), "rules": rules})
    elif rules:
        from haenyeo.cli.watch_tables import show_rows

        show_rows([{key: str(value) for key, value in rule.items()} for rule in rules], "rules")
    elif not quiet:
        click.echo(f"there are no rules yet; learn one: haenyeo records {opened.folder} URL")


def _show(opened: Collection, saved: SavedRule, *, selectors: bool, as_json: bool, quiet: bool) -> None:
    rows = [row.fields for row in opened.store.rows(saved.name)]
    if as_json:
        facts = {"rule": saved.name, "version": saved.rule.version, "confidence": saved.rule.confidence}
        patterns = {"condition": saved.condition, "state": saved.state, "lists": saved.lists, "items": saved.items}
        print_json({**facts, **patterns, "selectors": saved.rule.selectors(), "records": rows})
        return
    from haenyeo.cli.watch_tables import show_rows

    if selectors:
        forms = [{"field": name or "(record)", **each} for name, each in saved.rule.selectors().items()]
        show_rows(forms, f"rule {saved.name}")
        return
    first = f", the first {SHOWN}" if len(rows) > SHOWN else ""
    show_rows(rows[:SHOWN], f"{len(rows)} records of rule {saved.name}{first}")
    if not quiet:
        click.echo(f"lists: {'  '.join(saved.lists)}")
        click.echo(f"items: {'  '.join(saved.items) or 'no links'}")
        click.echo(f"keep them coming: haenyeo watch {opened.folder} '{saved.url}'")
