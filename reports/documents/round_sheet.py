"""The round sheet: one round as dealt, as settled and as it should have been, step by step."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from audits.models import GamblingDay, RoundLog
from audits.selectors.round_told import round_told
from audits.selectors.rounds import round_at
from audits.services.receipts import proof_of
from compliance.permissions import Action
from reports.documents.kinds import About, DocumentKind, NothingToReportError, Told, register
from reports.documents.night_days import closing_checkpoint, readers_of
from reports.documents.people import local
from reports.documents.round_blocks import round_blocks
from reports.documents.wording import day as day_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from audits.selectors.round_told import RoundTold
    from audits.selectors.rounds import RoundOnFile
    from compliance.models import Party

NAME = "round_sheet"


def about_round(on_file: RoundOnFile) -> About:
    """What the sheet of a round is about: its line in the log that it came by."""
    segment, log = on_file.segment, on_file.log
    return About(
        party=segment.party, day=segment.day, subject=log.uuid, line=on_file.found.source_line
    )


def gather(about: About) -> dict[str, Any]:
    """Tell the round again, and keep all of it."""
    on_file = _on_file(about)
    told = round_told(on_file)
    if told.judged is None:
        message = f"Round {told.round}: {told.why_not}"
        raise NothingToReportError(message)
    return {
        **kept(told),
        "engine": told.judged.engine,
        "inclusion": proof_of(on_file.log),
    }


def kept(told: RoundTold) -> dict[str, Any]:
    """A told round as data that can be written canonically."""
    data: dict[str, Any] = _plain(asdict(told))
    data["over"], data["under"] = told.received
    return data


def compose(data: Mapping[str, Any]) -> Told:
    """Set it in type: what it came to, the table as dealt, each step, what proves it."""
    return Told(
        title=f"Round {data['round']} at {data['operator']}, {day_in_words(data['day'])}",
        blocks=tuple(round_blocks(data)),
    )


def readers(about: About) -> list[Party]:
    """The operator and its agency, once the day is released."""
    return readers_of(about) if _day(about) is not None else []


def edition(about: About) -> int:
    """A sheet is made once in each edition of its gambling day: n + 1 after supplement n."""
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
            f"Line {about.line} of log {about.thing} holds no round of {about.day} that is on "
            "file: it was rejected, or another log's line counts."
        )
        raise NothingToReportError(message)
    return on_file


def _plain(value: Any) -> Any:
    """Times by the clock at the place of play, numbers of things as text."""
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
