"""A command over a database that isn't migrated says what to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.installation import Installation

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("words", ["findings", "verify log", "serve"])
def test_command_without_tables_says_what_to_run(words: str, tmp_path: Path) -> None:
    data = Installation(tmp_path, {}).manage(*words.split())
    assert (data.returncode, data.stdout) == (2, "")
    assert "Run `.venv/bin/python manage.py migrate`" in data.stderr
    assert data.stderr.count("\n") == 1
