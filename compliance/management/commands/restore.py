"""Put a backup into an empty installation, and check what came back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from compliance.backup import BackupError
from compliance.backup.restoring import check_backup, restore
from compliance.log_keys import NoLogKeyError

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from compliance.backup.restoring import Restored

NO_CHECKPOINT = (
    "No checkpoint kept elsewhere was named: that nothing is lacking at the end of the log was not "
    "looked at. Compare with the newest one that anybody holds: manage.py verify log --held FILE"
)


STOPPED = (
    "The restore ended on the way: {}. The database comes last, in one step. Make room for archive "
    "and database, or mend what is in the way, and give the same command again."
)


class Command(BaseCommand):
    """`manage.py restore SOURCE`: 0 intact, 1 restored and something is broken, 2 not restored."""

    help = "Puts a backup into an empty installation, and checks log and archive."

    def add_arguments(self, parser: CommandParser) -> None:
        """From where, and what to compare with."""
        parser.add_argument("source", type=Path, metavar="SOURCE")
        parser.add_argument(
            "--checkpoint", action="append", default=[], type=Path, metavar="FILE",
            help="the newest signed checkpoint that was kept elsewhere",
        )  # fmt: skip
        parser.add_argument("--check", action="store_true", help="read the backup, restore nothing")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Restore, and name what is not as it was signed."""
        try:
            if options["check"]:
                manifest, digests = check_backup(options["source"])
                self.stdout.write(
                    f"The backup of {manifest.made} is whole: {len(digests):,} files of the "
                    f"archive, log of {manifest.log_size:,} events."
                )
                return
            restored = restore(options["source"], _held(options["checkpoint"]))
        except (BackupError, NoLogKeyError) as refused:
            raise CommandError(str(refused), returncode=2) from None
        except OSError as failed:
            raise CommandError(STOPPED.format(failed.strerror or failed), returncode=2) from None
        self._tell(restored, as_json=options["json"])
        if not options["checkpoint"] and not options["json"]:
            self.stdout.write(NO_CHECKPOINT)
        if not restored.ok:
            sys.exit(1)

    def _tell(self, restored: Restored, *, as_json: bool) -> None:
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
                f"Restored the backup of {restored.manifest.made}: log and history "
                f"{'broken' if restored.log.problems else 'intact'}, {restored.log.checked:,} "
                f"checked; archive {'broken' if restored.archive.problems else 'intact'}, "
                f"{restored.archive.checked:,} checked."
            )


def _held(places: list[Path]) -> dict[str, str]:
    """The checkpoints that were named, and the one this installation kept, if it is still there."""
    held: dict[str, str] = {}
    for place in [*places, Path(settings.HELD_CHECKPOINT)]:
        try:
            held[str(place)] = place.read_text()
        except (OSError, UnicodeDecodeError) as error:
            if place in places:
                message = f"{place} cannot be read: {error}."
                raise BackupError(message) from None
    return held
