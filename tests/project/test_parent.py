"""How the parent process ends its parts, tested with programs that misbehave."""

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
parts = [Part("part", [sys.executable, "-c", sys.argv[1]], must_come_up="must" in sys.argv)]
parts += [Part("other", [sys.executable, "-c", each]) for each in sys.argv[3:]]
try:
    with Parent(
        parts, say=print, alarm=lambda part, status: print("alarm", part.name, part.ended, status)
    ) as parent:
        print("up", flush=True)
        parent.run()
except GaveUpError as gave_up:
    sys.exit(str(gave_up))
"""


def parent_of(program: str, folder: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", "-c", SCRIPT, textwrap.dedent(program), *more],
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


def test_ending_leader_finishes_its_childs_work(tmp_path: Path) -> None:
    # The child is busy for a moment more; a TERM of its own would cut that off.
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


def test_part_that_must_come_up_is_given_up(tmp_path: Path) -> None:
    parent = parent_of("import sys; sys.exit(7)", tmp_path, "must")
    output, refused = parent.communicate(timeout=30)
    assert parent.returncode == 1
    assert output.count("part ended (7); it is started again") == 3
    assert "part ended 4 times (the last time with 7)" in refused


def test_part_that_keeps_ending_raises_an_alarm(tmp_path: Path) -> None:
    # The other part ends once; it is restarted while the first one waits for its turn.
    other = """
    import pathlib, time
    if pathlib.Path("twice").exists():
        time.sleep(600)
    pathlib.Path("twice").touch()
    """
    parent = parent_of("import sys; sys.exit(7)", tmp_path, "may", textwrap.dedent(other))
    wait_until(lambda: (tmp_path / "twice").exists())
    assert parent.stdout is not None
    lines = []
    while "alarm part 4 7" not in lines:
        lines.append(parent.stdout.readline().strip())
    assert parent.poll() is None
    parent.send_signal(signal.SIGTERM)
    assert parent.wait(10) == 0
    parent.communicate()
    pauses = [line.split()[-2] for line in lines if line.startswith("part ended")]
    assert pauses == ["0.5", "1", "2", "4"]
    assert [line for line in lines if line.startswith("alarm")] == [
        "alarm part 3 7",
        "alarm part 4 7",
    ]
    assert "other ended (0); it is started again in 0.5 s" in lines
