"""Addresses: what a link means, and one spelling for addresses that mean the same page.

`resolve` reads a link as browsers do (the WHATWG URL standard). `tidied` goes further, as a crawler must: what cannot
change the page (user name, tracking parameters, an empty query) is dropped, and escapes are written in one way. For
`canonical`, which stands for an address that someone gives, session numbers are dropped too, and parameters sorted;
`variant` does one or both of these, for sites that have shown that it changes nothing.
"""

from __future__ import annotations

import enum
import functools
import re
from operator import itemgetter
from pathlib import Path

import ada_url
import xxhash
from publicsuffixlist import PSLFILE, PublicSuffixList

from haenyeo.model.pages import Url

MAX_LENGTH = 8192
"""Longer addresses are refused: servers refuse them too, and each costs memory everywhere it is kept."""

_RULE = re.compile(r"\n([^/\s]\S*)")
_ESCAPED = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# An http(s) address that the standard's parser would leave as it is, but for its origin and dot segments.
_PLAIN = re.compile(
    r"(https?://[A-Za-z0-9.:\-]+)(/[A-Za-z0-9._~!$%&'()*+,:;=@/\-]*)?(?:\?([A-Za-z0-9._~!$%&()*+,:;=@/?\-]*))?"
    r"(?:#.*)?",
    re.DOTALL,
)
# The parts of a serialised address, user name left out.
_PARTS = re.compile(r"(https?://)(?:[^/?#]*@)?([^/?#]*)(/[^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL)

# What has two spellings: an escape in lower case or of an unreserved character, unless it would complete an escape
# begun by a lone % before it, and the characters that browsers leave bare and others escape.
_TWO_SPELLINGS = re.compile(
    r"(?<!%)(?<!%[0-9A-Fa-f])%(?:(?=.?[a-f])[0-9A-Fa-f]{2}|2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"
    r"|[\[\]\\^`{|}]"
)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_SESSION_NAMES = r"j?session_?id|phpsessid|sessid|sid|aspsessionid[a-z]*|cfid|cftoken|oscsid|zenid"
_PATH_PARAMETER = re.compile(rf";(?:{_SESSION_NAMES})=[^/;]*", re.IGNORECASE)
# Whole segments: ASP.NET's /(S(token))/ and /sid=token/.
_SESSION_SEGMENT = re.compile(
    rf"/(?:(?=[^/]*[A-Za-z0-9_\-]{{16}})\((?:[AFSX]\([A-Za-z0-9_\-]+\))+\)"
    rf"|(?:session|{_SESSION_NAMES})=[A-Za-z0-9_\-]{{6,}})(?=/|$)",
    re.IGNORECASE,
)
_TRACKING = re.compile(
    r"utm_\w+|mtm_\w+|pk_(?:campaign|kwd|source|medium)|hsa_\w+|_hs(?:enc|mi)|__hs\w+|gclid|gclsrc|dclid|gbraid|wbraid"
    r"|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_[ce]id|mkt_tok|_ga|_gl|oly_(?:anon|enc)_id|vero_(?:id|conv)"
    r"|wickedid|rb_clickid|s_cid|n_(?:media|query|rank|ad_group|ad|keyword_id|keyword|campaign_type)|napm",
    re.IGNORECASE,
)
# Where an address may have something that `tidied` takes away: tracking, an empty query, a name or a dot at the host.
_UNTIDY = re.compile(
    rf"{_TWO_SPELLINGS.pattern}|\?$|[?&](?i:{_TRACKING.pattern})(?=[=&]|$)|^https?://[^/?]*(?:@|\.(?=[:/?]|$))"
)
# Without these nothing of an address is a session number, or one of several parameters.
_MAY_VARY = re.compile(r"[&;=(]")
_SESSION = re.compile(r"jsessionid|phpsessid|aspsessionid[a-z]*|cfid|cftoken|oscsid|zenid", re.IGNORECASE)
_PERHAPS_SESSION = re.compile(r"s|sid|sess|sessid|session|session_?id", re.IGNORECASE)
_TOKEN = re.compile(r"(?=[A-Za-z_\-]*[0-9])(?:[0-9A-Fa-f\-]{16,}|[A-Za-z0-9_\-]{24,})")
_SIGNATURE = re.compile(r"[\w\-]*signature|sig|hmac|hash|hdnea", re.IGNORECASE)
_FREE_NAME = re.compile(r"[A-Za-z0-9_.\-]+(?:%5B[A-Za-z0-9_.\-]+%5D)*")


def resolve(base: str, href: str) -> Url | None:
    """The absolute http(s) address a link means on a page with this base address, read as browsers do.

    The fragment is kept; an empty base stands for none; None if it is no address, or one of another scheme.

    >>> resolve("http://example.org/a/b", " ../c?d#e ")
    'http://example.org/c?d#e'
    """
    try:
        absolute = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        if not _SURROGATE.search(href):
            return None
        return resolve(base, _SURROGATE.sub("\ufffd", href))
    return Url(absolute) if absolute.startswith(("http://", "https://")) else None


@functools.lru_cache(maxsize=1 << 14)
def canonical(url: str) -> Url | None:
    """The one spelling of an absolute address, or None if it is no http(s) address or longer than `MAX_LENGTH`.

    Parameters are sorted by name, equal names staying in their order, only where the order cannot matter: every
    parameter reads `name=value`, no name ends in `[]`, and none is a signature over the others (such a query is left
    as it is, tracking and all).

    >>> canonical("HTTP://Example.org.:80/a/../%7Ejin?b=2&utm_source=x&a=1#top")
    'http://example.org/~jin?a=1&b=2'
    """
    if len(url) > MAX_LENGTH:
        return None
    parts = _PLAIN.fullmatch(url)
    if parts is not None:
        origin, path, query = parts.groups("")
        if "%" in url:
            path, query = _respelled(path), _respelled(query)
        return _joined(origin, _path(path or "/", sessions=True), _query(query, sessions=True, ordered=True))
    absolute = resolve("", url)
    parts = _PARTS.fullmatch(absolute) if absolute is not None else None
    if parts is None:
        return None
    scheme, authority, path, query = parts.groups("")
    path, query = _path(_respelled(path), sessions=True), _query(_respelled(query), sessions=True, ordered=True)
    return _joined(scheme + authority, path, query)


def tidied(url: Url) -> Url:
    """A resolved address without what can never change the page, and with its escapes in one spelling.

    >>> tidied(Url("http://a.example/%7ejin/?utm_source=x&b=2&a=1")), tidied(Url("http://a.example/?"))
    ('http://a.example/~jin/?b=2&a=1', 'http://a.example/')
    """
    parts = _PARTS.fullmatch(url) if _UNTIDY.search(url) else None
    if parts is None:
        return url
    scheme, authority, path, query = parts.groups("")
    return _joined(scheme + authority, _respelled(path), _query(_respelled(query))) or url


def meant_by(url: str) -> list[Url]:
    """The addresses under which a page may be known that someone names: as it is on pages, and its one spelling."""
    literal = resolve("", url)
    if literal is None or len(url) > MAX_LENGTH:
        return []
    spelled = canonical(url)
    return list(dict.fromkeys([tidied(Url(literal.partition("#")[0])), *([spelled] if spelled else [])]))


def variant(url: Url, *, sessions: bool, ordered: bool) -> Url:
    """A tidied address without session numbers, with its parameters in order, or both.

    >>> address = Url("http://a.example/p;jsessionid=A1?b=2&a=1")
    >>> variant(address, sessions=True, ordered=False), variant(address, sessions=False, ordered=True)
    ('http://a.example/p?b=2&a=1', 'http://a.example/p;jsessionid=A1?a=1&b=2')
    """
    parts = _PARTS.fullmatch(url) if _MAY_VARY.search(url) else None
    if parts is None:
        return url
    scheme, authority, path, query = parts.groups("")
    path, query = _path(path, sessions=sessions), _query(query, sessions=sessions, ordered=ordered)
    return Url(f"{scheme}{authority}{path}?{query}" if query else f"{scheme}{authority}{path}")


def _joined(origin: str, path: str, query: str) -> Url | None:
    origin_spelled = _origin(origin)
    if origin_spelled is None:
        return None
    url = f"{origin_spelled}{path}?{query}" if query else origin_spelled + path
    return Url(url) if len(url) <= MAX_LENGTH else None


@functools.lru_cache(maxsize=1 << 14)
def _origin(url: str) -> str | None:
    """Scheme, host and port in one spelling; pages of one site ask for the same few again and again."""
    absolute = resolve("", url + "/")
    if absolute is None:
        return None
    scheme, _, rest = absolute.partition("://")
    host, colon, port = rest.removesuffix("/").rpartition(":")
    if not colon or port.endswith("]"):
        host, port = rest.removesuffix("/"), ""
    if not host.endswith("."):
        return absolute.removesuffix("/")
    host = host.rstrip(".")
    return _origin(f"{scheme}://{host}:{port}" if port else f"{scheme}://{host}") if host else None


def _path(path: str, *, sessions: bool) -> str:
    """The path without dot segments, and without session numbers if they are to go."""
    if sessions and ";" in path:
        path = _PATH_PARAMETER.sub("", path)
    if sessions and ("=" in path or "(" in path):
        path = _SESSION_SEGMENT.sub("", path) or "/"
    return ada_url.normalize_url("http://a" + path).removeprefix("http://a") if "/." in path else path


def _respelled(text: str) -> str:
    return _TWO_SPELLINGS.sub(_one_spelling, text)


def _one_spelling(match: re.Match[str]) -> str:
    written = match[0]
    if written[0] != "%":
        return f"%{ord(written):02X}"
    character = chr(int(written[1:], 16))
    return character if character in _UNRESERVED else written.upper()


def _query(query: str, *, sessions: bool = False, ordered: bool = False) -> str:
    """The query without empty and tracking parameters; without session numbers, and sorted if that is safe, on wish."""
    if not query:
        return query
    kept = []
    sortable = ordered
    for piece in query.split("&"):
        name, equals, value = piece.partition("=")
        kind = _kind(name)
        if kind is _Kind.SIGNATURE:
            return query
        if not piece or kind is _Kind.TRACKING or (sessions and _is_session(kind, value)):
            continue
        sortable = sortable and kind is not _Kind.BOUND and bool(equals)
        kept.append((name, piece))
    if sortable and len(kept) > 1:
        kept.sort(key=itemgetter(0))
    return "&".join([piece for _, piece in kept])


def _is_session(kind: _Kind, value: str) -> bool:
    return kind is _Kind.SESSION or (kind is _Kind.PERHAPS_SESSION and _TOKEN.fullmatch(value) is not None)


class _Kind(enum.Enum):
    """What a parameter's name tells about it."""

    FREE = enum.auto()  # may stand anywhere in the query
    BOUND = enum.auto()  # no plain name: the order may matter
    TRACKING = enum.auto()  # says from where one came, not what is asked for
    SESSION = enum.auto()  # says who came
    PERHAPS_SESSION = enum.auto()  # a session number if the value looks like one
    SIGNATURE = enum.auto()  # signs the rest of the query, which must stay as it is


@functools.lru_cache(maxsize=1 << 12)
def _kind(name: str) -> _Kind:
    if _TRACKING.fullmatch(name):
        return _Kind.TRACKING
    if _SESSION.fullmatch(name):
        return _Kind.SESSION
    if _PERHAPS_SESSION.fullmatch(name):
        return _Kind.PERHAPS_SESSION
    if _SIGNATURE.fullmatch(name):
        return _Kind.SIGNATURE
    return _Kind.FREE if _FREE_NAME.fullmatch(name) else _Kind.BOUND


def readable(url: str) -> str:
    """An address as people read it, with the letters of other scripts; `canonical` makes it the same as before.

    >>> readable("https://a.example/%ED%95%B4%EB%85%80?q=%20%2F%E2%80%8B")
    'https://a.example/해녀?q=%20%2F%E2%80%8B'
    """
    return _ESCAPED.sub(_letters, url) if "%" in url else url


def _letters(escaped: re.Match[str]) -> str:
    try:
        letters = bytes.fromhex(escaped[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return escaped[0]
    return letters if letters.isalnum() else escaped[0]


def origin_of(url: str) -> str:
    """Scheme, host and port of an absolute address, such as `https://example.org:8443`."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{_authority(rest)}"


def host_of(url: str) -> str:
    """The host name of an absolute address, without port; an IPv6 address keeps its brackets."""
    return _without_port(_authority(url.partition("://")[2]))


@functools.lru_cache(maxsize=1 << 12)
def site_of(url: str) -> str:
    """The site an address belongs to: the registrable domain of its host, by the public suffix list.

    An IP address or a name of one label is a site of its own, and one for each port.

    >>> site_of("https://news.bbc.co.uk/a"), site_of("http://127.0.0.1:8000/"), site_of("http://reef.localhost:81/")
    ('bbc.co.uk', '127.0.0.1:8000', 'reef.localhost')
    """
    return _site(_authority(url.partition("://")[2]))


def _authority(rest: str) -> str:
    host = rest.partition("/")[0]
    if "?" in host or "#" in host:
        host = host.partition("?")[0].partition("#")[0]
    return host.rpartition("@")[2] if "@" in host else host


def _without_port(authority: str) -> str:
    host, colon, port = authority.rpartition(":")
    return host if colon and not port.endswith("]") else authority


@functools.lru_cache(maxsize=1 << 14)
def _site(authority: str) -> str:
    host = _without_port(authority)
    labels = host.split(".")
    if len(labels) == 1 or host.startswith("[") or labels[-1].isdigit():
        return authority
    return _registrable(host) or host


def _registrable(host: str) -> str | None:
    """The registrable domain; names in other scripts are looked up as written there: the list is read twice as fast."""
    if "xn--" not in host:
        return _suffixes_of(host).privatesuffix(host)
    shown = ada_url.idna_to_unicode(host)
    domain = _suffixes_of(shown).privatesuffix(shown)
    return domain and ".".join(host.split(".")[-domain.count(".") - 1 :])


def _suffixes_of(host: str) -> PublicSuffixList:
    """The list's part for a host's top-level domain."""
    top = host.rstrip(".").rpartition(".")[2].lower()
    return _suffixes_under(top if top in _suffixes() else "")


@functools.cache
def _suffixes_under(top: str) -> PublicSuffixList:
    return PublicSuffixList(_suffixes().get(top, ()), accept_encoded_idn=False)


@functools.cache
def _suffixes() -> dict[str, list[str]]:
    """The rules of the public suffix list by top-level domain; to take in all of them takes three times as long."""
    by_top: dict[str, list[str]] = {}
    for rule in _RULE.findall(Path(PSLFILE).read_text(encoding="utf-8")):
        by_top.setdefault(rule.rpartition(".")[2], []).append(rule)
    return by_top


_DIGIT = re.compile("[0-9]")
_VARYING = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{12,}|[0-9]+")


def url_hash(url: str) -> int:
    """The number by which an address is known everywhere: unsigned, 64 bits."""
    return xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))


@functools.lru_cache(maxsize=1 << 14)
def shape_of(url: str) -> str:
    """The shape of an address: its numbers and long codes replaced, its parameters' values left out.

    Pages made by one template share it, so it groups them before they are fetched.

    >>> shape_of("https://example.org/news/2024/05/a-17.html?page=3&sort=new")
    'https://example.org/news/0/0/a-0.html?page&sort'
    """
    front, _, query = url.partition("?")
    start = len(origin_of(front))
    shape = front[:start] + _VARYING.sub("0", front[start:]) if _DIGIT.search(front, start) else front
    if not query:
        return shape
    return shape + "?" + "&".join(sorted({_VARYING.sub("0", piece.partition("=")[0]) for piece in query.split("&")}))
