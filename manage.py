#!/usr/bin/env python
"""The command line of the system: `manage.py help` lists what it can do."""

import gc
import os
import sys

NO_DJANGO = """This Python has no Django. `make install` makes one that has; then call it by name:
    .venv/bin/python manage.py …"""
NO_ROOM = (
    "Nothing more can be written: {}. Make room on the disk, or let VAR name a folder on another; "
    "the same command again goes on."
)
SELDOM = (50_000, 20, 20)
"""After so many new objects garbage is looked for: what imports make is kept, and going through it
time and again took a sixth of a command's start."""


def main() -> None:
    """Run one management command."""
    gc.set_threshold(*SELDOM)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.project.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import DatabaseError
    except ModuleNotFoundError as missing:
        if missing.name != "django":
            raise
        sys.exit(NO_DJANGO)

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as refused:
        sys.exit(str(refused))
    except (OSError, DatabaseError) as failed:
        from compliance.jobs.failures import is_disk_full
        from compliance.tables import MIGRATE, migrations_wait

        if is_disk_full(failed):
            sys.exit(NO_ROOM.format(getattr(failed, "strerror", None) or failed))
        if isinstance(failed, OSError) or not migrations_wait():
            raise
        sys.stderr.write(f"{MIGRATE}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
