"""Make a night's report, or the commission's summary, and save its signed file to a folder."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from audits.intake.days.models import GamblingDay
from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import at_the_console
from compliance.files.archive import DamagedError, MissingError
from reports.documents.days import PERIODS, period_of
from reports.documents.models import Report
from reports.documents.registry import About, NothingToReportError
from reports.library.reads import Outcome, compare_with_engine, reproduce
from reports.schedules.deliveries import record_report_export
from reports.schedules.making import answer_of, make_night_report, write_file
from reports.signing.keys import NoReportKeyError

if TYPE_CHECKING:
    from reports.library.reads import Reproduction

KINDS = ("nightly", "summary", "restitution", *PERIODS)
CANNOT = (
    NothingToReportError, NoReportKeyError, RefusedError, MissingError, DamagedError, OSError,
)  # fmt: skip


class Command(BaseCommand):
    """`manage.py report KIND [--operator CODE] --day DATE [--again ID]`.

    A week or a month is given by any of its days; without an operator the report is the
    commission's.

    Exits with 0 if it was made, with 1 if a reproduced report has other bytes, and with 2 if there
    is nothing to report.
    """

    help = "Makes the report of a day, week or month once, or shows that one is made the same."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the kind, operator and day of the report."""
        parser.add_argument("kind", choices=KINDS)
        parser.add_argument("--operator", metavar="CODE")
        parser.add_argument("--day", required=True, metavar="DATE", help="as 2025-07-12")
        parser.add_argument("--again", metavar="ID", help="UUID or reference of a past report")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Make or reproduce the report, and print the result."""
        again: Reproduction | None = None
        since = ""
        with without_access_scope():
            about = _about(options)
            try:
                if options["again"]:
                    report = _past(options["again"], options["kind"], about)
                    again, since = reproduce(report), compare_with_engine(report)
                else:
                    report = make_night_report(kind=options["kind"], about=about)
                place = write_file(report=report, folder=Path(settings.VAR) / "reports")
                record_report_export(
                    report=report, by=at_the_console(), what="a signed report", form="PDF"
                )
            except CANNOT as error:
                raise CommandError(str(error), returncode=2) from error
            answer = answer_of(report, place)
        if again is not None:
            answer["body_sha256"] = again.body or None
            self.stderr.write(f"{again.says} {since}".rstrip())
        if options["json"]:
            self.stdout.write(json.dumps(answer))
        else:
            for name, value in answer.items():
                self.stdout.write(f"{name:<12} {'' if value is None else value}")
        if again is not None and again.outcome is not Outcome.SAME:
            sys.exit(1)


def _about(options: dict[str, Any]) -> About:
    try:
        day = date.fromisoformat(options["day"])
    except ValueError:
        msg = f"--day {options['day']}: write a day as 2025-07-12."
        raise CommandError(msg, returncode=2) from None
    code = options["operator"]
    if options["kind"] == "summary":
        if code:
            msg = "The summary goes over all operators; leave --operator out."
            raise CommandError(msg, returncode=2)
        return About(day=day)
    if options["kind"] in PERIODS:
        last = period_of(options["kind"], day).last
        return About(party=_operator(code) if code else None, day=last)
    return About(party=_operator(code) if code else _only_operator(day), day=day)


def _operator(code: str) -> Party:
    found = Party.objects.filter(code=code).select_related("agency").first()
    if found is None:
        msg = f"--operator {code}: no party has this code."
        raise CommandError(msg, returncode=2)
    return found


def _only_operator(day: date) -> Party:
    """Return the only operator with this day; if there are several, one must be named."""
    days = GamblingDay.objects.filter(day=day).select_related("party__agency")
    parties = [each.party for each in days.order_by("party__code")[:20]]
    if len(parties) != 1:
        codes = ", ".join(each.code for each in parties) or "none has this day"
        msg = f"Say which operator with --operator CODE: {codes}."
        raise CommandError(msg, returncode=2)
    return parties[0]


def _past(name: str, kind: str, about: About) -> Report:
    """Return a report of the given kind and day by UUID or reference."""
    try:
        of_name = Q(uuid=UUID(name))
    except ValueError:
        of_name = Q(reference=name)
    found = Report.objects.filter(of_name, kind=kind, about=about.key).first()
    if found is None:
        msg = f"--again {name}: there is no such {kind} report about {about.key}."
        raise CommandError(msg, returncode=2)
    return found
