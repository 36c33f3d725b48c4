"""Subscriptions, which say which reports go to whom: create, pause, resume and end them."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from compliance.access.models import Party, Person
from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.record import record
from reports.documents.days import MONTHLY, OF_A_DAY, SUMMARY, WEEKLY
from reports.documents.registry import document_kinds
from reports.schedules import events
from reports.schedules.deliveries import require_reach
from reports.schedules.models import Subscription, Way
from reports.schedules.recipients import readers

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
    """Subscribe the caller, or everyone in a party and its folder, to future reports.

    Refuses: a party in which the caller has no role that sees reports; a folder if the party has
    none, or for the caller alone; a duplicate subscription.
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
    with without_access_scope():
        if person is not None and not readers(party.pk).filter(person=by).exists():
            msg = f"You have no role in {party} that sees its reports."
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
    """Pause a subscription; what is shown in the meantime is not sent later."""
    _change(subscription, by, "paused", now={"paused": timezone.now()}, paused__isnull=True)


def resume(*, subscription: Subscription, by: Person) -> None:
    """Resume a subscription for what is shown from now on."""
    _change(subscription, by, "resumed", now={"paused": None}, paused__isnull=False)


def end(*, subscription: Subscription, by: Person) -> None:
    """End a subscription. What is being sent still arrives."""
    _change(subscription, by, "ended", now={"ended": timezone.now()})


@transaction.atomic
def _change(
    subscription: Subscription, by: Person, change: str, *, now: dict[str, object], **only: bool
) -> None:
    require_reach(subscription.person_id, subscription.party, by)
    with without_access_scope():
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


ANY_KIND = ""
WANTED = (
    ("Frances Lindqvist", "field", SUMMARY, None, Way.MAIL),
    ("Frances Lindqvist", "field", MONTHLY, None, Way.MAIL),
    ("Carla Jensen", "field", WEEKLY, None, Way.APPLICATION),
    ("Ada Moreno", "field", OF_A_DAY[0], "cedar", Way.APPLICATION),
    ("Ben Okafor", "field", OF_A_DAY[0], "twin-rivers", Way.MAIL),
    ("Irene Castillo", "cedar", ANY_KIND, None, Way.MAIL),
    ("Kim Tran", "harbor", ANY_KIND, None, Way.APPLICATION),
    ("Nathan Reed", "twin-rivers-agency", ANY_KIND, "twin-rivers", Way.MAIL),
)
"""Subscriber, their party, the kind, the subject, and the way."""


def load_subscriptions() -> int:
    """Create these subscriptions, unless there ever was one here; return how many were made."""
    with transaction.atomic(), without_access_scope():
        if Subscription.objects.exists():
            return 0
        parties = {each.code: each for each in Party.objects.all()}
        for name, party, kind, about, way in WANTED:
            subscribe(
                party=parties[party],
                kind=kind,
                about=parties[about] if about else None,
                way=way,
                by=Person.objects.get(name=name, memberships__party=parties[party]),
            )
    return len(WANTED)
