from __future__ import annotations

from haenyeo.collect.adapters.watching.saved_rules import key_field
from haenyeo.watch.rules.learn import learn_rule


def test_addresses_that_differ_in_fragments_alone_do_not_tell_records_apart() -> None:
    names = ("ant", "bee", "crab", "dove", "eel")
    one_page = "".join(f"<tr><td><a href='insects.html#{name}'>{name}</a></td></tr>" for name in names)
    pages = "".join(f"<tr><td><a href='{name}.html#top'>{name}</a></td></tr>" for name in names)
    for html, key in ((f"<table>{one_page}</table>", "title"), (f"<table>{pages}</table>", "link")):
        rule = learn_rule(html)
        assert rule is not None
        rows = rule.extract(html)
        assert [row["title"] for row in rows] == list(names)
        assert key_field(rule, rows) == key
        assert key_field(rule, rows, "title") == "title"
        assert key_field(rule, rows, "gone") == key
