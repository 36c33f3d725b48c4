"""Other systems' objects in the same database: if the check passes, the restore works."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from compliance.access.models import Person
from compliance.backup.manifest import read_manifest
from compliance.events.models import Event
from compliance.files.archive import current_archive, store_bytes
from compliance.jobs.models import LastRun
from tests import servers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings
    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases

OTHERS = """
CREATE TABLE ledger (number serial PRIMARY KEY, says text);
INSERT INTO ledger (says) VALUES ('not ours');
CREATE VIEW names AS SELECT name FROM compliance_person;
CREATE EXTENSION IF NOT EXISTS plpgsql;
CREATE FOREIGN DATA WRAPPER elsewhere;
CREATE SERVER far FOREIGN DATA WRAPPER elsewhere;
CREATE FOREIGN TABLE passwords (line text) SERVER far;
CREATE TABLE fans (person bigint REFERENCES compliance_person (id));
CREATE SCHEMA attic;
CREATE TABLE attic.compliance_person (id int);
CREATE ROLE guest;
GRANT SELECT ON compliance_person TO guest;
"""


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def run(*command: str) -> str:
    """Run a command; return its error message, or an empty string."""
    try:
        call_command(*command)
    except CommandError as refused:
        return str(refused)
    return ""


@contextmanager
def database(name: str) -> Iterator[None]:
    """Create a new, empty database on the same server."""
    before = connection.settings_dict["NAME"]
    execute(f"CREATE DATABASE {name}")
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


@pytest.mark.services
def test_restore_works_if_its_check_passes(
    databases: Databases,
    django_db_blocker: DjangoDbBlocker,
    settings: Settings,
    tmp_path: Path,
) -> None:
    backup = str(tmp_path / "backup")
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(tmp_path / "used"), tmp_path / "held"
    with (
        servers.own_postgres() as server,
        django_db_blocker.unblock(),
        databases.standing_on(server),
    ):
        call_command("migrate", verbosity=0)
        call_command("load_demonstration", verbosity=0)
        store_bytes(current_archive(), b"evidence")
        execute(OTHERS)
        call_command("backup", backup)
        assert {each.name for each in read_manifest(tmp_path / "backup").database}.isdisjoint(
            {"ledger", "names", "passwords", "fans"}
        )
        people = Person.objects.count()
        assert run("restore", "--check", backup) == ""
        assert LastRun.objects.get(name="restore").done is not None
        assert Person.objects.count() == people

        settings.ARCHIVE_URL = str(tmp_path / "empty")
        with database("beside_others"):
            call_command("migrate", verbosity=0)
            execute(OTHERS.replace("CREATE ROLE guest;", ""))
            assert run("restore", "--check", backup) == ""
            assert not Person.objects.exists()
            assert run("restore", backup) == ""
            assert Person.objects.count() == people

        settings.ARCHIVE_URL = str(tmp_path / "other")
        with database("in_the_way"):
            execute("CREATE VIEW compliance_person AS SELECT 1 AS id")
            output = run("restore", "--check", backup)
            assert "PostgreSQL rejected the backup" in output
            assert "compliance_person" in output
            assert run("restore", backup) == output
        with database("not_granted"):
            execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE poor LOGIN")
            connection.close()
            connection.settings_dict["USER"] = "poor"
            output = run("restore", "--check", backup)
            connection.close()
            connection.settings_dict["USER"] = "postgres"
            assert "permission denied for schema public" in output


def test_restore_keeps_other_tables_in_the_file(
    own_database: str, databases: Databases, settings: Settings, tmp_path: Path
) -> None:
    """On PostgreSQL the same table isn't in the way."""
    settings.ARCHIVE_URL, settings.KEPT_CHECKPOINT = str(tmp_path / "used"), tmp_path / "held"
    backup = str(tmp_path / "backup")
    call_command("load_demonstration", verbosity=0)
    call_command("backup", backup)
    events = Event.objects.count()
    settings.ARCHIVE_URL = str(tmp_path / "empty")
    with databases.using(databases.copy()):
        execute("CREATE TABLE ledger (number int)")
        output = run("restore", "--check", backup)
        assert run("restore", backup) == output
        if connection.vendor == "sqlite":
            assert "tables that are not this system's (ledger)" in output
        else:
            assert output == ""
            assert Event.objects.count() == events
        execute("SELECT number FROM ledger")
