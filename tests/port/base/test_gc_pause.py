from __future__ import annotations

import gc

import pytest

from omni_port.base.gc_pause import paused_collector


def test_the_collector_is_off_inside_alone() -> None:
    assert gc.isenabled()
    with paused_collector():
        assert not gc.isenabled()
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_brings_it_back() -> None:
    with pytest.raises(ValueError, match="x"), paused_collector():
        raise ValueError("x")
    assert gc.isenabled()
