"""Creates `.venv` from the lock files: what `make` runs first, with any available Python.

Therefore it uses only the standard library, and no newer syntax than is needed to say which Python
is required. A finished set leaves a stamp with the digest of its lock file; an interrupted one
leaves a mark, and then everything is rebuilt, because pip mistakes a half-written package for a
whole one.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, List, Optional, Sequence, Union

SUPPORTED = ((3, 13), (3, 12), (3, 11))
OLDEST_NODE = 20
Say = Callable[[str], object]
SETS = {
    "run": "requirements.lock",
    "dev": "requirements-dev.lock",
    "node": "requirements-node.lock",
    "verapdf": "requirements-verapdf.lock",
}


class CannotInstallError(Exception):
    """The installation failed; the message says why, and what to do."""


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
        """Update the named sets; fast if they are up to date."""
        # Concurrent calls take turns; the lock is on an existing file, so that nothing is written
        # only to find nothing to do. Child processes inherit it: a pip that outlives
        # its killed parent is waited for.
        with (self.root / "pyproject.toml").open() as own:
            try:
                fcntl.flock(own, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.say("Another installation is under way; waiting for it to end …")
                fcntl.flock(own, fcntl.LOCK_EX)
            self.handed_down = (own.fileno(),)
            self.install_waiting(names)

    def install_waiting(self, names: Sequence[str]) -> None:
        """Install the named sets that are not up to date."""
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
        """Return the file that records the lock for which a set is installed."""
        return self.environment / f"{name}.done"

    def is_done(self, name: str) -> bool:
        """Return whether a set is installed as locked, by an interpreter that still runs."""
        stamp = self.stamp(name)
        return stamp.exists() and stamp.read_text() == self.digest(name) and self.runs()

    def runs(self) -> bool:
        """Return whether the environment's interpreter still exists."""
        return os.access(str(self.interpreter), os.X_OK)

    def digest(self, name: str) -> str:
        """Return the digest of a set's lock."""
        return hashlib.sha256((self.root / SETS[name]).read_bytes()).hexdigest()

    def make_environment(self) -> None:
        """Create `.venv`, with its own pip or with the pip of the Python that creates it."""
        if self.runs():
            return
        if self.environment.exists():
            shutil.rmtree(str(self.environment))
        made = self.call(self.python, "-m", "venv", str(self.environment))
        if made.returncode == 0:
            return
        # Debian removes ensurepip from Python; its own pip can install into the environment.
        shutil.rmtree(str(self.environment), ignore_errors=True)
        self.call(self.python, "-m", "venv", "--without-pip", str(self.environment))
        if self.runs() and self.call(*self.pip(), "--version").returncode == 0:
            return
        shutil.rmtree(str(self.environment), ignore_errors=True)
        raise CannotInstallError(
            f"{self.python} could not make a virtual environment: {last_line(made)}\n"
            "On Debian and Ubuntu `apt-get install python3-venv` brings what is missing."
        )

    def pip(self) -> List[str]:
        """Return the command that installs into the environment."""
        if list(self.environment.glob("lib/*/site-packages/pip")):
            return [str(self.interpreter), "-m", "pip"]
        return [self.python, "-m", "pip", "--python", str(self.interpreter)]

    def install_set(self, name: str) -> None:
        """Install the packages in a lock file, checking each file's hash."""
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
                f"pip could not install {SETS[name]}: {last_line(installed)}\n"
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
            # A plain path: a new package needs no reinstallation.
            "--config-settings",
            "editable_mode=compat",
            "--editable",
            str(self.root),
        )
        if done.returncode:
            raise CannotInstallError(f"pip could not install this clone: {last_line(done)}")

    def call(self, *command: str) -> "subprocess.CompletedProcess[bytes]":
        """Run a command, capturing its output."""
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=self.handed_down,
            check=False,
        )


def last_line(finished: "subprocess.CompletedProcess[bytes]") -> str:
    """Return the end of a command's output."""
    lines = finished.stdout.decode(errors="replace").strip().splitlines()
    return "\n".join(lines[-8:])


def node_is_here() -> bool:
    """Return whether the machine has its own Node and npm that are new enough."""
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
    """Return the Python to continue with, if it is not this one; raise an error if none works."""
    if tuple(found[:2]) in SUPPORTED:
        return None
    for version in SUPPORTED:
        other = which("python{}.{}".format(*version))
        if other:
            return other
    raise CannotInstallError(
        "This system needs Python 3.11, 3.12 or 3.13, and this is {}.{}. Install one of them, or "
        "say where it is: make audit PYTHON=/path/to/python3.13".format(*found[:2])
    )


def main(arguments: Sequence[str]) -> Union[int, str]:
    """Install the named sets."""
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
