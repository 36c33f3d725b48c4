"""Who is told of reports: people of the party to which one is shown, if no mail brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from compliance.choices import PartyKind
from compliance.permissions import Action
from compliance.selectors.people import who_may
from compliance.telling import NoticeKind, Telling, Way, notice_kind
from reports.models import Delivery

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from compliance.models import Party
    from reports.models import Report

READY = notice_kind(
    NoticeKind(
        name="report_ready",
        label="A report is ready for you",
        mail="A report is ready for you.",
        action=Action.SEE_REPORTS,
        usual=Way.HERE,
        for_programs=True,
    )
)


def of_report(report: Report, shown_to: Collection[Party]) -> Iterable[Telling]:
    """Tell these parties' programs, and people that no mail tells.

    The commission's people have their list, and order what comes.
    """
    coming = Delivery.objects.filter(report=report, person__isnull=False).values("person")
    for party in shown_to:
        inside = party.kind == PartyKind.COMMISSION_UNIT
        yield Telling(
            kind=READY,
            to=() if inside else who_may(Action.SEE_REPORTS, party).exclude(person__in=coming),
            says=f"{report.title} is ready.",
            link=reverse("report", args=[report.uuid]),
            programs=[party],
            numbers={"report": report.uuid},
        )
