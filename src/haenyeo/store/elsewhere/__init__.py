"""Where is a file of the archive that is no longer here? In a storage that fsspec knows, named by a note beside."""

from haenyeo.store.elsewhere.moving import move, send
from haenyeo.store.elsewhere.notes import is_noted, length_of, noted_files, opened, part_of

__all__ = ["is_noted", "length_of", "move", "noted_files", "opened", "part_of", "send"]
