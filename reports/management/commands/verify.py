import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error as DatabaseError

from audits.replay.shelf import check_again
from compliance.event_log.proof import NoLogKeyError, NotASigningKeyError
from compliance.event_log.verifier import Answer, BrokenError
from compliance.jobs.failures import summarize_error
from compliance.jobs.models import FULL_VERIFICATION, VERIFICATION
from compliance.jobs.schedule import note_done, note_failed
from compliance.tables import migrations_wait
from compliance.verification.run import NoAnswerError
from reports.library.verification import VERIFICATIONS
from reports.signing.keys import NoReportKeyError

NO_ANSWER = (
    NoAnswerError, NoLogKeyError, NoReportKeyError, NotASigningKeyError, BrokenError,
    DatabaseError, OSError, UnicodeDecodeError,
)  # fmt: skip
NOTED = {"log": VERIFICATION, "all": FULL_VERIFICATION}
"""The verifications whose results the status page shows, and under which name."""


class Command(BaseCommand):
    """Check whether something is as it was signed: 0 intact, 1 broken (with details), 2 unknown."""

    help = "Check the log, or a file that left this system, and name what is not as it was signed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add a subcommand for each verification."""
        words = parser.add_subparsers(dest="word", required=True, metavar="WHAT")
        for word, verification in VERIFICATIONS.items():
            command = words.add_parser(word, help=verification.says)
            command.add_argument("--json", action="store_true", help="answer as JSON")
            command.add_argument(
                "--held", action="append", default=[], type=Path, metavar="CHECKPOINT",
                help="a signed checkpoint kept elsewhere, to compare with",
            )  # fmt: skip
            if word == "all":
                command.add_argument(
                    "--again", type=int, default=0, metavar="DAYS",
                    help="also audit again what was audited in so many days before now",
                )  # fmt: skip
            if verification.of_a_file:
                command.add_argument("file", type=Path)

    def handle(self, **options: Any) -> None:
        """Run the check and print the result."""
        verification = VERIFICATIONS[options["word"]]
        try:
            answer = verification.run(options.get("file"), options["held"])
            if days := options.get("again"):
                check_again(answer, days)
        except NO_ANSWER as error:
            if isinstance(error, DatabaseError) and migrations_wait():
                raise  # `manage.py` says what to run
            self.stderr.write(f"Cannot tell: {error}")
            sys.exit(2)
        if options["word"] in NOTED:
            self._note(NOTED[options["word"]], answer)
        if options["json"]:
            self.stdout.write(json.dumps(answer.as_json()))
        else:
            for problem in answer.problems:
                self.stdout.write(f"BROKEN  {problem['where']}: {problem['what']}")
            for note in answer.notes:
                self.stdout.write(f"NOTE  {note}")
            verdict = "broken" if answer.problems else "intact"
            self.stdout.write(f"{verdict}, {answer.checked} checked")
        if answer.problems:
            sys.exit(1)

    def _note(self, name: str, answer: Answer) -> None:
        """Record the result for the status page; a read-only copy can be verified without that."""
        try:
            if answer.problems:
                first = answer.problems[0]
                note_failed(
                    name,
                    f"{len(answer.problems):,} problems; the first, of {first['where']}: "
                    f"{first['what']}.",
                )
            else:
                note_done(name, f"Intact, {answer.checked:,} checked.")
        except DatabaseError as error:
            self.stderr.write(
                f"This was not recorded for the status page: {summarize_error(error)}"
            )
