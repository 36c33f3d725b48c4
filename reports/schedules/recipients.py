"""Recipients of a report: recorded in the transaction that shows it, so that none can be missed.

Parties only receive what is shown to them, and only for people with a role in them that sees
reports. A report that nobody may see yet, because its day is not released, goes to nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import Membership
from compliance.access.permissions import ROLES_OF_ACTION, Action, PartyKind
from compliance.access.reads import who_may
from compliance.jobs import queue
from compliance.notifications import kinds
from compliance.notifications.writes import notify
from reports.documents.models import ReportVisibility
from reports.schedules.models import Delivery, Subscription, Way

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.db.models import QuerySet

    from compliance.access.models import Party
    from reports.documents.models import Report


READY = kinds.notice_kind(
    "report_ready",
    "A report is ready for you",
    mail="A report is ready for you.",
    action=Action.SEE_REPORTS,
    usual=kinds.Way.HERE,
    for_programs=True,
)


def expect_deliveries(*, report: Report, shown_to: Collection[Party]) -> None:
    """Record the recipients of a report that is now shown to these parties, each once.

    Call it outside any access scope. If a person would get both an email and an entry in the
    application, it is an email.
    """
    concerned = {*ReportVisibility.objects.filter(report=report).values_list("party", flat=True)}
    if report.party_id is not None:
        concerned.add(report.party_id)
    wanted = Subscription.objects.filter(
        Q(kind="") | Q(kind=report.kind),
        Q(about__isnull=True) | Q(about__in=concerned),
        party__in=shown_to,
        paused__isnull=True,
        ended__isnull=True,
    )
    ways: dict[tuple[int, int | None], str] = {}
    for each in wanted:
        people: list[int | None] = [each.person_id]
        if each.person_id is None and each.way != Way.FOLDER:
            people = list(readers(each.party_id).values_list("person", flat=True))
        for person in people:
            known = ways.get((each.party_id, person))
            ways[each.party_id, person] = Way.MAIL if known == Way.MAIL else each.way
    now = timezone.now()
    Delivery.objects.bulk_create(
        [
            Delivery(
                report=report,
                party_id=party,
                person_id=person,
                way=way,
                state=Delivery.State.SENT if way == Way.APPLICATION else Delivery.State.WAITING,
                made=now,
                ended=now if way == Way.APPLICATION else None,
            )
            for (party, person), way in ways.items()
        ],
        ignore_conflicts=True,
    )
    waiting = Delivery.objects.filter(report=report, state=Delivery.State.WAITING)
    for way, kind in Delivery.JOBS.items():
        queue.add_jobs(kind, waiting.filter(way=way).values_list("pk", flat=True))
    notify(list(_notices_of(report, shown_to)))


def readers(party: int) -> QuerySet[Membership]:
    """Return current roles in a party that let its people see reports."""
    return Membership.objects.filter(
        party=party,
        ended__isnull=True,
        person__is_active=True,
        role__in=ROLES_OF_ACTION[Action.SEE_REPORTS],
    )


def _notices_of(report: Report, shown_to: Collection[Party]) -> Iterable[kinds.Notification]:
    """Notify these parties' programs, and people who get no email.

    The commission's people have their list, and order what they want to receive.
    """
    coming = Delivery.objects.filter(report=report, person__isnull=False).values("person")
    for party in shown_to:
        inside = party.kind == PartyKind.COMMISSION_UNIT
        yield kinds.Notification(
            kind=READY,
            to=() if inside else who_may(Action.SEE_REPORTS, party).exclude(person__in=coming),
            says=f"{report.title} is ready.",
            link=reverse("report", args=[report.uuid]),
            programs=[party],
            numbers={"report": report.uuid},
        )
