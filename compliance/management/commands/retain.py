"""Remove files whose retention period has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand

from compliance.jobs.models import RETENTION
from compliance.jobs.schedule import note_done
from compliance.retention.writes import retain

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """`manage.py retain [--dry-run]`."""

    help = "Removes bytes that RETENTION lets go, never rows; a legal hold wins."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option for a dry run."""
        parser.add_argument("--dry-run", action="store_true", help="name them, remove nothing")

    def handle(self, *_: Any, **options: Any) -> None:
        """Remove the files, and list them."""
        if not settings.RETENTION:
            self.stdout.write("RETENTION names no class: nothing is ever removed.")
            return
        done = retain(dry_run=options["dry_run"])
        if done.is_done and not options["dry_run"]:
            note_done(RETENTION)
        for each in done.removed:
            self.stdout.write(each.where)
        word = "would be removed" if options["dry_run"] else "were removed"
        self.stdout.write(
            f"{len(done.removed):,} files {word}; a legal hold keeps {done.on_hold:,}."
        )
        if not done.is_done:
            self.stdout.write(
                "There was not enough time for all of them. Run the same command again."
            )
