"""Restitution: an operator confirms what it paid to a player, with the day and what shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from audits.event_types import disclosures as events
from audits.models import GamblingDay, RestitutionPaper, RestitutionPayment
from audits.selectors.restitution_paid import to_pay
from audits.services.own_papers import filed_by_operator
from compliance import clock
from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls
from games.cents import held, in_dollars

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.selectors.restitution import Owed
    from compliance.actor import Asker
    from compliance.models import Party
    from compliance.services.documents import Paper


@transaction.atomic
def confirm_restitution(
    *,
    party: Party,
    owed: Owed,
    cents: int,
    paid_on: date,
    by: Asker,
    note: str = "",
    papers: Sequence[Paper] = (),
    left: int | None = None,
) -> RestitutionPayment:
    """Note that so much was paid of what a player is owed.

    `left` is what was left when whoever confirms it looked.

    Refuses: nothing, more than is left, another sum left than was seen, a day to come or before the
    day of play, and what `file_document` refuses.
    """
    require(by, Action.CONFIRM_RESTITUTION, party)
    with without_walls():
        # Two at once would both find the same sum left; the later one waits here.
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
    if not 0 < cents <= held(still):
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
        filed_by_operator(
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
