from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.read.page.tree import MAX_PREFIXES, PathTree, prefixes_in_python, prefixes_of

PATHS = st.lists(
    st.lists(st.sampled_from(["div", "div.a", "p", "ul", "li"]), max_size=5).map(">".join), unique=True, max_size=8
)


def steps(path: str) -> list[str]:
    return path.split(">") if path else []


def is_prefix(prefix: str, path: str) -> bool:
    return steps(path)[: len(steps(prefix))] == steps(prefix)


@given(paths=PATHS)
def test_a_path_leads_through_all_its_prefixes_and_no_others(paths: list[str]) -> None:
    tree = PathTree(paths)
    assert tree.prefixes[0] == ""
    for row, path in enumerate(paths):
        inside = [bool(tree.is_inside(number)[row]) for number in range(len(tree.prefixes))]
        assert inside == [is_prefix(prefix, path) for prefix in tree.prefixes]
        assert tree.prefixes[tree.up[0, row]] == path
        for level in range(1, tree.LEVELS):
            assert tree.prefixes[tree.up[level, row]] == ">".join(steps(path)[: max(0, len(steps(path)) - level)])


@given(paths=PATHS)
def test_depths_and_shared_steps_are_counted(paths: list[str]) -> None:
    tree = PathTree(paths)
    assert tree.depth.tolist() == [len(steps(prefix)) for prefix in tree.prefixes]
    for number, prefix in enumerate(tree.prefixes):
        shared = [
            sum(is_prefix(">".join(steps(prefix)[:n]), path) for n in range(1, len(steps(prefix)) + 1))
            for path in paths
        ]
        assert tree.shared_depth(number).tolist() == shared
        assert tree.inside_of(number).tolist() == [
            is_prefix(prefix, other) and other != prefix for other in tree.prefixes
        ]


@given(paths=PATHS)
def test_sums_are_over_all_that_is_inside(paths: list[str]) -> None:
    tree = PathTree(paths)
    values = np.arange(1, len(paths) + 1, dtype=np.float32)
    sums = tree.sums([values])[0]
    for number, prefix in enumerate(tree.prefixes):
        assert sums[number] == sum(value for value, path in zip(values, paths, strict=True) if is_prefix(prefix, path))


def test_when_there_is_no_room_a_path_counts_with_its_longest_prefix() -> None:
    deep = [f"div>p{number}" for number in range(MAX_PREFIXES + 50)]
    prefixes, ends, parents, may = prefixes_of(deep)
    assert len(prefixes) == len(parents) == len(may) == MAX_PREFIXES
    assert prefixes[ends[-1]] == "div"
    again = prefixes_in_python(deep)
    assert again[0] == prefixes
    assert again[1].tolist() == ends.tolist()
