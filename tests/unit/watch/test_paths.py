from __future__ import annotations

from haenyeo.watch.paths import LONG_TEXT, MAX_PATHS, MAX_STEPS, Path, page_paths


def test_elements_in_like_places_share_a_path() -> None:
    html = '<body><ul><li class="a">one<li class="a">two</ul><ul><li class="a">three</ul>'
    assert page_paths(html) == (
        Path(-1, "body", "", 1, 1, 0, 0),
        Path(0, "ul", "", 2, 1, 0, 0),
        Path(1, "li", "a", 3, 2, 3, len("onetwothree")),
    )


def test_a_path_stands_behind_the_path_around_it() -> None:
    paths = page_paths("<div><p><b>x</b></p></div><div><i>y</i></div>")
    assert all(path.around < number for number, path in enumerate(paths))


def test_long_texts_count_in_part() -> None:
    assert page_paths(f"<p>{'word ' * 100}</p>")[1].weight == LONG_TEXT


def test_scripts_and_options_have_no_paths() -> None:
    tags = {path.tag for path in page_paths("<script>x</script><select><option>a</select><!-- c --><p>b")}
    assert tags == {"body", "select", "p"}


def test_a_page_without_a_body_has_the_body_alone() -> None:
    assert page_paths("") == page_paths("<frameset><frame>") == (Path(-1, "body", "", 1, 1, 0, 0),)


def test_endless_variety_and_depth_are_bounded() -> None:
    assert len(page_paths("".join(f'<p class="c{number}">x' for number in range(MAX_PATHS + 50)))) == MAX_PATHS
    assert len(page_paths("<div>" * 500 + "x")) == MAX_STEPS + 1
