"""Make one report of each kind on the demonstration, and save the signed files to a folder."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import F, Sum

from audits.intake.days.models import GamblingDay
from audits.intake.rounds import find_round
from audits.replay.findings.models import Finding, IssueNight
from audits.review.cases.models import Case, CaseItem
from audits.review.cases.writes import Gathered, open_case
from audits.review.cases.writes import gather as gather_evidence
from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.games.models import RuleVersion
from compliance.filings.requests.models import Approval, Denial
from reports.documents.days import MONTHLY, ON_DEMAND, SUMMARY, WEEKLY, period_of
from reports.documents.registry import About, NothingToReportError, document_kinds
from reports.documents.round_sheet import about_round
from reports.schedules.making import make_due_report, write_file
from reports.signing.keys import under_demonstration_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audits.replay.findings.models import Issue

WEEK = timedelta(days=6)


class Command(BaseCommand):
    """`manage.py sample_reports FOLDER`: the reports that the README shows, on invented data."""

    help = "Makes one report of each kind on the demonstration, as samples."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the folder."""
        parser.add_argument("folder", type=Path)

    def handle(self, *_: Any, **options: Any) -> None:
        """Make each, and name the kinds of which the demonstration has none."""
        if not under_demonstration_keys():
            msg = "Samples are made on the demonstration only: run `make audit` in another clone."
            raise CommandError(msg, returncode=2)
        made = set()
        with without_access_scope():
            for kind, about in _samples():
                try:
                    report = make_due_report(kind=kind, about=about)
                except NothingToReportError as none:
                    self.stderr.write(f"{kind}: {none}")
                    continue
                place = write_file(report=report, folder=options["folder"])
                self.stdout.write(f"{place}  {report.title} ({report.pages} pages)")
                made.add(kind)
        for kind in sorted(document_kinds().keys() - made):
            self.stdout.write(f"{kind}: the demonstration has nothing for one.")


def _samples() -> Iterator[tuple[str, About]]:
    """Yield a kind of report and its subject, those about the busiest day first."""
    issue = _most_serious()
    day = _busiest_day(issue)
    about = About(party=day.party, day=day.day)
    for kind in ("nightly", "restitution", "in_effect_on_a_day"):
        yield kind, about
    yield SUMMARY, About(day=day.day)
    for kind in (WEEKLY, MONTHLY):
        yield kind, About(day=period_of(kind, day.day).last)
    yield ON_DEMAND, About(party=day.party, day=day.day, since=day.day - WEEK)
    round_ = _round_of(issue)
    if round_ and (on_file := find_round([day.party], round_)):
        yield "round_sheet", about_round(on_file)
    yield "case_file", About(subject=_case(issue, round_).uuid)
    given = Approval.objects.order_by("at", "pk")
    for kind in Approval.Kind:
        if approval := given.filter(kind=kind).first():
            yield "approval_letter", About(subject=approval.uuid)
    of_controls = given.filter(subject_type=ControlsVersion._meta.label_lower)
    if approval := of_controls.filter(party=day.party).last():
        yield "approval_letter", About(subject=approval.uuid)
        yield "controls_as_approved", About(subject=approval.subject)
    of_rules = given.filter(subject_type=RuleVersion._meta.label_lower)
    if approval := of_rules.first():
        yield "rules_as_read", About(subject=approval.subject)
    if denial := Denial.objects.order_by("at").first():
        yield "denial_letter", About(subject=denial.uuid)


def _most_serious() -> Issue:
    """Return the issue with the most money: it has rounds with a cause, and an amount."""
    night = (
        IssueNight.objects.filter(findings__gt=0, issue__party__isnull=False)
        .exclude(issue__diagnosis="")
        .select_related("issue__party")
        .order_by(F("over").desc(), F("under").desc(), "pk")
        .first()
    )
    if night is None:
        msg = "There is no issue on file: run `manage.py audit` first."
        raise CommandError(msg, returncode=2)
    issue: Issue = night.issue
    return issue


def _busiest_day(issue: Issue) -> GamblingDay:
    """Return the day with the most findings of the issue's operator."""
    nights = IssueNight.objects.filter(issue__party=issue.party).values("day")
    most = nights.annotate(found=Sum("findings")).order_by("-found", "day")[0]["day"]
    day: GamblingDay = GamblingDay.objects.select_related("party__agency").get(
        party=issue.party, day=most
    )
    return day


def _round_of(issue: Issue) -> str:
    finding = Finding.objects.filter(issue=issue).exclude(round="").order_by("pk").first()
    return finding.round or "" if finding else ""


def _case(issue: Issue, round_: str) -> Case:
    """Return the sample case about an issue; open it the first time."""
    item = CaseItem.objects.filter(issue=issue).select_related("case").first()
    if item is not None:
        return item.case
    agent = Membership.objects.filter(role=Role.AGENT, ended__isnull=True)[0].person
    case = open_case(
        party=issue.party,
        title="Sample case",
        reason="Shows what a case file contains.",
        by=agent,
        begins_with=Gathered(kind=CaseItem.Kind.ISSUE, issue=issue),
    )
    if round_:
        what = Gathered(kind=CaseItem.Kind.ROUND, round=round_, text="One of the rounds.")
        gather_evidence(case=case, what=what, by=agent)
    return case
