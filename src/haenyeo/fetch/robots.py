"""robots.txt: what a site asks its visitors not to fetch (RFC 9309, with the leniency of Google's parser).

A file is compiled once for one visitor. Plain rules then cost one look into a table for each length that occurs among
them, however many there are; rules with stars are matched piece by piece from the left, in linear time.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import Self

MAX_BYTES = 1 << 20
"""What stands further down is not read; RFC 9309 asks for 500 KiB at least."""

_LONGEST_LINE = 2083 * 8 - 1  # as Google: eight times the longest address of old browsers, with its end
_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

# The blanks of ASCII alone: among bytes read one by one, Python's others are parts of letters.
_BLANKS = "\t\v\f "
_BLANK_RUN = re.compile(r"[\t\v\f ]+")
_LINE_END = re.compile(r"\r\n?|\n")
_AGENT_LETTERS = re.compile(r"[A-Za-z_-]+")
_COMPATIBLE = re.compile(r"\(compatible; *([^/;)\s]+)", re.IGNORECASE)
_NAME_END = re.compile(r"[/(\s]")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]*)?|\.[0-9]+")
_KEYS = (
    ("agent", ("user-agent", "useragent", "user agent")),
    ("allow", ("allow",)),
    ("disallow", ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")),
    ("sitemap", ("sitemap", "site-map")),
    ("delay", ("crawl-delay", "crawldelay", "crawl delay")),
)

# What has two spellings: escapes, and what some escape in an address. A star or dollar sign is one only in an address.
_TWO_SPELLINGS = re.compile(r"%[0-9A-Fa-f]{2}|[\x00-\x20\"<>\[\\\]^`{|}\x7f-\xff]|\$(?!$)")
_HARMLESS = re.compile(r"[A-Za-z0-9\-._~/?&=+,;:@!'()*]*")
_SIGNS = str.maketrans({"*": "%2A", "$": "%24"})
# RFC 9309 undoes escapes of all unreserved characters, Google of none. Here a rule that forbids is read in the wide
# sense and a rule that allows in the narrow one, but for the four marks, which are commonly written both ways.
_MARKS_UNRESERVED = frozenset("-._~")
_UNRESERVED = _MARKS_UNRESERVED | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


class Robots:
    """The rules of one robots.txt for one visitor.

    `crawl_delay` is the pause the site asks for, in seconds; `sitemaps` are the addresses it names, as written.
    """

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        disallow: Iterable[str] = (),
        crawl_delay: float | None = None,
        sitemaps: tuple[str, ...] = (),
    ) -> None:
        self.crawl_delay = crawl_delay
        self.sitemaps = sitemaps
        self._allow = _Patterns(_spelled(pattern, _MARKS_UNRESERVED) for pattern in _with_folders(allow))
        self._disallow = _Patterns(_spelled(pattern, _UNRESERVED) for pattern in disallow)

    @classmethod
    def parse(cls, data: bytes, agent: str) -> Self:
        """The rules that hold for a visitor, named by its product token or its whole User-Agent header.

        Any bytes will do: what cannot be understood is passed over.
        """
        groups = _Groups(product_name(agent))
        for key, value in _lines(_text(data)):
            groups.read(key, value)
        chosen = groups.own if groups.own.named else groups.everyone
        return cls(
            allow=chosen.allow,
            disallow=chosen.disallow,
            crawl_delay=max(chosen.delays, default=None),
            sitemaps=tuple(dict.fromkeys(groups.sitemaps)),
        )

    def allows(self, url: str) -> bool:
        """Whether the visitor may fetch this absolute address: the longest rule that matches decides, allow first."""
        if not self._disallow:
            return True
        path = _path(url)
        if path == "/robots.txt":
            return True
        disallowed = self._disallow.longest_match(_spelled(path, _UNRESERVED))
        if not disallowed:
            return True
        # Letters beyond ASCII must be escaped in an address, so as it stands no rule allows this one.
        return path.isascii() and self._allow.longest_match(_spelled(path, _MARKS_UNRESERVED)) >= disallowed


def allowed(robots_txt: bytes, user_agent: str, url: str) -> bool:
    r"""Whether this robots.txt lets this visitor fetch this address; one call, for suites of test cases.

    >>> allowed(b"User-agent: *\nDisallow: /private", "haenyeo", "http://example.org/private/x")
    False
    """
    return Robots.parse(robots_txt, user_agent).allows(url)


# ---- reading the file ------------------------------------------------------------------------------------------


class _Group:
    """The rules for one visitor, merged from all groups that name it."""

    def __init__(self) -> None:
        self.named = False
        self.allow: list[str] = []
        self.disallow: list[str] = []
        self.delays: list[float] = []


class _Groups:
    """Reads a file line by line and keeps the rules for the visitor itself and those for everyone.

    Names gather until a rule follows them; the first name after a rule begins a new group.
    """

    def __init__(self, agent: str) -> None:
        self.own = _Group()
        self.everyone = _Group()
        self.sitemaps: list[str] = []
        self._agent = agent
        self._current: list[_Group] = []
        self._rules_begun = False

    def read(self, key: str, value: str) -> None:
        """Take in one line."""
        if key == "agent":
            self._read_agent(value)
        elif key == "sitemap":
            self.sitemaps.append(value)
        elif key == "delay":
            self._read_delay(value)
        else:
            self._rules_begun = True
            for group in self._current:
                (group.allow if key == "allow" else group.disallow).append(value)

    def _read_agent(self, value: str) -> None:
        if self._rules_begun:
            self._current = []
            self._rules_begun = False
        if value == "*" or value.startswith(("* ", "*\t")):
            self._join(self.everyone)
        if self._agent in _names(value):
            self._join(self.own)

    def _join(self, group: _Group) -> None:
        group.named = True
        if group not in self._current:
            self._current.append(group)

    def _read_delay(self, value: str) -> None:
        if _SECONDS.fullmatch(value):
            for group in self._current:
                group.delays.append(float(value))


def product_name(agent: str) -> str:
    """The name, in lower case, by which robots.txt knows a visitor with this User-Agent header.

    >>> product_name("Reefbot/2.0 (+https://reef.example)"), product_name("Mozilla/5.0 (compatible; haenyeo/1.0)")
    ('reefbot', 'haenyeo')
    """
    compatible = _COMPATIBLE.search(agent)
    return (compatible[1] if compatible else _NAME_END.split(agent.strip(), maxsplit=1)[0]).lower()


def _names(value: str) -> tuple[str, str]:
    """The names a line may mean: all letters up to a sign that no name has, or all up to a blank or a version."""
    letters = _AGENT_LETTERS.match(value)
    written = _BLANK_RUN.split(value, 1)[0].encode("latin-1").decode("utf-8", "replace").partition("/")[0]
    return (letters[0].lower() if letters else written.lower()), written.lower()


def _text(data: bytes) -> str:
    """The file with one character for each byte, so that addresses can be compared byte by byte."""
    data = data[:MAX_BYTES]
    for mark, name in _MARKS:
        if data.startswith(mark):
            data = data[len(mark) :].decode(name, "replace").encode()
    return data.removeprefix(codecs.BOM_UTF8).decode("latin-1")


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """What each line is about, in one word, and its value; lines about nothing known are left out."""
    for line in _LINE_END.split(text):
        content = line[:_LONGEST_LINE].partition("#")[0].strip(_BLANKS)
        key, colon, value = content.partition(":")
        if not colon:
            # A forgotten colon is forgiven where nothing else can be meant.
            match _BLANK_RUN.split(content):
                case [key, value]:
                    pass
        known = _known(key.strip(_BLANKS).lower())
        if known:
            yield known, value.strip(_BLANKS)


def _known(key: str) -> str:
    return next((name for name, spellings in _KEYS if key.startswith(spellings)), "")


# ---- matching --------------------------------------------------------------------------------------------------


class _Patterns:
    """Patterns of one kind, arranged to find the longest that matches a path.

    Each counts with the length it was written in, stars included.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._beginnings: dict[str, int] = {}
        self._wholes: dict[str, int] = {}
        starred: list[_Starred] = []
        for pattern in sorted(set(patterns), key=len):
            body = pattern.rstrip("*")
            if "*" in body:
                starred.append(_Starred(body, len(pattern)))
            elif body == pattern and body.endswith("$"):
                self._wholes[body[:-1]] = len(pattern)
            elif pattern:
                self._beginnings[body] = len(pattern)
        self._lengths = sorted({len(beginning) for beginning in self._beginnings})
        self._starred = starred[::-1]

    def __bool__(self) -> bool:
        return bool(self._beginnings or self._wholes or self._starred)

    def longest_match(self, path: str) -> int:
        """The length of the longest pattern that matches, 0 if none does."""
        longest = self._wholes.get(path, 0)
        for length in self._lengths:
            if length > len(path):
                break
            longest = max(longest, self._beginnings.get(path[:length], 0))
        for pattern in self._starred:
            if pattern.length <= longest:
                break
            if pattern.rarest in path and pattern.matches(path):
                return pattern.length
        return longest


