"""Untrusted files are read in a sandbox: a process with limits on time and memory."""

from __future__ import annotations

import os

import pytest

from compliance.files.sandbox import ExhaustedError, run_in_sandbox

ROOM = 1 << 29


def test_answer_comes_from_another_process():
    assert run_in_sandbox(sum, [1, 2, 3], seconds=5, memory=ROOM) == 6
    assert run_in_sandbox(os.getpid, seconds=5, memory=ROOM) != os.getpid()


def test_endless_work_is_ended():
    with pytest.raises(ExhaustedError):
        run_in_sandbox(sum, range(10**15), seconds=1, memory=ROOM)


def test_work_over_its_memory_limit_is_ended():
    with pytest.raises(ExhaustedError):
        run_in_sandbox(bytearray, 2 * ROOM, seconds=5, memory=ROOM)
