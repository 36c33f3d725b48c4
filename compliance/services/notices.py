"""Notices read, kinds chosen, addresses of calendars made and revoked: each by its person alone."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone

from compliance.event_types import notices as events
from compliance.models import CalendarFeed, NoticeChoice
from compliance.selectors.notices import digest_of, kinds_for, notices_of, ways_of
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.turns import take_turn
from compliance.walls import memberships_of, without_walls

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from compliance.models import Person
    from compliance.telling import Way

A_MINUTE, AT_ONCE = 6, 20
"""How often an address of a calendar is read: by every device of its person, and no faster."""


def note_read(*, by: Person, only: UUID | None = None) -> int:
    """Note that somebody read what they were told, all or one of it; how much was new."""
    with without_walls():
        new = notices_of(by, memberships_of(by)).filter(seen=None)
        if only is not None:
            new = new.filter(uuid=only)
        return new.update(seen=timezone.now())


@transaction.atomic
def choose_ways(*, ways: Mapping[str, Way], by: Person) -> None:
    """Set how somebody is told of kinds from now on. Refuses a kind that no role of theirs has."""
    known = {kind.name: kind for kind in kinds_for(memberships_of(by))}
    if unknown := sorted(set(ways) - set(known)):
        msg = f"No role of yours is told of this: {', '.join(unknown)}."
        raise RefusedError(msg)
    chosen = ways_of(by)
    changed = {
        name: way for name, way in ways.items() if way != chosen.get(name, known[name].usual)
    }
    for name, way in changed.items():
        NoticeChoice.objects.update_or_create(person=by, kind=name, defaults={"way": way})
    if changed:
        carries = {"ways": {name: way.value for name, way in changed.items()}}
        record(events.CHOSEN, by=by, carries=carries)


@transaction.atomic
def make_calendar(*, by: Person) -> str:
    """Make an address for somebody's calendar, and revoke the one before; its secret.

    Nobody keeps the secret. Refuses two at the same instant.
    """
    _revoke(by)
    secret = secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            made = CalendarFeed.objects.create(
                person=by, secret_sha256=digest_of(secret), made=timezone.now()
            )
    except IntegrityError:
        msg = "An address was made at this very moment. Look at the page again."
        raise RefusedError(msg) from None
    record(events.CALENDAR_MADE, by=by, about=made)
    return secret


def take_calendars_turn(feed: CalendarFeed) -> float:
    """Count one look at a calendar: 0 where it may be read, else the seconds to wait."""
    mine = CalendarFeed.objects.filter(pk=feed.pk)
    return take_turn(mine, a_minute=A_MINUTE, at_once=AT_ONCE)


@transaction.atomic
def revoke_calendar(*, by: Person) -> None:
    """Let the address of somebody's calendar serve no more. Refuses where none does."""
    if not _revoke(by):
        msg = "No address serves: there is nothing to revoke."
        raise RefusedError(msg)


def _revoke(by: Person) -> bool:
    serving = CalendarFeed.objects.filter(person=by, revoked=None).first()
    if serving is None:
        return False
    if not CalendarFeed.objects.filter(pk=serving.pk, revoked=None).update(revoked=timezone.now()):
        return False
    record(events.CALENDAR_REVOKED, by=by, about=serving)
    return True
