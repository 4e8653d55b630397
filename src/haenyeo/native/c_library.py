"""What the C library does for memory, where it is one that does: glibc keeps what was freed for later use."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt, in glibc's malloc.h
LARGE_BLOCK = 4 << 20  # bytes
KEPT_AT_THE_END = 8 << 20  # bytes


def give_large_blocks_back() -> bool:
    """Let glibc return the memory of large arrays as soon as they are freed; False where there is another C library.

    It would keep up to 32 MB of each for the next one, and what is allocated meanwhile lies between them. What is free
    at the end of the heap is kept up to a bound: to get it again takes longer than to use it.
    """
    if sys.platform != "linux":
        return False
    try:
        option = ctypes.CDLL(None).mallopt
    except AttributeError:
        return False
    return bool(option(M_MMAP_THRESHOLD, LARGE_BLOCK)) and bool(option(M_TRIM_THRESHOLD, KEPT_AT_THE_END))


def give_back_memory() -> bool:
    """Return the memory that is free inside of the heap to the system; whether there was any, False elsewhere.

    Worth its few milliseconds after work that took much memory and does not come again soon.
    """
    trim = _trim()
    return trim is not None and bool(trim(0))


@functools.cache
def _trim() -> Callable[[int], int] | None:
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library, or none that can be asked
        return None
    return trim
