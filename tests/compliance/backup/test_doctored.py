"""A changed backup, with every digest in it made right again, is not restored unnoticed."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from compliance.backup.create import back_up
from compliance.backup.files import files_of
from compliance.backup.manifest import read_manifest, write_manifest
from compliance.event_log.verifier import Answer
from compliance.event_log.writes import integrate
from compliance.verification import backups
from compliance.verification.backups import check_backups

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.databases import Databases


@pytest.fixture
def backup(own_database, settings, tmp_path) -> Path:
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(tmp_path / "archive"), tmp_path / "held"
    call_command("load_demonstration", verbosity=0)
    integrate()
    back_up(tmp_path / "backup")
    return tmp_path / "backup"


@pytest.fixture
def elsewhere(databases: Databases, settings, tmp_path) -> Iterator[None]:
    """Go on on another machine: a database just migrated, an empty archive."""
    with databases.using(databases.copy()):
        settings.ARCHIVE_URL = str(tmp_path / "other")
        settings.KEPT_CHECKPOINT = tmp_path / "held elsewhere"
        yield


def doctor(folder: Path) -> None:
    """Rename a party in the backup, and make all digests right again."""
    manifest = read_manifest(folder)
    says: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    files = files_of(folder, manifest.encrypted_with)
    for part in says["database"]:
        place = files.place(part["sha256"])
        content = place.read_bytes()
        if connection.vendor == "sqlite":
            made = folder.parent / "doctored.sqlite3"
            made.write_bytes(content)
            with closing(sqlite3.connect(made)) as raw:
                raw.execute("UPDATE compliance_party SET name = 'Another' WHERE code = 'cedar'")
                raw.commit()
            content = made.read_bytes()
        elif part["name"] == "compliance_party":
            name = next(line for line in content.split(b"\n") if b"\tcedar\t" in line).split(b"\t")
            content = content.replace(name[4], b"Another", 1)
        stored = files.store(io.BytesIO(content))
        part |= {"sha256": stored.digest, "size": stored.size}
    parts = tuple(
        type(old)(**{**each, "columns": tuple(each["columns"])})
        for old, each in zip(manifest.database, says["database"], strict=True)
    )
    write_manifest(folder, type(manifest)(**{**manifest.__dict__, "database": parts}))


def problems() -> list[str]:
    answer = Answer()
    check_backups(answer)
    return [each["what"] for each in answer.problems]


def test_doctored_backup_is_named_where_it_was_made(
    backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "PAUSE", 0)
    assert problems() == []
    doctor(backup)
    (what,) = problems()
    assert what.startswith("is not the backup that event ")


def test_doctored_backup_fails_when_tried(backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("restore", str(backup), "--check")
    doctor(backup)
    with pytest.raises(SystemExit):
        call_command("restore", str(backup), "--check")
    out = capsys.readouterr().out
    assert "compliance.party" in out
    assert "different: name" in out


def test_doctored_backup_fails_when_restored(
    backup: Path, elsewhere: None, capsys: pytest.CaptureFixture[str]
) -> None:
    doctor(backup)
    with pytest.raises(SystemExit):
        call_command("restore", str(backup))
    assert "different: name" in capsys.readouterr().out


def test_backup_that_the_log_did_not_sign_is_refused(
    backup: Path, elsewhere: None, capsys: pytest.CaptureFixture[str]
) -> None:
    place = backup / "manifest.json"
    signed = json.loads(place.read_text())
    other = {**signed, "signature": signed["signature"].replace(signed["digest"], "0" * 64)}
    without = {name: each for name, each in signed.items() if name != "signature"}
    empty, changed = {**signed, "signature": ""}, "is not as the key of this event log"
    for says, why, option in (
        *((wrong, changed, option) for wrong in (other, empty) for option in ([], ["--unsigned"])),
        (without, "is not signed", []),
    ):
        place.write_text(json.dumps(says))
        with pytest.raises(CommandError, match=why):
            call_command("restore", str(backup), *option)
    call_command("restore", str(backup), "--check", "--unsigned")
    assert "No checkpoint says how many it lacks" in capsys.readouterr().out
