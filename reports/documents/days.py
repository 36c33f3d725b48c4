"""Gambling days, weeks and months of reports, and who may read about a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from audits.intake.days.models import GamblingDay
from audits.intake.reads import current_segments
from audits.replay.findings.reads import units_of
from compliance.event_log.models import Checkpoint
from reports.documents.registry import NothingToReportError
from reports.documents.wording import local

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from audits.intake.models import Segment
    from compliance.access.models import Party
    from reports.documents.registry import About


OF_A_DAY = ("nightly", "restitution")
"""Kinds made for each operator's day, and shown to it when the day is released."""
SHOWN_WITH_THE_DAY = (*OF_A_DAY, "round_sheet")
"""Kinds shown to the operator when its day is released."""
SUMMARY = "summary"
"""The kind made for a day over all operators."""


def day_of(about: About) -> GamblingDay:
    """Return the gambling day of one operator; refuse if there is none."""
    if about.party is None or about.day is None:
        message = "This report is about one operator and one gambling day."
        raise NothingToReportError(message)
    found = GamblingDay.objects.filter(party=about.party, day=about.day)
    day: GamblingDay | None = found.select_related("party__agency", "current").first()
    if day is None:
        message = (
            f"{about.party.name} has no gambling day {about.day}, so there is nothing to report."
        )
        raise NothingToReportError(message)
    return day


def edition_of(about: About) -> int:
    """Return the number of the report that is due: one more than the day's supplements."""
    return day_of(about).supplements + 1


def require_audited_day(about: About) -> GamblingDay:
    """Return the gambling day if it is closed and its replay covers every round on file."""
    day = day_of(about)
    if day.state != GamblingDay.State.CLOSED:
        message = f"The gambling day {day.day} is open until {local(day.closes)}."
        raise NothingToReportError(message)
    segments = current_segments(day.party, day=day.day)
    if not is_audited(day, segments):
        rounds = sum(each.rounds for each in segments)
        message = (
            f"{rounds:,} rounds of {day.day} at {day.party.name} are on file and not all of them "
            f"are audited. `manage.py replay --operator {day.party.code} --day {day.day} --wait` "
            "audits them."
        )
        raise NothingToReportError(message)
    return day


def is_audited(day: GamblingDay, segments: Sequence[Segment]) -> bool:
    """Return whether the current replay of a day covers everything on file."""
    on_file = {each.pk for each in segments}
    if day.current is None:
        return not on_file
    return on_file == set(units_of(day).values_list("segment_id", flat=True))


def readers_of(about: About) -> list[Party]:
    """Return the operator and its agency if the day is released; otherwise nobody."""
    day = day_of(about)
    if day.released is None:
        return []
    return [day.party, *([day.party.agency] if day.party.agency else [])]


def closing_checkpoint(about: About) -> Checkpoint | None:
    """Return the event log's checkpoint at the time the day closed."""
    note = day_of(about).checkpoint
    return Checkpoint.objects.filter(note=note).first() if note else None


WEEKLY, MONTHLY, ON_DEMAND = "weekly", "monthly", "period"
PERIODS = (WEEKLY, MONTHLY)
"""Kinds that are made by themselves when a week or month ends."""
SUMMED_UP = (SUMMARY, *PERIODS, ON_DEMAND)
"""Kinds that add up nightly reports."""
DAY = timedelta(days=1)
SUNDAY = 6


@dataclass(frozen=True)
class Period:
    """Gambling days from the first to the last, both included."""

    kind: str
    first: date
    last: date

    @property
    def days(self) -> Iterator[date]:
        """Yield its days in order."""
        day = self.first
        while day <= self.last:
            yield day
            day += DAY

    @property
    def before(self) -> Period:
        """Return the preceding period of the same kind, or of as many days."""
        if self.kind in PERIODS:
            return period_of(self.kind, self.first - DAY)
        return Period(self.kind, self.first - (self.last - self.first) - DAY, self.first - DAY)

    @property
    def in_words(self) -> str:
        """Return its name in words."""
        if self.kind == MONTHLY:
            return f"{self.first:%B %Y}"
        if self.first == self.last:
            return f"{self.first:%B %-d, %Y}"
        if self.first.year != self.last.year:
            return f"{self.first:%B %-d, %Y} to {self.last:%B %-d, %Y}"
        return f"{self.first:%B %-d} to {self.last:%B %-d, %Y}"


def period_of(kind: str, day: date) -> Period:
    """Return the period of a kind that contains a gambling day; weeks begin on Monday."""
    if kind == WEEKLY:
        first = day - day.weekday() * DAY
        return Period(kind, first, first + 6 * DAY)
    first = day.replace(day=1)
    return Period(kind, first, (first + 31 * DAY).replace(day=1) - DAY)


def period_about(kind: str, about: About) -> Period:
    """Return the period that a report is about; refuse if it does not end on the named day."""
    if about.day is None or (kind == SUMMARY and about.party is not None):
        message = "Name the last day of the period; a summary is over all operators."
        raise NothingToReportError(message)
    if kind not in PERIODS:
        first = about.since or about.day
        if first > about.day:
            message = f"The period would begin on {first}, after its last day {about.day}."
            raise NothingToReportError(message)
        return Period(kind, first, about.day)
    period = period_of(kind, about.day)
    if period.last != about.day:
        message = f"{about.day} is not the last day of {period.in_words}: that is {period.last}."
        raise NothingToReportError(message)
    return period


def ends_of(kind: str, first: date, last: date) -> list[date]:
    """Return the last days of all periods of a kind that end between two days."""
    ends = []
    end = period_of(kind, first).last
    while end <= last:
        ends.append(end)
        end = period_of(kind, end + DAY).last
    return ends
