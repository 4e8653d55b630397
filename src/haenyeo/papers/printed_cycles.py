"""The printed tables of Cho, Lee & Choi 2013, and the same made with our parts from what is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from haenyeo.papers.report import Cell, Table
from haenyeo.refresh.groups.cycles import Cycle, cycles, fine_group, requests_a_day
from haenyeo.refresh.groups.table import HOUR, HOURS, weekly_table

WEEKS = 3
"""The learning period of table 3.3."""
CHANGES = {
    "u1": (14, 2450), "u5": (10, 1570), "u3": (10, 1850), "u2": (8, 2270), "u4": (7, 1580), "u11": (7, 825),
    "u10": (6, 450), "u9": (3, 590), "u8": (3, 121), "u7": (3, 570), "u6": (3, 950), "u12": (3, 950), "u15": (2, 135),
    "u13": (1, 40),
}  # fmt: skip
"""Table 3.3: changes and their size."""
PER_WEEK = {
    "u1": 4.7, "u5": 3.3, "u3": 3.3, "u2": 2.7, "u4": 2.3, "u11": 2.3, "u10": 2.0, "u9": 1.0, "u8": 1.0, "u7": 1.0,
    "u6": 1.0, "u12": 1.0, "u15": 0.7, "u13": 0.3,
}  # fmt: skip
BY_HOUR = (
    (1, 13, 1, 100), (2, 11, 1, 100), (2, 15, 1, 20), (3, 11, 1, 390), (4, 9, 2, 420), (4, 10, 1, 400), (5, 9, 1, 50),
    (5, 10, 1, 130), (5, 14, 1, 400), (6, 9, 2, 310), (7, 9, 1, 100), (7, 10, 1, 30),
)  # fmt: skip
"""Table 3.4: weekday, hour, changes of u1 and their size."""
OF_U10 = (11, 1, 50)
"""The only line of another page there: hour, changes and their size."""
VISITED = (
    ("03-01 9:20", "u1", 3500, 10), ("03-01 9:40", "u5", 4600, 100), ("03-01 9:40", "u7", 15000, 200),
    ("03-01 9:40", "u10", 13000, 20), ("03-01 9:40", "u15", 5000, 35), ("03-02 9:40", "u1", 380, 100),
    ("03-02 11:40", "u2", 4500, 20), ("03-02 10:00", "u8", 8900, 20), ("03-02 10:20", "u9", 6800, 200),
    ("03-02 10:40", "u10", 17800, 10), ("03-02 11:00", "u11", 3900, 30), ("03-02 11:20", "u13", 500, 40),
    ("03-03 13:00", "u1", 3800, 100), ("03-03 14:20", "u2", 580, 20), ("03-03 14:40", "u3", 400, 20),
    ("03-04 15:20", "u1", 5000, 20),
)  # fmt: skip
"""Table 3.2: visits of March 2013 that found a change: time, address, size, size of the change."""
_THRICE = ("u1", "u2", "u3", "u4", "u5", "u10", "u11")
VISITS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("Mon", "0:00"): _THRICE,
    ("Tue", "0:00"): ("u1",),
    ("Wed", "0:00"): _THRICE,
    ("Thu", "0:00"): ("u1",),
    ("Fri", "0:00"): _THRICE,
    ("Sat", "12:00"): ("u6", "u7", "u8", "u9", "u12", "u15"),
    ("Sat", "0:00"): ("u1",),
    ("Sun", "0:00"): ("u1",),
    ("2nd and 4th Sat", "0:00"): ("u13",),
    ("3rd Sat", "0:00"): ("u14",),
}
"""Table 3.5; u14 stands in no other table: it never changed."""
FIELDS = {
    "data_time": ("when it was looked at", "time of the visit"),
    "url": ("the address", "address"),
    "get_size": ("bytes that came", "size of the visit"),
    "update_size": ("difference to the last size", "the same difference"),
    "hash": ("1: changed", "what the visit found: changed or not, by the text and not by all bytes"),
}
"""Table 3.1."""
PAGES = {
    Cycle.TWICE_DAILY: 240,
    Cycle.DAILY: 144,
    Cycle.THRICE_WEEKLY: 216,
    Cycle.WEEKLY: 480,
    Cycle.TWO_WEEKLY: 60,
    Cycle.FOUR_WEEKLY: 60,
}
"""Section 4.1.2."""
REQUESTS = {"G14": 480, "G7": 144, "G3": 7, "G1": 6, "2G1": 5, "4G1": 2}
"""Table 4.2."""
CRAWLERS = {
    "time": ("12 days and more", "30 hours"),
    "data": ("36 GB", "39 GB"),
    "pages with products": ("3012 of 450665", "24312 of 24316"),
    "accuracy": ("0.67 %", "99.98 %"),
}
"""Table 4.1: what an open-source crawler and the authors' own one needed and found."""


