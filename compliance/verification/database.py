"""What a database may run by itself: the triggers that guard history, and nothing else.

A trigger, rule, policy or function of someone else could change what is read or written without
touching a row that verification compares. So the catalog is closed: all others are named. Tables
and views of other systems in the same database do nothing to ours, and are not.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.apps import apps
from django.db import connection

from compliance import history as guards
from compliance.backup.tables import own_tables
from compliance.catalog import UNUSED
from compliance.verification.roles import check_roles

if TYPE_CHECKING:
    from compliance.event_log.verifier import Answer


SQLITE = """
SELECT type, name, CASE type WHEN 'trigger' THEN tbl_name ELSE '' END FROM sqlite_master
WHERE type = 'trigger' OR (type = 'view' AND name IN (SELECT value FROM json_each(%s)))
ORDER BY 1, 2
"""
POSTGRESQL = """
WITH ours AS (
    SELECT c.* FROM pg_class c
    WHERE c.relname = ANY(%(tables)s) AND c.relnamespace = current_schema()::regnamespace
)
SELECT 'trigger', t.tgname, c.relname FROM pg_trigger t JOIN ours c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal
UNION ALL
SELECT 'disabled constraint trigger', t.tgname, c.relname FROM pg_trigger t
    JOIN ours c ON c.oid = t.tgrelid WHERE t.tgisinternal AND t.tgenabled <> 'O'
UNION ALL
SELECT 'function', p.proname, '' FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace AND NOT EXISTS
    (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
UNION ALL
SELECT 'rule', r.rulename, c.relname FROM pg_rewrite r JOIN ours c ON c.oid = r.ev_class
UNION ALL
SELECT 'policy', p.polname, c.relname FROM pg_policy p JOIN ours c ON c.oid = p.polrelid
UNION ALL
SELECT 'row security', '', c.relname FROM ours c WHERE c.relrowsecurity
UNION ALL
SELECT 'something other than a table', c.relkind::text, c.relname FROM ours c
    WHERE c.relkind <> 'r'
UNION ALL
SELECT 'child table', i.inhrelid::regclass::text, c.relname FROM pg_inherits i
    JOIN ours c ON c.oid = i.inhparent
UNION ALL
SELECT 'event trigger', evtname, '' FROM pg_event_trigger
UNION ALL
SELECT 'setting', setting, '' FROM pg_db_role_setting s, unnest(s.setconfig) setting
    WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND (setting LIKE 'session_replication_role=%%' OR setting LIKE 'row_security=%%')
UNION ALL
SELECT 'table of the same name in the schema', c.relnamespace::regnamespace::text, c.relname
    FROM pg_class c WHERE c.relname = ANY(%(tables)s) AND c.relkind <> 'i'
    AND c.relnamespace <> current_schema()::regnamespace AND pg_table_is_visible(c.oid)
ORDER BY 1, 3, 2
"""


def check_database(answer: Answer) -> None:
    """Report whatever runs in the database and is not ours; `verify log` reports what lacks."""
    expected = _expected()
    for kind, name, table in _found():
        answer.checked += 1
        if (kind, name, table) not in expected:
            where = f"{kind} {name}".strip() + (f" on {table}" if table else "")
            answer.broken("does not belong to this system's database", where)
    _check_unused(answer)
    _check_indexes(answer)
    check_roles(answer)


def _check_unused(answer: Answer) -> None:
    """Report rows in tables that this system never writes: a library might act on them."""
    for label in UNUSED:
        answer.checked += 1
        rows = apps.get_model(label)._base_manager.count()
        if rows:
            what = f"has {rows:,} rows, and this system never writes any: remove them"
            answer.broken(what, f"table {label.lower()}")


def _check_indexes(answer: Answer) -> None:
    """Report what SQLite finds: an index that was made stale by hand hides rows from queries."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check(100)")
        for (says,) in cursor.fetchall():
            if says != "ok":
                answer.broken(str(says), "integrity of the database file")


def _expected() -> set[tuple[str, str, str]]:
    return {
        *(("trigger", name, table) for name, table in guards.trigger_names(connection)),
        *([("function", guards.FUNCTION, "")] if connection.vendor == "postgresql" else []),
    }


def _found() -> list[tuple[str, str, str]]:
    tables = sorted(own_tables())
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL, {"tables": tables})
        else:
            cursor.execute(SQLITE, [json.dumps(tables)])
        return [(str(kind), str(name), str(table)) for kind, name, table in cursor.fetchall()]
