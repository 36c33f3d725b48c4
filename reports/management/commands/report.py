"""Make a report of any kind, and save its signed file to a folder."""

from __future__ import annotations

import json
import re
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from audits.intake.days.models import GamblingDay
from audits.intake.rounds import find_rounds
from audits.review.cases.models import Case
from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import at_the_console
from compliance.files.archive import DamagedError, MissingError
from compliance.filings.requests.models import Approval, Denial
from compliance.verification.shelf import NoReleaseError
from reports.documents.case_file import CASE_FILE
from reports.documents.days import OF_A_DAY, ON_DEMAND, PERIODS, SUMMARY, period_of
from reports.documents.letters import APPROVAL_LETTER, DENIAL_LETTER
from reports.documents.models import Report
from reports.documents.registry import About, NothingToReportError
from reports.documents.round_sheet import ROUND_SHEET, about_round
from reports.library.reads import Outcome, compare_with_engine, reproduce_with_release
from reports.schedules.deliveries import record_report_export
from reports.schedules.making import answer_of, make_due_report, write_file
from reports.signing.keys import NoReportKeyError

if TYPE_CHECKING:
    from reports.library.reads import Reproduction

CASE_NUMBER = re.compile(r"(CR )?(?P<year>\d{4})-(?P<serial>\d{1,9})")
OF_A_PERIOD = (SUMMARY, *PERIODS)
OF_A_THING = {"round": ROUND_SHEET.name, "case": CASE_FILE.name, "letter": ""}
KINDS = (*OF_A_DAY, *OF_A_PERIOD, *OF_A_THING)
CANNOT = (
    NothingToReportError, NoReportKeyError, NoReleaseError, RefusedError, MissingError,
    DamagedError, OSError,
)  # fmt: skip


class Command(BaseCommand):
    """`manage.py report KIND [--operator CODE] [--day DATE] [--since DATE] [--of ID] [--again ID]`.

    A week or a month is given by any of its days, any other period by `--since` and its last day;
    without an operator the report is the commission's. `--of` names a round, the number or UUID of
    a case, or the UUID of the approval or denial of a letter.

    Exits with 0 if it was made, with 1 if a reproduced report has other bytes, and with 2 if there
    is nothing to report.
    """

    help = "Makes the report of a day, week or month once, or shows that one is made the same."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the kind, operator and day of the report."""
        parser.add_argument("kind", choices=KINDS)
        parser.add_argument("--operator", metavar="CODE")
        parser.add_argument("--day", metavar="DATE", help="as 2025-07-12")
        parser.add_argument("--since", metavar="DATE", help="a period's first day, with summary")
        parser.add_argument("--of", metavar="ID", help="a round, a case, an approval or denial")
        parser.add_argument("--again", metavar="ID", help="UUID or reference of a past report")
        parser.add_argument("--json", action="store_true", help="for other programs")

    def handle(self, *_: Any, **options: Any) -> None:
        """Make or reproduce the report, and print the result."""
        again: Reproduction | None = None
        since = ""
        with without_access_scope():
            kind, about = _kind_and_about(options)
            try:
                if options["again"]:
                    report = _past(options["again"], kind, about)
                    again, since = reproduce_with_release(report), compare_with_engine(report)
                else:
                    report = make_due_report(kind=kind, about=about)
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


def _kind_and_about(options: dict[str, Any]) -> tuple[str, About]:
    kind, code = options["kind"], options["operator"]
    if kind in OF_A_THING:
        return _thing(kind, code, options["of"])
    if options["of"]:
        msg = f"--of goes with {', '.join(OF_A_THING)}; a {kind} report is of a day."
        raise CommandError(msg, returncode=2)
    day, since = _day("--day", options["day"]), options["since"]
    if since and kind != SUMMARY:
        msg = "--since goes with summary: it is the first day of the period that is summed up."
        raise CommandError(msg, returncode=2)
    if since:
        party = _operator(code) if code else None
        return ON_DEMAND, About(party=party, day=day, since=_day("--since", since))
    if kind == SUMMARY:
        if code:
            msg = "The summary goes over all operators; leave --operator out."
            raise CommandError(msg, returncode=2)
        return kind, About(day=day)
    if kind in PERIODS:
        last = period_of(kind, day).last
        return kind, About(party=_operator(code) if code else None, day=last)
    return kind, About(party=_operator(code) if code else _only_operator(day), day=day)


def _day(name: str, text: str | None) -> date:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        msg = f"{name} {text or ''}: write a day as 2025-07-12."
        raise CommandError(msg, returncode=2) from None


def _thing(kind: str, code: str | None, id_: str | None) -> tuple[str, About]:
    """Return what a round sheet, a case file or a letter is about."""
    if not id_:
        msg = f"Say which {kind} with --of ID."
        raise CommandError(msg, returncode=2)
    if kind == "round":
        parties = [_operator(code)] if code else Party.objects.all()
        found = find_rounds(parties, id_)
        if len(found) != 1:
            codes = ", ".join(each.segment.party.code for each in found)
            which = f"Several operators have it: {codes}. Add --operator." if found else "None."
            msg = f"--of {id_}: rounds on file with this ID: {len(found)}. {which}"
            raise CommandError(msg, returncode=2)
        return ROUND_SHEET.name, about_round(found[0])
    is_it = Q(uuid=UUID(id_)) if _is_uuid(id_) else Q(pk=None)
    if kind == "case" and (number := CASE_NUMBER.fullmatch(id_)):
        is_it = Q(year=int(number["year"]), serial=int(number["serial"]))
    if kind == "case" and (case := Case.objects.filter(is_it).first()):
        return CASE_FILE.name, About(subject=case.uuid)
    if kind == "letter":
        for name, decisions in ((APPROVAL_LETTER.name, Approval), (DENIAL_LETTER.name, Denial)):
            if decision := decisions.objects.filter(is_it).first():
                return name, About(subject=decision.uuid)
    msg = f"--of {id_}: there is no such {'decision' if kind == 'letter' else kind}."
    raise CommandError(msg, returncode=2)


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


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
