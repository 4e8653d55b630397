"""Loaded by Python at the start of every command under test: notes where it connects, and lets nothing leave loopback.

The product's own guard is what is tested; this watch sits below it, at the socket, and sees what got past the guard.
At the end it notes the most memory the process ever had; what the parent is told about that includes the parent's own.
"""

import atexit
import os
import sys
from ipaddress import ip_address
from pathlib import Path

FOLDER = Path(os.environ["HOSTILE_FOLDER"])
CONNECTS = FOLDER / "connects"


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Note a connection to an internet address; stop it if it would leave this machine."""
    if event != "socket.connect" or not isinstance(arguments[1], tuple):
        return
    address = str(arguments[1][0])
    with CONNECTS.open("a") as log:
        log.write(f"{address}\n")
    plain = ip_address(address.partition("%")[0])
    mapped = getattr(plain, "ipv4_mapped", None) or plain
    if not (mapped.is_loopback or mapped.is_unspecified):
        raise PermissionError(f"{address} is not on loopback")


def _note_memory() -> None:
    status = Path("/proc/self/status").read_text()
    (FOLDER / "peak_kb").write_text(status.partition("VmHWM:")[2].split()[0])


sys.addaudithook(_watch)
atexit.register(_note_memory)
