"""`haenyeo diff`: did the layout change between saved pages?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from haenyeo.cli.options import as_json, loudness, print_json

if TYPE_CHECKING:
    from haenyeo.watch.compare import Watcher
    from haenyeo.watch.layout import Layout

SAME, NOTICE, ALARM, TROUBLE = 0, 1, 2, 4
_SEPARATOR = "--"


class NoAnswer(click.ClickException):
    """What keeps us from an answer; it has its own exit code, because 1 and 2 are answers."""

    exit_code = TROUBLE


class TwoSides(click.Command):
    """Takes the files before `--` as the old side and those behind it as the new one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the arguments before click drops the separator."""
        try:
            if _SEPARATOR in args:
                place = args.index(_SEPARATOR)
                args, ctx.meta["new"] = args[:place], args[place + 1 :]
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise NoAnswer(error.format_message()) from error


@click.command(cls=TwoSides, epilog="Example:  haenyeo diff monday.html tuesday.html -- today.html")
@click.argument("pages", nargs=-1, required=True, metavar="OLD.html... -- NEW.html...")
@click.option("--watcher", default="default", help="default, vilo or vilo-printed (Park, Oh & Lee 2002).")
@click.option(
    "--times", type=click.IntRange(1), metavar="K", help="How often a pattern of vilo must occur; default: 10."
)
@click.option("--patterns", is_flag=True, help="Show the patterns of vilo that are gone, new and the same.")
@as_json
@loudness
@click.pass_context
def command(
    ctx: click.Context,
    pages: tuple[str, ...],
    watcher: str,
    times: int | None,
    patterns: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Tell whether the layout changed from the OLD pages to the NEW ones; content may change as it likes.

    Exit codes: 0 the same layout, 1 notice (other markup, the same regions), 2 alarm (what stood there is gone),
    4 trouble. Two old pages tell what belongs to the layout much better than one.
    """
    from haenyeo.watch.compare import compare_layouts
    from haenyeo.watch.layout import describe_layout

    chosen = _watcher(watcher, times, patterns=patterns)
    old, new = _sides(pages, ctx.meta.get("new"))
    before, after = describe_layout(map(_read, old)), describe_layout(map(_read, new))
    change = compare_layouts(before, after, chosen)
    shown = _patterns(chosen, before, after) if patterns else {}
    grade = "alarm" if change.alarm else "notice" if change.notice else "same"
    if as_json:
        told = {"grade": grade, "score": change.score, "why": change.why, "watcher": watcher, "old": old, "new": new}
        print_json({**told, "patterns": shown} if patterns else told)
    else:
        click.echo(f"{grade}  {change.score:.0%} of the layout is gone")
        for finding in () if quiet else change.why:
            click.echo(f"  {finding}")
        for side, found in shown.items():
            click.echo(f"{side}: {len(found)}")
            for pattern in found:
                click.echo(f"  {pattern}")
    return {"alarm": ALARM, "notice": NOTICE, "same": SAME}[grade]


def _watcher(name: str, times: int | None, *, patterns: bool) -> Watcher:
    """The watcher of this name; `times` and `patterns` are for those that find patterns."""
    from haenyeo.model.registry import configured_part, find_part, names
    from haenyeo.watch.vilo import Vilo

    if name not in (known := names("watchers")):
        raise NoAnswer(f"there is no watcher named {name!r}; there are {', '.join(known)}")
    if (patterns or times is not None) and not issubclass(find_part("watchers", name), Vilo):
        raise NoAnswer(f"the watcher {name} has no patterns; --patterns and --times need --watcher vilo")
    made: Watcher = configured_part("watchers", name, {name: {"times": times}} if times is not None else {})()
    return made


def _patterns(watcher: Watcher, old: Layout, new: Layout) -> dict[str, list[str]]:
    """The patterns of the first page of each side that are gone, new and the same, as the paper writes them."""
    from haenyeo.watch.vilo import Vilo

    assert isinstance(watcher, Vilo)
    before, after = (watcher.patterns(layout.pages[0]) for layout in (old, new))
    sides = {"gone": before - after, "new": after - before, "the same": before & after}
    return {side: sorted("".join(pattern) for pattern in found) for side, found in sides.items()}


def _sides(pages: tuple[str, ...], new: list[str] | None) -> tuple[list[str], list[str]]:
    """The files of the old and the new side; two files need no separator."""
    old = list(pages)
    if new is None and len(old) == 2:  # noqa: PLR2004 - one page on each side
        return old[:1], old[1:]
    if not new:
        raise NoAnswer("which pages are new? put -- between the old and the new ones")
    return old, new


def _read(name: str) -> str:
    from haenyeo.html.charset import decode

    try:
        return decode(Path(name).read_bytes(), None)
    except OSError as error:
        raise NoAnswer(f"{name} cannot be read: {error.strerror}") from error
