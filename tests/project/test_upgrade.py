"""A database of the first version, kept here, works after every migration since.

It holds the people and filings of the demonstration: `manage.py load_demonstration` in a new
folder, then sqlite3's dump, compressed. It is never made again: what was true of it stays true.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from zstandard import ZstdDecompressor

if TYPE_CHECKING:
    from tests.installation import Installation

FIRST_VERSION = Path(__file__).with_name("first_version.sql.zst")


@pytest.mark.anywhere
def test_database_of_first_version_upgrades(installation: Installation) -> None:
    place = installation.var / "kept.sqlite3"
    with closing(sqlite3.connect(place)) as kept:
        kept.executescript(ZstdDecompressor().decompress(FIRST_VERSION.read_bytes()).decode())
        before = guards_of(kept)

    def manage(*arguments: str) -> str:
        ran = installation.manage(*arguments, DATABASE_URL=f"sqlite:///{place}")
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    manage("migrate")
    manage("check", "--database", "default")
    with closing(sqlite3.connect(place)) as kept:
        assert guards_of(kept) >= before
        # `migrate` itself records the engine that is installed.
        count = "SELECT count(*) FROM compliance_event WHERE type <> 'engine.recorded'"
        assert kept.execute(count).fetchone() == (111,)
    table = ("--operator", "cedar", "--game", "pyramid-poker", "--table", "T1")
    answer = json.loads(manage("in_effect", *table, "--at", "2025-07-12T22:00-07:00", "--json"))
    assert answer["authorized"]
    assert answer["limits"]["main"] == [500, 20000]


def guards_of(database: sqlite3.Connection) -> set[str]:
    """Name the triggers that guard history."""
    found = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    return {name for (name,) in found}
