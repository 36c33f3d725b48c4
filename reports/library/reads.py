"""Find reports and their files, and check whether they can be reproduced."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from audits.intake.days.models import GamblingDay
from audits.replay.comparisons import compare_day
from audits.replay.engine import engine_version
from audits.replay.models import Replay
from compliance.files.archive import DamagedError, MissingError, current_archive, read_bytes
from compliance.retention.periods import REPORTS, Retained
from compliance.retention.reads import HoldTarget
from compliance.retention.verification import Kept
from compliance.verification.release import find_release_of_reports
from compliance.verification.shelf import unpacked
from reports.documents.days import OF_A_DAY
from reports.documents.models import Envelope, Report, ReportVisibility
from reports.documents.registry import read_inputs
from reports.documents.sheets import body_of, software
from reports.rendering.typography import current_faces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from django.db.models import QuerySet

    from compliance.access.models import Party


MODULE: Final = "reports.documents"
"""What typesets a report in a release."""


def reports_about(found: QuerySet[Report], party: Party) -> QuerySet[Report]:
    """Return reports about a party, including letters shown to it, which are about a decision."""
    shown = ReportVisibility.objects.filter(report=OuterRef("pk"), party=party)
    return found.filter(Q(party=party) | Exists(shown))


def find_report_to_hold(reference: str) -> HoldTarget | None:
    """Find a report by the reference printed on it."""
    report = Report.objects.filter(reference=reference).select_related("party").first()
    if report is None:
        return None
    return HoldTarget(report.uuid, report.uuid, f"report {report.reference}", report.party)


def files_of_reports() -> Iterator[Kept]:
    """Yield inputs, body and signed files of every report. Needs `without_access_scope`."""
    for report in Report.objects.order_by("id").select_related("party").iterator():
        retained = _retained(report)
        for what, digest in (("inputs", report.inputs), ("body", report.body)):
            yield Kept(digest, f"{what} of report {report.reference}, {digest}", retained=retained)
    for signed in Envelope.objects.order_by("id").select_related("report__party").iterator():
        where = f"signed file of report {signed.report.reference}, {signed.file}"
        yield Kept(signed.file, where, retained=_retained(signed.report))


def _retained(report: Report) -> Retained:
    named = {report.uuid, report.party.uuid} if report.party else {report.uuid}
    return Retained(REPORTS, report.at, frozenset(named))


def compare_with_engine(report: Report, engine: str | None = None) -> str:
    """Compare a nightly report's findings with those of another engine.

    The result is empty if the engine is the same; `engine` is the one to compare with, by default
    the current one. This needs `without_access_scope`, and only people who may see findings may see
    the result.
    """
    here = engine or engine_version()
    if report.kind != OF_A_DAY[0] or report.day is None or report.engine in {"", here}:
        return ""
    engines = f"The night was audited by engine {report.engine[:12]}, here is {here[:12]}."
    day = GamblingDay.objects.select_related("current", "party").get(
        party=report.party, day=report.day
    )
    if day.current is None or day.current.engine != here:
        return (
            f"{engines} This one has not audited it: `manage.py replay --operator {day.party.code} "
            f"--day {day.day} --wait` audits it."
        )
    before = read_inputs(read_bytes(current_archive(), report.inputs))["data"]
    if before["method"]["replay"]["digest"] == day.current.digest:
        return f"{engines} This engine has the same findings, byte for byte."
    was = before["figures"]["findings"]
    return f"{engines} {_compared(before['method']['replay'], day.current, day.day, was)}"


def _compared(before: Mapping[str, Any], later: Replay, day: date, was: int) -> str:
    """Say what today's replay of a day makes of the findings that a report was about."""
    former = Replay.objects.filter(uuid=before["uuid"]).first()
    total = f"This engine finds {later.findings:,} findings; the report has {was:,}."
    if former is None:
        return total
    standing = compare_day(former=former, later=later, day=day).total
    return (
        f"{total} Of these, {standing.confirmed:,} are confirmed, {standing.changed:,} changed and "
        f"{standing.gone:,} gone; {standing.new:,} are new."
    )


class Outcome(Enum):
    """The outcome of reproducing a report."""

    SAME = "same"
    OTHER_TOOLS = "other tools"
    DIFFERS = "differs"
    INPUTS_GONE = "inputs gone"


@dataclass(frozen=True)
class Reproduction:
    """The outcome in a sentence, with the SHA-256 of the new body if there is one."""

    outcome: Outcome
    says: str
    body: str = ""


def reproduce(report: Report) -> Reproduction:
    """Rebuild the body of a report from its stored inputs, and compare it byte for byte."""
    try:
        inputs = read_inputs(read_bytes(current_archive(), report.inputs))
    except (MissingError, DamagedError) as lost:
        return Reproduction(Outcome.INPUTS_GONE, f"Its inputs cannot be read: {lost}")
    made = body_of(inputs).content
    digest = hashlib.sha256(made).hexdigest()
    if digest == report.body:
        return Reproduction(Outcome.SAME, "Made again, it is the same byte for byte.", digest)
    if others := _other_tools(report):
        says = f"Made again, it is not the same bytes: it was set with {', '.join(others)}."
        if release := find_release_of_reports(report.software.get("reports", "")):
            says = f"{says} `manage.py report --again` makes it with the release {release}."
        return Reproduction(Outcome.OTHER_TOOLS, says, digest)
    kept = read_bytes(current_archive(), report.body)
    place = next((n for n, (a, b) in enumerate(zip(made, kept, strict=False)) if a != b), None)
    at = min(len(made), len(kept)) if place is None else place
    says = f"Made again with the same tools, it differs from byte {at:,} on."
    return Reproduction(Outcome.DIFFERS, says, digest)


def reproduce_with_release(report: Report) -> Reproduction:
    """Do the same with the sealed release that set the report, if it is not what is installed.

    Raises:
        NoReleaseError: the release cannot be run.
    """
    found = reproduce(report)
    release = find_release_of_reports(report.software.get("reports", ""))
    if found.outcome is not Outcome.OTHER_TOOLS or release is None:
        return found
    with unpacked(release.artifact) as shelved, current_archive().fetch(report.inputs) as inputs:
        body = shelved.aside / "body.pdf"
        shelved.run(
            MODULE,
            f"{inputs}\n{body}\n",
            DJANGO_SETTINGS_MODULE="compliance.project.settings",
            AGENCY_NAME=settings.AGENCY_NAME,
            TIME_ZONE=settings.TIME_ZONE,
        )
        digest = hashlib.sha256(body.read_bytes()).hexdigest()
        others = shelved.other_libraries()
    if digest == report.body:
        says = f"Made again with its release {release}, it is the same byte for byte."
        return Reproduction(Outcome.SAME, says, digest)
    says = f"Made again with its release {release}, it is not the same bytes."
    if others:
        says = f"{says} These libraries are not those of the release: {'; '.join(others)}."
        return Reproduction(Outcome.OTHER_TOOLS, says, digest)
    return Reproduction(Outcome.DIFFERS, says, digest)


def _other_tools(report: Report) -> list[str]:
    """List the differences between the software here and that which made this report."""
    now = {**software(), "faces": current_faces().digest}
    then = {**report.software, "faces": report.faces}
    return [
        f"{name} {_short(then.get(name, 'unknown'))}, here is {_short(now.get(name, 'none'))}"
        for name in sorted(now.keys() | then.keys())
        if now.get(name) != then.get(name)
    ]


def _short(version: str) -> str:
    return version[:12] if len(version) == 64 else version
