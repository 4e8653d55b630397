"""Loaded by Python at the start of every command under test: notes where it connects, and lets nothing leave loopback.

The product's own guard is what is tested; this watch sits below it, at the socket, and sees what got past the guard.
"""

import os
import sys
from ipaddress import ip_address
from pathlib import Path

CONNECTS = Path(os.environ["HOSTILE_FOLDER"]) / "connects"


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


sys.addaudithook(_watch)
