"""How the parent ends its parts, seen with programs that misbehave."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.installation import ROOT, wait_until

SCRIPT = """
import sys
from compliance.project.processes import GaveUpError, Parent, Part
try:
    with Parent([Part("part", [sys.executable, "-c", sys.argv[1]])], say=print) as parent:
        print("up", flush=True)
        parent.run()
except GaveUpError as gave_up:
    sys.exit(str(gave_up))
"""


def parent_of(program: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, textwrap.dedent(program)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lives(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_asked_to_end_the_leader_finishes_what_its_child_does(tmp_path: Path) -> None:
    # The child is at work for a moment more; a TERM of its own would cut that off.
    parent = parent_of(
        """
        import os, pathlib, signal, sys, time
        child = os.fork()
        if child == 0:
            time.sleep(1.5)
            pathlib.Path("finished").touch()
            os._exit(0)
        signal.signal(signal.SIGTERM, lambda *_: (os.waitpid(child, 0), os._exit(0)))
        pathlib.Path("ready").touch()
        signal.pause()
        """,
        tmp_path,
    )
    wait_until((tmp_path / "ready").exists)
    parent.send_signal(signal.SIGTERM)
    assert parent.wait(10) == 0
    assert (tmp_path / "finished").exists()
    parent.communicate()


def test_what_a_leader_leaves_behind_is_killed(tmp_path: Path) -> None:
    parent = parent_of(
        """
        import os, pathlib, signal, time
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        pathlib.Path("child").write_text(str(child))
        signal.pause()
        """,
        tmp_path,
    )
    wait_until(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text())
    child = int((tmp_path / "child").read_text())
    os.kill(parent.pid, signal.SIGTERM)
    assert parent.wait(10) == 0
    assert not lives(child)
    parent.communicate()


def test_a_part_that_does_not_stay_up_is_given_up(tmp_path: Path) -> None:
    parent = parent_of("import sys; sys.exit(7)", tmp_path)
    said, refused = parent.communicate(timeout=30)
    assert parent.returncode == 1
    assert said.count("part ended (7); it is started again") == 3
    assert "part ended 4 times (the last time with 7)" in refused
