"""Write notifications in the transaction of their event, and mark them read."""

from __future__ import annotations

import secrets
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from compliance import clock
from compliance.access.models import Membership
from compliance.access.permissions import may
from compliance.access.rate_limit import take_turn
from compliance.access.scope import memberships_of, visible_parties, within, without_access_scope
from compliance.errors import RefusedError
from compliance.events.record import record
from compliance.health import State, all_conditions
from compliance.notifications import events
from compliance.notifications.due_dates import due_dates
from compliance.notifications.kinds import Notification, Occurrence, Way, notifiers_of
from compliance.notifications.models import CalendarFeed, Notice, NoticeChoice
from compliance.notifications.notices import DEADLINE, status_notice
from compliance.notifications.reads import digest_of, kinds_for, notices_of, ways_of
from compliance.notifications.webhooks import expect_webhooks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from uuid import UUID

    from compliance.access.models import Party, Person
    from compliance.events.models import Event
    from compliance.notifications.due_dates import DueDate


TOGETHER = timedelta(minutes=1)
"""Events within this time go in one email."""
DIGEST_AT = time(7)
"""When the daily email is due, in the agency's local time."""
LONG_AGO = timedelta(days=1)
SHORTENED = 400


def notify_of(event: Event, about: Any, party: Party | None) -> None:
    """Notify the people that an app registered for an event."""
    notifiers = notifiers_of(event.type)
    if not notifiers:
        return
    with without_access_scope():
        occurrence = Occurrence(event=event, about=about, party=party)
        notify(
            [notification for notifier in notifiers for notification in notifier(occurrence)],
            of=event,
        )


def notify(notifications: Collection[Notification], *, of: Event | None = None) -> None:
    """Write the notifications; do not repeat one that is unread and unsent.

    Call outside any access scope. Demonstration events in the past send no email.
    """
    expect_webhooks(notifications, of)
    wanted: dict[tuple[int, str, str], Notice] = {}
    now = clock.now()
    for notification in notifications:
        for membership in notification.to:
            if of is not None and membership.person.uuid == of.actor and not notification.actor_too:
                continue
            wanted.setdefault(
                (membership.person_id, notification.kind.name, notification.link),
                Notice(
                    person_id=membership.person_id,
                    party_id=membership.party_id,
                    kind=notification.kind.name,
                    says=notification.says[:SHORTENED],
                    link=notification.link,
                    event=of.uuid if of is not None else None,
                    at=now,
                ),
            )
    if not wanted:
        return
    usual = {notification.kind.name: notification.kind.usual for notification in notifications}
    people = {person for person, _, _ in wanted}
    ways = {
        (each.person_id, each.kind): Way(each.way)
        for each in NoticeChoice.objects.filter(person__in=people, kind__in=usual)
    }
    waiting = set(
        Notice.objects.filter(
            person__in=people, kind__in=usual, seen__isnull=True, mail__isnull=True
        ).values_list("person", "kind", "link", "says")
    )
    made = []
    for (person, kind, _), notice in wanted.items():
        way = ways.get((person, kind), usual[kind])
        if way == Way.NEVER or (person, kind, notice.link, notice.says) in waiting:
            continue
        notice.mail_due = mail_due(way, now)
        made.append(notice)
    Notice.objects.bulk_create(made)


def mail_due(way: Way, at: datetime) -> datetime | None:
    """Return when an email may include an event at an instant; None if no email should."""
    if way not in {Way.AT_ONCE, Way.DAILY} or at < timezone.now() - LONG_AGO:
        return None
    if way == Way.AT_ONCE:
        return at + TOGETHER
    local = timezone.localtime(at, timezone.get_default_timezone())
    day = local.date() if local.time() < DIGEST_AT else local.date() + timedelta(days=1)
    return datetime.combine(day, DIGEST_AT, timezone.get_default_timezone())


A_MINUTE, AT_ONCE = 6, 20
"""How often a calendar address may be read: enough for all of a person's devices."""


def note_read(*, by: Person, only: UUID | None = None) -> int:
    """Mark a person's notifications as read, all or one; return how many were unread."""
    with without_access_scope():
        new = notices_of(by, memberships_of(by)).filter(seen=None)
        if only is not None:
            new = new.filter(uuid=only)
        return new.update(seen=timezone.now())


@transaction.atomic
def choose_ways(*, ways: Mapping[str, Way], by: Person) -> None:
    """Set how a person is notified of kinds. Rejects a kind that none of their roles receive."""
    known = {kind.name: kind for kind in kinds_for(memberships_of(by))}
    if unknown := sorted(set(ways) - set(known)):
        msg = f"Your roles do not get these notifications: {', '.join(unknown)}."
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
    """Create an address for a person's calendar, and revoke the previous one; return its secret.

    The secret is not stored. Rejects two at the same instant.
    """
    _revoke(by, by)
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
    """Count one read of a calendar: return 0 if it may proceed, else the seconds to wait."""
    mine = CalendarFeed.objects.filter(pk=feed.pk)
    return take_turn(mine, a_minute=A_MINUTE, at_once=AT_ONCE)


@transaction.atomic
def revoke_calendar(*, by: Person) -> None:
    """Revoke a person's calendar address. Raises an error if there is none."""
    if not _revoke(by, by):
        msg = "There is no calendar address to revoke."
        raise RefusedError(msg)


def end_calendar(person: Person, by: Person) -> None:
    """Revoke the calendar address of a person whose account is closed."""
    _revoke(person, by)


def _revoke(person: Person, by: Person) -> bool:
    serving = CalendarFeed.objects.filter(person=person, revoked=None).first()
    if serving is None:
        return False
    if not CalendarFeed.objects.filter(pk=serving.pk, revoked=None).update(revoked=timezone.now()):
        return False
    record(events.CALENDAR_REVOKED, by=by, about=serving)
    return True


NEAR = timedelta(days=3)


def notify_of_deadlines() -> int:
    """Notify people of what is due within three days; return how many were notified."""
    with without_access_scope():
        memberships = Membership.objects.filter(ended=None, person__is_active=True)
        by_person: dict[int, list[Membership]] = {}
        for each in memberships.select_related("party", "person").order_by("person", "pk"):
            by_person.setdefault(each.person_id, []).append(each)
    return sum(_notify_of_due_dates(roles) for roles in by_person.values())


def _notify_of_due_dates(memberships: list[Membership]) -> bool:
    person, today = memberships[0].person, clock.today()
    if not may(memberships, DEADLINE.action):
        return False
    with within(visible_parties(memberships)):
        near = [each for each in due_dates(person, memberships) if today <= each.on <= today + NEAR]
    if not near:
        return False
    with without_access_scope():
        earlier = set(
            Notice.objects.filter(person=person, kind=DEADLINE.name).values_list("link", "says")
        )
        new = [each for each in near if (each.link, _says(each)) not in earlier]
        notify(
            [
                Notification(
                    kind=DEADLINE,
                    to=[each for each in memberships if each.party_id == due.party][:1],
                    says=_says(due),
                    link=due.link,
                )
                for due in new
            ]
        )
    return bool(new)


def _says(due: DueDate) -> str:
    return f"{due.says}: due on {due.on:%A, %b %-d, %Y}."


def send_alarm() -> int:
    """Notify every administrator of failures and warnings; return how many there are."""
    wrong = [each for each in all_conditions() if each.state in {State.FAILING, State.WARNING}]
    if wrong:
        says = "; ".join(f"{each.title}: {each.state}" for each in wrong)
        with without_access_scope():
            notify([status_notice(says)])
    return len(wrong)
