"""Restore a backup into an empty installation, and check the result."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from compliance.backup.manifest import BackupError
from compliance.backup.restore import lost_since, restore, try_restore
from compliance.backup.tables import holds_anything
from compliance.event_log.proof import NoLogKeyError
from compliance.jobs.failures import summarize_error
from compliance.jobs.models import RESTORE
from compliance.jobs.schedule import note_done, note_failed

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from compliance.backup.restore import Restored

NO_CHECKPOINT = (
    "No checkpoint kept elsewhere was named: that nothing is lacking at the end of the log was not "
    "looked at. Compare with the newest one that anybody holds: manage.py verify log --held FILE"
)


IN_USE = (
    "It cannot be restored here, because this installation is in use. Set DATABASE_URL to an empty "
    "database and ARCHIVE_URL to an empty archive."
)
STOPPED = (
    "The restore ended on the way: {}. The database comes last, in one step. Make room for archive "
    "and database, or mend what is in the way, and give the same command again."
)


class Command(BaseCommand):
    """`manage.py restore SOURCE`: 0 intact, 1 restored and something is broken, 2 not restored."""

    help = "Puts a backup into an empty installation, and checks log and archive."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the source, and the checkpoints to compare with."""
        parser.add_argument("source", type=Path, metavar="SOURCE")
        parser.add_argument(
            "--checkpoint", action="append", default=[], type=Path, metavar="FILE",
            help="the newest signed checkpoint that was kept elsewhere",
        )  # fmt: skip
        parser.add_argument(
            "--check", action="store_true", help="test the restore without keeping anything"
        )
        parser.add_argument(
            "--unsigned",
            action="store_true",
            help="accept a backup without a signature; a wrong one is always refused",
        )
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Restore, and report what differs from what was signed."""
        try:
            checkpoints = _checkpoints(options["checkpoint"])
            if options["check"]:
                self._check(options["source"], checkpoints, unsigned=options["unsigned"])
                return
            restored = restore(options["source"], checkpoints, unsigned=options["unsigned"])
        except (BackupError, NoLogKeyError) as refused:
            if options["check"]:
                self._note_failed(str(refused))
            raise CommandError(str(refused), returncode=2) from None
        except OSError as failed:
            raise CommandError(STOPPED.format(failed.strerror or failed), returncode=2) from None
        self._print(restored, as_json=options["json"])
        if not options["json"]:
            self.stdout.write(lost_since(restored.manifest, checkpoints))
        if not options["checkpoint"] and not options["json"]:
            self.stdout.write(NO_CHECKPOINT)
        if not restored.ok:
            sys.exit(1)

    def _check(self, source: Path, checkpoints: dict[str, str], *, unsigned: bool) -> None:
        """Test the restore without keeping anything, and record it for the status page."""
        tried = try_restore(source, unsigned=unsigned)
        for problem in tried.problems:
            self.stdout.write(f"BROKEN  {problem['where']}: {problem['what']}")
        whole = (
            f"The backup of {tried.manifest.made} is whole and can be restored: {tried.files:,} "
            f"files of the archive, log of {tried.manifest.log_size:,} events."
        )
        if tried.in_use:
            self.stdout.write(f"{whole} {IN_USE}")
            if tried.problems:
                note_failed(
                    RESTORE, f"The database in the backup of {tried.manifest.made} was changed."
                )
            else:
                note_done(RESTORE, f"The backup of {tried.manifest.made} was tested.")
        else:
            self.stdout.write(whole)
        self.stdout.write(lost_since(tried.manifest, checkpoints))
        if tried.problems:
            sys.exit(1)

    def _note_failed(self, says: str) -> None:
        """Record it for the status page if the installation is in use."""
        try:
            if holds_anything():
                note_failed(RESTORE, says)
        except DatabaseError as error:
            self.stderr.write(
                f"This was not recorded for the status page: {summarize_error(error)}"
            )

    def _print(self, restored: Restored, *, as_json: bool) -> None:
        problems = [*restored.log.problems, *restored.archive.problems]
        if as_json:
            checked = restored.log.checked + restored.archive.checked
            says = {"ok": restored.ok, "checked": checked, "problems": problems}
            self.stdout.write(json.dumps(says))
        else:
            for problem in problems:
                self.stdout.write(f"BROKEN  {problem['where']}: {problem['what']}")
            for sentence in restored.manifest.missing:
                self.stdout.write(f"MISSING  {sentence}")
            self.stdout.write(
                f"Restored the backup of {restored.manifest.made}: log and rows "
                f"{'broken' if restored.log.problems else 'intact'}, {restored.log.checked:,} "
                f"checked; archive {'broken' if restored.archive.problems else 'intact'}, "
                f"{restored.archive.checked:,} checked."
            )


def _checkpoints(places: list[Path]) -> dict[str, str]:
    """Return the named checkpoints, and the one this installation kept, if it still exists."""
    checkpoints: dict[str, str] = {}
    for place in [*places, Path(settings.KEPT_CHECKPOINT)]:
        try:
            checkpoints[str(place)] = place.read_text()
        except (OSError, UnicodeDecodeError) as error:
            if place in places:
                message = f"{place} cannot be read: {error}."
                raise BackupError(message) from None
    return checkpoints
