"""Bytes to text: which charset a page is written in, by the encoding standard and by what its bytes prove.

The order is that of browsers: byte order mark, Content-Type, meta or XML declaration. Two things are added, because a
collector has no reader who could choose another charset: a label that the bytes contradict loses to UTF-8 that the
bytes prove, and a page without any label, or labelled UTF-8 when its bytes are not, is looked at. Only labels of the
standard are known, never Python's own codecs (`rot13`, `utf-7`, ...).
"""

from __future__ import annotations

import codecs
import functools
import re

from webencodings.labels import LABELS  # type: ignore[import-untyped]

# Names of the standard whose codec has another name in Python, or whose namesake in Python is a smaller set.
_CODECS = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "ibm866": "cp866",
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}
# Charsets of the standard that Python lacks; `decode` knows what to do with them.
_REPLACEMENT = "replacement"
_USER_DEFINED = "x-user-defined"

UTF8 = "utf-8"
_DEFAULT = "windows-1252"
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# Second bytes of a letter that stay as they are in a query.
_BARE = frozenset("!$%&()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ANY_MARK = tuple(mark for mark, _ in _MARKS)
_UNMARKED_UTF16 = re.compile(rb"(?P<utf_16_le><\0[^\0]\0)|(?P<utf_16_be>\0<\0[^\0])")
# The standard looks at 1 KiB and lets the parser find later declarations; here both are one look.
_PRESCAN_BYTES = 1 << 15
_DETECT_BYTES = 1 << 16

_CHARSET_PARAMETER = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)
_TAG = re.compile(rb"<(?:(!--)|(meta)(?=[\t\n\f\r /])|/?[a-z]|[!/?])", re.IGNORECASE)
_NAME_END = re.compile(rb"[\t\n\f\r >]")
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)|(?=>)))?"
)
_CONTENT_CHARSET = re.compile(
    rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))", re.IGNORECASE
)
_XML_ENCODING = re.compile(rb"<\?xml[^>]*?[\t\n\f\r ]encoding[\t\n\f\r ]*=[\t\n\f\r ]*[\"']([^\"'>]+)")


@functools.lru_cache(maxsize=1024)
def codec(label: str) -> str | None:
    """The Python codec for a charset label of the encoding standard, or None for any other label.

    >>> codec("ks_c_5601-1987"), codec("Latin1"), codec("rot13")
    ('cp949', 'windows-1252', None)
    """
    name = LABELS.get(label.strip("\t\n\f\r ").lower()) if label.isascii() else None
    return _CODECS.get(name, name) if name else None


def sniff(data: bytes, content_type: str | None = None) -> str:
    """The codec of a page, from its bytes and its Content-Type; windows-1252 for plain ASCII without a label."""
    marked = _by_mark(data)
    return marked or _weighed(data, _by_header(content_type or ""))


def decode(data: bytes, content_type: str | None = None) -> str:
    """The text of a page. Bytes that mean nothing become U+FFFD, everything else is kept; never raises."""
    return decoded(data, content_type)[0]


def decoded(data: bytes, content_type: str | None = None) -> tuple[str, str]:
    """The text of a page and the codec in which the queries of its links are written (see `query_written`)."""
    marked = _by_mark(data)
    if marked:
        return data.decode(marked, "replace").removeprefix("\ufeff"), UTF8
    header = _by_header(content_type or "")
    text = _plainly_utf8(data, header)
    if text:
        return text, UTF8
    name = _weighed(data, header)
    is_written_otherwise = name not in (_REPLACEMENT, _USER_DEFINED) and not name.startswith("utf-")
    return _decode_as(data, name), name if is_written_otherwise else UTF8


def query_written(address: str, name: str) -> str:
    """The address with the letters beyond ASCII in its query escaped as bytes of a codec, as browsers do.

    A letter that the charset lacks becomes an escaped reference to its number.

    >>> query_written("/find?q=\ud574\ub140&p=1#\ud574", "cp949")
    '/find?q=%C7%D8%B3%E0&p=1#\ud574'
    """
    front, mark, query = address.partition("?")
    if not mark or query.isascii():
        return address
    query, sign, fragment = query.partition("#")
    return f"{front}?{_BEYOND_ASCII.sub(lambda found: _escaped(found[0], name), query)}{sign}{fragment}"