def fields_table() -> Table:
    """Table 3.1: what is noted of each visit."""
    rows: list[list[Cell]] = [[name, meaning, ours] for name, (meaning, ours) in FIELDS.items()]
    return Table(title="Table 3.1: what is noted of a visit", columns=["field, printed", "meaning", "here"], rows=rows)


def visited_table() -> Table:
    """Table 3.2: some visits, and the size of change that follows from the sizes of two of them, as here."""
    rows, known = list[list[Cell]](), dict[str, int]()
    for time, url, size, changed in VISITED:
        ours: Cell = abs(size - known[url]) if url in known else ""
        rows.append([time, url, size, changed, ours])
        known[url] = size
    columns = ["time, printed", "page", "size, printed", "size of change, printed", "difference to the line before"]
    return Table(title="Table 3.2: visits that found a change", columns=columns, rows=rows)


def changes_table() -> Table:
    """Table 3.3 with the groups that follow from it."""
    rows: list[list[Cell]] = []
    for url, (changes, size) in CHANGES.items():
        rate = changes / WEEKS
        group = Cycle(int(cycles(np.array([rate]))[0])).label
        rows.append([url, changes, size, PER_WEEK[url], round(rate, 1), fine_group(rate), group])
    columns = ["page", "changes, printed", "size, printed", "a week, printed", "a week", "of sixteen", "of six"]
    return Table(title="Table 3.3: changes in three weeks, and the groups that follow", columns=columns, rows=rows)


def hours_table() -> Table:
    """Table 3.4: the changes of u1 by hour, and whether they make it a page of the day."""
    evidence, rows = 0.0, list[list[Cell]]()
    for weekday, hour, changes, size in BY_HOUR:
        begun = np.array([hour * HOUR], np.float64)
        evidence += changes * float(HOURS.evidence(begun, begun + HOUR / 3)[0])
        part = "day" if HOURS.breaks <= hour < HOURS.falls else "night"
        rows.append([f"u1, day {weekday}", hour, changes, size, part])
    kind = "day, visited at 0:00" if evidence >= 0 else "night, visited at 12:00"
    changes, size = (sum(column) for column in list(zip(*BY_HOUR, strict=True))[2:])
    rows.append(["u1 in all", "9 to 15, printed", changes, size, kind])
    rows.append(["u1 by table 3.3", "", *CHANGES["u1"], ""])
    rows.append(["u10, day 2, its only line", *OF_U10, "day"])
    columns = ["page", "hour", "changes, printed", "size, printed", "by"]
    return Table(title="Table 3.4: changes by day and hour", columns=columns, rows=rows)


def visits_table() -> Table:
    """Table 3.5 as printed, and as it follows from table 3.3."""
    night = VISITS["Sat", "12:00"]
    rates = {url: changes / WEEKS for url, (changes, _) in CHANGES.items()} | {"u14": 0.0}
    grouped = zip(rates, cycles(np.array(list(rates.values()))).tolist(), strict=True)
    ours = weekly_table((url, Cycle(group), url not in night) for url, group in grouped)
    rows: list[list[Cell]] = []
    for slot in dict.fromkeys((*VISITS, *ours)):
        printed, made = VISITS.get(slot, ()), _sorted(ours.get(slot, ()))
        rows.append([*slot, " ".join(printed), " ".join(made), "yes" if set(printed) == set(made) else "no"])
    return Table(
        title="Table 3.5: when pages are visited", columns=["day", "hour", "printed", "here", "the same"], rows=rows
    )


def _sorted(urls: Sequence[str]) -> list[str]:
    return sorted(urls, key=lambda url: int(url[1:]))


def requests_table(groups: Mapping[Cycle, int], fine: Mapping[str, int]) -> Table:
    """Table 4.2: requests a day as printed, as its cycles say, and in this log."""
    among = {Cycle.TWICE_DAILY: range(11, 15), Cycle.DAILY: range(5, 11), Cycle.THRICE_WEEKLY: range(2, 5)}
    rows: list[list[Cell]] = []
    for cycle, count in PAGES.items():
        said = count * cycle.visits_a_week / 7
        parts = ", ".join(f"G{i}: {fine[f'G{i}']}" for i in among.get(cycle, ()) if fine.get(f"G{i}"))
        printed = REQUESTS[cycle.label]
        ours = groups.get(cycle, 0)
        rows.append([cycle.label, count, printed, round(said, 1), round(said - printed, 1), ours])
        rows[-1] += [round(ours * cycle.visits_a_week / 7, 1), parts]
    printed_sum, said = sum(REQUESTS.values()), requests_a_day(PAGES)
    total: list[Cell] = ["sum", sum(PAGES.values()), printed_sum, round(said, 1), round(said - printed_sum, 1)]
    rows.append([*total, sum(groups.values()), round(requests_a_day(groups), 1), ""])
    columns = ["group", "pages, printed", "a day, printed", "as its cycles say", "differs by"]
    columns += ["pages here", "a day here", "of the sixteen"]
    return Table(title="Table 4.2: requests a day", columns=columns, rows=rows)
