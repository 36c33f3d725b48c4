"""Whatever a database runs that is not ours is named, and so is a guard that was changed."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from compliance import history as guards
from compliance.event_log.verifier import Answer
from compliance.verification.database import check_database

PROVIDER = (
    "INSERT INTO socialaccount_socialapp"
    " (provider, name, client_id, secret, key, provider_id, settings)"
    " VALUES ('openid_connect', 'own', 'own', 'own', '', 'own', '{}')"
)
ON_SQLITE = [
    (
        "CREATE TRIGGER helper AFTER INSERT ON compliance_event BEGIN"
        " DELETE FROM compliance_waiting;END",
        "trigger helper on compliance_event",
    ),
    (
        "ALTER TABLE compliance_siemcursor RENAME TO kept; "
        "CREATE VIEW compliance_siemcursor AS SELECT * FROM kept",
        "view compliance_siemcursor",
    ),
    (
        "PRAGMA writable_schema = ON; "
        """UPDATE sqlite_master SET sql = replace(sql, '"app_label", "model"', '"model"')"""
        " WHERE type = 'index' AND tbl_name = 'django_content_type'; "
        "PRAGMA writable_schema = RESET",
        "integrity of the database file",
    ),
    (PROVIDER, "table socialaccount.socialapp"),
]
BODY = "LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
ON_POSTGRESQL = [
    (
        f"CREATE FUNCTION helper() RETURNS trigger {BODY}; CREATE TRIGGER helper BEFORE INSERT"
        " ON compliance_event FOR EACH ROW EXECUTE FUNCTION helper()",
        "trigger helper on compliance_event",
    ),
    (f"CREATE FUNCTION helper() RETURNS trigger {BODY}", "function helper"),
    (
        "CREATE RULE helper AS ON DELETE TO compliance_party DO INSTEAD NOTHING",
        "rule helper on compliance_party",
    ),
    ("CREATE POLICY helper ON compliance_party USING (true)", "policy helper on compliance_party"),
    ("ALTER TABLE compliance_party ENABLE ROW LEVEL SECURITY", "row security on compliance_party"),
    (
        "ALTER TABLE compliance_siemcursor RENAME TO kept; "
        "CREATE VIEW compliance_siemcursor AS SELECT * FROM kept",
        "something other than a table v on compliance_siemcursor",
    ),
    (
        "CREATE TABLE helper () INHERITS (compliance_party)",
        "child table helper on compliance_party",
    ),
    (
        f"CREATE FUNCTION helper() RETURNS event_trigger {BODY.replace('RETURN NULL;', '')};"
        " CREATE EVENT TRIGGER helper ON ddl_command_end EXECUTE FUNCTION helper()",
        "event trigger helper",
    ),
    (
        "CREATE SCHEMA helper; CREATE TABLE helper.compliance_party (id int);"
        " SET LOCAL search_path = public, helper; DROP TABLE public.compliance_webhook CASCADE;"
        " CREATE TABLE helper.compliance_webhook (id int)",
        "table of the same name in the schema helper on compliance_webhook",
    ),
    (PROVIDER, "table socialaccount.socialapp"),
]
OF_VENDOR = {"sqlite": ON_SQLITE, "postgresql": ON_POSTGRESQL}


def problems() -> list[str]:
    answer = Answer()
    check_database(answer)
    return [each["where"] for each in answer.problems]


@pytest.mark.django_db
def test_honest_database_has_only_its_guards() -> None:
    assert problems() == []
    assert guards.missing(connection) == []


@pytest.mark.django_db
def test_foreign_object_is_named() -> None:
    for statement, where in OF_VENDOR[connection.vendor]:
        with transaction.atomic():
            with connection.cursor() as cursor:
                for each in statement.split("; ") if connection.vendor == "sqlite" else [statement]:
                    cursor.execute(each)
            assert where in problems()
            transaction.set_rollback(True)
        if connection.vendor == "sqlite":
            with (
                connection.cursor() as cursor
            ):  # what it read of its own tables is rolled back, too
                cursor.execute("PRAGMA writable_schema = RESET")
    assert problems() == []


@pytest.mark.django_db
def test_guard_with_another_condition_is_named() -> None:
    table = "compliance_personaldata"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT sql FROM sqlite_master WHERE name = %s", [f"{table}_history_update"]
            )
            (sql,) = cursor.fetchone()
            cursor.execute(f'DROP TRIGGER "{table}_history_update"')
            cursor.execute(sql.replace(" WHEN (", " WHEN (0 AND "))
        else:
            cursor.execute(
                f"CREATE OR REPLACE TRIGGER history_but_erasure BEFORE UPDATE ON {table} FOR EACH"
                f" ROW WHEN (OLD.event_id IS NULL) EXECUTE FUNCTION {guards.FUNCTION}();"
                f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER history_but_erasure"
            )
    assert guards.missing(connection) == [table]
