from __future__ import annotations

import os
import signal

import pytest

from haenyeo.cli.interrupting import TERMINATED, ending_cleanly


def test_sigterm_ends_a_command_after_it_has_tidied_up() -> None:
    tidied, before = [], signal.getsignal(signal.SIGTERM)

    def work() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            signal.sigtimedwait([], 5)  # the handler runs at the next step of the program, at the latest here
        finally:
            tidied.append(True)

    with pytest.raises(SystemExit) as ended, ending_cleanly():
        work()
    assert ended.value.code == TERMINATED
    assert tidied
    assert signal.getsignal(signal.SIGTERM) is before
