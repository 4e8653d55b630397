"""Entry points of compiled code given what no caller of ours gives: they may refuse it, but must do no harm."""

from __future__ import annotations

import contextlib
import importlib
from random import Random
from typing import Any

import numpy as np
from bench.fuzz import material as some
from bench.fuzz.honest import HONEST

from haenyeo.find.learned.features import words
from haenyeo.html import quick
from haenyeo.read.page import places, texts

REFUSALS = (ArithmeticError, AttributeError, BufferError, LookupError, MemoryError, RuntimeError, TypeError, ValueError)
"""What compiled code, and the Python code that it calls, may raise."""


def try_one(name: str, random: Random) -> None:
    """Call an entry point with arguments of which some were changed; it may raise, but not end the process."""
    module, _, function = name.partition(".")
    compiled = importlib.import_module(f"haenyeo.native._{module}")
    arguments = list(HONEST[name](random))
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        place = random.randrange(len(arguments))
        arguments[place] = changed(random, arguments[place], arguments)
    if random.random() < 0.03:
        arguments = arguments[: random.randrange(len(arguments) + 1)]
    with contextlib.suppress(*REFUSALS):
        getattr(compiled, function)(*arguments)
    if "configure" in function or function == "use_words":
        configure()


def configure() -> None:
    """Tell all modules again what they need to know."""
    quick.configured(importlib.import_module("haenyeo.native._scanner"))
    texts.configure(importlib.import_module("haenyeo.native._reading"))
    places.configure(importlib.import_module("haenyeo.native._reading"))
    words.configure(importlib.import_module("haenyeo.native._features"))


def changed(random: Random, value: Any, around: list[Any]) -> Any:
    """Something else of the same kind, or of another."""
    if random.random() < 0.1:
        return random.choice((None, 0, -1, 1 << 64, "", "x", b"", [], (), {}, 1.5, object(), some.text(random), around))
    for kinds, change in _CHANGES.items():
        if isinstance(value, kinds) and not isinstance(value, bool):
            return change(random, value)
    return value


def _changed_dictionary(random: Random, value: dict[Any, Any]) -> dict[Any, Any]:
    told = random.choice((None, 7, "x", (), (1, 2.0, 3, True, None, 0)))
    return {**value, random.choice(("p", 7, hash("p"))): told}


def _changed_items(random: Random, value: Any) -> Any:
    items = list(value)
    if items and random.random() < 0.8:
        place = random.randrange(len(items))
        items[place] = _meddling(random, items) if random.random() < 0.3 else changed(random, items[place], items)
    else:
        items *= random.randrange(4)
    return items if isinstance(value, list) else tuple(items)


@np.errstate(all="ignore")
def _changed_array(random: Random, value: Any) -> Any:
    kind = random.random()
    if kind < 0.6 and value.size:
        copy = value.copy()
        if copy.dtype.kind in "iu":
            least, most = np.iinfo(copy.dtype).min, np.iinfo(copy.dtype).max
            copy.flat[random.randrange(copy.size)] = min(max(random.choice(some.EXTREMES), least), most)
        else:
            copy.flat[random.randrange(copy.size)] = random.choice((np.nan, np.inf, -np.inf, 0, 1e30, 1))
        return copy
    if kind < 0.7:
        return value.astype(random.choice((np.int8, np.int32, np.int64, np.float32, np.float64)))
    if kind < 0.8:
        return value[..., ::2]
    if kind < 0.9:
        return value.ravel()[: random.randrange(value.size + 1)].copy()
    return random.choice((np.concatenate([value, value]), memoryview(bytes(value.nbytes + 1))[1:], value.tobytes()))


def _meddling(random: Random, items: list[Any]) -> Any:
    """What changes the list it is in whenever somebody looks at it."""

    class Meddling(str):
        __slots__ = ()

        def __hash__(self) -> int:
            _meddle(random, items)
            return str.__hash__(self)

        def __eq__(self, other: object) -> bool:
            return str.__eq__(self, other)

        def __index__(self) -> int:
            _meddle(random, items)
            return random.choice(some.NUMBERS)

        def __getattr__(self, name: str) -> Any:
            _meddle(random, items)
            return random.choice((0, 1, -1, "x", None, 1 << 62))

    return Meddling("div>p")


def _meddle(random: Random, items: list[Any]) -> None:
    if random.random() < 0.5:
        items.clear()
    elif len(items) < 1 << 16:
        items.extend(items)


_CHANGES: dict[Any, Any] = {
    np.ndarray: _changed_array,
    int: lambda random, _: random.choice(some.EXTREMES),
    str: lambda random, value: some.mutated(random, value) * random.choice((1, 1, 9)),
    dict: _changed_dictionary,
    (list, tuple): _changed_items,
}
