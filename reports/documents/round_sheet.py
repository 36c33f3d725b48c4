"""The round sheet: one round as dealt, as logged and as expected, step by step."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from audits.intake.days.models import GamblingDay
from audits.intake.models import RoundLog
from audits.intake.receipts import proof_of
from audits.intake.rounds import round_at
from audits.review.rounds.explanation import explain_round_on_file
from compliance.access.permissions import Action
from reports.documents.days import closing_checkpoint, readers_of
from reports.documents.registry import (
    About,
    DocumentKind,
    NothingToReportError,
    ReportContent,
    register,
)
from reports.documents.round_blocks import round_blocks
from reports.documents.wording import day as day_in_words
from reports.documents.wording import local

if TYPE_CHECKING:
    from collections.abc import Mapping

    from audits.intake.rounds import RoundOnFile
    from audits.review.rounds.explanation import RoundRecord
    from compliance.access.models import Party

NAME = "round_sheet"


def about_round(on_file: RoundOnFile) -> About:
    """Return the subject of a round's sheet: its line in the log that contains it."""
    segment, log = on_file.segment, on_file.log
    return About(
        party=segment.party, day=segment.day, subject=log.uuid, line=on_file.found.source_line
    )


def gather(about: About) -> dict[str, Any]:
    """Audit and explain the round again."""
    on_file = _on_file(about)
    record = explain_round_on_file(on_file)
    if record.audit is None:
        message = f"Round {record.explanation.round}: {record.why_not}"
        raise NothingToReportError(message)
    return {
        **record_data(record),
        "engine": record.audit.engine,
        "inclusion": proof_of(on_file.log),
    }


def record_data(record: RoundRecord) -> dict[str, Any]:
    """Return a round's record as data for canonical JSON."""
    data: dict[str, Any] = _plain(asdict(record))
    data["over"], data["under"] = record.received
    return data


def compose(data: Mapping[str, Any]) -> ReportContent:
    """Compose the report: the result, the table as dealt, each step, and the proof."""
    round_ = data["explanation"]["round"]
    return ReportContent(
        title=f"Round {round_} at {data['operator']}, {day_in_words(data['day'])}",
        blocks=tuple(round_blocks(data)),
    )


def readers(about: About) -> list[Party]:
    """Return the operator and its agency if the day is released."""
    return readers_of(about) if _day(about) is not None else []


def edition(about: About) -> int:
    """Return the edition of its gambling day: n + 1 after supplement n."""
    day = _day(about)
    return 1 if day is None else day.supplements + 1


def _day(about: About) -> GamblingDay | None:
    if about.party is None or about.day is None:
        return None
    found: GamblingDay | None = GamblingDay.objects.filter(party=about.party, day=about.day).first()
    return found


def _on_file(about: About) -> RoundOnFile:
    log = RoundLog.objects.filter(uuid=about.thing, party=about.party).select_related("party")
    found = log.first()
    on_file = None
    if found is not None and about.line is not None and 1 <= about.line <= found.lines:
        on_file = round_at(found, about.line)
    if on_file is None or on_file.segment.day != about.day:
        message = (
            f"Line {about.line} of log {about.thing} is not a round of {about.day} on "
            "file: it was rejected, or another log replaced it."
        )
        raise NothingToReportError(message)
    return on_file


def _plain(value: Any) -> Any:
    """Convert instants to local time, and dates and UUIDs to text."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, datetime):
        return local(value)
    return value if value is None or isinstance(value, int | str) else str(value)


ROUND_SHEET = register(
    DocumentKind(
        name=NAME,
        title="Round sheet",
        letters="RO",
        action=Action.SEE_FINDINGS,
        gather=gather,
        compose=compose,
        shown_to=readers,
        checkpoint=closing_checkpoint,
        edition=edition,
    )
)