def _escaped(letters: str, name: str) -> str:
    try:
        data = letters.encode(name)
    except UnicodeEncodeError:
        if len(letters) > 1:
            return "".join(_escaped(letter, name) for letter in letters)
        return f"%26%23{ord(letters)}%3B"
    return "".join(chr(byte) if chr(byte) in _BARE else f"%{byte:02X}" for byte in data)


def is_plain_utf8(data: bytes, characters: int, content_type: str = "") -> bool:
    """Whether bytes that can be read as so many `characters` of UTF-8 are what `decode` makes of them, with no mark."""
    return not _by_mark(data) and _beyond_doubt(data, characters, _by_header(content_type))


def _plainly_utf8(data: bytes, header: str) -> str:
    """The text if it is certainly UTF-8, as on most pages; None if the charset must be worked out."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return text if _beyond_doubt(data, len(text), header) else ""


def _beyond_doubt(data: bytes, characters: int, header: str) -> bool:
    if header.startswith("utf-16"):
        return False
    if header == "utf-8" or len(data) - characters >= _CONTINUATIONS * _ENOUGH_AGAINST_TWO_BYTES:
        return True
    # ISO-2022-JP is the one charset of the standard whose bytes look like ASCII and are not.
    return data.isascii() and b"\x1b" not in data


def _decode_as(data: bytes, name: str) -> str:
    if name == _REPLACEMENT:
        return data.decode("ascii", "replace")
    if name == _USER_DEFINED:
        return data.decode("latin-1").translate(_USER_DEFINED_LETTERS)
    if name.startswith(("windows-", "cp874")):
        return data.decode(name, _C1_HANDLER)
    return data.decode(name, "replace")


_USER_DEFINED_LETTERS = {byte: 0xF700 + byte for byte in range(0x80, 0x100)}
_C1_HANDLER = "haenyeo-c1"


def _as_control(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that Windows left undefined below 0xA0 as C1 controls, as the standard says."""
    assert isinstance(error, UnicodeDecodeError)
    byte = error.object[error.start : error.start + 1]
    return (byte.decode("latin-1") if byte < b"\xa0" else "\ufffd"), error.start + 1


codecs.register_error(_C1_HANDLER, _as_control)


def _by_mark(data: bytes) -> str:
    """The codec of a byte order mark, or of UTF-16 that begins with a tag and has no mark."""
    if data.startswith(_ANY_MARK):
        return next(name for mark, name in _MARKS if data.startswith(mark))
    unmarked = _UNMARKED_UTF16.match(data)
    return (unmarked.lastgroup or "").replace("_", "-") if unmarked else ""


@functools.lru_cache(maxsize=1024)
def _by_header(content_type: str) -> str:
    found = _CHARSET_PARAMETER.search(content_type)
    return (codec(found[1]) or "") if found else ""


def _weighed(data: bytes, header: str) -> str:
    """The codec the labels name unless the bytes prove it wrong; without a label, the one the bytes look like."""
    if header.startswith("utf-16") and b"\0" not in data[:_PRESCAN_BYTES]:
        header = ""
    label = header or _declared(data[:_PRESCAN_BYTES])
    if data.isascii():
        return label or _DEFAULT
    if header.startswith("utf-16"):
        return header
    if _proves_utf8(data, label):
        return "utf-8"
    if label != "utf-8":
        return label or _looked_at(data)
    # UTF-8 was promised and the bytes are something else: perhaps what the page declares, or what they look like.
    declared = _declared(data[:_PRESCAN_BYTES]) if header else ""
    if declared and _fits(data, declared):
        return declared
    return _looked_at(data) if _contradicts_utf8(data) else "utf-8"


def _proves_utf8(data: bytes, label: str) -> bool:
    """Whether the bytes beyond ASCII are UTF-8, but for a few bad ones and a cut at the end.

    Text in another charset gives a bad byte for nearly every letter beyond ASCII. A few letters in a charset of two
    bytes may look like UTF-8 by chance, so against such a label more of them are asked for.
    """
    letters, bad = _counted(data)
    enough = _ENOUGH_AGAINST_TWO_BYTES if label in _TWO_BYTES else 1
    return letters >= max(enough, _LETTERS_PER_BAD_BYTE * bad)


