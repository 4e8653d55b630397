from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Block, Markup, Url
from haenyeo.read.extract import extract_site
from haenyeo.read.posts import name_in, posts_of

ADDRESS = "https://kettles.example/forum/viewtopic?t=7"
SAID = (
    ("anna", "3 March 2025", "My kettle has a thick layer of chalk, and vinegar did not help. What do you use?"),
    ("bob_k", "4 March 2025", "Citric acid: two spoons of it, boil it once and wait for half an hour."),
    ("anna", "4 March 2025", "That worked like a charm, thanks to everybody who answered me here."),
)


def markup_of(body: str) -> Markup:
    return parse_text(f"<title>Chalk in a kettle - Kettle forum</title><body>{body}", Url(ADDRESS))


def kept_of(markup: Markup) -> list[bool]:
    return [any(said in block.text for _, _, said in SAID) for block in markup.blocks]


def posts_in(body: str) -> list[tuple[str, str, str]]:
    markup = markup_of(body)
    found = posts_of(markup, kept_of(markup))
    return [
        (post.author, post.published, " ".join(markup.blocks[number].text for number in post.blocks)) for post in found
    ]


TOLD = [(name, f"2025-03-0{day[0]}", said) for name, day, said in SAID]


def test_posts_are_told_apart_by_the_numbers_of_their_elements() -> None:
    body = "".join(
        f"<div id=post-{17 + number}><div class=username><a href=/u/{name}>{name}</a></div><p class=rank>Member</p>"
        f"<p class=joined>Jan 1{number}, 201{9 - number}</p><p class=when>{day}</p><div class=body>{said}</div>"
        f"<p class=tools><a href=#>Reply</a></p></div>"
        for number, (name, day, said) in enumerate(SAID)
    )
    assert posts_in(f"<h1>Chalk in a kettle</h1>{body}<p id=page-2>next</p>") == TOLD


def test_posts_without_numbers_are_told_apart_by_the_lines_with_dates() -> None:
    body = "".join(
        f"<article><p class=head>Posted by {name} on {day}, 10:15</p><p>{said}</p><p>Reply Quote</p></article>"
        for name, day, said in SAID
    )
    assert posts_in(body) == TOLD


def test_lines_with_dates_may_also_stand_below_their_posts() -> None:
    body = "".join(
        f"<section><p class=says>{said}</p><p class=sign><a href=/u/{name}>{name}</a> {day}</p></section>"
        for name, day, said in SAID
    )
    assert posts_in(body) == TOLD


def test_names_of_links_that_are_not_to_be_followed_count_too() -> None:
    body = "".join(
        f"<div id=post_{number}><div class=meta><a rel=nofollow href=/u/{name}>{name}</a> {day}, 4:31pm {number}</div>"
        f"<p>{said}</p><div>{number} Likes</div></div>"
        for number, (name, day, said) in enumerate(SAID, 1)
    )
    assert posts_in(body) == TOLD


def test_posts_whose_rows_have_colours_have_names_and_days_at_the_same_places() -> None:
    body = "".join(
        f"<div id=p{70 + number} class='post row{number % 2}'><h2>#{number + 1} {day}</h2><div class=box><dl><dt>{name}"
        f"<dd class=usertitle>{'Elder' if number % 2 else 'Member'}<dd>Registered: 201{9 - number}-07-02</dl>"
        f"<p>{said}</p></div></div>"
        for number, (name, day, said) in enumerate(SAID)
    )
    assert posts_in(body) == TOLD


def test_the_day_beside_a_label_of_joining_is_not_that_of_a_post() -> None:
    body = "".join(
        f"<div id=post{70 + number}><div class=author><a href=/u/{name}>{name}</a></div>"
        f"<dl><dt>Join Date<dd>3 May 2015</dl><p>{said}</p></div>"
        for number, (name, _, said) in enumerate(SAID)
    )
    assert posts_in(body) == [(name, "", said) for name, _, said in TOLD]


def test_what_stands_in_every_post_is_nobodys_name() -> None:
    body = "".join(
        f"<div id=p{number}><p>{said}</p><a href=#>Share</a></div>" for number, (_, _, said) in enumerate(SAID)
    )
    assert posts_in(body) == [("", "", said) for _, _, said in SAID]


def test_a_page_with_one_text_has_no_posts() -> None:
    assert posts_in(f"<div id=post-1><p>3 March 2025</p><p>{SAID[0][2]}</p></div>") == []


def test_documents_of_threads_have_their_posts_and_others_none() -> None:
    posts = "".join(
        f"<article class='post topic-reply' id=post-{number}><div class=poster><a href=/members/{name}>{name}</a></div>"
        f"<div class=postdate>{day}</div><div class=postbody><p>{said}</p></div></article>"
        for number, (name, day, said) in enumerate(SAID)
    )
    forum = f"<title>Chalk in a kettle - Forum</title><div class=forum><h1>Chalk in a kettle</h1>{posts}</div>"
    article = f"<title>Chalk</title><article><h1>Chalk</h1>{''.join(f'<p>{said}</p>' for _, _, said in SAID)}</article>"
    [thread] = extract_site([("https://kettles.example/forum/threads/chalk.7/", forum)])
    [other] = extract_site([("https://kettles.example/blog/2025/chalk", article)])
    assert thread.kind == "thread"
    assert [(post.author, post.published, post.text) for post in thread.posts] == TOLD
    assert other.posts == ()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("by anna » ", "anna"),
        ("Posted by: Bob K., 10:15 am", "Bob K."),
        ("작성자: 해녀", "해녀"),
        ("Erna wrote:", "Erna"),
        ("Postby oldsalt » ", "oldsalt"),
        ("Timo Over a year ago", "Timo"),
        ("skier 2 years ago", "skier"),
        ("12 Likes", ""),
        ("https://kettles.example", ""),
        ("196", ""),
        ("Location: South Africa", ""),
    ],
)
def test_the_name_in_a_line(line: str, name: str) -> None:
    assert name_in(line) == name


blocks = st.builds(
    Block,
    text=st.text(min_size=1, max_size=60) | st.sampled_from(["3 March 2025", "by anna", "4:31pm"]),
    path=st.sampled_from(["div>p", "div.author>p", "div.date"]),
    linked=st.integers(0, 20),
    signs=st.sampled_from(["", "#a1", "#a2", "#a2 #b1 @author", "#x"]),
)


@given(st.lists(st.tuples(blocks, st.booleans()), max_size=30))
def test_any_blocks_give_posts_of_kept_blocks_each_in_one_post(page: list[tuple[Block, bool]]) -> None:
    markup = Markup(base=Url(ADDRESS), blocks=tuple([block for block, _ in page]))
    kept = [keep for _, keep in page]
    numbers = [number for post in posts_of(markup, kept) for number in post.blocks]
    assert len(set(numbers)) == len(numbers)
    assert all(kept[number] for number in numbers)
