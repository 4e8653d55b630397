"""What a page may ask of the parser: markup that would cost it minutes or gigabytes is rewritten before it is parsed.

Building a tree by HTML's rules takes quadratic time in four places: an attribute is compared with those before it in
its tag, a name with the names met before, an element looks through the elements around it, and a paragraph opens anew
the formatting left open before it. All four are bounded by counts that are cheap to take, so that a normal page costs
no more than one `str.count`; only where a count is high is the page looked at closely. What is rewritten keeps its text
and its links.
"""

from __future__ import annotations

import re
from itertools import islice

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from haenyeo.html.guard.nesting import flattened

MAX_CHARACTERS = 8_000_000
"""Characters of a page; of a longer one the middle is left out."""
MAX_TAGS = 300_000
"""Tags of a page; a page of more keeps links and what hides its content, then loses its middle."""
MAX_ATTRIBUTES = 64
"""Attributes of a tag in a page where tags have far too many."""
MAX_NAMES = 20_000
"""Different names of tags and attributes in one page."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPTIONS = LexborDocumentOptions.WO_EVENTS
"""How lexbor is to parse: with its mutation events, each option of a select looks at all options before it."""

# Below these, the worst that can be written costs about half a second.
_SHORT = 80_000  # characters: 20,000 attributes in one tag
_FEW_WORDS = 320_000  # characters: 64,000 names
_FEW_TAGS = 3000  # formatting opened anew by half of them
_SHALLOW = 15_000  # tags: all inside each other
_MAX_REOPENED = 400_000  # elements that open formatting may add to the tree
_MAX_ODD = 100  # formatting tags whose attributes are not plainly written

# A tag of 800 characters without quotes, or of 100 quoted values.
_LONG_TAG = re.compile(r"""<[a-zA-Z](?:[^>"']{800}|(?:[^>"']*+(?:"[^"]*+"|'[^']*+')){100})""")
# Tags by themselves; comments, scripts and styles are passed over whole.
_TAG = re.compile(
    r"<!--(?:-?>|(?s:.*?)(?:--!?>|\Z))"
    r"|<(?P<raw>(?i:script|style))(?=[\s/>])[^<>]*+>(?s:.*?)(?=</(?i:(?P=raw))[\s/>]|\Z)"
    r"""|<(/?+[a-zA-Z][^\s/<>]*+)([^<>=]*+(?:=\s*+(?:"[^"]*+"|'[^']*+')?+[^<>=]*+)*+)>?+"""
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'<>]*+))?+|["']""")
_VALUE = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+'|[^\s<>]*+)""")
_KNOWN_TAGS = _words(
    """a address area article aside base blockquote body br button caption center dd details dialog dir div dl dt
    fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe img label legend
    li link main menu meta nav noscript ol optgroup option p pre script section select span style summary svg table
    tbody td template textarea tfoot th thead title tr ul"""
)
_KNOWN_ATTRIBUTES = _words("alt charset class content href http-equiv id lang name property rel src title type value")


def _any_case(names: str) -> str:
    """A pattern for any of the names; spelt out because `re.IGNORECASE` takes three times as long."""
    return "|".join("".join(f"[{letter}{letter.upper()}]" for letter in name) for name in names.split())


_IDLE_TAG = re.compile(
    rf"</?+(?!(?:{_any_case('a area base iframe link meta script style template textarea title')})[\s/>])"
    r"[a-zA-Z][^<>]*+>?+"
)
_FORMATTING_NAME = rf"(?:{_any_case('b big code em font i nobr s small strike strong tt u')})(?=[\s/>])"
_FORMATTING = re.compile(rf"</?{_FORMATTING_NAME}[^<>]*+>?+")
# The name of a formatting start tag and, if they are plainly written, its attributes.
_FORMATTING_START = re.compile(
    rf"""<({_FORMATTING_NAME})((?:\s++[^\s"'<>/=]++(?:=(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=]++))?)*\s*+/?+>)?"""
)


def guarded_tree(html: str) -> LexborHTMLParser:
    """The page's tree; the time to build it is bounded whatever the page holds."""
    return LexborHTMLParser(guarded(html)[0], options=OPTIONS)


def guarded(html: str) -> tuple[str, str]:
    """The page as it can safely be parsed, and what was too much in it: words such as `size` and `nesting`."""
    if len(html) <= _SHORT and html.count("<") <= _FEW_TAGS:
        return html, ""
    cuts = []
    for name, rewrite in _REWRITES.items():
        rewritten = rewrite(html)
        if rewritten != html:
            cuts.append(name)
            html = rewritten
    return html, " ".join(cuts)


def _without_middle(html: str) -> str:
    """The page without its middle: links worth following stand at the beginning and at the end."""
    if len(html) <= MAX_CHARACTERS:
        return html
    return html[: MAX_CHARACTERS // 4 * 3] + html[-MAX_CHARACTERS // 4 :]


def _with_fewer_tags(html: str) -> str:
    if html.count("<") <= MAX_TAGS:
        return html
    html = _IDLE_TAG.sub(" ", html)
    if html.count("<") <= MAX_TAGS:
        return html
    pieces = html.split("<")
    return "<".join(pieces[: MAX_TAGS // 4 * 3] + pieces[-MAX_TAGS // 4 :])


def _with_fewer_attributes(html: str) -> str:
    return _TAG.sub(_shortened, html) if len(html) > _SHORT and _LONG_TAG.search(html) else html


def _shortened(found: re.Match[str]) -> str:
    """A tag cut to its first attributes; empty for a tag that does not end before the next one begins."""
    _, name, attributes = found.groups()
    if name is None:
        return found[0]
    if not found[0].endswith(">"):
        return " "
    excess = next(islice(_ATTRIBUTE.finditer(attributes), MAX_ATTRIBUTES, None), None)
    return found[0] if excess is None else f"<{name}{attributes[: excess.start()]}>"


def _with_fewer_names(html: str) -> str:
    if len(html) <= _FEW_WORDS:
        return html
    tags = {tag.partition(">")[0] for tag in _VALUE.sub("", html).split("<")}
    names = set(" ".join(tags).replace("/", " ").split())
    return _TAG.sub(_known, html) if len(names) > MAX_NAMES else html


def _known(found: re.Match[str]) -> str:
    """A tag cut to its known attributes; empty for an unknown tag."""
    _, name, attributes = found.groups()
    if name is None:
        return found[0]
    if name.lstrip("/").lower() not in _KNOWN_TAGS:
        return " "
    kept = (match[0] for match in _ATTRIBUTE.finditer(attributes) if (match[1] or "").lower() in _KNOWN_ATTRIBUTES)
    return f"<{' '.join([name, *kept])}>"


def _without_formatting(html: str) -> str:
    """The page without formatting tags, because the parser opens up to three of each kind again at every tag."""
    tags = html.count("<")
    if tags <= _FEW_TAGS:
        return html
    starts = _FORMATTING_START.findall(html)
    odd = sum(not attributes for _, attributes in starts)
    if odd <= _MAX_ODD and tags * 3 * len(set(starts)) <= _MAX_REOPENED:
        return html
    # The blank keeps what stood before and behind a tag from becoming a tag together.
    return _FORMATTING.sub(" ", html)


def _without_deep_nesting(html: str) -> str:
    return flattened(html) if html.count("<") > _SHALLOW else html


_REWRITES = {
    "size": _without_middle,
    "tags": _with_fewer_tags,
    "attributes": _with_fewer_attributes,
    "names": _with_fewer_names,
    "formatting": _without_formatting,
    "nesting": _without_deep_nesting,
}
