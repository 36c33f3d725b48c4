"""Orders of reports: placed once, taken by one worker at a time, made or failed with a reason."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from pyhanko.sign.timestamps import TimestampRequestError

from audits.services.announce import announce
from compliance.actor import SYSTEM
from compliance.archive import DamagedError, MissingError
from compliance.no_room import is_for_want_of_room
from compliance.passing import in_a_line, will_pass
from compliance.services.record import record
from compliance.services.refused import RefusedError
from reports.documents.kinds import About, NothingToReportError
from reports.event_types import FAILED, ORDERED
from reports.made_orders import tell_made
from reports.models import ReportOrder
from reports.services.make import make_report
from reports.signing.keys import NoReportKeyError

if TYPE_CHECKING:
    from compliance.actor import Actor, Asker

MAKE_ORDERED = "reports.make_ordered"
HELD = timedelta(seconds=90)
MOST_ATTEMPTS = 3
State = ReportOrder.State
CANNOT_BE_MADE = (
    NothingToReportError, NoReportKeyError, RefusedError, MissingError, DamagedError,
    TimestampRequestError, OSError,
)  # fmt: skip
"""What somebody can mend. Anything else is a fault of ours: the worker says it, and tries again."""

log = structlog.get_logger(__name__)


@transaction.atomic
def order_report(*, kind: str, about: About, by: Asker | Actor, number: int = 1) -> ReportOrder:
    """Order a report; one that was ordered before is given back, and waits again if it failed."""
    order, new = ReportOrder.objects.get_or_create(
        kind=kind,
        about=about.key,
        number=number,
        defaults={
            "uuid": uuid4(),
            "party": about.party,
            "day": about.day,
            "subject": about.subject,
            "line": about.line,
            "ordered": timezone.now(),
        },
    )
    again = not new and ReportOrder.objects.filter(pk=order.pk, state=State.FAILED).update(
        state=State.WAITING, reason="", attempts=0, held_until=None
    )
    if new or again:
        record(
            ORDERED, by=by, party=about.party, about=order, carries={"kind": kind, "number": number}
        )
        order.refresh_from_db()
        announce(MAKE_ORDERED)
    return order


def make_next() -> ReportOrder | None:
    """Take the order that waits longest and make its report; None where nothing waits.

    Where the machine has no room or no database for it, it is tried again as often as it takes.
    """
    order = _take()
    if order is None:
        return None
    about = About(party=order.party, day=order.day, subject=order.subject, line=order.line)
    try:
        report = make_report(kind=order.kind, about=about, number=order.number)
    except CANNOT_BE_MADE as error:
        if is_for_want_of_room(error):
            _leave(order, error)
            raise
        _fail(order, str(error))
    except Exception as fault:
        _leave(order, fault)
        raise
    else:
        tell_made(report)
        ReportOrder.objects.filter(pk=order.pk).update(
            state=State.MADE, report=report, held_until=None, reason=""
        )
    order.refresh_from_db()
    return order


def _take() -> ReportOrder | None:
    """Hold one order; the conditional update lets one worker have it."""
    now = timezone.now()
    free = Q(state=State.WAITING) | Q(state=State.BEING_MADE, held_until__lt=now)
    for order in ReportOrder.objects.filter(free).order_by("pk").select_related("party")[:20]:
        if order.attempts >= MOST_ATTEMPTS:
            never = f"It was begun {order.attempts} times and never came to an end."
            _fail(order, f"{never} {order.reason}".strip())
            continue
        if ReportOrder.objects.filter(free, pk=order.pk, attempts=order.attempts).update(
            state=State.BEING_MADE, held_until=now + HELD, attempts=F("attempts") + 1
        ):
            return order
    return None


def _leave(order: ReportOrder, fault: Exception) -> None:
    """Leave an order to whoever takes it when it is held no more, and say why."""
    passes = will_pass(fault) or is_for_want_of_room(fault)
    counted = {"attempts": F("attempts") - 1} if passes else {}
    ReportOrder.objects.filter(pk=order.pk).update(reason=in_a_line(fault), **counted)


def _fail(order: ReportOrder, reason: str) -> None:
    with transaction.atomic():
        ReportOrder.objects.filter(pk=order.pk).update(
            state=State.FAILED, reason=reason, held_until=None
        )
        record(
            FAILED,
            by=SYSTEM,
            party=order.party,
            about=order,
            reason=reason,
            carries={"kind": order.kind, "number": order.number},
        )
    log.error("a report could not be made", kind=order.kind, about=order.about, reason=reason)
