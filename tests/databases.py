"""Databases for tests: one template is migrated, all others are copies of it."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from django.core.management import call_command
from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Databases:
    """Copies of a migrated template, on SQLite or PostgreSQL as the settings have it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.on_sqlite = connection.vendor == "sqlite"
        self.made: list[str] = []
        self.template = self._new_name()
        if not self.on_sqlite:
            self._administer(f"CREATE DATABASE {self.template}")
        with self.using(self.template):
            call_command("migrate", verbosity=0)

    def copy(self, of: str | None = None) -> str:
        """Make a copy of the template, or of another database; its name or path."""
        name, of = self._new_name(), of or self.template
        if self.on_sqlite:
            shutil.copy(of, name)
        else:
            self._administer(f"CREATE DATABASE {name} TEMPLATE {of}")
        return name

    @contextmanager
    def using(self, name: str) -> Iterator[None]:
        """Let Django's connections, in every thread, lead to a database for a while."""
        # In place: the dictionary is shared by the connections of all threads.
        before = connection.settings_dict["NAME"]
        connection.close()
        connection.settings_dict["NAME"] = name
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = before

    def url(self, name: str) -> str:
        """Return what `DATABASE_URL` must say for another process to reach a database."""
        if self.on_sqlite:
            return f"sqlite:///{name}"
        own = connection.settings_dict
        secret = f":{quote(own['PASSWORD'], safe='')}" if own["PASSWORD"] else ""
        host = quote(own["HOST"], safe="") + (f":{own['PORT']}" if own["PORT"] else "")
        return f"postgres://{quote(own['USER'], safe='')}{secret}@{host}/{name}"

    def drop_all(self) -> None:
        """Remove every database that was made, unless their server goes as well.

        PostgreSQL writes a checkpoint for each: a minute of nothing for a hundred of them.
        """
        if not self.on_sqlite and "DATABASES_END_WITH_THEIR_SERVER" not in os.environ:
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
