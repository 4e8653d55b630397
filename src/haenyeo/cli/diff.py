"""`haenyeo diff`: did the layout change between saved pages?"""

from __future__ import annotations

from pathlib import Path

import click

from haenyeo.cli.options import as_json, loudness, print_json

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
@click.option("--watcher", default="default", help="default, or vilo (Park, Oh & Lee 2002).")
@as_json
@loudness
@click.pass_context
def command(ctx: click.Context, pages: tuple[str, ...], watcher: str, as_json: bool, quiet: bool) -> int:
    """Tell whether the layout changed from the OLD pages to the NEW ones; content may change as it likes.

    Exit codes: 0 the same layout, 1 notice (other markup, the same regions), 2 alarm (what stood there is gone),
    4 trouble. Two old pages tell what belongs to the layout much better than one.
    """
    from haenyeo.model.registry import names
    from haenyeo.watch.compare import compare_layouts
    from haenyeo.watch.layout import describe_layout

    if watcher not in (known := names("watchers")):
        raise NoAnswer(f"there is no watcher named {watcher!r}; there are {', '.join(known)}")
    old, new = _sides(pages, ctx.meta.get("new"))
    change = compare_layouts(describe_layout(map(_read, old)), describe_layout(map(_read, new)), watcher)
    grade = "alarm" if change.alarm else "notice" if change.notice else "same"
    if as_json:
        print_json(
            {"grade": grade, "score": change.score, "why": change.why, "watcher": watcher, "old": old, "new": new}
        )
    else:
        click.echo(f"{grade}  {change.score:.0%} of the layout is gone")
        for finding in () if quiet else change.why:
            click.echo(f"  {finding}")
    return {"alarm": ALARM, "notice": NOTICE, "same": SAME}[grade]


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
