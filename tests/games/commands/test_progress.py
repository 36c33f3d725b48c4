"""Long work shows its progress on a terminal, and writes nothing anywhere else."""

import os
import pty
import subprocess
import sys

TICKING = """
import time
from games.commands.call import Progress
progress = Progress()
for _ in range(3):
    time.sleep(0.21)
    progress.tick()
progress.done()
"""


def test_on_a_terminal_the_lines_are_counted_up():
    ours, theirs = pty.openpty()
    done = subprocess.run([sys.executable, "-c", TICKING], stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 1000).decode()
    os.close(ours)
    assert done.returncode == 0
    assert "\r1 lines" in shown
    assert shown.endswith("\r3 lines\r\n")


def test_into_a_file_nothing_is_written():
    call = [sys.executable, "-c", TICKING]
    assert subprocess.run(call, capture_output=True, check=True).stderr == b""
