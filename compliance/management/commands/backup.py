"""Copy database and archive into a folder, while work goes on."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from compliance.backup import BackupError
from compliance.backup.taking import back_up

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
        """Where to."""
        parser.add_argument("target", type=Path, metavar="TARGET", help="empty, or a backup")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Back up, and say what is in it and what is not."""
        try:
            manifest = back_up(options["target"])
        except BackupError as refused:
            raise CommandError(str(refused), returncode=2) from None
        except OSError as failed:
            says = STOPPED.format(options["target"], failed.strerror or failed)
            raise CommandError(says, returncode=2) from None
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
