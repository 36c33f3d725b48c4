"""The commission's desk for filings: take one in hand, give it to somebody, put it back, note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from compliance import clock
from compliance.event_types import filing_desk as events
from compliance.models import FilingInHand, FilingNote
from compliance.permissions import Action, may
from compliance.selectors.filing_queues import who_may_take
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import memberships_of

if TYPE_CHECKING:
    from datetime import date

    from compliance.models import Person
    from compliance.selectors.filing_queues import WaitingFiling


@transaction.atomic
def take_filing(
    *, waiting: WaitingFiling, to: Person, by: Person, due: date | None = None
) -> FilingInHand:
    """Put a filing into somebody's hands: one's own where nobody has it, or as one who assigns.

    Refuses: a person whose roles cannot take its next step; a day that has passed; what somebody
    else took at this moment.
    """
    require(by, Action.SEE_QUEUES)
    assigns = may(memberships_of(by), Action.ASSIGN_FILINGS)
    if to != by and not assigns:
        msg = "Only who assigns filings gives one to somebody else."
        raise NotAllowedError(msg)
    if to not in who_may_take(waiting):
        msg = f"{to} cannot take its next step: {waiting.waits_for}."
        raise RefusedError(msg)
    if due is not None and due < clock.today():
        msg = "Set a day to come, or none: the rules set the commission no day."
        raise RefusedError(msg)
    had = FilingInHand.objects.select_for_update().filter(subject=waiting.subject).first()
    another = had is not None and had.queue == waiting.queue and had.person != by
    if had is not None and another and not assigns:
        msg = f"{had.person} has this filing in hand."
        raise RefusedError(msg)
    if had is not None:
        had.delete()
    taken = FilingInHand(
        subject=waiting.subject, queue=waiting.queue, person=to, since=clock.now(), due=due
    )
    try:
        with transaction.atomic():
            taken.save()
    except IntegrityError as twice:
        msg = "Somebody took this filing at this moment. Look at the list again."
        raise RefusedError(msg) from twice
    record(
        events.TAKEN,
        by=by,
        party=waiting.party,
        carries={"filing": waiting.what, "due": due.isoformat() if due else None},
        personal={"person": to.name},
    )
    return taken


@transaction.atomic
def put_filing_back(*, waiting: WaitingFiling, by: Person) -> None:
    """Put a filing back before its unit. Refuses what is in nobody's hands, or in another's."""
    require(by, Action.SEE_QUEUES)
    had = (
        FilingInHand.objects.select_for_update()
        .filter(subject=waiting.subject, queue=waiting.queue)
        .first()
    )
    if had is None:
        msg = "Nobody has this filing in hand."
        raise RefusedError(msg)
    if had.person != by and not may(memberships_of(by), Action.ASSIGN_FILINGS):
        msg = f"{had.person} has this filing in hand."
        raise RefusedError(msg)
    had.delete()
    record(events.PUT_BACK, by=by, party=waiting.party, carries={"filing": waiting.what})


@transaction.atomic
def note_on_filing(*, waiting: WaitingFiling, text: str, by: Person) -> FilingNote:
    """Note something for the commission alone. Refuses an empty note."""
    require(by, Action.SEE_QUEUES)
    if not text.strip():
        msg = "Write what is to be noted."
        raise RefusedError(msg)
    note = FilingNote(subject=waiting.subject, text=text, by=by.uuid, at=clock.now())
    note.save()
    record(
        events.NOTED,
        by=by,
        party=waiting.party,
        about=note,
        carries={"filing": waiting.what, "text": text},
    )
    return note
