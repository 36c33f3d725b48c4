"""Seal the release that is installed: sources, fonts and lock files, signed by the log's key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.replay.engine import engine_version, record_engine
from compliance.event_log.proof import NoLogKeyError, NotASigningKeyError
from compliance.event_log.verifier import BrokenError
from compliance.event_log.writes import integrate
from compliance.events.actor import at_the_console
from compliance.files.archive import current_archive, read_bytes
from compliance.verification.release import read_release, seal_release, sealed_releases
from reports.documents.sheets import software
from reports.rendering.typography import files_of_faces


class Command(BaseCommand):
    """`manage.py release [--output FILE] [--list] [--json]`: sealing again changes nothing.

    `--output` writes the sealed release to a file, to keep it elsewhere: `verify release FILE`
    compares any installation with it.
    """

    help = "Seals the release that is installed as one signed file in the archive."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add where to write it, and the format of the answer."""
        parser.add_argument("--output", type=Path, metavar="FILE", help="write it here, too")
        parser.add_argument(
            "--list", action="store_true", help="list the sealed releases, and seal nothing"
        )
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Seal it, and print its version and digest."""
        if options["list"]:
            self._list(as_json=options["json"])
            return
        try:
            sealed = seal_release(
                engine=engine_version(),
                reports=software()["reports"],
                fonts=files_of_faces(),
                by=at_the_console(),
            )
            record_engine(by=at_the_console())
            integrate()
            artifact = read_bytes(current_archive(), sealed.artifact)
            read_release(artifact)
            if options["output"]:
                options["output"].write_bytes(artifact)
        except (BrokenError, NoLogKeyError, NotASigningKeyError, OSError) as error:
            raise CommandError(str(error), returncode=2) from error
        answer = {
            "version": sealed.version,
            "release": sealed.artifact,
            "engine": sealed.engine,
            "bytes": len(artifact),
        }
        if options["json"]:
            self.stdout.write(json.dumps(answer))
        else:
            for name, value in answer.items():
                self.stdout.write(f"{name:<12} {value}")

    def _list(self, *, as_json: bool) -> None:
        """Print every sealed release, the newest first."""
        releases = [
            {
                "version": each.version,
                "release": each.artifact,
                "engine": each.engine,
                "reports": each.reports,
                "event": each.event,
            }
            for each in sealed_releases()
        ]
        if as_json:
            self.stdout.write(json.dumps(releases))
            return
        for release in releases:
            for name, value in release.items():
                self.stdout.write(f"{name:<12} {value}")
            self.stdout.write("")
        self.stdout.write(f"{len(releases):,} sealed releases.")
