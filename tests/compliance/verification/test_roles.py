"""The system runs as a role that cannot remove what guards history; another one only reads."""

from __future__ import annotations

import os
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.db import connection

from compliance.access.permissions import Role
from compliance.errors import RefusedError
from compliance.event_log.verification import verify_log
from compliance.event_log.writes import integrate
from compliance.verification.database import check_database
from compliance.verification.roles import grant_roles
from tests.compliance.people import person_as

pytestmark = pytest.mark.services


def url_of(url: str, role: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{role}:own@{parts.netloc.rpartition('@')[2]}"))


def test_roles_cannot_change_history(own_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        with pytest.raises(RefusedError, match="Only PostgreSQL has roles"):
            grant_roles(runtime="runtime")
        return
    person_as(Role.AGENT)
    integrate()
    suffix = str(os.getpid())
    runtime, verifier = f"runtime_{suffix}", f"verifier_{suffix}"
    with connection.cursor() as cursor:
        for role in (runtime, verifier):
            cursor.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'own'")
    try:
        with pytest.raises(RefusedError, match="no role nobody"):
            grant_roles(runtime="nobody")
        grant_roles(runtime=runtime, verifier=verifier)
        _attack(url_of(own_database, runtime))
        with monkeypatch.context() as signed_in:
            signed_in.setitem(connection.settings_dict, "USER", verifier)
            signed_in.setitem(connection.settings_dict, "PASSWORD", "own")
            connection.close()
            answer = verify_log()
            check_database(answer)
            connection.close()
        assert (answer.problems, answer.notes) == ([], [])
        _refused(
            url_of(own_database, verifier), "UPDATE compliance_person SET is_active = is_active"
        )
    finally:
        with connection.cursor() as cursor:
            for role in (runtime, verifier):
                cursor.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


def _refused(url: str, statement: str) -> None:
    with psycopg.connect(url) as role, pytest.raises(psycopg.errors.InsufficientPrivilege):
        role.execute(statement)


def _attack(url: str) -> None:
    """Try as the running system what its owner could do to history."""
    for statement in (
        "ALTER TABLE compliance_event DISABLE TRIGGER ALL",
        "DROP TABLE compliance_event",
        "TRUNCATE compliance_event",
        "DELETE FROM compliance_event",
        "CREATE TABLE helper ()",
        "CREATE TRIGGER helper BEFORE INSERT ON compliance_event FOR EACH ROW"
        " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    ):
        _refused(url, statement)
    with psycopg.connect(url) as system, pytest.raises(psycopg.Error):
        system.execute("UPDATE compliance_event SET type = 'role.given'")
    with psycopg.connect(url) as system:
        system.execute("UPDATE compliance_person SET is_active = is_active")
