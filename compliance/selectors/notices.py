"""Notices as their person may see them now, and how each kind is wanted."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from compliance.models import CalendarFeed, Notice, NoticeChoice, NoticeMail
from compliance.permissions import may
from compliance.telling import NoticeKind, Way, notice_kinds

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from compliance.models import Membership, Person

SLOW = timedelta(hours=1)
"""After a mail was due, until it must have left."""


def notices_of(person: Person, memberships: Collection[Membership]) -> QuerySet[Notice]:
    """What somebody was told by roles that they still hold; of a role that ended, nothing."""
    still_open = Q(pk__in=[])
    for held in memberships:
        kinds = [kind.name for kind in kinds_for([held])]
        still_open |= Q(party=held.party_id, kind__in=kinds)
    return Notice.objects.filter(still_open, person=person)


def kinds_for(memberships: Collection[Membership]) -> list[NoticeKind]:
    """The kinds that somebody with these roles is ever told of."""
    return [kind for kind in notice_kinds() if may(memberships, kind.action)]


def ways_of(person: Person) -> dict[str, Way]:
    """What a person chose, by kind."""
    chosen = NoticeChoice.objects.filter(person=person).values_list("kind", "way")
    return {kind: Way(way) for kind, way in chosen}


def mails_astray() -> QuerySet[NoticeMail]:
    """Mails that failed and that nobody has seen to, and those that were due an hour ago."""
    left = Q(state=NoticeMail.State.WAITING, due__lt=timezone.now() - SLOW)
    return NoticeMail.objects.filter(Q(state=NoticeMail.State.FAILED) | left).order_by("-pk")


def calendar_of(person: Person) -> CalendarFeed | None:
    """The address that serves a person's calendar now, if one does."""
    return CalendarFeed.objects.filter(person=person, revoked=None).first()


def calendar_at(secret: str) -> CalendarFeed | None:
    """What a secret address opens, with its person; nothing once revoked or the account closed."""
    found = CalendarFeed.objects.filter(
        secret_sha256=digest_of(secret), revoked=None, person__is_active=True
    )
    return found.select_related("person").first()


def digest_of(secret: str) -> str:
    """What is kept of a secret address."""
    return hashlib.sha256(secret.encode()).hexdigest()
