"""Copy the database and the archive into a folder while the system is running."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from compliance.backup.create import back_up
from compliance.backup.manifest import BackupError
from compliance.jobs.failures import summarize_error
from compliance.jobs.models import BACKUP
from compliance.jobs.schedule import note_failed

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


STOPPED = (
    "The backup to {} was not made: {}. The one before it, if there was one, is as it was. Make "
    "room there and below VAR, or mend what is in the way; the same command again goes on."
)


class Command(BaseCommand):
    """`manage.py backup TARGET`: 0 whole, 1 made but something was missing, 2 not made."""

    help = "Copies database and archive into a folder; again into the same adds what is new."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the target."""
        parser.add_argument("target", type=Path, metavar="TARGET", help="empty, or a backup")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Back up, and print what the backup contains and what is missing."""
        try:
            manifest = back_up(options["target"])
        except BackupError as refused:
            raise _failed(str(refused)) from None
        except OSError as failed:
            says = STOPPED.format(options["target"], failed.strerror or failed)
            raise _failed(says) from None
        if options["json"]:
            self.stdout.write(json.dumps(asdict(manifest)))
        else:
            size = sum(part.size for part in manifest.database)
            self.stdout.write(
                f"Backed up to {options['target']}: database ({size / 1e6:,.1f} MB), log of "
                f"{manifest.log_size:,} events, {manifest.files_count:,} files "
                f"({manifest.files_size / 1e6:,.1f} MB)."
            )
            self.stdout.write("Not in it:")
            for each in manifest.left_out:
                self.stdout.write(f"  {each}")
            for each in manifest.missing:
                self.stdout.write(f"MISSING  {each}")
        if manifest.missing:
            sys.exit(1)


def _failed(says: str) -> CommandError:
    """Record it for the status page if the database allows."""
    try:
        note_failed(BACKUP, says)
    except DatabaseError as error:
        says = f"{says} This could not be recorded for the status page: {summarize_error(error)}."
    return CommandError(says, returncode=2)
