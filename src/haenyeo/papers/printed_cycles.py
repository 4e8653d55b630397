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
    (1, 13, 1), (2, 11, 1), (2, 15, 1), (3, 11, 1), (4, 9, 2), (4, 10, 1), (5, 9, 1), (5, 10, 1), (5, 14, 1), (6, 9, 2),
    (7, 9, 1), (7, 10, 1),
)  # fmt: skip
"""Table 3.4: weekday, hour and changes of u1."""
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
CRAWLERS = {"open source": (3_012, 450_665, 0.67), "own wrapper": (24_312, 24_316, 99.98)}
"""Table 4.1: pages with products, pages in all, accuracy in %."""


def fields_table() -> Table:
    """Tables 3.1 and 3.2: what is noted of each visit."""
    rows: list[list[Cell]] = [[name, meaning, ours] for name, (meaning, ours) in FIELDS.items()]
    return Table(
        title="Tables 3.1 and 3.2: what is noted of a visit", columns=["field, printed", "meaning", "here"], rows=rows
    )


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
    for weekday, hour, changes in BY_HOUR:
        begun = np.array([hour * HOUR], np.float64)
        evidence += changes * float(HOURS.evidence(begun, begun + HOUR / 3)[0])
        rows.append([f"u1, day {weekday}", hour, changes, "day" if HOURS.breaks <= hour < HOURS.falls else "night"])
    kind = "day, visited at 0:00" if evidence >= 0 else "night, visited at 12:00"
    rows.append(["u1 in all", "9 to 15, printed", sum(changes for *_, changes in BY_HOUR), kind])
    return Table(title="Table 3.4: changes of u1", columns=["page", "hour", "changes, printed", "by"], rows=rows)


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
