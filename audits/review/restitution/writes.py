"""Confirmation by an operator of its payments to players, with date and proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from audits.intake.days.models import GamblingDay
from audits.review import events
from audits.review.operator_documents import file_operator_documents
from audits.review.restitution.models import RestitutionPaper, RestitutionPayment
from audits.review.restitution.reads import to_pay
from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record
from games.cents import clamp_cents, in_dollars

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.review.restitution.reads import Owed
    from compliance.access.models import Party
    from compliance.access.scope import Asker
    from compliance.filings.documents.writes import ReceivedFile


@transaction.atomic
def confirm_restitution(
    *,
    party: Party,
    owed: Owed,
    cents: int,
    paid_on: date,
    by: Asker,
    note: str = "",
    papers: Sequence[ReceivedFile] = (),
    left: int | None = None,
) -> RestitutionPayment:
    """Record a payment of part or all of what a player is owed.

    `left` is the amount left when the user looked.

    Refuses: a zero amount; more than is left; an amount left that differs from what was seen; a
    date in the future or before the day of play; and what `file_document` refuses.
    """
    require(by, Action.CONFIRM_RESTITUTION, party)
    with without_access_scope():
        # Two at once would both see the same amount left; the later one waits here.
        GamblingDay.objects.select_for_update(of=("self",)).get(party=party, day=owed.day)
        place = (owed.game, owed.table, owed.player)
        stands = [
            row
            for row in to_pay(party, owed.day)
            if (row.owed.game, row.owed.table, row.owed.player) == place
        ]
    still = stands[0].left if stands else 0
    if left is not None and left != still:
        msg = (
            f"{in_dollars(still)} is left to be paid here, and no more {in_dollars(left)}. "
            "Look whether this payment is confirmed already."
        )
        raise RefusedError(msg)
    if not 0 < cents <= clamp_cents(still):
        msg = f"{in_dollars(still)} is left to be paid here: give an amount up to that."
        raise RefusedError(msg)
    if not owed.day <= paid_on <= clock.today():
        msg = f"It was paid between {owed.day:%B %-d, %Y}, the day of play, and today."
        raise RefusedError(msg)
    paid = RestitutionPayment(
        party=party,
        day=owed.day,
        game=owed.game,
        table=owed.table,
        player=owed.player,
        cents=cents,
        paid_on=paid_on,
        note=note.strip(),
        by=by.uuid,
        at=clock.now(),
    )
    paid.save()
    title = f"Restitution of {owed.day:%B %-d, %Y}, {owed.table}, {owed.player or 'a player'}"
    for number, paper in enumerate(
        file_operator_documents(
            party=party,
            title=title,
            papers=papers,
            day=paid_on,
            by=by,
            action=Action.CONFIRM_RESTITUTION,
        )
    ):
        RestitutionPaper(comment=paid, paper=paper, place=number).save()
    record(
        events.RESTITUTION_PAID,
        by=by,
        party=party,
        about=paid,
        carries={"cents": cents, "paid_on": str(paid_on)},
    )
    return paid
