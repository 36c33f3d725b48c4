"""An attacker with the database's own shell, who writes anything and puts the triggers back."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import psycopg
from django.db import connection

from compliance import history as guards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def attacker(url: str) -> Iterator[Callable[..., None]]:
    """Open the attacker's own connection to a copy of the database."""
    connection.close()
    attack = _on_sqlite if url.startswith("sqlite") else _on_postgresql
    with attack(url) as execute:
        yield execute


@contextmanager
def _on_sqlite(url: str) -> Iterator[Callable[..., None]]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw:
        triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        kept = triggers.fetchall()
        for name, _ in kept:
            raw.execute(f'DROP TRIGGER "{name}"')
        yield lambda sql, values=(): raw.execute(sql.replace("%s", "?"), values)
        for _, sql in kept:
            raw.execute(sql)
        raw.commit()


@contextmanager
def _on_postgresql(url: str) -> Iterator[Callable[..., None]]:
    with psycopg.connect(url, autocommit=True) as raw:
        tables = [model._meta.db_table for model in guards.history_models()]
        for table in tables:
            raw.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        yield lambda sql, values=(): raw.execute(sql, values)
        for table in tables:
            raw.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
            for (trigger,) in raw.execute(
                "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
                [table],
            ).fetchall():
                raw.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