def _contradicts_utf8(data: bytes) -> bool:
    """Whether more beyond ASCII is no UTF-8 than is; a few bad bytes are a flaw of the page, not of its label."""
    letters, bad = _counted(data)
    return bad > max(_FLAWS, letters)


def _counted(data: bytes) -> tuple[int, int]:
    """How many letters beyond ASCII there are if the bytes are UTF-8, and how many bad places, but for the end."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    letters = len(text) - len(text.encode("ascii", "ignore")) - bad
    return letters, bad - text.endswith("\ufffd")


_FLAWS = 3
_TWO_BYTES = frozenset({"big5hkscs", "cp932", "cp949", "euc-jp", "gb18030"})
_ENOUGH_AGAINST_TWO_BYTES = 4
_CONTINUATIONS = 3  # bytes that a letter of UTF-8 takes beyond its first, at most
_LETTERS_PER_BAD_BYTE = 10
_HANGUL_PER_OTHER = 5


def _fits(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _looked_at(data: bytes) -> str:
    """The charset that bytes without a label look like."""
    beyond_ascii = re.search(rb"[\x80-\xff]", data)
    start = max(0, beyond_ascii.start() - 1024) if beyond_ascii else 0
    sample = data[start : start + _DETECT_BYTES]
    if _is_hangul(sample):
        return "cp949"
    import cchardet  # takes as long to load as all else that reading a page in a known charset needs of this

    found = cchardet.detect(sample)["encoding"]
    name = codec(_DETECTED.get(found, found)) if found else None
    return name if name and name != "utf-8" else _DEFAULT


def _is_hangul(sample: bytes) -> bool:
    """Whether nearly all beyond ASCII is Hangul when read as EUC-KR; the detector needs a long text to see that.

    Read with Python's codec of that name, which lacks the rare syllables: Shift_JIS would pass for those.
    """
    beyond = re.sub(r"[\x00-\x7f]+", "", sample.decode("euc_kr", "replace"))
    return len(re.sub("[가-힣]+", "", beyond)) * _HANGUL_PER_OTHER < len(beyond)


# Names of the detector that are no labels of the standard.
_DETECTED = {"UHC": "euc-kr", "JOHAB": "euc-kr", "EUC-TW": "big5", "MAC-CYRILLIC": "x-mac-cyrillic"}


def _declared(head: bytes) -> str:
    """The codec that a meta element or XML declaration names, by the standard's prescan."""
    if b"charset" not in head and b"encoding" not in head and b"charset" not in head.lower():
        return ""
    return _by_meta(head) or _by_xml(head)


def _by_xml(head: bytes) -> str:
    found = _XML_ENCODING.match(head)
    return _in_markup(found[1]) if found else ""


def _in_markup(label: bytes) -> str:
    """The codec of a label found inside a page: as it could be read as ASCII, it cannot be UTF-16."""
    name = codec(label.decode("latin-1")) or ""
    if name.startswith("utf-16"):
        return "utf-8"
    return _DEFAULT if name == _USER_DEFINED else name


def _by_meta(head: bytes) -> str:
    position = 0
    while tag := _TAG.search(head, position):
        if tag[1]:
            end = head.find(b"-->", tag.start() + 2)
            position = end + 3 if end >= 0 else len(head)
        elif tag[2]:
            attributes, position = _attributes(head, tag.end())
            if name := _of_meta(attributes):
                return name
        elif tag[0][-1:].isalpha():
            end_of_name = _NAME_END.search(head, tag.end())
            _, position = _attributes(head, end_of_name.start() if end_of_name else len(head))
        else:
            end = head.find(b">", tag.end())
            position = end + 1 if end >= 0 else len(head)
    return ""


def _attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes of a tag, the first of each name, and where it ends; none of a tag that is never closed."""
    attributes: dict[bytes, bytes] = {}
    while found := _ATTRIBUTE.match(head, position):
        position = found.end()
        if head[position : position + 1] in (b'"', b"'") and found.lastindex == 1:
            return {}, len(head)
        attributes.setdefault(found[1].lower(), found[2] or found[3] or found[4] or b"")
    return (attributes if position < len(head) else {}), position


def _of_meta(attributes: dict[bytes, bytes]) -> str:
    if b"charset" in attributes:
        return _in_markup(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return ""
    found = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
    return _in_markup(found[1] or found[2] or found[3] or b"") if found else ""
