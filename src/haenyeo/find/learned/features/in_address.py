"""What does an address say about the page behind it? Its host, its folders, its words, and its shape."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

import numpy as np

from haenyeo import native
from haenyeo.find.learned.features.words import Ids, place

COMPILED = native.load("features")

SITE, FOLDER = 0, 2
"""Where among an address's features are those for its site and for the topmost folder."""

_MOST_STEPS = 16
_DIGITS = re.compile(r"[0-9]")
_PARTS = re.compile(r"[^\W\d_]+|0+")
_LETTERS = re.compile(r"[^\W\d_]+")


def address_features(url: str) -> Ids:
    """The places of an address's features."""
    host, path = _cut(url)
    if COMPILED is None:
        return address_features_in_python(host, path)
    return np.frombuffer(COMPILED.address_features(host, path), np.int32)


def address_features_in_python(host: str, path: str) -> Ids:
    """The same without compiled code."""
    path = path.lower()
    steps = [_DIGITS.sub("0", step) for step in path.split("/") if step][:_MOST_STEPS]
    return np.array(list(dict.fromkeys(place(f"/{feature}") for feature in _features(host, path, steps))), np.int32)


def _cut(url: str) -> tuple[str, str]:
    """The host and the path of an address, without escapes: some are escaped twice."""
    host, slash, path = url.partition("://")[2].partition("?")[0].partition("#")[0].partition("/")
    return host, slash + (unquote(unquote(path)) if "%" in path else path)


def _features(host: str, path: str, steps: list[str]) -> Iterable[str]:
    folders = steps if path.endswith("/") else steps[:-1]
    yield f"host {host}"
    yield f"folder {host}/{'/'.join(folders)}"
    yield f"top {host}/{steps[0] if len(steps) > 1 else ''}"
    yield f"depth {len(steps)}"
    yield f"shape {'/'.join(map(_shape, steps))}{path[-1:] == '/'}"
    yield f"kind {steps[-1].rpartition('.')[2] if steps and '.' in steps[-1] else ''}"
    for step in steps:
        yield f"step {step}"
        yield from _PARTS.findall(step)


def _shape(step: str) -> str:
    """Such as ~a for a home folder, a0.a for a numbered page."""
    return _LETTERS.sub("a", step).replace("00", "0").replace("00", "0")
