"""What an operator has to do about its logs and about what was found in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.formats import date_format

from audits.findings_in_words import code_in_words
from audits.models import GamblingDay, HandIn, Pattern, PatternNight
from audits.selectors.questions import waiting_for_an_answer, with_deadline
from audits.selectors.segments import current_segments
from compliance import clock
from compliance.due import Due
from compliance.permissions import Action
from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from compliance.models import Party

NO_LOG = "night.no_log"
MOST = 20


def questions_due(party: Party) -> Iterator[Due]:
    """Questions of the commission that wait for an answer, by their deadline."""
    waiting = waiting_for_an_answer().filter(party=party)
    for each in with_deadline(waiting)[:MOST]:
        where = f" at {each.table}" if each.table else ""
        yield Due(
            says=f"Answer the commission: {code_in_words(each.code).rstrip('.')}{where}",
            on=each.until,  # type: ignore[attr-defined]
            action=Action.ANSWER_QUESTIONS,
            url_name="pattern",
            args=(str(each.uuid),),
        )


def logs_due(party: Party) -> Iterator[Due]:
    """Logs of gambling days that are over: those that may still come in time, and the missing."""
    now = clock.now()
    open_days = GamblingDay.objects.filter(party=party, ends__lte=now, closes__gt=now)
    for day in open_days:
        if not current_segments(party, day=day.day):
            yield _log_of(day.day, timezone.localtime(day.closes))
    missing = PatternNight.objects.filter(
        pattern__party=party,
        pattern__code=NO_LOG,
        pattern__state__in=(Pattern.State.NEW, Pattern.State.UNDER_REVIEW),
        findings__gt=0,
    )
    for night in missing.order_by("-day")[:MOST]:
        closed = GamblingDay.objects.filter(party=party, day=night.day).first()
        yield _log_of(night.day, timezone.localtime(closed.closes) if closed else None)


def hand_ins_due(party: Party) -> Iterator[Due]:
    """Files that did not arrive as a whole."""
    for each in HandIn.objects.filter(party=party, state=HandIn.State.RECEIVING)[:MOST]:
        yield Due(
            says=f"Go on handing in {each.name}: it has not arrived as a whole",
            action=Action.HAND_IN_ROUNDS,
            url_name="hand_in_run",
            args=(str(each.uuid),),
        )


def restitution_due(party: Party) -> Iterator[Due]:
    """What is left to be paid to players of days whose findings were released."""
    from audits.selectors.restitution_paid import days_with_restitution

    owing = [each for each in days_with_restitution(party) if each.left]
    for each in sorted(owing, key=lambda it: it.due)[:MOST]:
        yield Due(
            says=f"Pay players {in_dollars(each.left)} of {date_format(each.day, 'F j, Y')}, and "
            "confirm it",
            on=each.due,
            action=Action.CONFIRM_RESTITUTION,
            url_name="restitution",
            args=(party.code, f"{each.day:%Y-%m-%d}"),
        )


def _log_of(day: date, closes: datetime | None) -> Due:
    until = f", by {date_format(closes, 'g:i A')}" if closes else ""
    return Due(
        says=f"Hand in the round log of {date_format(day, 'F j, Y')}{until}",
        on=closes.date() if closes else None,
        action=Action.HAND_IN_ROUNDS,
        url_name="hand_in",
    )
