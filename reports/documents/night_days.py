"""The gambling day of a nightly report: which it is, whether it can be told, who may read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.models import GamblingDay
from audits.selectors.findings import shares_of
from audits.selectors.segments import current_segments
from compliance.models import Checkpoint
from reports.documents.kinds import NothingToReportError
from reports.documents.people import local

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.models import Segment
    from compliance.models import Party
    from reports.documents.kinds import About


OF_A_DAY = ("nightly", "restitution")
"""Kinds made of each operator's day, and shown to it when the day is released."""
SHOWN_WITH_THE_DAY = (*OF_A_DAY, "round_sheet")
"""What the operator is shown when its day is released."""
SUMMARY = "summary"
"""The kind made of a day over all operators."""


def day_of(about: About) -> GamblingDay:
    """The kept day of one operator; refuses where there is none."""
    if about.party is None or about.day is None:
        message = "This report is about one operator and one gambling day."
        raise NothingToReportError(message)
    found = GamblingDay.objects.filter(party=about.party, day=about.day)
    day: GamblingDay | None = found.select_related("party__agency", "current").first()
    if day is None:
        message = f"No gambling day {about.day} is kept for {about.party.name}: nothing is told."
        raise NothingToReportError(message)
    return day


def edition_of(about: About) -> int:
    """The number of the report that is due: one more than the day has supplements."""
    return day_of(about).supplements + 1


def told_day(about: About) -> GamblingDay:
    """The same, where all is in: it is closed, and its replay covers every round on file."""
    day = day_of(about)
    if day.state != GamblingDay.State.CLOSED:
        message = f"The gambling day {day.day} is open until {local(day.closes)}."
        raise NothingToReportError(message)
    segments = current_segments(day.party, day=day.day)
    if not is_judged(day, segments):
        rounds = sum(each.rounds for each in segments)
        message = (
            f"{rounds:,} rounds of {day.day} at {day.party.name} are on file and not all of them "
            f"are judged. `manage.py replay --operator {day.party.code} --day {day.day} --wait` "
            "judges them."
        )
        raise NothingToReportError(message)
    return day


def is_judged(day: GamblingDay, segments: Sequence[Segment]) -> bool:
    """Whether the current replay of a day speaks of all that is on file."""
    on_file = {each.pk for each in segments}
    if day.current is None:
        return not on_file
    return on_file == set(shares_of(day).values_list("segment_id", flat=True))


def readers_of(about: About) -> list[Party]:
    """The operator and its agency, once an agent has released the day; before that nobody."""
    day = day_of(about)
    if day.released is None:
        return []
    return [day.party, *([day.party.agency] if day.party.agency else [])]


def closing_checkpoint(about: About) -> Checkpoint | None:
    """The checkpoint of the log when the day closed."""
    note = day_of(about).checkpoint
    return Checkpoint.objects.filter(note=note).first() if note else None
