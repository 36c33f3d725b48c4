"""Print what the law allowed on a day."""

import json
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.law.values import LawValue
from compliance.selectors.law import law_on
from games.cents import in_dollars


class Command(BaseCommand):
    """`manage.py law [--at DATE] [--json]`."""

    help = "What the law allowed on a day: every value with citation, filing and how sure we are."

    def add_arguments(self, parser: CommandParser) -> None:
        """The day, and the form of the answer."""
        parser.add_argument("--at", metavar="DATE", help="day, as 2008-05-21; without it, today")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print a row for each rule of which something is known on that day."""
        try:
            day = date.fromisoformat(options["at"]) if options["at"] else timezone.localdate()
        except ValueError:
            msg = f"--at {options['at']}: a day is written as 2008-05-21."
            raise CommandError(msg, returncode=2) from None
        values = law_on(day)
        if options["json"]:
            self.stdout.write(json.dumps([value.as_row() for value in values], indent=1))
            return
        self.stdout.write(f"The law on {day}:")
        for value in values:
            self.stdout.write(f"  {_line(value, day)}")


def _line(value: LawValue, day: date) -> str:
    if value.value is None:
        what = "not known: nobody has read it"
    elif value.unit == "cents" and isinstance(value.value, int):
        what = in_dollars(value.value)
    else:
        what = f"{value.value} {value.unit}" if isinstance(value.value, int) else str(value.value)
    carried = (
        f", carried forward since {value.verified_through}" if value.carried_forward(day) else ""
    )
    source = ", ".join(filter(None, [value.citation, value.filing]))
    return f"{value.rule} ({value.scope}): {what} [{source}; {value.grade}{carried}]"
