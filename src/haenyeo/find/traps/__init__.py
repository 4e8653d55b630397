"""Which links lead into endless spaces of worthless pages?"""

from haenyeo.find.traps.all_sites import Traps
from haenyeo.find.traps.fingerprint import TextFingerprint, fingerprint
from haenyeo.find.traps.site import Novelty, TrapVerdict

__all__ = ["Novelty", "TextFingerprint", "TrapVerdict", "Traps", "fingerprint"]
