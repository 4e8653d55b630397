import ctypes
import platform

import pytest

from haenyeo.native import c_library
from haenyeo.native.c_library import give_back_memory


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_memory_that_lies_free_between_what_is_held_is_given_back() -> None:
    held = [bytearray(3_000) for _ in range(20_000)]
    del held[1::2], held[1::2]
    assert give_back_memory()


def test_another_c_library_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        pass

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Other())
    c_library._trim.cache_clear()
    assert give_back_memory() is False
    c_library._trim.cache_clear()
