from __future__ import annotations

import http.client
import socket
from pathlib import Path

import pytest

from haenyeo.model.errors import CollectionError, UsageError
from haenyeo.web.guard import Entrance
from haenyeo.web.serving import listen, serving_in_thread


def test_the_printed_address_opens_the_dashboard(folder: Path) -> None:
    served = listen(folder)
    assert served.url == f"http://127.0.0.1:{served.port}/?token={served.app.state.keys.token}"
    with serving_in_thread(served):
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
        connection.request("GET", served.url.partition(str(served.port))[2])
        assert connection.getresponse().status == 303
        connection.close()
    with pytest.raises(ConnectionError):
        socket.create_connection(("127.0.0.1", served.port), timeout=5)


@pytest.mark.parametrize(
    ("entrance", "name"), [(Entrance(), "127.0.0.1"), (Entrance(hosts=("reefs.example.org",)), "reefs.example.org")]
)
def test_where_it_listens_everywhere_the_printed_address_can_be_asked_for(
    folder: Path, entrance: Entrance, name: str
) -> None:
    served = listen(folder, host="0.0.0.0", entrance=entrance)
    served.listener.close()
    assert served.url.startswith(f"http://{name}:{served.port}/?token=")


def test_visitors_wait_until_the_dashboard_is_served(folder: Path) -> None:
    served = listen(folder)
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request("GET", "/static/icon.svg")
    with serving_in_thread(served):
        assert connection.getresponse().status == 200
        connection.close()


def test_a_port_that_is_taken_is_refused_with_advice(folder: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(UsageError, match=f"127.0.0.1:{port}") as refused:
            listen(folder, port=port)
    assert "--port 0" in refused.value.advice


def test_a_folder_without_a_collection_leaves_the_port_free(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(CollectionError):
        listen(tmp_path, port=port)
    with socket.socket() as again:
        again.bind(("127.0.0.1", port))
