"""With BACKUP_KEY, a backup can be read only with that key, and no byte of it can be altered."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from compliance.backup.create import back_up
from compliance.backup.files import EncryptedFiles
from compliance.backup.manifest import BackupError
from compliance.backup.restore import check_backup
from compliance.event_log.writes import integrate
from compliance.files.archive import PIECE, DamagedError, current_archive, store_bytes
from compliance.secret import Secret

if TYPE_CHECKING:
    from pathlib import Path

    from tests.databases import Databases

KEY, OTHER = "k" * 50, "o" * 50
EVIDENCE = b"what was submitted"


def test_encrypted_backup_is_restored_with_its_key_only(
    own_database, databases: Databases, settings, tmp_path: Path
) -> None:
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(tmp_path / "archive"), tmp_path / "held"
    call_command("load_demonstration", verbosity=0)
    evidence = store_bytes(current_archive(), EVIDENCE)
    integrate()
    backup = tmp_path / "backup"
    back_up(backup)
    settings.BACKUP_KEY = Secret(KEY)
    back_up(backup)  # the same folder: nothing of the backup before stays readable
    plain = [EVIDENCE, b"SQLite format 3", b"cedar"]
    for each in backup.rglob("*"):
        content = each.read_bytes() if each.is_file() else b""
        assert not any(known in content for known in plain), each

    for key, why in (("", "BACKUP_KEY is not set"), (OTHER, "BACKUP_KEY is key"), ("short", "5")):
        settings.BACKUP_KEY = Secret(key)
        with pytest.raises(CommandError, match=why):
            call_command("restore", str(backup))
    settings.BACKUP_KEY = Secret(KEY)
    with databases.using(databases.copy()):
        settings.ARCHIVE_URL = str(tmp_path / "other")
        call_command("restore", str(backup))
        with current_archive().fetch(evidence.digest) as place:
            assert place.read_bytes() == EVIDENCE

    (stored,) = backup.glob(f"files-*/{evidence.digest[:2]}/{evidence.digest[2:]}")
    stored.chmod(0o600)
    altered = bytearray(stored.read_bytes())
    altered[-1] ^= 1
    stored.write_bytes(altered)
    with pytest.raises(BackupError, match=f"file {evidence.digest}: .* is damaged"):
        check_backup(backup)


def test_encrypted_pieces_cannot_be_moved_or_cut_off(settings, tmp_path: Path) -> None:
    files = EncryptedFiles(tmp_path, KEY)
    for size in (0, 1, PIECE, PIECE + 1, 2 * PIECE):
        stored = files.store(io.BytesIO(bytes(size)))
        assert (stored.size, files.size(stored.digest)) == (size, size)
        with files.fetch(stored.digest) as plain:
            assert plain.read_bytes() == bytes(size)
    place = files.place(stored.digest)
    sealed = place.read_bytes()
    start = len(sealed) - 2 * (PIECE + 16)
    head, first, second = sealed[:start], sealed[start : -PIECE - 16], sealed[-PIECE - 16 :]
    place.chmod(0o600)
    for changed in (head + second + first, head + first, head, b"", sealed + first, sealed + b"\0"):
        place.write_bytes(changed)
        with pytest.raises(DamagedError, match="does not decrypt"), files.fetch(stored.digest):
            pass
