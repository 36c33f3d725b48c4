"""Anything that isn't a backup, is damaged, or would overwrite data is refused in a sentence."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from compliance.backup.create import back_up
from compliance.backup.manifest import read_manifest
from compliance.backup.restore import check_backup, restore
from compliance.event_log.writes import integrate
from compliance.events.models import Event
from compliance.files.archive import current_archive, store_bytes
from tests.installation import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.databases import Databases

EVIDENCE = b"what was submitted"


@pytest.fixture
def system(own_database, settings, tmp_path) -> Path:
    """Return an installation in use, with one file in its archive, and a place to back it up to."""
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(tmp_path / "archive"), tmp_path / "held"
    call_command("load_demonstration", verbosity=0)
    store_bytes(current_archive(), EVIDENCE)
    return tmp_path / "backup"


@pytest.fixture
def elsewhere(databases: Databases, settings, tmp_path) -> Any:
    """Simulate another machine: a database just migrated, an empty archive."""

    @contextmanager
    def empty() -> Iterator[None]:
        before = settings.ARCHIVE_URL
        with databases.using(databases.copy()):
            settings.ARCHIVE_URL = str(tmp_path / "other")
            yield
        settings.ARCHIVE_URL = before

    return empty


def test_backup_is_made_without_an_unreadable_key(system, settings, capsys):
    settings.REPORT_KEY = "/nowhere/key.p12"
    with pytest.raises(SystemExit) as ended:
        call_command("backup", str(system))
    assert ended.value.code == 1
    assert "MISSING  public keys of reports: REPORT_KEY names /nowhere/key.p12" in (
        capsys.readouterr().out
    )
    assert read_manifest(system).public_keys["event log"]


def file_of(backup: Path, digest: str) -> Path:
    return backup / "files" / digest[:2] / digest[2:]


def lines(backup: Path) -> list[str]:
    digest = read_manifest(backup).files.sha256
    return [line.split()[0] for line in file_of(backup, digest).read_text().splitlines()]


def refusal(*call: object) -> str:
    with pytest.raises(CommandError) as refused:
        call_command(*map(str, call))
    assert refused.value.returncode == 2
    return str(refused.value)


def test_a_folder_with_something_else_is_left_alone(system):
    system.mkdir()
    (system / "thesis.odt").write_text("years of work")
    assert "thesis.odt" in refusal("backup", system)
    assert [each.name for each in system.iterdir()] == ["thesis.odt"]


def test_second_backup_into_a_folder_does_not_wait(system):
    system.mkdir()
    with (system / "unfinished").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "Another backup is being written" in refusal("backup", system)


def test_second_backup_adds_only_new_files(system):
    back_up(system)
    first, kept = (
        read_manifest(system),
        {each: file_of(system, each).stat() for each in lines(system)},
    )
    new = store_bytes(current_archive(), b"a later night").digest
    back_up(system)
    second = read_manifest(system)
    assert set(lines(system)) == {*kept, new}
    assert all(file_of(system, each).stat().st_ino == was.st_ino for each, was in kept.items())
    gone = {part.sha256 for part in first.database} - {part.sha256 for part in second.database}
    assert gone
    assert not any(file_of(system, each).exists() for each in gone)
    assert not (system / "unfinished").exists()
    assert check_backup(system)[0] == second


def test_export_omits_sessions_and_names_left_out_secrets(system):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_session (session_key, session_data, expire_date) "
            "VALUES ('k', 'whose session this is', '2030-01-01 00:00:00+00')"
        )
    manifest = back_up(system)
    content = b"".join(each.read_bytes() for each in system.rglob("*") if each.is_file())
    assert b"whose session this is" not in content
    assert "SECRET_KEY" in " ".join(manifest.left_out)
    assert manifest.public_keys["event log"]
    assert "BEGIN CERTIFICATE" in manifest.public_keys["reports"][0]
    assert b"PRIVATE KEY" not in content


def test_backup_names_unreadable_files_and_continues(system, capsys):
    place = current_archive().place(store_bytes(current_archive(), b"to be damaged").digest)
    place.chmod(0o600)
    place.write_bytes(b"something else")
    with pytest.raises(SystemExit) as ended:
        call_command("backup", str(system))
    assert ended.value.code == 1
    assert f"{place} is damaged" in capsys.readouterr().out
    assert len(lines(system)) == len(list(current_archive().untouched(seconds=-60))) - 1


def test_killed_backup_leaves_the_previous_one(own_database, settings, tmp_path):
    """Block the backup at its archive with a pipe that returns nothing, and kill it there."""
    archive, target = tmp_path / "archive", tmp_path / "backup"
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(archive), tmp_path / "held"

    def killed() -> None:
        os.mkfifo(pipe)
        process = subprocess.Popen(
            [sys.executable, ROOT / "manage.py", "backup", target],
            env={
                "VAR": str(tmp_path / "var"),
                "DATABASE_URL": own_database,
                "ARCHIVE_URL": str(archive),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
        )
        with pipe.open("wb"):  # opens once it is read
            process.send_signal(signal.SIGKILL)
            process.wait()
        pipe.unlink()

    pipe = archive / "ff" / ("f" * 62)
    pipe.parent.mkdir(parents=True)
    killed()
    assert "was never finished" in refusal("restore", target, "--check")
    made = back_up(target)
    killed()
    assert (target / "unfinished").exists()
    assert check_backup(target)[0] == made


@contextmanager
def full_disk(largest: int) -> Iterator[None]:
    """Let no file grow beyond this, which to a program is the same as a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_leaves_backup_and_system_unchanged(system, elsewhere):
    large = store_bytes(current_archive(), os.urandom(3_000_000)).digest
    made = back_up(system)
    with elsewhere(), full_disk(2_500_000):
        says = refusal("restore", system)
    assert "The restore ended on the way: File too large" in says
    with elsewhere():
        assert restore(system, {}).ok
    larger = store_bytes(current_archive(), os.urandom(4_000_000)).digest
    with full_disk(3_500_000):
        says = refusal("backup", system)
    assert f"The backup to {system} was not made: File too large" in says
    assert check_backup(system)[0] == made
    back_up(system)
    assert {large, larger} <= set(lines(system))


