"""Write notices, in the transaction of what they tell.

Rows are only added, and none is locked: whatever happens in the core, how long its transaction may
be, telling of it stops nobody else.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from compliance import clock
from compliance.models import Notice, NoticeChoice
from compliance.services.expect_webhooks import expect_webhooks
from compliance.telling import Happened, Way, tellers_of
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.models import Event, Party
    from compliance.telling import Telling

TOGETHER = timedelta(minutes=1)
"""What happens within it comes in one mail."""
DIGEST_AT = time(7)
"""When the one mail a day is due, by the clock at the agency."""
LONG_AGO = timedelta(days=1)
SHORTENED = 400


def tell_of(event: Event, *, about: Any, party: Party | None) -> None:
    """Tell whoever a room says is told of an event."""
    tellers = tellers_of(event.type)
    if not tellers:
        return
    with without_walls():
        happened = Happened(event=event, about=about, party=party)
        tell([telling for teller in tellers for telling in teller(happened)], of=event)


def tell(tellings: Collection[Telling], *, of: Event | None = None) -> None:
    """Write the notices; to each person the same line once while it is unread and unsent.

    Ask outside of all walls. What happened long ago, as a demonstration tells it, sends no mail.
    """
    expect_webhooks(tellings, of)
    wanted: dict[tuple[int, str, str], Notice] = {}
    now = clock.now()
    for telling in tellings:
        for held in telling.to:
            if of is not None and held.person.uuid == of.actor and not telling.actor_too:
                continue
            wanted.setdefault(
                (held.person_id, telling.kind.name, telling.link),
                Notice(
                    person_id=held.person_id,
                    party_id=held.party_id,
                    kind=telling.kind.name,
                    says=telling.says[:SHORTENED],
                    link=telling.link,
                    event=of.uuid if of is not None else None,
                    at=now,
                ),
            )
    if not wanted:
        return
    usual = {telling.kind.name: telling.kind.usual for telling in tellings}
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
    """When a mail may tell of what happened at an instant; None where none shall."""
    if way not in {Way.AT_ONCE, Way.DAILY} or at < timezone.now() - LONG_AGO:
        return None
    if way == Way.AT_ONCE:
        return at + TOGETHER
    local = timezone.localtime(at, timezone.get_default_timezone())
    day = local.date() if local.time() < DIGEST_AT else local.date() + timedelta(days=1)
    return datetime.combine(day, DIGEST_AT, timezone.get_default_timezone())
