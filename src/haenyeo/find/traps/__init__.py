"""Which links lead into endless spaces of worthless pages?"""

from haenyeo.find.traps.all_sites import Traps
from haenyeo.find.traps.site import Novelty, TrapVerdict

__all__ = ["Novelty", "TrapVerdict", "Traps"]
