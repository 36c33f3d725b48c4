import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error as DatabaseError

from compliance.log_keys import NoLogKeyError
from compliance.proof.signing import NotASigningKeyError
from compliance.proof.verifier import BrokenError
from compliance.tables import migrations_wait
from reports.signing.keys import NoReportKeyError
from reports.verifications import VERIFICATIONS, CannotTellError

CANNOT_TELL = (
    CannotTellError, NoLogKeyError, NoReportKeyError, NotASigningKeyError, BrokenError,
    DatabaseError, OSError, UnicodeDecodeError,
)  # fmt: skip


class Command(BaseCommand):
    """Tell whether something is as it was signed: 0 intact, 1 broken and named, 2 cannot tell."""

    help = "Check the log, or a file that left this system, and name what is not as it was signed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Offer one word for each verification."""
        words = parser.add_subparsers(dest="word", required=True, metavar="WHAT")
        for word, verification in VERIFICATIONS.items():
            command = words.add_parser(word, help=verification.says)
            command.add_argument("--json", action="store_true", help="answer as JSON")
            command.add_argument(
                "--held", action="append", default=[], type=Path, metavar="CHECKPOINT",
                help="a signed checkpoint kept elsewhere, to compare with",
            )  # fmt: skip
            if verification.of_a_file:
                command.add_argument("file", type=Path)

    def handle(self, **options: Any) -> None:
        """Run the check and say what it found."""
        verification = VERIFICATIONS[options["word"]]
        try:
            answer = verification.run(options.get("file"), options["held"])
        except CANNOT_TELL as error:
            if isinstance(error, DatabaseError) and migrations_wait():
                raise  # `manage.py` says what to run
            self.stderr.write(f"Cannot tell: {error}")
            sys.exit(2)
        if options["json"]:
            self.stdout.write(json.dumps(answer.as_json()))
        else:
            for problem in answer.problems:
                self.stdout.write(f"BROKEN  {problem['where']}: {problem['what']}")
            for note in answer.notes:
                self.stdout.write(f"REMOVED  {note}")
            verdict = "broken" if answer.problems else "intact"
            self.stdout.write(f"{verdict}, {answer.checked} checked")
        if answer.problems:
            sys.exit(1)
