"""Propose an act, and decide it as the second person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from compliance import clock
from compliance.access.permissions import Action, may
from compliance.access.reads import require
from compliance.access.scope import memberships_of
from compliance.acts import events
from compliance.acts.models import ProposedAct
from compliance.errors import RefusedError
from compliance.events.record import record

if TYPE_CHECKING:
    from compliance.access.models import Person


State = ProposedAct.State
NOT_THEIRS = "Your role does not allow you to do this, so you cannot decide on it."
OWN_PROPOSAL = "You proposed this. A second person must confirm it."


@transaction.atomic
def propose_act(
    *, title: str, address: str, answers: str, permission: Action, by: Person
) -> ProposedAct:
    """Propose an act to those who have a permission.

    Rejects a second proposal at the same address while one is open.
    """
    require(by, Action.CONFIRM_ACTS)
    proposal = ProposedAct(
        title=title[:300],
        address=address,
        answers=answers,
        permission=permission,
        proposed_by=by,
        proposed=clock.now(),
    )
    try:
        with transaction.atomic():
            proposal.save()
    except IntegrityError as twice:
        msg = (
            "This was already proposed and is waiting for a second person. See it under "
            "“Second person”; it can be withdrawn there."
        )
        raise RefusedError(msg) from twice
    record(
        events.PROPOSED,
        by=by,
        about=proposal,
        carries={"title": proposal.title, "address": address, "answers": answers},
    )
    return proposal


@transaction.atomic
def confirm_act(*, proposal: ProposedAct, by: Person) -> None:
    """Confirm a proposal as the second person, in the transaction that carries it out.

    Rejects the proposer, who lacks the permission, and a proposal that was decided.
    """
    if by.pk == proposal.proposed_by_id:
        raise RefusedError(OWN_PROPOSAL)
    if not may(memberships_of(by), Action(proposal.permission)):
        raise RefusedError(NOT_THEIRS)
    _decide(proposal, State.CONFIRMED, by=by)
    record(events.CONFIRMED, by=by, about=proposal, carries={"title": proposal.title})


@transaction.atomic
def turn_down_act(*, proposal: ProposedAct, reason: str, by: Person) -> None:
    """Turn a proposal down, or withdraw one's own, with the reason."""
    if not reason.strip():
        msg = "Give a reason. It goes on record."
        raise RefusedError(msg)
    own = by.pk == proposal.proposed_by_id
    if not own and not may(memberships_of(by), Action(proposal.permission)):
        raise RefusedError(NOT_THEIRS)
    _decide(proposal, State.WITHDRAWN if own else State.TURNED_DOWN, by=by, reason=reason.strip())
    record(
        events.WITHDRAWN if own else events.TURNED_DOWN,
        by=by,
        about=proposal,
        reason=reason,
        carries={"title": proposal.title},
    )


def _decide(
    proposal: ProposedAct, state: ProposedAct.State, *, by: Person, reason: str = ""
) -> None:
    """Decide a proposal once: the second of two concurrent decisions is rejected."""
    require(by, Action.CONFIRM_ACTS)
    still_open = ProposedAct.objects.filter(pk=proposal.pk, state=State.PROPOSED)
    decided = still_open.update(state=state, decided_by=by, decided=clock.now(), reason=reason)
    proposal.refresh_from_db()
    if not decided:
        msg = (
            f"{proposal.decided_by} already decided this: "
            f"{proposal.get_state_display().lower()}. Nothing was changed."
        )
        raise RefusedError(msg)
