"""The shelf of releases: run a module of a sealed release, in a process of its own.

A sealed release is unpacked into a folder and started with nothing of this installation but Python
and its libraries: no configuration, no keys, no database, and where the kernel allows it no
network. So what a replay found, or how a report was set, can be made again years later.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

from compliance.event_log.verifier import BrokenError
from compliance.files.archive import current_archive, read_bytes
from compliance.verification.release import FONTS, LOCK, ROOT, read_release, sealed_releases
from compliance.verification.surroundings import PINNED

if TYPE_CHECKING:
    from collections.abc import Iterator


INSTALLED = "installed"
"""The name of what is installed here, which may not be sealed."""
SECONDS, MEMORY = 6 * 3600, 16 << 30
LAST_WORDS = 2_000
START = """
import ctypes, resource, runpy, sys
folder, module, seconds, memory = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
ctypes.CDLL(None).unshare(0x50000000)  # CLONE_NEWUSER | CLONE_NEWNET: no network
sys.path.insert(0, folder)
sys.argv[:] = sys.argv[4:]
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""


class NoReleaseError(Exception):
    """No release can be run; the message says which, and why."""


@dataclass(frozen=True)
class Unpacked:
    """A release that can be run: its name, the digest of its file, and its folders."""

    version: str
    artifact: str
    folder: Path
    aside: Path
    """The folder in which it may write; its fonts are in `assets/fonts`."""

    def __str__(self) -> str:
        return f"{self.version} ({self.artifact[:12]})" if self.artifact else self.version

    @property
    def kernels(self) -> Path:
        """Return the folder of its compiled kernels: empty, so they are compiled from sources."""
        return self.aside / "kernels"

    def run(self, module: str, text: str = "", **environment: str) -> str:
        """Run a module with this text as its input; return what it prints.

        Raises:
            NoReleaseError: the release has no such module, or it ended with an error.
        """
        name = module.replace(".", "/") + "/__main__.py"
        if not (self.folder / name).is_file():
            message = f"Release {self} is from before releases could be run: it has no {name}."
            raise NoReleaseError(message)
        limits = [str(SECONDS), str(MEMORY)]
        command = [sys.executable, "-I", "-B", "-c", START, str(self.folder), module, *limits]
        clean = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.aside),
            "VAR": str(self.aside),
            "KERNEL_CACHE": str(self.kernels),
            **environment,
        }
        done = subprocess.run(  # noqa: S603 - the log's key signed what runs
            command, input=text, env=clean, cwd=self.aside, text=True, capture_output=True,
            check=False,
        )  # fmt: skip
        if done.returncode:
            message = f"Release {self} failed in {module}: {done.stderr.strip()[-LAST_WORDS:]}"
            raise NoReleaseError(message)
        return done.stdout

    def other_libraries(self) -> list[str]:
        """List the libraries that this release was sealed with in another version than here."""
        different = []
        for name, version in PINNED.findall((self.folder / LOCK).read_text()):
            try:
                here = metadata.version(name)
            except metadata.PackageNotFoundError:
                continue  # for another system than this one; what needs it ends with an error
            if here != version:
                different.append(f"{name} {version}, here is {here}")
        return different


@contextmanager
def unpacked(artifact: str) -> Iterator[Unpacked]:
    """Unpack the sealed release with this digest, after checking its signature and every file.

    Raises:
        NoReleaseError: it is not as it was sealed.
        DamagedError, MissingError: the archive does not have it as it was stored.
    """
    content = read_bytes(current_archive(), artifact)
    try:
        manifest = read_release(content)
    except BrokenError as broken:
        message = f"Release {artifact[:12]} is not run: {broken}."
        raise NoReleaseError(message) from broken
    with tempfile.TemporaryDirectory(prefix="release-") as made:
        folder, aside = Path(made) / "release", Path(made) / "var"
        fonts = aside / "assets" / FONTS
        fonts.mkdir(parents=True)
        with ZipFile(BytesIO(content)) as packed:
            packed.extractall(folder)
        for font in (folder / FONTS).glob("*"):
            font.rename(fonts / font.name)
        yield Unpacked(manifest["version"], artifact, folder, aside)


@contextmanager
def release_to_run(digest: str) -> Iterator[Unpacked]:
    """Unpack the newest release of an engine, a report writer, or a file with this digest.

    A digest may be shortened. `installed` is what is installed here, sealed or not.

    Raises:
        NoReleaseError: there is none, or more than one fits a short digest.
    """
    if digest == INSTALLED:
        with tempfile.TemporaryDirectory(prefix="release-") as made:
            yield Unpacked(INSTALLED, "", ROOT, Path(made))
        return
    with unpacked(find_artifact(digest)) as release:
        yield release


def find_artifact(digest: str) -> str:
    """Return the digest of the newest sealed release that has an engine or report writer.

    Raises:
        NoReleaseError: there is none, or more than one fits a short digest.
    """
    found: dict[str, str] = {}
    for sealed in sealed_releases():  # the newest first
        for name in (sealed.artifact, sealed.engine, sealed.reports):
            if digest and name.startswith(digest):
                found.setdefault(name, sealed.artifact)
    if len(found) == 1:
        return next(iter(found.values()))
    which = "More than one release fits" if found else "No release was sealed with"
    message = f"{which} {digest}. `manage.py release --list` lists the sealed releases."
    raise NoReleaseError(message)


def files_of_release(artifact: str) -> dict[str, str]:
    """Return the digest of each file of a sealed release, by its name.

    Raises:
        NoReleaseError: it is not as it was sealed.
    """
    try:
        files: dict[str, str] = read_release(read_bytes(current_archive(), artifact))["files"]
    except BrokenError as broken:
        message = f"Release {artifact[:12]} cannot be read: {broken}."
        raise NoReleaseError(message) from broken
    return files
