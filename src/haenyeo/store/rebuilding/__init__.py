"""How is a database made anew from the archive? It grows beside the old one and takes its place when it is whole.

The files of the archive stay as they are. A visit's rows point to the record that it was read from, and the place up to
which all was taken in is committed with them, so after a kill the work goes on there.
"""

from haenyeo.store.rebuilding.anew import UNFINISHED, RebuildingStore
from haenyeo.store.rebuilding.link_numbers import LinkNumbers
from haenyeo.store.rebuilding.recorded import ArchivedRecord, RecordedArchive

__all__ = ["UNFINISHED", "ArchivedRecord", "LinkNumbers", "RebuildingStore", "RecordedArchive"]
