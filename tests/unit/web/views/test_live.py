from __future__ import annotations

import http.client
import json

from haenyeo.web.serving import Served


def test_an_open_view_is_told_the_pulse_at_once(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request("GET", "/live", headers={"Authorization": f"Bearer {served.app.state.keys.token}"})
    answer = connection.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = [answer.readline().decode().strip() for _ in range(4)]
    connection.close()
    assert lines[:3] == ["retry: 3000", "", "event: beat"]
    told = json.loads(lines[3].removeprefix("data: "))
    assert told["pulse"]["visits"] == 5
    assert told["crawl"]["state"] == "idle"
