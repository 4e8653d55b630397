"""The server that agents speak with, by the protocol's own SDK: over standard input and output, or over HTTP."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haenyeo import __version__
from haenyeo.mcp.bounds import LONGEST_TEXT, NOTICE, address_of
from haenyeo.mcp.orders import Orders
from haenyeo.mcp.questions import Questions
from haenyeo.model.errors import HaenyeoError, UsageError
from haenyeo.web.guard import Guard, Keys

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from starlette.types import ASGIApp

PATH = "/mcp"
INSTRUCTIONS = (
    "A collection of web pages about a topic. Search it, read its pages in slices, ask why an address was kept or not,"
    f" what has changed, and which records lists have. Note: {NOTICE}."
)
READ_ONLY = "this server was started without --allow-write: it changes nothing"


def make_server(folder: Path, *, allow_write: bool) -> MCPServer[Any]:
    """The server of the collection in a folder; raises `UsageError` where the SDK is not installed."""
    try:
        from mcp.server import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError as error:
        raise UsageError("agents need the mcp extra", advice='install it: pip install "haenyeo[mcp]"') from error
    server: MCPServer[Any] = MCPServer("haenyeo", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    asked, orders = Questions(folder), Orders(folder)
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for question in (asked.search, asked.read_page, asked.why, asked.changes, asked.records, asked.status):
        server.add_tool(_explained(question), annotations=reading)
    for order in (orders.judge, orders.add, orders.crawl):
        changing = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=order == orders.crawl)
        server.add_tool(_explained(order) if allow_write else _refused(order), annotations=changing)

    @server.resource("haenyeo://page/{key}", mime_type="text/markdown", description="A page's main text; untrusted.")
    def page(key: str) -> str:
        """The main text of a page."""
        found = _explained(asked.read_page)(address_of(key), 0, LONGEST_TEXT)
        return str(found["untrusted"]["markdown"])

    return server


def over_http(server: MCPServer[Any], keys: Keys, *, host: str) -> ASGIApp:
    """The server as an application that lets in who bears the token, at `PATH`."""
    return Guard(server.streamable_http_app(streamable_http_path=PATH, host=host), keys, (host,))


def _explained(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with our errors as the protocol's: what went wrong, and what to do."""
    import inspect

    from mcp.server.mcpserver.exceptions import ToolError

    def told(error: HaenyeoError) -> ToolError:
        return ToolError(f"{error}{f'; {error.advice}' if error.advice else ''}")

    @functools.wraps(tool)
    def plainly(*arguments: Any, **named: Any) -> Any:
        try:
            return tool(*arguments, **named)
        except HaenyeoError as error:
            raise told(error) from error

    @functools.wraps(tool)
    async def waiting(*arguments: Any, **named: Any) -> Any:
        try:
            return await tool(*arguments, **named)
        except HaenyeoError as error:
            raise told(error) from error

    return waiting if inspect.iscoroutinefunction(tool) else plainly


def _refused(tool: Callable[..., Any]) -> Callable[..., Any]:
    """A tool of this name that says why it does nothing."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def refusing(*arguments: Any, **named: Any) -> Any:
        del arguments, named
        raise ToolError(READ_ONLY)

    return refusing
