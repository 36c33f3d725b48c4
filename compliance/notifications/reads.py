"""Find notifications and webhooks as visible to their person or party now."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.db.models.functions import Now

from compliance.access.permissions import may
from compliance.jobs.models import Job
from compliance.jobs.queue import next_try
from compliance.notifications.kinds import NoticeKind, Way, notice_kinds
from compliance.notifications.models import (
    CalendarFeed,
    Notice,
    NoticeChoice,
    NoticeMail,
    Webhook,
    WebhookDelivery,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from compliance.access.models import Membership, Party, Person


SLOW = timedelta(hours=1)
"""How long after its due time an email counts as late."""


def notices_of(person: Person, memberships: Collection[Membership]) -> QuerySet[Notice]:
    """Return a person's notifications for their current roles; none for ended roles."""
    still_open = Q(pk__in=[])
    for membership in memberships:
        kinds = [kind.name for kind in kinds_for([membership])]
        still_open |= Q(party=membership.party_id, kind__in=kinds)
    return Notice.objects.filter(still_open, person=person)


def kinds_for(memberships: Collection[Membership]) -> list[NoticeKind]:
    """Return the kinds of notifications that these roles may receive."""
    return [kind for kind in notice_kinds() if may(memberships, kind.action)]


def ways_of(person: Person) -> dict[str, Way]:
    """Return a person's choices, by kind."""
    chosen = NoticeChoice.objects.filter(person=person).values_list("kind", "way")
    return {kind: Way(way) for kind, way in chosen}


def mails_astray() -> QuerySet[NoticeMail]:
    """Return failed emails that nobody has handled, and those over an hour late."""
    overdue = Job.objects.filter(kind=NoticeMail.JOB, due__lt=Now() - SLOW).values("subject")
    left = Q(state=NoticeMail.State.WAITING, pk__in=overdue)
    return NoticeMail.objects.filter(Q(state=NoticeMail.State.FAILED) | left).order_by("-pk")


def calendar_of(person: Person) -> CalendarFeed | None:
    """Return a person's current calendar address, if any."""
    return CalendarFeed.objects.filter(person=person, revoked=None).first()


def calendar_at(secret: str) -> CalendarFeed | None:
    """Return the calendar at a secret address; None if revoked or the account is closed."""
    found = CalendarFeed.objects.filter(
        secret_sha256=digest_of(secret), revoked=None, person__is_active=True
    )
    return found.select_related("person").first()


def digest_of(secret: str) -> str:
    """Return the stored form of a secret address."""
    return hashlib.sha256(secret.encode()).hexdigest()


def webhooks_of(party: Party) -> QuerySet[Webhook]:
    """Return a party's webhooks that have not ended, newest first."""
    return Webhook.objects.filter(party=party, ended=None).select_related("party")


def deliveries_of(party: Party) -> QuerySet[WebhookDelivery]:
    """Return the past and pending deliveries to a party's webhooks, newest first."""
    deliveries = WebhookDelivery.objects.filter(webhook__party=party)
    return deliveries.select_related("webhook__party").annotate(due=next_try(WebhookDelivery.JOB))
