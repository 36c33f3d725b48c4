"""Webhooks of a party: made, ended, begun again; by its own people, or a program with a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance import clock
from compliance.event_types import webhooks as events
from compliance.kept_secret import sealed
from compliance.models import ApiKey, Webhook, WebhookDelivery
from compliance.permissions import Action, key_may, may
from compliance.services.api_keys import require_second_factor
from compliance.services.expect_webhooks import body_of
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.telling import notice_kinds
from compliance.walls import memberships_of, without_walls
from compliance.webhooks.addresses import read_address
from compliance.webhooks.signature import new_secret

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.actor import Asker
    from compliance.models import Party
    from compliance.telling import NoticeKind

MOST = 10
TRIAL = "test"
"""The kind of a delivery that somebody sends to see whether it arrives."""
SECRET = "webhook"  # noqa: S105 - what the secret is sealed for
State = WebhookDelivery.State


@transaction.atomic
def make_webhook(
    *, party: Party, url: str, kinds: Collection[str], by: Asker
) -> tuple[Webhook, str]:
    """Have a party's program told at an address: the webhook, and its secret, shown this once.

    Refuses: somebody who is not of the party, or has no second factor; an address that is none, or
    is of a network inside; no kind, or one that its maker may not be told of; one too many.
    """
    require(by, Action.MANAGE_KEYS, party)
    own = _own(by, party)
    if not isinstance(by, ApiKey):
        require_second_factor(by)
    read_address(url)
    known = {kind.name for kind in own}
    if not kinds or not known.issuperset(kinds):
        msg = f"Say what it is told of, of these: {', '.join(sorted(known))}."
        raise RefusedError(msg)
    with without_walls():
        serving = list(
            Webhook.objects.filter(party=party, ended=None).values_list("url", flat=True)
        )
    if len(serving) >= MOST:
        msg = f"A party has up to {MOST} webhooks. End one that is not needed any more."
        raise RefusedError(msg)
    if url in serving:
        msg = "There is a webhook to this address already. End it first to change what it hears."
        raise RefusedError(msg)
    secret = new_secret()
    webhook = Webhook.objects.create(
        party=party,
        url=url,
        kinds=sorted(set(kinds)),
        secret=sealed(secret, SECRET),
        by=by.uuid,
        made=clock.now(),
    )
    record(events.MADE, by=by, party=party, about=webhook, carries={"kinds": webhook.kinds})
    return webhook, secret


@transaction.atomic
def end_webhook(*, webhook: Webhook, reason: str, by: Asker) -> None:
    """Send nothing more by it, with a reason; what waits is not sent. It does not come back."""
    require(by, Action.MANAGE_KEYS, webhook.party)
    if not reason.strip():
        msg = "Say why the webhook is ended."
        raise RefusedError(msg)
    with without_walls():
        if not Webhook.objects.filter(pk=webhook.pk, ended=None).update(ended=clock.now()):
            msg = "This webhook was ended before."
            raise RefusedError(msg)
        leave_what_waits(webhook, f"The webhook was ended: {reason}")
    record(events.ENDED, by=by, party=webhook.party, about=webhook, reason=reason)


@transaction.atomic
def resume_webhook(*, webhook: Webhook, by: Asker) -> None:
    """Begin one again that was stopped; refuses one that was not. What failed is sent by hand."""
    require(by, Action.MANAGE_KEYS, webhook.party)
    with without_walls():
        resumed = Webhook.objects.filter(pk=webhook.pk, ended=None, stopped__isnull=False).update(
            stopped=None, failing_since=None, quiet_until=None
        )
    if not resumed:
        msg = "Only what was stopped is begun again; this was not, or somebody was faster."
        raise RefusedError(msg)
    record(events.RESUMED, by=by, party=webhook.party, about=webhook)


@transaction.atomic
def send_again(*, delivery: WebhookDelivery, by: Asker) -> None:
    """Have a delivery that failed tried again at once, under its number."""
    webhook = delivery.webhook
    require(by, Action.MANAGE_KEYS, webhook.party)
    with without_walls():
        changed = WebhookDelivery.objects.filter(
            pk=delivery.pk, state=State.FAILED, webhook__ended=None, webhook__stopped=None
        ).update(state=State.WAITING, reason="", attempts=0, due=clock.now(), ended=None)
        Webhook.objects.filter(pk=webhook.pk).update(quiet_until=None)
    if not changed:
        msg = "Only what failed is sent again, by a webhook that serves: begin it again first."
        raise RefusedError(msg)
    carries = {"kind": delivery.kind, "number": str(delivery.uuid)}
    record(events.RETRIED, by=by, party=webhook.party, about=webhook, carries=carries)


@transaction.atomic
def send_trial(*, webhook: Webhook, by: Asker) -> WebhookDelivery:
    """Send something that tells of nothing, to see whether it arrives. One waits at a time."""
    require(by, Action.MANAGE_KEYS, webhook.party)
    with without_walls():
        waiting = WebhookDelivery.objects.filter(
            webhook=webhook, kind=TRIAL, state__in=(State.WAITING, State.SENDING)
        )
        if webhook.ended or webhook.stopped or waiting.exists():
            msg = "A test is on its way already, or the webhook serves no more."
            raise RefusedError(msg)
        now = clock.now()
        Webhook.objects.filter(pk=webhook.pk).update(quiet_until=None)
        return WebhookDelivery.objects.create(
            webhook=webhook, kind=TRIAL, body=body_of(TRIAL, "/", {}), made=now, due=now
        )


def leave_what_waits(webhook: Webhook, reason: str) -> None:
    """Let what was not taken yet fail; ask outside of all walls."""
    WebhookDelivery.objects.filter(webhook=webhook, state=State.WAITING).update(
        state=State.FAILED, reason=reason, ended=clock.now()
    )


def kinds_for(by: Asker, party: Party) -> list[NoticeKind]:
    """What a webhook of this party, made by this person or key, may be told of."""
    if isinstance(by, ApiKey):
        return [kind for kind in _for_programs() if key_may(by, kind.action, party)]
    own = [held for held in memberships_of(by) if held.party_id == party.pk]
    return [kind for kind in _for_programs() if may(own, kind.action, party)]


def _own(by: Asker, party: Party) -> list[NoticeKind]:
    """The same, of the party's own people and programs alone."""
    theirs = (
        by.party_id == party.pk
        if isinstance(by, ApiKey)
        else may([h for h in memberships_of(by) if h.party_id == party.pk], Action.MANAGE_KEYS)
    )
    if not theirs:
        msg = f"A webhook of {party.name} is made by its own people and programs."
        raise NotAllowedError(msg)
    return kinds_for(by, party)


def _for_programs() -> list[NoticeKind]:
    return [kind for kind in notice_kinds() if kind.for_programs]
