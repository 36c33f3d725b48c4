"""The environment that `make` builds first: fresh, again, after a kill, and where it can't."""

from __future__ import annotations

import ast
import os
import re
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from compliance.project.installation import CannotInstallError, Installation, right_python
from tests.installation import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = ROOT / "compliance" / "project" / "installation.py"
# The Python that `.venv` itself was made with: it has what a fresh machine has.
PYTHON = os.path.realpath(sys.executable)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone that needs only setuptools, pinned as in the real lock."""
    lock = (ROOT / "requirements.lock").read_text()
    pinned = re.search(r"^setuptools==.*?(?=^\S)", lock + "\nend", re.MULTILINE | re.DOTALL)
    assert pinned is not None
    for name in ("requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).write_text(pinned.group())
    (tmp_path / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "card-room"\nversion = "1"\n'
        '[tool.setuptools]\npackages = ["card_room"]\n'
    )
    (tmp_path / "card_room").mkdir()
    (tmp_path / "card_room" / "__init__.py").touch()
    return tmp_path


def imports(clone: Path) -> bool:
    python = clone / ".venv" / "bin" / "python"
    return subprocess.run([python, "-c", "import card_room"], cwd="/", check=False).returncode == 0


@pytest.fixture
def debian(tmp_path: Path) -> str:
    """Return a Python as Debian splits it: `venv` fails unless called without pip."""
    place = tmp_path / "debian-python"
    place.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        "  *--without-pip*) ;;\n"
        '  *"-m venv"*) echo "ensurepip is not available"; exit 1;;\n'
        "esac\n"
        f'exec {PYTHON} "$@"\n'
    )
    place.chmod(0o700)
    return str(place)


def test_installation_runs_once_in_a_fresh_clone(
    clone: Path,
) -> None:
    data: list[str] = []
    installation = Installation(clone, python=PYTHON, say=data.append)
    installation.install(["run", "dev"])
    assert imports(clone)
    assert len(data) == 2
    before = {place: place.stat().st_mtime_ns for place in (clone / ".venv").rglob("*.done")}
    installation.install(["run", "dev"])
    assert len(data) == 2
    assert before == {place: place.stat().st_mtime_ns for place in before}
    # What makes a finished set incomplete: another lock file, or a missing interpreter.
    lock = clone / "requirements-dev.lock"
    lock.write_text("# newer\n" + lock.read_text())
    assert installation.is_done("run")
    assert not installation.is_done("dev")
    installation.interpreter.unlink()
    assert not installation.is_done("run")


def test_interrupted_installation_starts_over(clone: Path, debian: str) -> None:
    data: list[str] = []
    installation = Installation(clone, python=debian, say=data.append)
    # As a kill leaves it: half a package, which pip would take for complete.
    half = clone / ".venv" / "lib" / "python3.11" / "site-packages" / "half"
    half.mkdir(parents=True)
    installation.mark.touch()
    installation.install(["run"])
    assert "interrupted" in data[0]
    assert not half.exists()
    assert imports(clone)


def test_missing_pip_and_ensurepip_name_what_to_install(clone: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare-python"
    bare.write_text('#!/bin/sh\necho "No module named venv"\nexit 1\n')
    bare.chmod(0o700)
    with pytest.raises(CannotInstallError, match=r"apt-get install python3-venv"):
        Installation(clone, python=str(bare), say=lambda _: None).install(["run"])
    assert not (clone / ".venv").exists()


def test_a_changed_package_is_refused_by_its_hash(clone: Path, debian: str) -> None:
    lock = clone / "requirements.lock"
    lock.write_text(re.sub(r"sha256:[0-9a-f]{64}", "sha256:" + "0" * 64, lock.read_text()))
    with pytest.raises(CannotInstallError, match="HASHES"):
        Installation(clone, python=debian, say=lambda _: None).install(["run"])
    assert not Installation(clone).is_done("run")


def test_unwritable_folder_is_reported(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.chmod(stat.S_IRUSR | stat.S_IXUSR)
    if os.geteuid() == 0:  # root isn't kept out by file modes
        monkeypatch.setattr(os, "access", lambda place, mode: mode != os.W_OK)
    with pytest.raises(CannotInstallError, match="cannot be written"):
        Installation(clone, python=PYTHON).install(["run"])
    clone.chmod(0o700)


@pytest.mark.parametrize("version", [(3, 11, 7), (3, 12, 1), (3, 13, 0)])
def test_a_supported_python_installs_itself(version: tuple[int, int, int]) -> None:
    assert right_python(version) is None


def test_other_python_is_skipped_for_newest_supported() -> None:
    there = {"python3.11": "/usr/bin/python3.11", "python3.12": "/opt/python3.12"}
    assert right_python((3, 9, 2), there.get) == "/opt/python3.12"


def test_without_a_supported_python_it_says_which_are() -> None:
    with pytest.raises(
        CannotInstallError, match=r"needs Python 3\.11, 3\.12 or 3\.13, and this is 3\.14"
    ):
        right_python((3, 14, 0), lambda _: None)


def test_an_old_python_can_read_the_script() -> None:
    # Anything newer would be a syntax error instead of a sentence.
    ast.parse(SCRIPT.read_text(), feature_version=(3, 6))
