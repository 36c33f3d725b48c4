"""Untrusted files are read in a sandbox: a process with limits on time and memory."""

from __future__ import annotations

import os

import pytest

from compliance.files.sandbox import ExhaustedError, apart

ROOM = 1 << 29


def test_what_was_found_is_answered_from_another_process():
    assert apart(sum, [1, 2, 3], seconds=5, memory=ROOM) == 6
    assert apart(os.getpid, seconds=5, memory=ROOM) != os.getpid()


def test_what_never_ends_is_ended():
    with pytest.raises(ExhaustedError):
        apart(sum, range(10**15), seconds=1, memory=ROOM)


def test_what_asks_for_more_memory_than_it_has_is_ended():
    with pytest.raises(ExhaustedError):
        apart(bytearray, 2 * ROOM, seconds=5, memory=ROOM)
