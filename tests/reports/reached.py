"""Deliveries for a party, for tests that try every address as everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.utils import timezone

from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from reports.documents.models import Report
from reports.documents.registry import About
from reports.schedules.models import Delivery, Way
from reports.schedules.orders import order_report
from reports.schedules.subscriptions import subscribe

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.access.models import Party, Person

NO_SENDING: dict[str, Any] = {
    "report_order": uuid4(),
    "subscription": uuid4(),
    "delivery": uuid4(),
}


def made_up_report(party: Party, number: int = 1) -> Report:
    """Create a report's row without its files, for tests that open none."""
    return Report.objects.create(
        kind="rules_as_read", about=str(party.code), party=party, number=number,
        reference=f"RR-{party.code}-{number}", title=f"Rules {number}", body="0" * 64, size=1,
        pages=1, inputs="0" * 64, faces="0" * 64, software={}, at=timezone.now(),
    )  # fmt: skip


def sending_of(party: Party, manager: Person, asked: Collection[str]) -> dict[str, Any]:
    """Create what the requested names need, and no more."""
    made: dict[str, Any] = {}
    if "report_order" in asked:
        about = About(party=party)
        made["report_order"] = order_report(kind="rules_as_read", about=about, by=SYSTEM).uuid
    if "subscription" in asked:
        made["subscription"] = subscribe(party=party, way=Way.MAIL, by=manager, everybody=True).uuid
    if "delivery" in asked:
        now = timezone.now()
        with without_access_scope():
            made["delivery"] = Delivery.objects.create(
                report=made_up_report(party), party=party, way=Way.FOLDER, state="failed",
                made=now, ended=now,
            ).uuid  # fmt: skip
    return made
