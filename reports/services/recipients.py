"""Who gets a report: noted in the transaction that shows it, so that nothing need be caught up.

Only what is shown to a party comes to it, and only to people who hold a role in it that sees
reports. What is shown to nobody yet, because its day is not released, is on its way to nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from compliance.models import Membership
from compliance.permissions import ROLES_OF_ACTION, Action
from compliance.services.tell import tell
from reports.models import Delivery, ReportVisibility, Subscription, Way
from reports.notices import of_report

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from compliance.models import Party
    from reports.models import Report


def expect_deliveries(*, report: Report, shown_to: Collection[Party]) -> None:
    """Note to whom a report goes that is shown to these parties now; to each once.

    Ask outside of all walls. Of a mail and a line in the application the mail is the one.
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
                due=now,
                ended=now if way == Way.APPLICATION else None,
            )
            for (party, person), way in ways.items()
        ],
        ignore_conflicts=True,
    )
    tell(list(of_report(report, shown_to)))


def readers(party: int) -> QuerySet[Membership]:
    """Roles held now in a party by which its people see reports."""
    return Membership.objects.filter(
        party=party,
        ended__isnull=True,
        person__is_active=True,
        role__in=ROLES_OF_ACTION[Action.SEE_REPORTS],
    )
