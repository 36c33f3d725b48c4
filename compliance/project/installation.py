"""Makes `.venv` from the locks: what `make` runs first, with whatever Python there is.

Therefore standard library only, and no newer syntax than it takes to say which Python is needed.
A finished set leaves a stamp with the digest of its lock; one that was interrupted leaves a mark,
and then everything is made afresh, because pip takes a half-written package for a whole one.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, List, Optional, Sequence, Union

WANTED = (3, 11)
OLDEST_NODE = 20
Say = Callable[[str], object]
SETS = {
    "run": "requirements.lock",
    "dev": "requirements-dev.lock",
    "node": "requirements-node.lock",
}


class CannotInstallError(Exception):
    """Why the installation ends here, and what to do, in a sentence."""


class Installation:
    """The environment of one clone."""

    def __init__(self, root: Path, python: str = sys.executable, say: Say = print) -> None:
        self.root = Path(root)
        self.python = python
        self.say = say
        self.environment = self.root / ".venv"
        self.interpreter = self.environment / "bin" / "python"
        self.mark = self.environment / "installing"
        self.handed_down = ()  # type: Sequence[int]

    def install(self, names: Sequence[str]) -> None:
        """Bring the named sets up to date; quick when they are."""
        # Two that are called at once take turns; the lock is on a file that is there, so that
        # nothing has to be written to find out that nothing is to be done. What is started
        # inherits it: a pip that outlives its killed parent is waited for.
        with (self.root / "pyproject.toml").open() as own:
            try:
                fcntl.flock(own, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.say("Another installation is under way; waiting for it to end …")
                fcntl.flock(own, fcntl.LOCK_EX)
            self.handed_down = (own.fileno(),)
            self.install_waiting(names)

    def install_waiting(self, names: Sequence[str]) -> None:
        """Install those of the named sets that are not up to date."""
        if self.mark.exists():
            self.say("An earlier installation was interrupted: making it afresh.")
            shutil.rmtree(str(self.environment))
        waiting = [name for name in names if not self.is_done(name)]
        if not waiting:
            return
        if not os.access(str(self.root), os.W_OK):
            raise CannotInstallError(
                f"{self.root} cannot be written. Clone into a folder of yours, or make this "
                "one writable: the Python environment is made in it."
            )
        self.make_environment()
        self.mark.touch()
        for name in waiting:
            self.install_set(name)
        self.mark.unlink()

    def stamp(self, name: str) -> Path:
        """Return the file that says for which lock a set is done."""
        return self.environment / f"{name}.done"

    def is_done(self, name: str) -> bool:
        """Whether a set is installed as its lock says, by an interpreter that still runs."""
        stamp = self.stamp(name)
        return stamp.exists() and stamp.read_text() == self.digest(name) and self.runs()

    def runs(self) -> bool:
        """Whether the environment's interpreter is still there."""
        return os.access(str(self.interpreter), os.X_OK)

    def digest(self, name: str) -> str:
        """Return the digest of a set's lock."""
        return hashlib.sha256((self.root / SETS[name]).read_bytes()).hexdigest()

    def make_environment(self) -> None:
        """Make `.venv`, with pip in it or with the pip of the Python that makes it."""
        if self.runs():
            return
        if self.environment.exists():
            shutil.rmtree(str(self.environment))
        made = self.call(self.python, "-m", "venv", str(self.environment))
        if made.returncode == 0:
            return
        # Debian cuts ensurepip out of Python; its own pip can install into the environment.
        shutil.rmtree(str(self.environment), ignore_errors=True)
        self.call(self.python, "-m", "venv", "--without-pip", str(self.environment))
        if self.runs() and self.call(*self.pip(), "--version").returncode == 0:
            return
        shutil.rmtree(str(self.environment), ignore_errors=True)
        raise CannotInstallError(
            f"{self.python} could not make a virtual environment: {said(made)}\n"
            "On Debian and Ubuntu `apt-get install python3.11-venv` brings what is missing."
        )

    def pip(self) -> List[str]:
        """Return the command that installs into the environment."""
        if list(self.environment.glob("lib/*/site-packages/pip")):
            return [str(self.interpreter), "-m", "pip"]
        return [self.python, "-m", "pip", "--python", str(self.interpreter)]

    def install_set(self, name: str) -> None:
        """Install what a lock names, each file checked by its hash."""
        if name == "node" and node_is_here():
            self.stamp(name).write_text(self.digest(name))
            return
        lock = self.root / SETS[name]
        count = sum("==" in line for line in lock.read_text().splitlines())
        self.say(f"Installing {SETS[name]} ({count} packages, once) …")
        installed = self.call(
            *self.pip(),
            "install",
            "--quiet",
            "--no-input",
            "--disable-pip-version-check",
            "--require-hashes",
            "--requirement",
            str(lock),
        )
        if installed.returncode and name == "node":
            self.say("Node could not be fetched; pages will use a small stylesheet.")
            return
        if installed.returncode:
            raise CannotInstallError(
                f"pip could not install {SETS[name]}: {said(installed)}\n"
                "If it could not reach a registry, tell it of yours (PIP_INDEX_URL, or a proxy in "
                "HTTPS_PROXY) and run the same command again."
            )
        if name == "run":
            self.install_ourselves()
        self.stamp(name).write_text(self.digest(name))

    def install_ourselves(self) -> None:
        """Install the clone itself, editable: its packages can be imported from any folder."""
        done = self.call(
            *self.pip(),
            "install",
            "--quiet",
            "--no-input",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-build-isolation",
            # A plain path: a new package needs no new installation.
            "--config-settings",
            "editable_mode=compat",
            "--editable",
            str(self.root),
        )
        if done.returncode:
            raise CannotInstallError(f"pip could not install this clone: {said(done)}")

    def call(self, *command: str) -> "subprocess.CompletedProcess[bytes]":
        """Run a command, keeping what it says."""
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=self.handed_down,
            check=False,
        )


def said(finished: "subprocess.CompletedProcess[bytes]") -> str:
    """Return the end of what a command said."""
    lines = finished.stdout.decode(errors="replace").strip().splitlines()
    return "\n".join(lines[-8:])


def node_is_here() -> bool:
    """Whether the machine has a Node and npm of its own that are new enough."""
    try:
        node = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, check=True)
        subprocess.run(["npm", "--version"], stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return int(node.stdout.decode().lstrip("v").split(".")[0]) >= OLDEST_NODE


def right_python(
    found: Sequence[Any] = sys.version_info,
    which: Callable[[str], Optional[str]] = shutil.which,
) -> Optional[str]:
    """Return the Python to continue with, if another than this one; refuse if there is none."""
    if tuple(found[:2]) == WANTED:
        return None
    other = which("python3.11")
    if other:
        return other
    raise CannotInstallError(
        "This system needs Python 3.11, and this is {}.{}. Install Python 3.11, or say where it "
        "is: make audit PYTHON=/path/to/python3.11".format(*found[:2])
    )


def main(arguments: Sequence[str]) -> Union[int, str]:
    """Install the sets that are named."""
    try:
        other = right_python()
        if other:
            os.execv(other, [other, "-I", __file__, *arguments])
        Installation(Path(__file__).resolve().parents[2]).install(arguments)
    except CannotInstallError as refused:
        return str(refused)
    except KeyboardInterrupt:
        return "Interrupted. The same command again goes on."
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
