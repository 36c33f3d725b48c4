"""House rules that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.installation import ROOT

LOCKS = [f"requirements{each}.lock" for each in ("", "-dev", "-node", "-verapdf")]
COPYLEFT = re.compile(r"(?<!L)(?<!Lesser )\b(A?GPL|General Public License|Affero)", re.IGNORECASE)
# `Python imports of django_fsm` are django-fsm-2's; the package of that very name is unmaintained
# and its next release is under the AGPL.
FORBIDDEN = {"django-fsm"}


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [place for place in found if place.is_file()]


def locked(name: str) -> dict[str, str]:
    """Return the pinned version of each package in a lock file."""
    pins = re.findall(
        r"^([a-zA-Z0-9._-]+)(?:\[[^]]*\])?==(\S+)", (ROOT / name).read_text(), re.MULTILINE
    )
    return {canonicalize_name(package): version for package, version in pins}


def test_no_file_is_longer_than_800_lines() -> None:
    too_long = {
        str(place.relative_to(ROOT)): lines
        for place in tracked("*.py", "*.html", "*.scss", "*.toml", "*.md", "Makefile")
        if "migrations" not in place.parts  # generated, like the reference pages
        and place.parent != ROOT / "docs" / "reference"
        and (lines := place.read_text().count("\n")) > 800
    }
    assert too_long == {}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_its_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    blocks = re.split(r"\n(?=[a-zA-Z0-9])", text.strip())
    for block in blocks:
        assert re.match(r"[a-zA-Z0-9._\[\]-]+==\S+", block), block[:80]
        assert "--hash=sha256:" in block, block[:80]


def test_the_npm_lock_names_no_registry() -> None:
    assert "resolved" not in (ROOT / "package-lock.json").read_text()


def test_what_runs_is_pinned_alike_for_users_and_developers() -> None:
    developers = locked("requirements-dev.lock")
    for package, version in locked("requirements.lock").items():
        assert developers[package] == version, package


def test_nothing_under_gpl_or_agpl_is_needed_at_run_time() -> None:
    refused = {}
    for package in locked("requirements.lock"):
        assert package not in FORBIDDEN
        about = metadata.metadata(package)
        license = about.get("License-Expression") or ""
        classifiers = [
            each for each in about.get_all("Classifier") or [] if each.startswith("License")
        ]
        # A whole license text in `License` is checked by its first line.
        answer = (about.get("License") or "").strip().split("\n")[0]
        words = " ".join([license, *classifiers, answer])
        if COPYLEFT.search(words):
            refused[package] = words
    assert refused == {}


def test_license_check_sees_the_licenses_it_checks() -> None:
    assert COPYLEFT.search("GPL-3.0-or-later")
    assert COPYLEFT.search("License :: OSI Approved :: GNU Affero General Public License v3")
    assert not COPYLEFT.search("LGPL-3.0-only")
    assert not COPYLEFT.search("GNU Lesser General Public License v3 (LGPLv3)")


def test_what_is_asked_for_is_what_is_locked() -> None:
    ours = metadata.requires("card-game-compliance") or []
    pins = locked("requirements.lock")
    for requirement in map(Requirement, ours):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)])


def test_reads_writes_and_models_know_no_http() -> None:
    http = re.compile(r"django\.(http|shortcuts|urls|views)|rest_framework")
    found = []
    for place in tracked("*/reads.py", "*/writes.py", "*/models.py"):
        for node in ast.walk(ast.parse(place.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            found += [f"{place.relative_to(ROOT)}: {name}" for name in names if http.match(name)]
    assert found == []


def test_csv_is_written_in_one_place() -> None:
    writes = re.compile(r"defusedcsv|csv\.(writer|DictWriter)\b")
    places = tracked("compliance/*.py", "audits/*.py", "reports/*.py")
    found = {str(place.relative_to(ROOT)) for place in places if writes.search(place.read_text())}
    assert found == {"compliance/text.py"}


def test_no_file_names_a_place_of_its_machine() -> None:
    home = str(Path.home())
    refused = re.compile(rf"(?<![\w/]){re.escape(home)}/|{re.escape(str(ROOT))}/")
    found = [
        str(place.relative_to(ROOT))
        for place in tracked("*.py", "*.toml", "*.md", "*.lock", "*.json", "Makefile", ".ci/*")
        if refused.search(place.read_text())
    ]
    assert found == []


def test_starting_django_loads_no_large_library() -> None:
    # Each process of a system would pay for it: web, beat and every worker.
    large = {"duckdb", "icalendar", "numba", "numpy", "pyarrow", "pypdf", "reportlab"}
    started = subprocess.run(
        [sys.executable, "-c", "import django, sys; django.setup(); print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert large & set(started.stdout.split()) == set()
