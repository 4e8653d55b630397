"""Is a page one of its own, or a part of the relevant page it was found on, such as a course's exercises?

Parts share the words of the whole, so that its text alone makes a page of every exercise; then a crawl learns to go
through all parts of what it has found, not to find more. Two things tell wholes from collections. The user's examples:
where they come from many sites each stands for the whole of what its site has, where they come from one he wants all
like them. And the doors of a folder, its pages that are linked to from outside: what others enter at one place is one
thing, what they enter at many, as an encyclopedia, is many things. Parts are still judged by their text, but the crawl
learns less from them.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
import numpy.typing as npt

_MOST = 0.95  # of a part's relevance that is not learnt from
_OF_SITE = 2  # slashes in the address of a site


def folder_of(url: str) -> str:
    """The address of the folder a page is in; empty if the folder is the whole site."""
    folder = url.partition("?")[0].rpartition("/")[0]
    return f"{folder}/" if folder.count("/") > _OF_SITE else ""


def folders_around(url: str) -> list[str]:
    """The folder a page is in, the folder around that one, and so on up to the site, which is left out."""
    found, folder = [], folder_of(url)
    while folder:
        found.append(folder)
        folder = folder_of(folder[:-1])
    return found


def mark_of(folder: str) -> int:
    """A number for a folder, hardly ever the same for two."""
    return crc32(folder.encode())


def apart(sites: npt.NDArray[np.int64]) -> float:
    """How surely examples from these sites are wholes: the share of examples, without the first, that add a site."""
    return (len(np.unique(sites)) - 1) / (len(sites) - 1) if len(sites) > 1 else 0.0


def share_left(whole: float, surely: float, doors: int) -> float:
    """The share of a part's relevance to learn from.

    The page it was found on is relevant with the probability `whole`, and its folder has so many doors.
    """
    return 1 - _MOST * surely * whole / max(doors, 1)
