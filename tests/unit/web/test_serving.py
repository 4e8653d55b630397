from __future__ import annotations

import socket
from pathlib import Path

from haenyeo.collect.collection import create_collection
from haenyeo.model.config import Topic
from haenyeo.web.serving import listen


def test_the_address_that_is_told_can_be_connected_to_at_once(tmp_path: Path) -> None:
    create_collection(tmp_path / "reefs", Topic(words="reefs", seeds=("https://a.example/",)))
    served = listen(tmp_path / "reefs")
    try:
        socket.create_connection(("127.0.0.1", served.port), timeout=5).close()
    finally:
        served.listener.close()
        served.app.state.desk.close()
