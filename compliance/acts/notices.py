"""Who is notified of acts that take two people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from compliance.access.permissions import Action
from compliance.access.reads import who_may
from compliance.acts import events
from compliance.notifications.kinds import (
    Notification,
    Occurrence,
    Way,
    notice_kind,
    notifies_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.acts.models import ProposedAct


ACT_WAITS = notice_kind(
    "act_waits",
    "An act needs you as the second person",
    mail="An act needs a second person.",
    action=Action.CONFIRM_ACTS,
    usual=Way.AT_ONCE,
)
ACT_DECIDED = notice_kind(
    "act_decided",
    "An act that you proposed was confirmed or turned down",
    mail="An act that you proposed was decided.",
    action=Action.CONFIRM_ACTS,
    usual=Way.DAILY,
)


@notifies_of(events.PROPOSED)
def of_proposal(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify those who may confirm it."""
    proposal: ProposedAct = occurrence.about
    yield Notification(
        kind=ACT_WAITS,
        to=who_may(Action(proposal.permission)),
        says=f"{proposal.proposed_by} asks for a second person: {proposal}.",
        link=reverse("act", args=[proposal.uuid]),
    )


@notifies_of(events.CONFIRMED, events.TURNED_DOWN)
def of_decision(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the person who proposed it."""
    proposal: ProposedAct = occurrence.about
    yield Notification(
        kind=ACT_DECIDED,
        to=who_may(Action.CONFIRM_ACTS).filter(person=proposal.proposed_by),
        says=f"{proposal.decided_by} decided on what you proposed. "
        f"{proposal.get_state_display()}: {proposal}.",
        link=reverse("act", args=[proposal.uuid]),
    )
