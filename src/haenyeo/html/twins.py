"""Addresses of the same page in another form: its source as text, its print view, its AMP version.

They say nothing that the page itself does not say; a collection that has the page does not need them.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from haenyeo.model.pages import Url

_MAYBE = re.compile("amp|print|/_sources/", re.IGNORECASE)
_SOURCE = re.compile(r"(.*/)_sources/(.+?)(?:\.(?:rst|md|ipynb|txt))?\.txt", re.DOTALL)
_WORD = re.compile(r"\w+")
_SAME = 0.5  # of all words: a source has marks and directives of its own, a page what stands around its text
_FORMS = frozenset({"amp", "print", "printable", "printview", "printer-friendly"})
_ASKED_FORMS = frozenset({"amp", "outputtype", "print", "printable", "printview", "view", "format"})
_ASKED = frozenset({"", "1", "true", "yes", "y", "amp", "print", "printable", "printer"})
_FILE_FORM = re.compile(r"(?:\.amp|[-_.]print)(?=\.\w{1,5}$)")


def originals(url: Url) -> tuple[Url, ...]:
    """The addresses that the page itself would have if this one is of another form of it, the likeliest first.

    >>> originals(Url("https://reef.example/docs/_sources/tides.rst.txt"))
    ('https://reef.example/docs/tides.html', 'https://reef.example/docs/tides/')
    >>> originals(Url("https://reef.example/tides/amp/")), originals(Url("https://reef.example/tides"))
    (('https://reef.example/tides/', 'https://reef.example/tides'), ())
    """
    if not _MAYBE.search(url):
        return ()
    parts = urlsplit(url)
    source = _SOURCE.fullmatch(parts.path)
    if source:
        name = source[1] + source[2]
        found = [parts._replace(path=path) for path in (f"{name}.html", f"{name}/")]
    else:
        plain = parts._replace(path=_FILE_FORM.sub("", parts.path), query=_without_form(parts.query))
        found = [plain._replace(path=path) for path in _paths(plain.path)]
        found += [part._replace(netloc=part.netloc.removeprefix("amp.")) for part in found]
    addresses = dict.fromkeys(Url(urlunsplit(part)) for part in found)
    return tuple(address for address in addresses if address != url)


def say_the_same(one: str, other: str) -> bool:
    """Whether two texts share so many of their words that one is another form of the other.

    >>> say_the_same("Low tide at noon.", "low tide, at noon"), say_the_same("Low tide at noon", "All our papers")
    (True, False)
    """
    words, others = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    return bool(words) and len(words & others) >= _SAME * len(words | others)


def _without_form(query: str) -> str:
    """A query without what asks for another form."""
    asked = parse_qsl(query, keep_blank_values=True)
    left = [(name, value) for name, value in asked if not _asks(name.lower(), value.lower())]
    return query if len(left) == len(asked) else urlencode(left)


def _asks(name: str, value: str) -> bool:
    return name in _ASKED_FORMS and value in _ASKED and (name in _FORMS or value in _FORMS)


def _paths(path: str) -> list[str]:
    """A path without a folder that is named after a form, with and without a slash at its end."""
    steps = path.split("/")
    forms = [number for number, step in enumerate(steps) if step.lower() in _FORMS]
    if not forms:
        return [path]
    left = "/".join(step for number, step in enumerate(steps) if number != forms[-1]) or "/"
    bare = left.rstrip("/")
    return [f"{bare}/", bare] if bare else ["/"]
