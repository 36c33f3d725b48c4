"""The commission's queue for filings: assign, reassign, unassign and add notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from compliance import clock
from compliance.access.permissions import Action, may
from compliance.access.reads import require
from compliance.access.scope import memberships_of
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.record import record
from compliance.filings.queues import events
from compliance.filings.queues.models import FilingInHand, FilingNote
from compliance.filings.queues.reads import list_assignees

if TYPE_CHECKING:
    from datetime import date

    from compliance.access.models import Person
    from compliance.filings.queues.reads import WaitingFiling


@transaction.atomic
def assign_filing(
    *, waiting: WaitingFiling, to: Person, by: Person, due: date | None = None
) -> FilingInHand:
    """Assign a filing: an unassigned one to yourself, or any to anyone if you may assign.

    Rejects an assignee whose roles cannot take its next step, a day that has passed, and a filing
    that another user took at the same moment.
    """
    require(by, Action.SEE_QUEUES)
    assigns = may(memberships_of(by), Action.ASSIGN_FILINGS)
    if to != by and not assigns:
        msg = "Your role assigns filings only to yourself."
        raise NotAllowedError(msg)
    if to not in list_assignees(waiting):
        msg = f"{to} cannot take its next step: {waiting.filing.next_step}."
        raise RefusedError(msg)
    if due is not None and due < clock.today():
        msg = "Enter a due date in the future, or none. The rules set the commission none."
        raise RefusedError(msg)
    current = FilingInHand.objects.select_for_update().filter(subject=waiting.subject).first()
    another = current is not None and current.queue == waiting.queue and current.person != by
    if current is not None and another and not assigns:
        msg = f"This filing is assigned to {current.person}."
        raise RefusedError(msg)
    if current is not None:
        current.delete()
    assigned = FilingInHand(
        subject=waiting.subject, queue=waiting.queue, person=to, since=clock.now(), due=due
    )
    try:
        with transaction.atomic():
            assigned.save()
    except IntegrityError as twice:
        msg = "Another user took this filing just now. Reload the list."
        raise RefusedError(msg) from twice
    record(
        events.TAKEN,
        by=by,
        party=waiting.party,
        carries={"filing": waiting.filing.title, "due": due.isoformat() if due else None},
        personal={"person": to.name},
    )
    return assigned


@transaction.atomic
def unassign_filing(*, waiting: WaitingFiling, by: Person) -> None:
    """Return a filing to its unit. Rejects one that is unassigned, or assigned to another user."""
    require(by, Action.SEE_QUEUES)
    current = (
        FilingInHand.objects.select_for_update()
        .filter(subject=waiting.subject, queue=waiting.queue)
        .first()
    )
    if current is None:
        msg = "This filing is not assigned to anyone."
        raise RefusedError(msg)
    if current.person != by and not may(memberships_of(by), Action.ASSIGN_FILINGS):
        msg = f"This filing is assigned to {current.person}."
        raise RefusedError(msg)
    current.delete()
    record(events.PUT_BACK, by=by, party=waiting.party, carries={"filing": waiting.filing.title})


@transaction.atomic
def add_filing_note(*, waiting: WaitingFiling, text: str, by: Person) -> FilingNote:
    """Add a note for the commission alone. Rejects an empty note."""
    require(by, Action.SEE_QUEUES)
    if not text.strip():
        msg = "Enter a note."
        raise RefusedError(msg)
    note = FilingNote(subject=waiting.subject, text=text, by=by.uuid, at=clock.now())
    note.save()
    record(
        events.NOTED,
        by=by,
        party=waiting.party,
        about=note,
        carries={"filing": waiting.filing.title, "text": text},
    )
    return note
