"""Subscriptions: what is to come to whom, made, paused, resumed and ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from compliance.permissions import Action
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.walls import without_walls
from reports.documents.kinds import document_kinds
from reports.event_types import sending as events
from reports.models import Subscription, Way
from reports.services.deliveries import require_reach
from reports.services.recipients import readers

if TYPE_CHECKING:
    from compliance.models import Party, Person

EVERY_KIND = "every kind"


@transaction.atomic
def subscribe(
    *,
    party: Party,
    way: Way,
    by: Person,
    everybody: bool = False,
    kind: str = "",
    about: Party | None = None,
) -> Subscription:
    """Have reports sent from now on: to oneself, or to everybody of a party and its folder.

    Refuses: a party in which one holds no role that sees reports; a folder where there is none, or
    for oneself alone; what is subscribed to already.
    """
    if everybody:
        require(by, Action.SEND_REPORTS, party)
    if way == Way.FOLDER and not everybody:
        msg = "A folder is a party's: choose it for everybody of the party."
        raise RefusedError(msg)
    if way == Way.FOLDER and not settings.REPORTS_URL:
        msg = "This installation puts reports into no folder: REPORTS_URL names none."
        raise RefusedError(msg)
    if kind and kind not in document_kinds():
        msg = f"{kind}: there is no report of this kind."
        raise RefusedError(msg)
    person = None if everybody else by
    with without_walls():
        if person is not None and not readers(party.pk).filter(person=by).exists():
            msg = f"You hold no role in {party} that sees its reports."
            raise NotAllowedError(msg)
        there = Subscription.objects.filter(
            party=party, person=person, kind=kind, about=about, way=way, ended__isnull=True
        )
        if there.exists():
            msg = "This is subscribed to already."
            raise RefusedError(msg)
        made = Subscription.objects.create(
            party=party, person=person, kind=kind, about=about, way=way, since=timezone.now()
        )
    record(
        events.SUBSCRIBED,
        by=by,
        party=party,
        about=made,
        carries={
            "kind": document_kinds()[kind].title if kind else EVERY_KIND,
            "about": about.name if about else "",
            "way": Way(way).label.lower(),
            "to": "party" if everybody else "person",
        },
    )
    return made


def pause(*, subscription: Subscription, by: Person) -> None:
    """Let nothing come until it is resumed; what is shown meanwhile does not come later."""
    _change(subscription, by, "paused", now={"paused": timezone.now()}, paused__isnull=True)


def resume(*, subscription: Subscription, by: Person) -> None:
    """Let come what is shown from now on."""
    _change(subscription, by, "resumed", now={"paused": None}, paused__isnull=False)


def end(*, subscription: Subscription, by: Person) -> None:
    """Let nothing more come. What is on its way arrives."""
    _change(subscription, by, "ended", now={"ended": timezone.now()})


@transaction.atomic
def _change(
    subscription: Subscription, by: Person, change: str, *, now: dict[str, object], **only: bool
) -> None:
    require_reach(subscription.person_id, subscription.party, by)
    with without_walls():
        found = Subscription.objects.filter(pk=subscription.pk, ended__isnull=True, **only)
        if not found.update(**now):
            msg = f"It cannot be {change}: it was changed before. Look at it again."
            raise RefusedError(msg)
    record(
        events.CHANGED,
        by=by,
        party=subscription.party,
        about=subscription,
        carries={"change": change},
    )
