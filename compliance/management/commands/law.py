"""Print what the law allowed on a day."""

import json
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.law.presentation import cite, describe_amount
from compliance.law.reads import law_on
from compliance.law.values import LawValue


class Command(BaseCommand):
    """`manage.py law [--at DATE] [--json]`."""

    help = "What the law allowed on a day: every value with citation, filing and how sure we are."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the day and the output format."""
        parser.add_argument("--at", metavar="DATE", help="day, as 2008-05-21; without it, today")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print a row for each rule with a known value on that day."""
        try:
            day = date.fromisoformat(options["at"]) if options["at"] else timezone.localdate()
        except ValueError:
            msg = f"--at {options['at']}: a day is written as 2008-05-21."
            raise CommandError(msg, returncode=2) from None
        values = law_on(day)
        if options["json"]:
            rows = [row for value in values for row in value.as_rows()]
            self.stdout.write(json.dumps(rows, indent=1))
            return
        self.stdout.write(f"The law on {day}:")
        for value in values:
            self.stdout.write(f"  {_line(value, day)}")


def _line(value: LawValue, day: date) -> str:
    carried = (
        f", carried forward since {value.verified_through}" if value.carried_forward(day) else ""
    )
    return (
        f"{value.rule} ({value.scope}): {describe_amount(value)} "
        f"[{cite(value)}; {value.grade}{carried}]"
    )
