"""Is a page one of its own, or a part of the relevant page it was found on, such as a course's exercises?

Parts share the words of the whole, so that its text alone makes a page of every exercise; then a crawl learns to go
through all parts of what it has found, not to find more. Whether the user wants parts as well, his examples tell: where
they come from many sites each stands for the whole of what its site has, where they come from one he wants all like
them. Parts are still judged by their text, but the crawl learns less from them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_MOST = 0.95  # of a part's relevance that is not learnt from
_OF_SITE = 2  # slashes in the address of a site


def folder_of(url: str) -> str:
    """The address of the folder a page is in; nothing if that is all of its site."""
    folder = url.partition("?")[0].rpartition("/")[0]
    return f"{folder}/" if folder.count("/") > _OF_SITE else ""


def apart(sites: npt.NDArray[np.int64]) -> float:
    """How surely examples from these sites are wholes: their share, but for one, from a further site."""
    return (len(np.unique(sites)) - 1) / (len(sites) - 1) if len(sites) > 1 else 0.0


def share_left(whole: float, surely: float) -> float:
    """The share of a part's relevance to learn from, if the page it was found on is relevant with this probability."""
    return 1 - _MOST * surely * whole
