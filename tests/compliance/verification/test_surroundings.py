"""What runs or is served besides the sources is named when it is not as sealed."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.db import connection

from compliance.verification import surroundings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install one library into a folder of its own."""
    info = tmp_path / "settling-1.0.dist-info"
    info.mkdir()
    (tmp_path / "settling.py").write_text("PAYS = 50\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: settling\nVersion: 1.0\n")
    (info / "RECORD").write_text("settling.py,,\nsettling-1.0.dist-info/METADATA,,\n../bin/x,,\n")
    found = [metadata.PathDistribution(info)]
    monkeypatch.setattr(surroundings.metadata, "distribution", lambda _: found[0])
    monkeypatch.setattr(surroundings.metadata, "distributions", lambda: found)
    monkeypatch.setattr(surroundings.sysconfig, "get_path", lambda _: str(tmp_path))
    return tmp_path


def test_changed_library_has_another_digest(libraries: Path) -> None:
    lock = "settling==1.0 \\\n    --hash=sha256:00\n"
    before = surroundings.library_digests(lock)
    assert before.keys() == {"settling", surroundings.LOOSE}
    (libraries / "settling.py").write_text("PAYS = 51\n")
    changed = surroundings.library_digests(lock)
    assert changed["settling"] != before["settling"]
    (libraries / "at_start.pth").write_text("import os\n")
    loose = surroundings.library_digests(lock)
    assert loose[surroundings.LOOSE] != changed[surroundings.LOOSE]
    assert loose["settling"] == changed["settling"]


@pytest.mark.django_db
def test_value_planted_in_the_cache_runs_nothing() -> None:
    cache.set("turn", 3)
    assert cache.get("turn") == 3
    planted = "gASVHgAAAAAAAACMCGJ1aWx0aW5zlIwFcHJpbnSUk5SMAWGUhZRSlC4="  # a pickle that prints
    with connection.cursor() as cursor:
        cursor.execute("UPDATE cache SET value = %s", [planted])
    assert cache.get("turn") is None
