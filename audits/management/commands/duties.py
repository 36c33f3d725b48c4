"""Print the duties of nights: prizes to verify on camera, or to pay in part by check."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audits.management.options import USAGE, add_night_options, find_operator, read_day
from audits.replay.duties import SAYS, duties, unknown_duties
from audits.replay.findings.reads import audited_days
from compliance.access.scope import without_access_scope
from compliance.events.actor import at_the_console
from compliance.events.exports import record_export
from compliance.files.archive import DamagedError, MissingError
from games.cents import in_dollars


class Command(BaseCommand):
    """`manage.py duties [--operator CODE] [--day DATE] [--json]`."""

    help = "What prizes required the rooms to do: one entry for each prize and duty."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the operator and the day."""
        add_night_options(parser)
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print the duties of the audited nights."""
        day = read_day(options["day"])
        with without_access_scope():
            operator = find_operator(options["operator"]) if options["operator"] else None
            try:
                found = list(duties(operator=operator, day=day))
            except (DamagedError, MissingError) as wrong:
                msg = f"{wrong} Have the day replayed with `manage.py replay`: it repairs it."
                raise CommandError(msg, returncode=USAGE) from wrong
            days = {each.day for each in audited_days(operator=operator, day=day)}
        record_export(
            by=at_the_console(),
            what="duties",
            format="JSON" if options["json"] else "TEXT",
            count=len(found),
            filters={name: options[name] for name in ("operator", "day") if options[name]},
        )
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        else:
            self.stdout.write(f"{len(found):,} duties in {len(days):,} audited days.")
            for each in found:
                self.stdout.write(
                    f"{each['day']} {each['operator']} {each['table']} {each['round']}, "
                    f"seat {each['seat']}: {in_dollars(each['amount'])}, "
                    f"{SAYS[each['duty']]} ({each['citation']})"
                )
        for value in sorted({one.citation for each in days for one in unknown_duties(each)}):
            self.stderr.write(
                f"{value}: no verified amount for some of these days, so its duties aren't listed."
            )
