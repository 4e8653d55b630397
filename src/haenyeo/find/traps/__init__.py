"""Which links lead into endless spaces of worthless pages?"""

from haenyeo.find.traps.all_sites import Traps
from haenyeo.find.traps.site import Kind, Verdict

__all__ = ["Kind", "Traps", "Verdict"]