def test_damaged_backup_is_refused_naming_the_file(system, elsewhere):
    manifest = back_up(system)
    places = {
        file_of(system, digest): digest
        for digest in (lines(system)[-1], manifest.database[-1].sha256, manifest.files.sha256)
    } | {system / "manifest.json": "manifest.json"}
    with elsewhere():
        for place, named in places.items():
            whole = place.read_bytes()
            place.unlink()
            assert named in refusal("restore", system).replace("is not a backup: it has no ", "")
            place.write_bytes(whole.replace(b"a", b"b", 1) + b" ")
            assert str(place) in refusal("restore", system)
            place.write_bytes(whole)
        assert not Event.objects.exists()
        assert list(current_archive().untouched(seconds=-60)) == []
        assert restore(system, {}).ok


def test_removed_damaged_file_is_backed_up_again(system):
    back_up(system)
    place = file_of(system, lines(system)[0])
    place.chmod(0o600)
    place.write_bytes(b"something else")
    assert str(place) in refusal("restore", system, "--check")
    place.unlink()
    back_up(system)
    assert check_backup(system)[0] == read_manifest(system)


def test_an_installation_in_use_is_not_restored_over(system):
    back_up(system)
    events = Event.objects.count()
    assert "in use" in refusal("restore", system)
    assert Event.objects.count() == events


def test_an_archive_with_other_files_is_not_restored_over(system, elsewhere):
    back_up(system)
    with elsewhere():
        store_bytes(current_archive(), b"another's evidence")
        assert "1 files that are not of this backup" in refusal("restore", system)
        assert not Event.objects.exists()


def test_a_restore_that_ended_on_the_way_is_begun_again(system, elsewhere):
    back_up(system)
    with elsewhere():
        store_bytes(current_archive(), EVIDENCE)  # as far as it got
        assert restore(system, {}).ok
        assert set(current_archive().untouched(seconds=-60)) == set(lines(system))


def test_kept_checkpoint_reveals_an_older_backup(system, elsewhere, tmp_path, settings, capsys):
    back_up(system)
    call_command("restore", str(system), "--check")
    integrate()  # the event of the backup itself, and any that waited
    later = Path(settings.KEPT_CHECKPOINT).rename(tmp_path / "later")
    with elsewhere(), pytest.raises(SystemExit) as ended:
        call_command("restore", str(system), "--checkpoint", str(later))
    assert ended.value.code == 1
    assert str(later) in capsys.readouterr().out


def test_other_signing_key_is_rejected_before_writing(system, elsewhere, settings):
    integrate()
    back_up(system)
    with elsewhere():
        settings.LOG_ORIGIN = "another.example/log"
        assert "RETIRED_KEYS" in refusal("restore", system)
        assert not Event.objects.exists()


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"digest": 1}', "\0", '{"format": 1e400}'])
def test_a_made_up_manifest_is_refused(db, tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    assert "is damaged" in refusal("restore", tmp_path)
    assert "is damaged" in refusal("backup", tmp_path)


def test_a_folder_that_is_none_is_refused(db, tmp_path):
    assert "is not a backup" in refusal("restore", tmp_path / "nowhere")
    (tmp_path / "file").touch()
    assert "cannot hold a backup" in refusal("backup", tmp_path / "file")
    assert "cannot be read" in refusal("restore", tmp_path / "file")
