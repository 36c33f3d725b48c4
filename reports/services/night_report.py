"""A night's report made now, by whoever asks for it, and its signed file put into a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.models import GamblingDay
from audits.selectors.missing import missing_of_day
from audits.services.day_findings import note_missing
from audits.services.days import close_day
from compliance import clock
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.archive.named import put_in_folder
from compliance.models import Event, Leaf
from compliance.walls import without_walls
from reports.documents.kinds import About
from reports.documents.night_days import OF_A_DAY, SUMMARY, day_of
from reports.event_types import MADE
from reports.models import Report
from reports.services.make import make_report

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path


def make_night_report(*, kind: str, about: About) -> Report:
    """Make the edition of a report that is due; one that was made is given back.

    A day whose time has passed is closed by this, as the nightly run would. The summary, a week or
    a month is made of what there is; once made it stays, and the nightly run supplements it.

    Raises:
        NothingToReportError: the day is open, not all judged, or nothing is kept of it.
    """
    number = 1
    of_a_day = kind in OF_A_DAY
    if of_a_day:
        with without_walls():
            day = day_of(about)
            if day.state == GamblingDay.State.OPEN and day.closes <= clock.now():
                close_day(day=day)
                note_missing(day=day, missing=missing_of_day(day))
            number = day.supplements + 1
    report = make_report(kind=kind, about=about, number=number)
    return report if of_a_day else _newest(report)


def leave_operators_reports(*, day: date, folder: Path) -> list[Path]:
    """Put the reports of every operator's day into a folder, in the edition that is due."""
    with without_walls():
        found = GamblingDay.objects.filter(day=day).select_related("party__agency")
        parties = [each.party for each in found.order_by("party__code")]
        return [
            _leave(kind, About(party=each, day=day), folder)
            for each in parties
            for kind in OF_A_DAY
        ]


def leave_reports(*, day: date, folder: Path) -> list[Path]:
    """Put the reports of every operator's day and the commission's summary into a folder."""
    left = leave_operators_reports(day=day, folder=folder)
    with without_walls():
        return [*left, _leave(SUMMARY, About(day=day), folder)]


def _leave(kind: str, about: About, folder: Path) -> Path:
    return write_file(report=make_night_report(kind=kind, about=about), folder=folder)


def write_file(*, report: Report, folder: Path) -> Path:
    """Put the newest signed file of a report into a folder, whole or not at all."""
    envelope = report.envelopes.order_by("at", "id").last()
    digest = report.body if envelope is None else envelope.file
    content = read_bytes(current_archive(), digest)
    return put_in_folder(folder, f"{report.reference}.pdf", content)


def answer_of(report: Report, place: Path) -> dict[str, Any]:
    """A report as other programs are told of it."""
    event = Event.objects.filter(object=report.uuid, type=MADE.name).first()
    leaf = Leaf.objects.filter(event=event).first() if event else None
    return {
        "report": str(report.uuid),
        "path": str(place),
        "body_sha256": report.body,
        "pages": report.pages,
        "signed": report.envelopes.exists(),
        "leaf": leaf.index if leaf else None,
    }


def _newest(report: Report) -> Report:
    newest = Report.objects.filter(kind=report.kind, about=report.about).order_by("number").last()
    return newest or report
