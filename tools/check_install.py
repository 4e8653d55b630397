"""Say what an installed Haenyeo is and end with 1 if any of its compiled modules is missing.

Run by the Python it is installed for, away from the source tree: `python tools/check_install.py`.
"""

from __future__ import annotations

import subprocess
import sys

from haenyeo import native


def main() -> int:
    """Print the version as a user sees it, and the modules that are missing."""
    print(native.__file__, flush=True)
    subprocess.run([sys.executable, "-m", "haenyeo", "--version"], check=True)
    found = native.state()
    print(f"{len(found.compiled)} compiled modules: {', '.join(found.compiled)}")
    for name, reason in found.missing.items():
        print(f"missing: {name}: {reason}")
    return 1 if found.missing else 0


if __name__ == "__main__":
    sys.exit(main())
