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
from compliance.verification.release import read_release, seal_release
from reports.documents.sheets import software
from reports.rendering.typography import files_of_faces


class Command(BaseCommand):
    """`manage.py release [--output FILE] [--json]`: sealing the same release again changes nothing.

    `--output` writes the sealed release to a file, to keep it elsewhere: `verify release FILE`
    compares any installation with it.
    """

    help = "Seals the release that is installed as one signed file in the archive."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add where to write it, and the format of the answer."""
        parser.add_argument("--output", type=Path, metavar="FILE", help="write it here, too")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Seal it, and print its version and digest."""
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
