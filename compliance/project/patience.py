"""How long a request waits for its database: a thread that waits for ever serves nobody.

Commands and workers wait as long as it takes: what they ask for may take minutes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.backends.signals import connection_created

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

LOCK_SECONDS = 10
STATEMENT_SECONDS = 20
"""As long as SQLite waits for its one writer."""


def be_patient_for_so_long() -> None:
    """Have PostgreSQL end what takes longer, on every connection of this process."""
    connection_created.connect(_limit)


def _limit(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{LOCK_SECONDS}s"])
            cursor.execute(
                "SELECT set_config('statement_timeout', %s, false)", [f"{STATEMENT_SECONDS}s"]
            )
