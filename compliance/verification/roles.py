"""What the roles of a PostgreSQL database may do: its owner, the running system, and a verifier.

Who owns a table may drop its triggers and rewrite history; who only uses it may not. So the owner
signs in to update the tables, the system runs as a second role, and verification as a third, which
only reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection, transaction

from compliance import history as guards
from compliance.backup.tables import own_tables
from compliance.errors import RefusedError
from compliance.jobs.models import LastRun

if TYPE_CHECKING:
    from compliance.event_log.verifier import Answer


OWNS = """
SELECT count(*) FROM pg_class c WHERE c.relname = ANY(%s) AND c.relkind = 'r'
AND c.relnamespace = current_schema()::regnamespace AND pg_has_role(c.relowner, 'USAGE')
"""


def grant_roles(*, runtime: str, verifier: str = "") -> int:
    """Give two roles what they need, and take all else from them; return how many tables.

    Refuses: a database other than PostgreSQL; a role that does not exist, owns the tables, or is a
    superuser.
    """
    if connection.vendor != "postgresql":
        message = (
            "Only PostgreSQL has roles. On SQLite, anyone who can write the file can change it."
        )
        raise RefusedError(message)
    tables = sorted(own_tables())
    history = {model._meta.db_table for model in guards.history_models()}
    with transaction.atomic(), connection.cursor() as cursor:
        for role in filter(None, (runtime, verifier)):
            _require_other(role, tables)
        quote = connection.ops.quote_name
        for table in tables:
            both = ", ".join(quote(each) for each in (runtime, verifier) if each)
            cursor.execute(f"REVOKE ALL ON {quote(table)} FROM PUBLIC, {both}")
            cursor.execute(f"GRANT SELECT ON {quote(table)} TO {both}")
            # Rows of history are locked with UPDATE; triggers let nobody change them.
            changes = "INSERT, UPDATE" if table in history else "INSERT, UPDATE, DELETE"
            cursor.execute(f"GRANT {changes} ON {quote(table)} TO {quote(runtime)}")
        cursor.execute("SELECT current_schema()")
        schema = quote(cursor.fetchone()[0])
        cursor.execute(f"GRANT USAGE ON SCHEMA {schema} TO {both}")
        cursor.execute(f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {both}")
        sequences = f"ALL SEQUENCES IN SCHEMA {schema}"
        cursor.execute(f"GRANT USAGE, SELECT ON {sequences} TO {quote(runtime)}")
        if verifier:  # it notes its result for the status page
            noted = quote(LastRun._meta.db_table)
            cursor.execute(f"GRANT INSERT, UPDATE ON {noted} TO {quote(verifier)}")
    return len(tables)


def _require_other(role: str, tables: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = %s", [role])
        found = cursor.fetchone()
        if found is None:
            message = f"The database has no role {role}. Create it first: CREATE ROLE {role} LOGIN."
            raise RefusedError(message)
        cursor.execute(
            "SELECT count(*) FROM pg_class c WHERE c.relname = ANY(%s)"
            " AND c.relnamespace = current_schema()::regnamespace"
            " AND pg_has_role(%s, c.relowner, 'USAGE')",
            [tables, role],
        )
        (owned,) = cursor.fetchone()
    if found[0] or owned:
        message = f"{role} is a superuser, or may act as the owner of these tables. Name another."
        raise RefusedError(message)


def check_roles(answer: Answer) -> None:
    """Say if this connection could remove the triggers that guard history."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(OWNS, [sorted(own_tables())])
        (owned,) = cursor.fetchone()
    if owned:
        answer.notes.append(
            f"The database role of this process owns {owned:,} tables, so it could remove what "
            "guards their history. Run the system as another role: `manage.py database_roles`."
        )
