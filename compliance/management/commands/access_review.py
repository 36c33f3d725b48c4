"""Print who had which role, when, and who gave it."""

from __future__ import annotations

import json
import sys
from datetime import datetime, time, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date

from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.events.actor import at_the_console
from compliance.events.exports import record_export
from compliance.people.access_review import review_access
from compliance.text import CsvRows


class Command(BaseCommand):
    """`manage.py access_review [--at DATE] [--party CODE] [--json]`; without `--json`, CSV."""

    help = "Lists who had which role, when, and who gave and ended it, from the event log."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the day, the party and the format."""
        parser.add_argument("--at", metavar="DATE", help="the roles at the end of this day only")
        parser.add_argument("--party", metavar="CODE")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print a row for each role; the export is an event itself."""
        party = None
        if options["party"]:
            with without_access_scope():
                party = Party.objects.filter(code=options["party"]).first()
            if party is None:
                msg = f"--party {options['party']}: no party has this code."
                raise CommandError(msg, returncode=2)
        rows = [each.as_row() for each in review_access(at=_end_of(options["at"]), party=party)]
        asked = {name: options[name] for name in ("at", "party") if options[name]}
        form = "JSON" if options["json"] else "CSV"
        record_export(
            by=at_the_console(), what="an access review", format=form, count=len(rows),
            filters=asked, party=party,
        )  # fmt: skip
        if options["json"]:
            self.stdout.write(json.dumps(rows, indent=1))
        elif rows:
            table = CsvRows(self.stdout._out)
            table.write(*rows[0])
            table.write_all(each.values() for each in rows)
        else:
            sys.stderr.write("Nobody had a role there then.\n")


def _end_of(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        msg = f"--at {text}: a day is written as 2026-11-20."
        raise CommandError(msg, returncode=2)
    return timezone.make_aware(datetime.combine(day, time())) + timedelta(days=1)