class _Starred:
    """A pattern with stars inside: pieces that must follow each other in the path.

    `rarest` is the piece that tells soonest that a path does not match: the longest.
    """

    __slots__ = ("_beginning", "_end", "_pieces", "length", "rarest")

    def __init__(self, body: str, length: int) -> None:
        self.length = length
        anchored = body.endswith("$")
        self._beginning, *pieces = (body[:-1] if anchored else body).split("*")
        self._end = pieces.pop() if anchored else ""
        self._pieces = [piece for piece in pieces if piece]
        self.rarest = max(self._beginning, *self._pieces, self._end, key=len)

    def matches(self, path: str) -> bool:
        """Whether the path begins with the pattern; taking each piece where it first occurs never loses a match."""
        if not path.startswith(self._beginning):
            return False
        position = len(self._beginning)
        for piece in self._pieces:
            found = path.find(piece, position)
            if found < 0:
                return False
            position = found + len(piece)
        return path.endswith(self._end, position)


def _path(url: str) -> str:
    """Path and query of an address, byte by byte."""
    rest = url.partition("#")[0]
    if not rest.startswith("/") and "://" in rest:
        rest = rest.partition("://")[2]
    start = min((found for found in (rest.find("/"), rest.find("?")) if found >= 0), default=len(rest))
    path = rest[start:].translate(_SIGNS) if "*" in rest or "$" in rest else rest[start:]
    if not path.isascii():
        path = path.encode("utf-8", "surrogatepass").decode("latin-1")
    return path if path.startswith("/") else "/" + path


def _with_folders(patterns: Iterable[str]) -> Iterator[str]:
    """Allowing a folder's index page allows the folder's own address."""
    for pattern in patterns:
        yield pattern
        folder, slash, page = pattern.rpartition("/")
        if page.startswith("index.htm"):
            yield folder + slash + "$"


def _spelled(text: str, unescaped: frozenset[str]) -> str:
    """The text with everything escaped that an address escapes, and only these escapes undone."""
    if _HARMLESS.fullmatch(text):
        return text
    return _TWO_SPELLINGS.sub(lambda match: _one_spelling(match[0], unescaped), text)


def _one_spelling(written: str, unescaped: frozenset[str]) -> str:
    if written[0] != "%":
        return f"%{ord(written):02X}"
    character = chr(int(written[1:], 16))
    return character if character in unescaped else written.upper()
