"""What auditors and administrators see first: proof and acts of others; accounts and the system."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import django_tables2 as tables
from django.db.models import Count, Max
from django.urls import reverse
from django.utils.html import format_html

from compliance import clock, health
from compliance.access.models import Membership, Person
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.event_log.reads import describe_events, readable_events
from compliance.events.types import event_types
from compliance.people.models import Invitation
from compliance.ui.access import asked
from compliance.ui.tables import CountColumn, ListTable, WhenColumn

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from compliance.access.models import Party


WEEK: Final = timedelta(days=7)
NEWEST: Final = 10
PROOFS: Final = frozenset(
    {"event_log", "witnesses", "log_verification", "full_verification", "backup", "tested_restore"}
)
"""The conditions that an auditor relies on."""


ACTS: Final = {
    "access_change.confirmed": "Access changes confirmed by a second person",
    "access_change.done_alone": "Access changes made by one person",
    "access_change.reversed": "Access changes reversed",
    "act.confirmed": "Acts confirmed by a second person",
    "act.proposed": "Acts proposed",
    "approval.given": "Approvals",
    "controls.decided": "Decisions on internal controls",
    "day.released": "Nightly reports released",
    "issue.decided": "Issues decided",
    "issue.decision_proposed": "Decisions proposed",
    "issue.released": "Issues released to operators",
    "issue.standing_release": "Automatic releases changed",
    "law.value_added": "Legal limits added",
    "law.verified": "Legal limits verified",
    "request.denied": "Requests denied",
    "withdrawal.stepped": "Withdrawals of approvals",
}
"""Signed acts, in the words of the page."""


class ActTable(ListTable):
    """Acts that people sign, by kind; the kind leads to their events."""

    says = tables.Column(verbose_name="Act")
    count = CountColumn(verbose_name="Last seven days")
    newest = WhenColumn()
    caption = "Decisions, approvals, releases and other signed acts"
    compact = True

    def render_says(self, record: dict[str, Any]) -> SafeString:
        url = f"{reverse('events')}?type={record['type']}"
        return format_html('<a class="usa-link" href="{}">{}</a>', url, record["says"])


class InvitationTable(ListTable):
    """Invitations that nobody has accepted yet."""

    email = tables.Column(verbose_name="Invited")
    role = tables.Column(accessor="get_role_display")
    party = tables.Column(linkify=lambda record: reverse("people", args=[record.party.code]))
    made = WhenColumn(verbose_name="Sent")
    expires = WhenColumn()
    caption = "Open invitations"
    compact = True


def _is(request: HttpRequest, party: Party, role: Role) -> bool:
    memberships = asked(request).memberships
    return any(each.party_id == party.pk and each.role == role for each in memberships)


def oversight(request: HttpRequest, party: Party) -> dict[str, Any] | None:
    """Return for an auditor whether the proofs hold, and what people signed in the last week."""
    if not _is(request, party, Role.AUDITOR):
        return None
    signed = [each.name for each in event_types() if each.signed]
    found = readable_events(asked(request).memberships).filter(
        type__in=signed, at__gte=clock.now() - WEEK
    )
    counted = found.order_by().values("type").annotate(count=Count("pk"), newest=Max("at"))
    rows: list[dict[str, Any]] = [
        {**each, "says": ACTS.get(each["type"], each["type"])} for each in counted
    ]
    rows.sort(key=lambda each: (-each["count"], each["says"]))
    return {
        "conditions": [each for each in health.all_conditions() if each.name in PROOFS],
        "table": ActTable(rows),
        "newest": describe_events(found[:NEWEST]),
    }


def administration(request: HttpRequest, party: Party) -> dict[str, Any] | None:
    """Return for an administrator what fails, who was invited, and who never signed in."""
    if not _is(request, party, Role.ADMINISTRATOR):
        return None
    with without_access_scope():
        invited = Invitation.objects.filter(accepted=None, withdrawn=None)
        current = Membership.objects.filter(ended=None).values("person")
        people = Person.objects.filter(pk__in=current, is_active=True)
        idle = people.filter(last_login=None).order_by("name")
        return {
            "conditions": [each for each in health.all_conditions() if not each.is_ok],
            "table": InvitationTable(invited.select_related("party").order_by("expires")[:NEWEST]),
            "invited": invited.count(),
            "idle": list(idle[:NEWEST]),
            "idle_count": idle.count(),
        }
