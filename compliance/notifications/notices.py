"""Who is notified of due dates, access changes, stopped webhooks and the state of the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from compliance.access.permissions import Action, Role
from compliance.access.reads import who_may
from compliance.access.scope import memberships_of
from compliance.notifications import events
from compliance.notifications.kinds import (
    Notification,
    Occurrence,
    Way,
    notice_kind,
    notifies_of,
)
from compliance.people import events as access_changes
from compliance.people.access_changes import deciders_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.notifications.models import Webhook
    from compliance.people.models import AccessChange


DEADLINE = notice_kind(
    "deadline",
    "Something you have to do is due soon",
    mail="Something is due soon.",
    action=Action.SEE_REPORTS,  # roles that work with filings, so not administrators
    usual=Way.DAILY,
)
STOPPED = notice_kind(
    "webhook_stopped",
    "Your webhook was stopped",
    mail="Your webhook was stopped.",
    action=Action.MANAGE_KEYS,
    usual=Way.AT_ONCE,
)
ACCESS_WAITS = notice_kind(
    "access_change_waits",
    "An access change needs a second person",
    mail="An access change needs a second person.",
    action=Action.CONFIRM_ACCESS,
    usual=Way.AT_ONCE,
)
OWN_RESET = notice_kind(
    "second_factor_reset",
    "Your second factor is being reset",
    mail="Your second factor is being changed.",
    action=Action.SEE_OWN_ACCOUNT,
    usual=Way.HERE,  # a separate email is sent at once, whatever is chosen here
)
SYSTEM_STATUS = notice_kind(
    "system_status",
    "Something in the system is failing or needs attention (administrators only)",
    mail="Something in the system needs your attention. See the status page.",
    action=Action.SEE_OPERATIONS,
    usual=Way.AT_ONCE,
)


@notifies_of(events.STOPPED)
def of_stopped_webhook(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify those who manage API keys and webhooks."""
    webhook: Webhook = occurrence.about
    yield Notification(
        kind=STOPPED,
        to=who_may(Action.MANAGE_KEYS, occurrence.party),
        says=f"The {webhook} was stopped. {occurrence.event.reason}",
        link=reverse("webhooks", args=[webhook.party.code]),
    )


@notifies_of(access_changes.PROPOSED, access_changes.DONE_ALONE)
def of_access_change(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify those who may decide it, and the owner of a second factor to be reset."""
    change: AccessChange = occurrence.about
    yield Notification(
        kind=ACCESS_WAITS,
        to=deciders_of(change),
        says=f"{change.proposed_by} made this change alone. Confirm or reverse it: {change}."
        if change.state == change.State.DONE_ALONE
        else f"{change.proposed_by} proposed this change, which needs a second person: {change}.",
        link=reverse("access_change", args=[change.uuid]),
    )
    if change.person is not None and change.what == change.What.RESET:
        yield Notification(
            kind=OWN_RESET,
            to=memberships_of(change.person),
            says=f"{change.proposed_by} proposed to remove your second factors. "
            "Stop it if you did not ask for it.",
            link=reverse("own_reset"),
        )


@notifies_of(access_changes.SECOND_FACTOR_RESET)
def of_reset(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the owner that the second factors were removed."""
    yield Notification(
        kind=OWN_RESET,
        to=memberships_of(occurrence.about),
        says="Your second factors were removed, and you were signed out everywhere.",
        link=reverse("own_reset"),
    )


def status_notice(says: str) -> Notification:
    """Return what administrators are notified of when something in the system is wrong."""
    to = who_may(Action.SEE_OPERATIONS).filter(role=Role.ADMINISTRATOR)
    return Notification(
        kind=SYSTEM_STATUS, to=to, says=f"System status. {says}.", link=reverse("status")
    )
