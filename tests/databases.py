"""Databases for tests: one template is migrated, and all others are copies of it."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import psycopg
from django.core.management import call_command
from django.db import connection
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers import Postgres

THEY_END_WITH_THEIR_SERVER: Final = "DATABASES_END_WITH_THEIR_SERVER"


def ordinary_user(url: str, password: str) -> str:
    """Let a user who isn't a superuser work in a PostgreSQL database; return that user's URL."""
    name = f"ordinary_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as administrator:
        for statement in (
            "CREATE ROLE {} LOGIN PASSWORD {}",
            "GRANT ALL ON SCHEMA public TO {}",
            "GRANT ALL ON ALL TABLES IN SCHEMA public TO {}",
            "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {}",
        ):
            query = sql.SQL(statement).format(sql.Identifier(name), sql.Literal(password))
            administrator.execute(query)
    credentials = f"{name}:{quote(password, safe='')}"
    return f"postgres://{credentials}@{url.rpartition('@')[2]}"


class Databases:
    """Copies of a migrated template, on SQLite or PostgreSQL depending on the settings.

    All processes of a run, which share the folder `run`, have one template, because migrating takes
    ten seconds. If each process removes its databases when it ends, each has its own.
    """

    def __init__(self, folder: Path, run: Path | None = None) -> None:
        self.folder = folder
        self.on_sqlite = connection.vendor == "sqlite"
        self.made: list[str] = []
        ends_by_itself = self.on_sqlite or THEY_END_WITH_THEIR_SERVER in os.environ
        shared = run if run and ends_by_itself else folder
        with (shared / "template.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            name = shared / "template"
            if not name.exists():
                name.write_text(self._migrated())
            self.template = name.read_text()

    def _migrated(self) -> str:
        name = self._new_name()
        if not self.on_sqlite:
            self._administer(f"CREATE DATABASE {name}")
        with self.using(name):
            call_command("migrate", verbosity=0)
        return name

    def copy(self, of: str | None = None) -> str:
        """Copy the template, or another database; return the copy's name or path."""
        name, of = self._new_name(), of or self.template
        if self.on_sqlite:
            shutil.copy(of, name)
        else:
            self._administer(f"CREATE DATABASE {name} TEMPLATE {of}")
        return name

    @contextmanager
    def using(self, name: str) -> Iterator[None]:
        """Point Django's connections, in every thread, to a database during the block."""
        # In place: the connections of all threads share the dictionary.
        before = connection.settings_dict["NAME"]
        connection.close()
        connection.settings_dict["NAME"] = name
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = before

    @staticmethod
    @contextmanager
    def standing_on(server: Postgres) -> Iterator[None]:
        """Point Django's connections, in every thread, to another server during the block."""
        before = dict(connection.settings_dict)
        there = {"HOST": str(server.folder), "PORT": "", "USER": "postgres", "PASSWORD": ""}
        connection.close()
        connection.settings_dict.update(there, NAME="postgres")
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict.update(before)

    def url(self, name: str) -> str:
        """Return the `DATABASE_URL` with which another process reaches a database."""
        if self.on_sqlite:
            return f"sqlite:///{name}"
        own = connection.settings_dict
        secret = f":{quote(own['PASSWORD'], safe='')}" if own["PASSWORD"] else ""
        host = quote(own["HOST"], safe="") + (f":{own['PORT']}" if own["PORT"] else "")
        return f"postgres://{quote(own['USER'], safe='')}{secret}@{host}/{name}"

    def drop_all(self) -> None:
        """Remove every database that was created, unless their server goes away as well.

        PostgreSQL writes a checkpoint for each, which wastes a minute for a hundred of them.
        """
        if not self.on_sqlite and THEY_END_WITH_THEIR_SERVER not in os.environ:
            for name in self.made:
                self._administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _new_name(self) -> str:
        name = f"test_{secrets.token_hex(6)}"
        name = str(self.folder / f"{name}.sqlite3") if self.on_sqlite else name
        self.made.append(name)
        return name

    def _administer(self, statement: str) -> None:
        with connection._nodb_cursor() as cursor:
            cursor.execute(statement)
