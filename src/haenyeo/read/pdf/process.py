"""Has PDFs opened by a process of its own: one that crashes, hangs or takes too much is replaced."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from contextlib import suppress

import msgspec

from haenyeo.read.pdf.worker import LENGTH_BYTES, PdfText

SECONDS = 30.0
MEMORY_BYTES = 300 << 20
MOST_DOCUMENTS = 100
"""After which the process is replaced, whatever it has held on to."""
INSTALL = "pip install 'haenyeo[pdf]'"
HUNG, CRASHED = "takes too long", "cannot be opened"


def can_read_pdfs() -> bool:
    """Whether the pdf extra is installed."""
    return importlib.util.find_spec("pypdfium2") is not None


class PdfProcess:
    """Reads PDFs one after another; to be closed."""

    def __init__(self, *, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._seconds, self._memory_bytes = seconds, memory_bytes
        self._process: asyncio.subprocess.Process | None = None
        self._documents = 0
        self._one_at_a_time = asyncio.Lock()

    async def read(self, data: bytes) -> PdfText:
        """What a PDF says, or why it says nothing."""
        async with self._one_at_a_time:
            if self._process is None or self._process.returncode is not None or self._documents >= MOST_DOCUMENTS:
                await self._replace()
            self._documents += 1
            try:
                return await asyncio.wait_for(self._exchange(data), self._seconds)
            except TimeoutError:
                reason = HUNG
            except (OSError, EOFError, msgspec.DecodeError):
                reason = CRASHED
            await self._end()
            return PdfText(reason=reason)

    async def close(self) -> None:
        """End the process."""
        async with self._one_at_a_time:
            await self._end()

    async def _exchange(self, data: bytes) -> PdfText:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(len(data).to_bytes(LENGTH_BYTES, "big"))
        process.stdin.write(data)
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
        return msgspec.msgpack.decode(await process.stdout.readexactly(length), type=PdfText)

    async def _replace(self) -> None:
        await self._end()
        self._documents = 0
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "haenyeo.read.pdf.worker", str(self._memory_bytes)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()
